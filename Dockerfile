FROM docker.io/library/python:3.13-slim-trixie AS build

WORKDIR /src
RUN python -m venv /opt/plyhost
COPY pyproject.toml README.md LICENSE ./
COPY schemas schemas
COPY docs docs
COPY plugin plugin
# Both secrets may be missing: a pip.conf, and certificates for it, where packages come from a mirror.
# Bytecode that is never checked against its source stays good whatever copying does to file times.
RUN --mount=type=secret,id=pip,target=/etc/pip.conf \
    --mount=type=secret,id=ca,target=/run/secrets/ca \
    /opt/plyhost/bin/pip install --no-cache-dir --no-compile . \
    && /opt/plyhost/bin/pip uninstall --yes pip \
    && python -m compileall -q --invalidation-mode unchecked-hash /opt/plyhost/lib


FROM docker.io/library/python:3.13-slim-trixie

LABEL org.opencontainers.image.title="plyhost" \
      org.opencontainers.image.description="A stateless game server plugin for turn-based board-game sites" \
      org.opencontainers.image.licenses="MIT"

COPY --from=build /opt/plyhost /opt/plyhost
ENV PATH=/opt/plyhost/bin:$PATH \
    PYTHONUNBUFFERED=1
# The base has no bytecode of the standard library, and nothing can be written later: what the
# service and its health check import is compiled here, once.
RUN python -c "import http.client, plyhost.web.app, plyhost.cli.commands, plyhost.web.serving.server"
# All addresses of the container, which the service takes only with keys, or told that it needs none.
ENV PYTHONDONTWRITEBYTECODE=1 \
    PLYHOST_HOST=0.0.0.0 \
    PLYHOST_WORKERS=2

# A number, so that a platform can see that it is not root.
USER 10001:10001
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "from http.client import HTTPConnection as C; c = C('127.0.0.1', 8000, timeout=3); c.request('GET', '/healthz'); exit(c.getresponse().status != 200)"]
ENTRYPOINT ["plyhost"]
CMD ["serve"]
