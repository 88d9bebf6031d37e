"""The Flask application: contract version 1 over HTTP.

Nothing here knows a game.  This is the one place where an error becomes a status.
"""

import gc
import logging
from collections.abc import Callable
from importlib.metadata import version
from uuid import uuid4

import orjson
from flask import Flask, Response, request
from flask_swagger_ui import get_swaggerui_blueprint
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from plugin import error_page, errors, intake, legacy_http, limits, pictures, registry
from plugin.codec import FORMS
from plugin.contract import OPERATIONS
from plugin.errors import PlyhostError
from plugin.history import AnyGame
from plugin.view import CONTRACT, Answer, gameinfo
from schemas.openapi import document
from schemas.v1 import PICTURE, REQUESTS

JSON = "application/json"
PROBLEM = "application/problem+json"

STATUS: dict[type[PlyhostError], int] = {
    errors.NotJson: 400,
    errors.UnsupportedMediaType: 415,
    errors.NotAcceptable: 406,
    errors.TooLarge: 413,
    errors.UriTooLong: 414,
    errors.InvalidRequest: 422,
    errors.UnknownGame: 404,
    errors.NotFound: 404,
    errors.MethodNotAllowed: 405,
    errors.IdempotencyMismatch: 422,
    errors.IdempotencyInProgress: 409,
    errors.Unauthorized: 401,
    errors.RateLimited: 429,
    errors.UnknownVariant: 422,
    errors.InvalidState: 422,
    errors.UnsupportedEngine: 422,
    errors.NotConvertible: 422,
    errors.StalePly: 409,
    errors.GameOver: 409,
    errors.NotYourTurn: 409,
    errors.NotRepeated: 409,
    errors.NotSettleable: 409,
    errors.NotOver: 409,
    errors.IllegalMove: 422,
    errors.TimedOut: 503,
    errors.Internal: 500,
}

log = logging.getLogger("plyhost")


def create() -> Flask:
    """Return the application, its games loaded and the collector calmed."""
    app = Flask("plyhost", static_folder=None)
    # One more than the limit: a body that comes in chunks shows its length only when it is read.
    app.config["MAX_CONTENT_LENGTH"] = limits.BODY_BYTES + 1
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    app.before_request(_screen)
    app.register_error_handler(Exception, _refuse)
    _add_pages(app)
    _add_operations(app)
    _add_pictures(app)
    app.register_blueprint(legacy_http.blueprint())
    _calm_collector()
    return app


def _calm_collector() -> None:
    """Keep what is loaded out of later collections, and collect rarely: states make no cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def _add_pages(app: Flask) -> None:
    pages: dict[str, Callable[..., Answer]] = {
        "/v1": _about,
        "/v1/games": _games,
        "/v1/games/<uid>": _game,
        "/openapi.json": document,
        "/healthz": _health,
        "/readyz": _health,
    }
    for path, page in pages.items():
        app.add_url_rule(path, path, _page(page))
    app.add_url_rule(error_page.PATH, "errors", _errors)
    app.register_blueprint(
        get_swaggerui_blueprint("/docs", "/openapi.json", {"app_name": "plyhost"}),
        url_prefix="/docs",
    )


def _page(page: Callable[..., Answer]) -> Callable[..., Response]:
    return lambda **place: _json(page(**place))


def _add_operations(app: Flask) -> None:
    for name in OPERATIONS:
        path = f"/v1/games/<uid>/{name}"
        app.add_url_rule(path, path, _operation(name), methods=["POST"])


def _operation(name: str) -> Callable[[str], Response]:
    run, schema = OPERATIONS[name], REQUESTS[name]

    def view(uid: str) -> Response:
        game = registry.game(uid)
        asked = intake.read(schema, _body())
        answer = run(game, asked)
        kind = _wanted() if name == "render" else JSON
        if kind == JSON:
            return _json(answer)
        return _painted(pictures.of_answer(game, answer, asked, kind))

    return view


def _wanted() -> str:
    """Return the kind of answer that a call of `render` would rather have; JSON when in doubt."""
    offered = (JSON, *pictures.KINDS.values())
    return request.accept_mimetypes.best_match(offered, JSON) if request.accept_mimetypes else JSON


def _add_pictures(app: Flask) -> None:
    draws: dict[str, Callable[[AnyGame, Answer], pictures.Picture]] = {
        "picture.svg": lambda game, asked: pictures.picture(game, asked, pictures.SVG),
        "picture.png": lambda game, asked: pictures.picture(game, asked, pictures.PNG),
        "film.svg": pictures.film,
    }
    for name, draw in draws.items():
        path = f"/v1/games/<uid>/{name}"
        app.add_url_rule(path, path, _picture(draw))


def _picture(draw: Callable[[AnyGame, Answer], pictures.Picture]) -> Callable[[str], Response]:
    def view(uid: str) -> Response:
        fields = intake.checked(PICTURE, pictures.query(request.args.to_dict(flat=False)))
        answer = _painted(draw(registry.game(uid), fields))
        answer.cache_control.public = True
        answer.cache_control.max_age = pictures.MAX_AGE
        return answer

    return view


def _painted(drawn: pictures.Picture) -> Response:
    """Return a picture, or 304 without painting it to a caller that has it."""
    if drawn.etag in request.if_none_match:
        answer = Response(status=304)
    else:
        answer = Response(drawn.body, mimetype=drawn.kind)
        answer.headers["Content-Security-Policy"] = "default-src 'none'"
    answer.set_etag(drawn.etag)
    answer.headers["Vary"] = "Accept"
    return answer


def _body() -> bytes:
    sent = request.environ
    if sent.get("CONTENT_TYPE") != JSON and request.mimetype != JSON:
        raise errors.UnsupportedMediaType(found=request.mimetype or "none")
    if sent.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        raise errors.UnsupportedMediaType(found=sent["HTTP_CONTENT_ENCODING"])
    body = request.get_data(cache=False)
    if len(body) > limits.BODY_BYTES:
        raise _body_too_large()
    return body


def _body_too_large() -> errors.TooLarge:
    limit = limits.BODY_BYTES
    return errors.TooLarge({"limit": limit}, what="The body", limit=f"{limit} bytes")


def _screen() -> None:
    """Refuse what no answer can be given to, before anything is read."""
    if isinstance(request.routing_exception, MethodNotAllowed):
        return
    asked = request.environ
    if len(asked["PATH_INFO"]) + len(asked["QUERY_STRING"]) >= limits.URI_BYTES:
        limit = limits.URI_BYTES
        raise errors.UriTooLong({"limit": limit}, limit=limit)
    accept = asked.get("HTTP_ACCEPT")
    if accept in (None, "", "*/*", JSON) or request.path.startswith("/docs"):
        return
    offered = [JSON, PROBLEM, f"{JSON}; charset=utf-8"]
    if request.path.endswith(("/render", ".svg", ".png")):
        offered += pictures.KINDS.values()
    if request.accept_mimetypes.best_match(offered) is None:
        raise errors.NotAcceptable(offered=JSON)


def _json(answer: Answer, status: int = 200, kind: str = JSON) -> Response:
    return Response(orjson.dumps(answer), status, content_type=kind)


def _refuse(error: Exception) -> Response:
    """Return the problem that an error is."""
    known = _known(error)
    status = STATUS[type(known)]
    about = {"type": f"{error_page.PATH}#{known.code}", **known.body(), "status": status}
    answer = _json(about, status, PROBLEM)
    if isinstance(error, HTTPException) and status == 405:
        answer.headers["Allow"] = ", ".join(getattr(error, "valid_methods", None) or ())
    return answer


def _known(error: Exception) -> PlyhostError:
    if isinstance(error, PlyhostError):
        return error
    if isinstance(error, HTTPException):
        return _from_http(error)
    return _broken(error)


def _from_http(error: HTTPException) -> PlyhostError:
    if error.code == 404:
        return errors.NotFound()
    if error.code == 405:
        return errors.MethodNotAllowed(allow=", ".join(getattr(error, "valid_methods", None) or ()))
    if error.code == 413:
        return _body_too_large()
    if error.code == 400:
        return errors.NotJson(why="The request cannot be read.")
    if error.code is not None and 400 < error.code < 500:
        return errors.InvalidRequest({"_schema": [f"{error.name}."]})
    return _broken(error)


def _broken(error: Exception) -> PlyhostError:
    request_id = uuid4().hex
    log.error("request %s broke", request_id, exc_info=error)
    return errors.Internal(request_id)


def _about() -> Answer:
    engines = {uid: list(game.info.versions) for uid, game in registry.games().items()}
    return {
        "name": "plyhost",
        "release": version("plyhost"),
        "contract": CONTRACT,
        "engines": engines,
        "forms": list(FORMS),
        "limits": limits.shown(),
    }


def _games() -> Answer:
    return {"games": [_told(game) for game in registry.games().values()]}


def _game(uid: str) -> Answer:
    return _told(registry.game(uid))


def _told(game: AnyGame) -> Answer:
    return gameinfo(game, registry.token(game.info.uid))


def _errors() -> Response:
    return Response(error_page.page(tuple(STATUS.items())), mimetype="text/html")


def _health() -> Answer:
    return {"status": "ok"}
