"""The Flask application: contract version 1 over HTTP.

Nothing here knows a game.
"""

import gc
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import orjson
from flask import Flask, Response, request
from werkzeug.exceptions import MethodNotAllowed

from plyhost import errors, limits
from plyhost.contract import picture_requests
from plyhost.contract.operations import OPERATIONS, Operation, answer_suggestion
from plyhost.contract.view import Answer
from plyhost.games import registry
from plyhost.schemas.requests import REQUESTS
from plyhost.web import batch_route, bodies, config, legacy_routes, request_body, service
from plyhost.web.config import Settings
from plyhost.web.gates import idempotency_http
from plyhost.web.gates.callers import Forwarded
from plyhost.web.gates.cors import Origins
from plyhost.web.gates.guard import Guard
from plyhost.web.gates.headers import check_headers, check_host, squeeze_accept
from plyhost.web.gates.rates import Rates, is_heavy_request
from plyhost.web.get_routes import picture_pages, playground_pages
from plyhost.web.get_routes import service_pages as pages
from plyhost.web.middleware import CALL, Call, Frame, name_caller
from plyhost.web.problem_json import PROBLEM, STATUS
from plyhost.web.problems import make_error_handler
from plyhost.web.service import Service
from plyhost.web.serving.worker import ADMISSION, LEDGER

__all__ = ["STATUS", "create_app"]

JSON = "application/json"

_ENDINGS = tuple(f".{ending}" for ending in picture_requests.KINDS)
#: Addresses whose answers are no JSON, or another kind of it.
_NO_JSON = ("/docs", "/metrics", "/playground", "/schemas/")


def create_app(settings: Settings | None = None) -> Flask:
    """Return the application, its games loaded and the collector calmed.

    Without settings those of the environment are taken; raises Misconfigured.
    """
    parts = service.assemble_service(settings or config.load_settings())
    app = Flask("plyhost", static_folder=None)
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    _add_request_checks(app, parts)
    pages.install_pages(app, parts)
    _add_operation_routes(app, parts)
    batch_route.install_batch_route(
        app,
        parts,
        partial(_find_operation, parts=parts),
        _check_kind,
        make_error_handler(parts),
    )
    picture_pages.install_picture_routes(app, parts.store)
    app.register_blueprint(legacy_routes.make_legacy_blueprint())
    if parts.settings.playground:
        app.register_blueprint(playground_pages.make_playground_blueprint())
    _wrap_wsgi_app(app, parts)
    app.extensions |= {ADMISSION: parts.admission, LEDGER: parts.ledger}
    _calm_garbage_collector()
    return app


def _add_request_checks(app: Flask, parts: Service) -> None:
    """Add what a request passes before it is answered, in this order."""
    settings, guard = parts.settings, Guard(parts.settings)
    if settings.is_private:
        app.before_request(lambda: check_host(request.environ, settings.hosts))
    app.before_request(_screen_request)
    if settings.api_keys:
        guard.install_identity(app)
    if settings.rate:
        Rates(settings.rate, parts.store.link, not settings.is_rate_for_strangers).install(app)
    if settings.api_keys:
        guard.install_refusal(app)
    app.before_request(_name_ticket)
    idempotency_http.install_idempotency(app, parts.ledger)
    app.register_error_handler(Exception, make_error_handler(parts))


def _name_ticket() -> None:
    """Have what a request holds counted as its caller's."""
    call: Call = request.environ[CALL]
    call.ticket.caller = name_caller(request.environ)


def _wrap_wsgi_app(app: Flask, parts: Service) -> None:
    settings = parts.settings
    origins = Origins(settings.cors_origins)
    framed = Frame(
        app.wsgi_app, parts.metrics, parts.log, settings.request_seconds, origins, parts.admission
    )
    outer: Callable[..., Any] = framed
    if settings.trusted_proxies:
        outer = Forwarded(framed, settings.trusted_proxies)
    app.wsgi_app = outer  # type: ignore[method-assign]


def _calm_garbage_collector() -> None:
    """Keep what is loaded out of later collections, and collect rarely: states make no cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def _add_operation_routes(app: Flask, parts: Service) -> None:
    app.url_map.redirect_defaults = False
    for name in OPERATIONS:
        path = f"/v1/games/<uid>/{name}"
        app.add_url_rule(path, path, _make_operation_view(name, parts), methods=["POST"])
        for uid in registry.load_games():
            # Found at once, where a rule with a variable is searched for.
            app.add_url_rule(
                f"/v1/games/{uid}/{name}", path, methods=["POST"], defaults={"uid": uid}
            )


def _make_operation_view(name: str, parts: Service) -> Callable[[str], Response]:
    run, schema = _find_operation(name, parts), REQUESTS[name]

    def view(uid: str) -> Response:
        game = registry.find_game(uid)
        _check_kind()
        call: Call = request.environ[CALL]
        body = bodies.read_body(call)
        call.ticket.begin_work(is_heavy_request(name, uid))
        asked = request_body.read_request_body(schema, body)
        kind = _negotiate_render_type() if name == "render" else JSON
        if kind != JSON:
            call.charge(picture_requests.name_picture(kind, asked), uid)
        began = perf_counter()
        try:
            answer = run(game, asked)
        finally:
            parts.metrics.worked(name, uid, perf_counter() - began)
        if kind == JSON:
            return _make_json_response(answer)
        return picture_pages.make_picture_response(
            picture_requests.make_answer_picture(game, answer, asked, kind), parts.store
        )

    return view


def _find_operation(name: str, parts: Service) -> Operation:
    """Return what answers an operation; a suggestion is thought about by other processes."""
    if name == "suggest":
        return partial(answer_suggestion, suggest=parts.thinkers.suggest)
    return OPERATIONS[name]


def _negotiate_render_type() -> str:
    """Return the kind of answer that a call of `render` would rather have; JSON when in doubt."""
    offered = (JSON, *picture_requests.KINDS.values())
    return request.accept_mimetypes.best_match(offered, JSON) if request.accept_mimetypes else JSON


def _check_kind() -> None:
    """Refuse a body that is no plain JSON before it is read; raises UnsupportedMediaType."""
    sent = request.environ
    if sent.get("CONTENT_TYPE") != JSON and request.mimetype != JSON:
        raise errors.UnsupportedMediaType(found=request.mimetype or "none")
    if sent.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        raise errors.UnsupportedMediaType(found=sent["HTTP_CONTENT_ENCODING"])


def _screen_request() -> None:
    """Note what is asked, and refuse what no answer can be given to before anything is read."""
    asked = request.environ
    _note_operation(asked[CALL])
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
    if path.startswith("/docs/"):
        asked[CALL].ticket.begin_document()
    accept = asked.get("HTTP_ACCEPT")
    if accept in (None, "", "*/*", JSON) or path == "/" or path.startswith(_NO_JSON):
        return
    asked["HTTP_ACCEPT"] = squeeze_accept(accept)
    offered = [JSON, PROBLEM, f"{JSON}; charset=utf-8"]
    if path.endswith(("/render", *_ENDINGS)):
        offered += picture_requests.KINDS.values()
    if request.accept_mimetypes.best_match(offered) is None:
        raise errors.NotAcceptable(offered=JSON)


def _note_operation(call: Call) -> None:
    """Note the operation and the game, each by a name of which there are few."""
    if rule := request.url_rule:
        call.operation = rule.endpoint.rpartition("<uid>/")[2]
        uid = (request.view_args or {}).get("uid", "")
        call.game = uid if uid in registry.load_games() else ""


def _make_json_response(answer: Answer) -> Response:
    return Response(orjson.dumps(answer), content_type=JSON)
