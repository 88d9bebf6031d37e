"""The Flask application: contract version 1 over HTTP.

Nothing here knows a game.
"""

import gc
from collections.abc import Callable
from time import perf_counter
from typing import Any

import orjson
from flask import Flask, Response, request
from werkzeug.exceptions import MethodNotAllowed

from plugin import config, errors, limits, pictures, registry
from plugin.config import Settings
from plugin.contract import OPERATIONS
from plugin.legacy import http as legacy_http
from plugin.view import Answer
from plugin.web import bodies, drawing, idempotency_http, intake, pages, playground, service
from plugin.web.callers import Forwarded
from plugin.web.cors import Origins
from plugin.web.frame import CALL, Call, Frame
from plugin.web.guard import Guard
from plugin.web.headers import check_headers, check_host, squeeze_accept
from plugin.web.problems import PROBLEM, STATUS, refusing
from plugin.web.rates import Rates
from plugin.web.service import Service
from plugin.web.worker import ROOM
from schemas.v1 import REQUESTS

__all__ = ["STATUS", "create"]

JSON = "application/json"

#: Addresses whose answers are no JSON, or another kind of it.
_NO_JSON = ("/docs", "/metrics", "/playground", "/schemas/")


def create(settings: Settings | None = None) -> Flask:
    """Return the application, its games loaded and the collector calmed.

    Without settings those of the environment are taken; raises Misconfigured.
    """
    parts = service.assembled(settings or config.load())
    app = Flask("plyhost", static_folder=None)
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    _add_checks(app, parts)
    pages.install(app, parts)
    _add_operations(app, parts)
    drawing.install(app, parts.store)
    app.register_blueprint(legacy_http.blueprint())
    app.register_blueprint(playground.blueprint())
    _surround(app, parts)
    app.extensions[ROOM] = parts.room
    _calm_collector()
    return app


def _add_checks(app: Flask, parts: Service) -> None:
    """Add what a request passes before it is answered, in this order."""
    settings, guard = parts.settings, Guard(parts.settings)
    if settings.is_private:
        app.before_request(lambda: check_host(request.environ, settings.hosts))
    app.before_request(_screen)
    if settings.api_keys:
        guard.install_identity(app)
    if settings.rate:
        Rates(settings.rate, parts.store.link, not settings.is_rate_for_strangers).install(app)
    if settings.api_keys:
        guard.install_refusal(app)
    idempotency_http.install(app, parts.ledger)
    app.register_error_handler(Exception, refusing(parts))


def _surround(app: Flask, parts: Service) -> None:
    settings = parts.settings
    origins = Origins(settings.cors_origins)
    framed = Frame(
        app.wsgi_app, parts.metrics, parts.log, settings.request_seconds, origins, parts.room
    )
    outer: Callable[..., Any] = framed
    if settings.trusted_proxies:
        outer = Forwarded(framed, settings.trusted_proxies)
    app.wsgi_app = outer  # type: ignore[method-assign]


def _calm_collector() -> None:
    """Keep what is loaded out of later collections, and collect rarely: states make no cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def _add_operations(app: Flask, parts: Service) -> None:
    app.url_map.redirect_defaults = False
    for name in OPERATIONS:
        path = f"/v1/games/<uid>/{name}"
        app.add_url_rule(path, path, _operation(name, parts), methods=["POST"])
        for uid in registry.games():
            # Found at once, where a rule with a variable is searched for.
            app.add_url_rule(
                f"/v1/games/{uid}/{name}", path, methods=["POST"], defaults={"uid": uid}
            )


def _operation(name: str, parts: Service) -> Callable[[str], Response]:
    run, schema = OPERATIONS[name], REQUESTS[name]

    def view(uid: str) -> Response:
        game = registry.game(uid)
        _check_kind()
        call: Call = request.environ[CALL]
        body = bodies.read_body(call)
        call.stay.begin_work()
        asked = intake.read(schema, body)
        began = perf_counter()
        try:
            answer = run(game, asked)
        finally:
            parts.metrics.worked(name, uid, perf_counter() - began)
        kind = _wanted() if name == "render" else JSON
        if kind == JSON:
            return _json(answer)
        return drawing.painted(pictures.of_answer(game, answer, asked, kind), parts.store)

    return view


def _wanted() -> str:
    """Return the kind of answer that a call of `render` would rather have; JSON when in doubt."""
    offered = (JSON, *pictures.KINDS.values())
    return request.accept_mimetypes.best_match(offered, JSON) if request.accept_mimetypes else JSON


def _check_kind() -> None:
    """Refuse a body that is no plain JSON before it is read; raises UnsupportedMediaType."""
    sent = request.environ
    if sent.get("CONTENT_TYPE") != JSON and request.mimetype != JSON:
        raise errors.UnsupportedMediaType(found=request.mimetype or "none")
    if sent.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        raise errors.UnsupportedMediaType(found=sent["HTTP_CONTENT_ENCODING"])


def _screen() -> None:
    """Note what is asked, and refuse what no answer can be given to before anything is read."""
    asked = request.environ
    _note(asked[CALL])
    if isinstance(request.routing_exception, MethodNotAllowed):
        return
    path = asked["PATH_INFO"]
    if path.startswith("//"):
        # The framework would take it for an address with one, which proxies may have closed.
        raise errors.NotFound
    if len(path) + len(asked["QUERY_STRING"]) >= limits.URI_BYTES:
        limit = limits.URI_BYTES
        raise errors.UriTooLong({"limit": limit}, limit=limit)
    check_headers(asked)
    accept = asked.get("HTTP_ACCEPT")
    if accept in (None, "", "*/*", JSON) or path.startswith(_NO_JSON):
        return
    asked["HTTP_ACCEPT"] = squeeze_accept(accept)
    offered = [JSON, PROBLEM, f"{JSON}; charset=utf-8"]
    if path.endswith(("/render", ".svg", ".png")):
        offered += pictures.KINDS.values()
    if request.accept_mimetypes.best_match(offered) is None:
        raise errors.NotAcceptable(offered=JSON)


def _note(call: Call) -> None:
    """Note the operation and the game, each by a name of which there are few."""
    if rule := request.url_rule:
        call.operation = rule.endpoint.rpartition("<uid>/")[2]
        uid = (request.view_args or {}).get("uid", "")
        call.game = uid if uid in registry.games() else ""


def _json(answer: Answer) -> Response:
    return Response(orjson.dumps(answer), content_type=JSON)
