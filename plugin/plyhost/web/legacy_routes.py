"""The 2018 contract over HTTP: `POST /ap/{game}`.

What a caller does wrong is a 400 with `request` (the body as text) and `message`.  All else, a
missing key or a fault of ours, is the application's to answer, as everywhere.
"""

from typing import Any
from urllib.parse import parse_qsl

import orjson
from flask import Blueprint, Response, request

from plyhost.errors import RequestError
from plyhost.legacy import modes
from plyhost.legacy.modes import Refused
from plyhost.states import strict_json
from plyhost.web.bodies import read_body
from plyhost.web.gates.rates import is_heavy_request
from plyhost.web.middleware import CALL, Call

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"

#: The callers of 2018 sent these two as forms.
MODES_IN_FORMS = ("ping", "metadata")
FORM_FIELDS = 16
#: The operations of contract version 1 that do as much as a mode.
ALIKE = {"init": "new", "move": "move", "archive": "record"}
#: Characters of a body that come back in a refusal.
QUOTED_CHARACTERS = 8192

# In JSON these are the same text, and in a page they are none of its markup.
_HARMLESS = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def make_legacy_blueprint() -> Blueprint:
    """Return the route, to be registered on the application."""
    routes = Blueprint("legacy", __name__)
    routes.add_url_rule("/ap/<uid>", "answer", _answer_legacy_call, methods=["POST"])
    return routes


def _answer_legacy_call(uid: str) -> Response:
    body = b""
    try:
        body = _receive_legacy_body()
        asked = _parse_legacy_body(body)
        _begin_legacy_call(uid, asked)
        return _make_legacy_response(modes.answer_legacy_request(uid, asked))
    except Refused as error:
        return _make_legacy_response({"request": _quote_body(body), "message": error.message}, 400)


def _begin_legacy_call(uid: str, asked: Any) -> None:
    """Count a call as the operation of contract version 1 that does as much, and begin it as that.

    Raises RateLimited or Overdue.
    """
    mode = asked.get("mode") if isinstance(asked, dict) else None
    call: Call = request.environ[CALL]
    alike = ALIKE.get(mode if isinstance(mode, str) else "", "")
    call.charge(alike, uid)
    call.ticket.begin_work(is_heavy_request(alike, uid))


def _make_legacy_response(answer: Any, status: int = 200) -> Response:
    return Response(orjson.dumps(answer), status, mimetype=JSON)


def _quote_body(body: bytes) -> str:
    text = body[: 4 * QUOTED_CHARACTERS].decode(errors="replace")
    return text[:QUOTED_CHARACTERS].translate(_HARMLESS)


def _receive_legacy_body() -> bytes:
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise Refused("The body must not be compressed.")
    call: Call = request.environ[CALL]
    try:
        body = read_body(call)
    except RequestError as error:
        raise Refused(error.detail) from None
    call.ticket.wait_turn()
    return body


def _parse_legacy_body(body: bytes) -> Any:
    """Return what a body says, by its media type."""
    if request.mimetype == JSON:
        return _parse_json_body(body)
    if request.mimetype == FORM:
        return _parse_form_body(body)
    raise Refused(f"The content type must be {JSON}, not {request.mimetype or 'none'}.")


def _parse_json_body(body: bytes) -> Any:
    try:
        return strict_json.parse_strict_json(body)
    except strict_json.Ambiguous as error:
        raise Refused(f"The body cannot be read: {error}.") from error


def _parse_form_body(body: bytes) -> dict[str, str]:
    try:
        found = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=FORM_FIELDS))
    except ValueError as error:
        raise Refused("The form cannot be read.") from error
    if found.get("mode") not in MODES_IN_FORMS:
        raise Refused(f"Only {' and '.join(MODES_IN_FORMS)} are read as forms; send {JSON}.")
    return found
