"""The service under load: requests a second, and how long they take, beside the echo.

The callers are a process of their own, on the same machine: on two cores they take a share of what
a second worker would have.
"""

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from statistics import quantiles
from typing import NamedTuple

import orjson

from bench import games, timing
from bench.callers import Heard, heard, post
from bench.service import Service, served
from plyhost.contract.operations import OPERATIONS
from plyhost.games import registry
from plyhost.schemas.requests import REQUESTS
from plyhost.states import forms
from plyhost.states.conversion import convert_state
from plyhost.web import request_body
from tests.tools.replay_games import followed

WORKERS, CONNECTIONS, FORMS = (1, 2), (1, 8, 64), ("full-string", "compact")
#: Seconds of one measurement, of which there are several in turn.
SECONDS, ROUNDS = 1.0, 5
#: The default boards, and games whose middle is asked for.
BOARDS = (("control", "side 7"), ("congeners", "side 6"))


class Asked(NamedTuple):
    """A request, and the body of the answer that it must get."""

    request: bytes
    expected: bytes


def figures() -> None:
    """Print the table, at every number of workers and connections."""
    rows: list[tuple[object, ...]] = []
    with ProcessPoolExecutor(1, get_context("spawn")) as callers:
        for workers in WORKERS:
            with served(workers) as service:
                for (uid, board), form in product(BOARDS, FORMS):
                    asked = both(uid, form)
                    for connections in CONNECTIONS:
                        told = _row(callers, service, connections, asked)
                        rows.append((workers, f"{uid}, {board}", form, connections, *told))
    names = ("a second", "p50 ms", "p99 ms")
    head = ("workers", "game", "form", "connections")
    columns = (*head, *names, *(f"echo {name}" for name in names), "echo / move", "callers")
    timing.table("`move` with render under load, and an echo of the same body", columns, rows)


def both(uid: str, form: str) -> dict[str, Asked]:
    """Return a `move` with render in the middle of a game, and an echo of its body."""
    body = _body(uid, form)
    game, schema = registry.find_game(uid), REQUESTS["move"]
    moved = orjson.dumps(OPERATIONS["move"](game, request_body.read_request_body(schema, body)))
    request = post(f"/v1/games/{uid}/move", body)
    # Every text in these bodies is written as it was read, so an echo gives the same bytes.
    return {"move": Asked(request, moved), "echo": Asked(post("/echo", body), body)}


def _body(uid: str, form: str) -> bytes:
    moves = _moves(uid)
    ply = len(moves) // 2
    steps = followed(uid, ["#board"], moves[:ply])
    state = forms.start_state(registry.find_game(uid), ["#board"], "full", steps[0].timestamp)
    wire = forms.dump_state(convert_state(state.with_steps(steps[1:]), form).state)
    asked = {"state": wire, "move": moves[ply], "include": ["render"]}
    return orjson.dumps(asked | {"timestamp": steps[-1].timestamp})


def _moves(uid: str) -> list[str]:
    """Return the moves of the first recorded game on the default board."""
    recorded = (games.VECTORS / f"{uid}_games.jsonl").read_text().splitlines()
    return next(game["moves"] for game in map(orjson.loads, recorded) if not game["variants"])


def _row(
    callers: Executor, service: Service, connections: int, asked: dict[str, Asked]
) -> Iterator[object]:
    """Yield the figures of both, measured in turn, and the callers' share of a processor."""
    rounds: dict[str, list[Heard]] = {name: [] for name in asked}
    for number in range(ROUNDS + 1):
        for name, one in asked.items():
            seconds = SECONDS if number else SECONDS / 5
            done = callers.submit(heard, service.port, connections, seconds, *one).result()
            rounds[name] += [done] * bool(number)
    rates = {name: _rate(found) for name, found in rounds.items()}
    for name, found in rounds.items():
        cuts = quantiles([each for one in found for each in one.each], n=100)
        yield from (f"{rates[name]:,.0f}", f"{cuts[49] * 1e3:.2f}", f"{cuts[98] * 1e3:.2f}")
    yield f"{rates['echo'] / rates['move']:.2f}"
    yield f"{sum(one.ran for one in rounds['move']) / sum(one.clock for one in rounds['move']):.0%}"


def _rate(found: list[Heard]) -> float:
    return sum(len(one.each) for one in found) / sum(one.clock for one in found)
