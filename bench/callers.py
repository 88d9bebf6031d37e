"""Callers who keep connections busy: one process, one loop, each asks again once it is answered.

A client library would take more of the processor than the service that it asks, and both share one
machine; so this one writes the same bytes again and again, and looks at answers no closer than it
takes to tell that each is the right one.
"""

import selectors
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from secrets import token_hex
from time import perf_counter, process_time
from typing import NamedTuple

_PIECE = 1 << 18
_LENGTH = b"content-length: "
#: Seconds without any answer after which callers give up.
_PATIENCE = 30


#: Stands in a request for what must be another text each time.
FRESH = b"fresh-" + b"0" * 26


class Heard(NamedTuple):
    """The seconds that each answer took, all of them together, and those of the processor here."""

    each: list[float]
    clock: float
    ran: float


class Caller:
    """One kept connection with one request on its way."""

    def __init__(self, link: socket.socket, request: bytes, expected: bytes) -> None:
        self.link, self._request, self._expected = link, request, expected
        self._has_fresh = FRESH in request
        self._heard, self._began = b"", 0.0

    def ask(self) -> None:
        """Send the request."""
        request = (
            self._request.replace(FRESH, token_hex(16).encode())
            if self._has_fresh
            else self._request
        )
        self._heard, self._began = b"", perf_counter()
        self.link.sendall(request)

    def hear(self) -> float | None:
        """Read on; returns the seconds that the answer took once it is there and right."""
        piece = self.link.recv(_PIECE)
        self._heard += piece
        head, parted, body = self._heard.partition(b"\r\n\r\n")
        if piece and (not parted or len(body) < _length(head)):
            return None
        if not head.startswith(b"HTTP/1.1 200 ") or body != self._expected:
            raise RuntimeError(f"another answer than expected: {self._heard[:500]!r}")
        return perf_counter() - self._began


def _length(head: bytes) -> int:
    at = head.lower().find(_LENGTH) + len(_LENGTH)
    return int(head[at:].partition(b"\r\n")[0])


def post(path: str, body: bytes, more: str = "") -> bytes:
    """Return a request in full; `more` are lines of its head."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}{more}Content-Length: {len(body)}\r\n\r\n".encode() + body


def heard(port: int, connections: int, seconds: float, request: bytes, expected: bytes) -> Heard:
    """Keep connections busy for some seconds; raises RuntimeError at any other answer."""
    with ExitStack() as held, selectors.DefaultSelector() as waiting:
        for _ in range(connections):
            link = held.enter_context(socket.create_connection(("127.0.0.1", port)))
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            waiting.register(link, selectors.EVENT_READ, Caller(link, request, expected))
        began, ran = perf_counter(), process_time()
        each = list(_answers(waiting, began + seconds))
        return Heard(each, perf_counter() - began, process_time() - ran)


def _answers(waiting: selectors.BaseSelector, until: float) -> Iterator[float]:
    """Yield the seconds of each answer; no new question is asked after a moment."""
    callers: list[Caller] = [key.data for key in waiting.get_map().values()]
    for caller in callers:
        caller.ask()
    busy = len(callers)
    while busy:
        ready = waiting.select(_PATIENCE)
        if not ready:
            raise TimeoutError(f"no answer for {_PATIENCE} seconds")
        for key, _ in ready:
            taken = key.data.hear()
            if taken is None:
                continue
            yield taken
            if perf_counter() < until:
                key.data.ask()
            else:
                busy -= 1
