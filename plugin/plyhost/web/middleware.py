"""What stands around every request, whatever answers it.

A request gets an identity and a time limit; its answer gets headers, a line in the log and a place
in the figures.  What is learnt on the way is noted in the request's `Call`.
"""

import os
import re
from collections.abc import Callable, Iterable
from http import HTTPStatus
from time import perf_counter
from typing import Any

from plyhost import deadline
from plyhost.deadline import Overdue
from plyhost.errors import TimedOut
from plyhost.web.gates.admission import LARGE_ANSWER, Admission, Ticket
from plyhost.web.gates.callers import name_neighbourhood
from plyhost.web.gates.cors import Headers, Origins
from plyhost.web.gates.headers import drop_long_headers
from plyhost.web.problem_json import PROBLEM, STATUS, dump_problem
from plyhost.web.serving.metrics import Metrics

Environ = dict[str, Any]
Start = Callable[..., Any]
Application = Callable[[Environ, Start], Iterable[bytes]]

#: Where a request's `Call` is found in its environment.
CALL = "plyhost.call"

_REQUEST_ID = re.compile(r"[A-Za-z0-9._:+/=@-]{1,128}")
_TRACE = re.compile(r"[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
#: Asked for so often that they are logged only when everything is.
_QUIET = frozenset({"/healthz", "/readyz", "/metrics"})

_PAGE = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
)
_DATA = "default-src 'none'; style-src 'unsafe-inline'"


def _charge_nothing(operation: str, game: str, counted: int = 1) -> None:
    """Count nothing, where there are no rates."""


class Call:
    """What is known of a request: `code` is `ok` or a problem's code, `key` its caller's name.

    `body` is what was read of its body, None before that.  `charge` counts what an operation weighs
    that shows only there.
    """

    __slots__ = (
        "body",
        "charge",
        "claim",
        "code",
        "game",
        "key",
        "operation",
        "request_id",
        "ticket",
    )

    def __init__(self, environ: Environ, ticket: Ticket) -> None:
        self.ticket = ticket
        self.body: bytes | None = None
        self.charge: Callable[..., None] = _charge_nothing
        self.request_id = _identify_request(environ)
        self.operation, self.game, self.code, self.key = "other", "", "ok", ""
        self.claim: Any = None


def name_caller(environ: Environ) -> str:
    """Return who asks: a key's name, else what counts as one caller of an address."""
    call: Call = environ[CALL]
    return f"key {call.key}" if call.key else name_neighbourhood(environ.get("REMOTE_ADDR") or "-")


def _identify_request(environ: Environ) -> str:
    """Return the identity that a request brings, if it is a sound one, else a new one."""
    if _REQUEST_ID.fullmatch(given := environ.get("HTTP_X_REQUEST_ID", "")):
        return str(given)
    trace = _TRACE.fullmatch(environ.get("HTTP_TRACEPARENT", ""))
    return trace[1] if trace else os.urandom(16).hex()


def _make_protection_headers(headers: Headers) -> Headers:
    """Return the headers that protect whoever opens an answer in a browser."""
    given = {name.lower(): value for name, value in headers}
    added = [("Referrer-Policy", "no-referrer")]
    if "x-content-type-options" not in given:
        added.append(("X-Content-Type-Options", "nosniff"))
    if "content-security-policy" not in given:
        is_page = given.get("content-type", "").startswith("text/html")
        added.append(("Content-Security-Policy", _PAGE if is_page else _DATA))
    return added


class Frame:
    """The WSGI application around another."""

    def __init__(
        self,
        inner: Application,
        metrics: Metrics,
        log: Any,
        seconds: float,
        origins: Origins,
        admission: Admission,
    ) -> None:
        self.inner, self.metrics, self.log, self.admission = inner, metrics, log, admission
        self.seconds, self.origins = seconds, origins

    def __call__(self, environ: Environ, start_response: Start) -> Iterable[bytes]:
        """Answer a request."""
        began = perf_counter()
        drop_long_headers(environ)
        call = environ[CALL] = Call(environ, self.admission.enter())
        status = "500"

        def start(line: str, headers: Headers, exc_info: Any = None) -> Any:
            nonlocal status
            status = line[:3]
            headers = headers + self._added(environ, call, headers)
            return start_response(line, headers, exc_info)

        clock = deadline.start_deadline(self.seconds)
        try:
            body = self._body(environ, start)
            if len(body) < LARGE_ANSWER:
                return [body]
            return self._send_large(body, call, start)
        finally:
            call.ticket.leave()
            deadline.stop_deadline(clock)
            self._note(environ, call, status, perf_counter() - began)

    def _send_large(self, body: bytes, call: Call, start: Start) -> Iterable[bytes]:
        """Return a large answer, or 503 where too many are on their way."""
        try:
            return self.admission.send_large(body, bool(call.key))
        except Overdue:
            known = TimedOut(call.request_id)
            call.code, problem = known.code, dump_problem(known)
            kind, length = ("Content-Type", PROBLEM), ("Content-Length", str(len(problem)))
            status = HTTPStatus(STATUS[type(known)])
            start(f"{status.value} {status.phrase}", [kind, length])
            return [problem]

    def _body(self, environ: Environ, start: Start) -> bytes:
        if self._is_preflight(environ):
            start("204 NO CONTENT", self.origins.preflight(environ["HTTP_ORIGIN"]))
            return b""
        parts = self.inner(environ, start)
        try:
            return b"".join(parts)
        finally:
            if hasattr(parts, "close"):
                parts.close()

    def _is_preflight(self, environ: Environ) -> bool:
        return (
            environ["REQUEST_METHOD"] == "OPTIONS"
            and bool(self.origins.allowed)
            and "HTTP_ORIGIN" in environ
            and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ
        )

    def _added(self, environ: Environ, call: Call, headers: Headers) -> Headers:
        added = [("X-Request-Id", call.request_id), *_make_protection_headers(headers)]
        if self.origins.allowed and environ["REQUEST_METHOD"] != "OPTIONS":
            added += self.origins.headers(environ.get("HTTP_ORIGIN", ""))
        return added

    def _note(self, environ: Environ, call: Call, status: str, seconds: float) -> None:
        if call.code == "ok" and status >= "400":
            call.code = status
        self.metrics.answered(call.operation, call.game, call.code, call.key, seconds)
        path = environ["PATH_INFO"]
        write = self.log.debug if path in _QUIET else self.log.info
        write(
            "request",
            request_id=call.request_id,
            method=environ["REQUEST_METHOD"][:16],
            path=path,
            status=int(status),
            code=call.code,
            key=call.key,
            ms=round(seconds * 1000, 2),
        )
