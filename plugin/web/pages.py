"""What is read with GET beside pictures: the service itself, its games, documents and health."""

from collections.abc import Callable
from importlib.metadata import version
from importlib.resources import files

import orjson
from flask import Flask, Response
from flask_swagger_ui import get_swaggerui_blueprint

from plugin import limits, registry
from plugin.codec import FORMS
from plugin.errors import NotFound
from plugin.history import AnyGame
from plugin.view import CONTRACT, Answer, gameinfo
from plugin.web import error_page, metrics
from plugin.web.problems import STATUS
from plugin.web.service import Service
from schemas.openapi import document

JSON = "application/json"
SCHEMA = "application/schema+json"


def install(app: Flask, service: Service) -> None:
    """Add the pages."""
    pages: dict[str, Callable[..., Answer]] = {
        "/v1": lambda: _about(service),
        "/v1/games": _games,
        "/v1/games/<uid>": _game,
        "/openapi.json": document,
        "/healthz": lambda: {"status": "ok"},
        "/readyz": lambda: _ready(service),
    }
    for path, page in pages.items():
        app.add_url_rule(path, path, _page(page))
    app.add_url_rule("/schemas/<name>", "/schemas", _schema)
    app.add_url_rule("/metrics", "/metrics", lambda: _metrics(service))
    app.add_url_rule(error_page.PATH, error_page.PATH, _errors)
    app.register_blueprint(
        get_swaggerui_blueprint("/docs", "/openapi.json", {"app_name": "plyhost"}),
        url_prefix="/docs",
    )


def _page(page: Callable[..., Answer]) -> Callable[..., Response]:
    return lambda **place: Response(orjson.dumps(page(**place)), content_type=JSON)


def _about(service: Service) -> Answer:
    engines = {uid: list(game.info.versions) for uid, game in registry.games().items()}
    return {
        "name": "plyhost",
        "release": version("plyhost"),
        "contract": CONTRACT,
        "engines": engines,
        "forms": list(FORMS),
        "limits": limits.shown() | {"request_seconds": service.settings.request_seconds},
    }


def _games() -> Answer:
    return {"games": [_told(game) for game in registry.games().values()]}


def _game(uid: str) -> Answer:
    return _told(registry.game(uid))


def _told(game: AnyGame) -> Answer:
    return gameinfo(game, registry.token(game.info.uid))


def _ready(service: Service) -> Answer:
    """Tell that answers can be given, which they can without Redis, too."""
    if service.store.link is not None:
        service.store.link.probe()
    return {"status": "ok", "redis": service.store.state}


def _metrics(service: Service) -> Response:
    return Response(service.metrics.page(), content_type=metrics.KIND)


def _errors() -> Response:
    return Response(error_page.page(tuple(STATUS.items())), mimetype="text/html")


def _schema(name: str) -> Response:
    """Return a published document."""
    folder = files("schemas") / "published"
    if name not in {file.name for file in folder.iterdir()}:
        raise NotFound
    return Response((folder / name).read_bytes(), content_type=SCHEMA)
