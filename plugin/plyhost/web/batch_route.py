"""Many calls in one: `POST /v1/batch` runs operations one after another, each for itself.

Nothing is shared between them, and each has its own status.  Each counts what it weighs, and what
the limits or the time have no room for is refused where it stands.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import orjson
from flask import Flask, Response, request

from plyhost import deadline
from plyhost.errors import InvalidRequest
from plyhost.games import registry
from plyhost.schemas.requests import BATCH, REQUESTS
from plyhost.states import strict_json
from plyhost.web import bodies, request_body
from plyhost.web.middleware import CALL, Call
from plyhost.web.service import Service

PATH = "/v1/batch"

FindOperation = Callable[[str], Callable[..., Any]]
Refuse = Callable[[Exception], Response]


def install_batch_route(
    app: Flask, parts: Service, find: FindOperation, check: Callable[[], None], refuse: Refuse
) -> None:
    """Add the address; `find` returns an operation, `check` refuses what is no JSON."""

    def answer_batch() -> Response:
        check()
        call: Call = request.environ[CALL]
        body = bodies.read_body(call)
        # What it holds is not known before it is read, so it waits with what takes long.
        call.ticket.begin_work(is_heavy=True)
        asked = request_body.read_request_body(BATCH, body)["calls"]
        answers = [_answer_call(one, at, call) for at, one in enumerate(asked)]
        call.code = "ok"
        return Response(orjson.dumps({"answers": answers}), content_type="application/json")

    def _answer_call(asked: dict[str, Any], at: int, call: Call) -> dict[str, Any]:
        try:
            return {"status": 200, "answer": _run_call(asked, at, call)}
        except Exception as error:  # one call's failure is its own
            refused = refuse(error)
            return {"status": refused.status_code, "problem": orjson.Fragment(refused.data)}

    def _run_call(asked: dict[str, Any], at: int, call: Call) -> orjson.Fragment:
        deadline.check_deadline()
        uid, name = asked["game"], asked["operation"]
        game = registry.find_game(uid)
        # The batch itself was counted as 1.
        call.charge(name, uid, 0 if at else 1)
        fields = request_body.read_request_body(REQUESTS[name], _write_body(asked["body"]))
        began = perf_counter()
        try:
            return orjson.Fragment(orjson.dumps(find(name)(game, fields)))
        finally:
            parts.metrics.worked(name, uid, perf_counter() - began)

    app.add_url_rule(PATH, PATH, answer_batch, methods=["POST"])


def _write_body(fields: dict[str, Any]) -> bytes:
    """Return a call's body as if it had come alone."""
    try:
        return orjson.dumps(fields)
    except orjson.JSONEncodeError as error:
        why = strict_json.Ambiguous(str(error))
        raise InvalidRequest({"body": [f"Cannot be read: {why}."]}) from error
