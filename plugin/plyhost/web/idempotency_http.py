"""Idempotency-Key over HTTP, for operations."""

from flask import Flask, Response, request

from plyhost.web.bodies import read_body
from plyhost.web.idempotency import Kept, Ledger
from plyhost.web.middleware import CALL, name_caller

HEADER = "HTTP_IDEMPOTENCY_KEY"
REPLAYED = "Idempotency-Replayed"


def _is_operation() -> bool:
    """Tell whether something is POSTed to an operation; nothing else has a body that is read."""
    return request.method == "POST" and request.url_rule is not None


def install_idempotency(app: Flask, ledger: Ledger) -> None:
    """Have POSTs that carry a key answered once."""

    def replay() -> Response | None:
        environ = request.environ
        if HEADER not in environ or not _is_operation():
            return None
        call, body = environ[CALL], read_body(environ[CALL])
        place = f"{environ['PATH_INFO']}?{environ['QUERY_STRING']}"
        parts = ("POST", place, environ.get("HTTP_ACCEPT", ""), environ.get("CONTENT_TYPE", ""))
        known = ledger.begin(
            name_caller(environ), environ[HEADER], body, *(part.encode() for part in parts)
        )
        if not isinstance(known, Kept):
            call.claim = known
            return None
        call.code = "replayed"
        return Response(known.answer, known.status, {REPLAYED: "true"}, content_type=known.kind)

    def keep(answer: Response) -> Response:
        call = request.environ[CALL]
        if call.claim is not None:
            ledger.end(call.claim, answer.status_code, answer.content_type or "", answer.data)
            call.claim = None
        return answer

    app.before_request(replay)
    app.after_request(keep)
