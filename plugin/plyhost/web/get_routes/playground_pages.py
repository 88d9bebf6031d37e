"""The playground over HTTP: one page at `/playground` and the files that it loads.

All are read once.  Their addresses stay the same from release to release, so a browser asks each
time and is told that nothing has changed.
"""

from hashlib import sha256
from importlib.resources import files

from flask import Blueprint, Response, request

from plyhost.errors import NotFound

PATH = "/playground"
ASSETS = f"{PATH}/assets"
PAGE = "index.html"

KINDS = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}

HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "object-src 'none'"
    ),
}


def make_playground_blueprint() -> Blueprint:
    """Return the routes, to be registered on the application."""
    routes = Blueprint("playground", __name__)
    held = _read_playground_files()

    def answer(name: str = PAGE) -> Response:
        if name not in held:
            raise NotFound
        return _make_file_response(held[name], KINDS[name.rpartition(".")[2]])

    routes.add_url_rule(PATH, "page", answer)
    routes.add_url_rule(f"{ASSETS}/<name>", "asset", answer)
    return routes


def _read_playground_files() -> dict[str, bytes]:
    folder = files("plyhost") / "playground"
    return {
        file.name: file.read_bytes()
        for file in folder.iterdir()
        if file.name.rpartition(".")[2] in KINDS
    }


def _make_file_response(body: bytes, kind: str) -> Response:
    answer = Response(body, content_type=kind, headers=HEADERS)
    answer.set_etag(sha256(body).hexdigest()[:32])
    answer.make_conditional(request)
    return answer
