"""What is read with GET beside pictures: the service itself, its games, documents and health."""

from collections.abc import Callable
from dataclasses import asdict
from importlib.metadata import version
from importlib.resources import files

import orjson
from flask import Flask, Response
from flask_swagger_ui import get_swaggerui_blueprint

from plyhost import limits
from plyhost.contract.view import CONTRACT, Answer, view_game_info
from plyhost.errors import NotFound
from plyhost.games import registry
from plyhost.games.game import AnyGame
from plyhost.schemas.openapi import build_openapi_document
from plyhost.states.forms import FORMS
from plyhost.web.get_routes import doc_pages
from plyhost.web.service import Service
from plyhost.web.serving import metrics

JSON = "application/json"
SCHEMA = "application/schema+json"


def install_pages(app: Flask, service: Service) -> None:
    """Add the pages."""
    pages: dict[str, Callable[..., Answer]] = {
        "/v1": lambda: _describe_service(service),
        "/v1/games": _list_game_infos,
        "/v1/games/<uid>": _find_game_info,
        "/openapi.json": build_openapi_document,
        "/healthz": lambda: {"status": "ok"},
        "/readyz": lambda: _report_readiness(service),
    }
    for path, page in pages.items():
        app.add_url_rule(path, path, _make_page_view(page))
    app.add_url_rule("/schemas/<name>", "/schemas", _serve_published_schema)
    app.add_url_rule("/metrics", "/metrics", lambda: _serve_metrics(service))
    if service.settings.docs:
        _install_documents(app)


def _install_documents(app: Flask) -> None:
    """Add the documents and the contract to look through."""
    doc_pages.install_doc_pages(app)
    app.register_blueprint(
        get_swaggerui_blueprint("/docs", "/openapi.json", {"app_name": "plyhost"}),
        url_prefix="/docs",
    )


def _make_page_view(page: Callable[..., Answer]) -> Callable[..., Response]:
    return lambda **place: Response(orjson.dumps(page(**place)), content_type=JSON)


def _describe_service(service: Service) -> Answer:
    engines = {uid: list(game.info.versions) for uid, game in registry.load_games().items()}
    return {
        "name": "plyhost",
        "release": version("plyhost"),
        "contract": CONTRACT,
        "engines": engines,
        "forms": list(FORMS),
        "limits": limits.list_limits() | {"request_seconds": service.settings.request_seconds},
    }


def _list_game_infos() -> Answer:
    return {"games": [_make_game_info(game) for game in registry.load_games().values()]}


def _find_game_info(uid: str) -> Answer:
    return _make_game_info(registry.find_game(uid))


def _make_game_info(game: AnyGame) -> Answer:
    return view_game_info(game, registry.compute_engine_token(game.info.uid))


def _report_readiness(service: Service) -> Answer:
    """Tell that answers can be given, which they can without Redis, too."""
    if service.store.link is not None:
        service.store.link.probe()
    left_out = [asdict(one) for one in registry.list_left_out()]
    return {"status": "ok", "redis": service.store.state, "games_left_out": left_out}


def _serve_metrics(service: Service) -> Response:
    return Response(service.metrics.page(), content_type=metrics.KIND)


def _serve_published_schema(name: str) -> Response:
    """Return a published document."""
    folder = files("plyhost.published")
    if not name.endswith(".json") or name not in {file.name for file in folder.iterdir()}:
        raise NotFound
    return Response((folder / name).read_bytes(), content_type=SCHEMA)
