"""The service and a route that reads a body and writes it again: a floor to compare with."""

import orjson
from flask import Flask, Response, request

from plyhost.games.congeners.position import recall_facts
from plyhost.web.app import create_app

#: A request with this header is answered by a worker that remembers no position.
FORGET = "X-Forget"


def app() -> Flask:
    """Return the application with `POST /echo`; a full state in a text is read and written too."""
    service = create_app()
    service.before_request(forget)
    service.add_url_rule("/echo", "echo", echo, methods=["POST"])
    return service


def forget() -> None:
    """Forget what was remembered of positions, where the request asks for that."""
    if FORGET in request.headers:
        clear()


def clear() -> None:
    """Forget what was remembered of positions."""
    recall_facts.cache_clear()


def echo() -> Response:
    """Return the body, read and written again."""
    body = orjson.loads(request.get_data(cache=False))
    state = body["state"]
    if isinstance(state, str) and state.startswith("{"):
        body["state"] = orjson.dumps(orjson.loads(state)).decode()
    return Response(orjson.dumps(body), mimetype="application/json")
