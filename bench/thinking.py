"""The opponent: how many visits a second it makes, and what others notice while it thinks."""

import http.client
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from random import Random
from statistics import quantiles
from time import process_time

import orjson

from bench import load, timing
from bench.callers import Heard, heard
from bench.service import served
from plyhost.games.game import AnyGame, Position
from plyhost.games.registry import find_game
from plyhost.search.thinking import draw_move, find_guide
from plyhost.search.tree import Search

BOARDS = (("control", (5, 7, 9)), ("congeners", (5, 6, 7)))
#: Plies by lot before the position that is thought about.
PLIES = 20
VISITS, PLAIN_VISITS = 4000, 100
#: Seconds of one measurement, and how many there are, in turn.
SECONDS, ROUNDS = 1.0, 5


def speed() -> None:
    """Print visits a second of processor time, with what is known of a game and without."""
    rows = []
    for uid, sides in BOARDS:
        for side in sides:
            game = find_game(uid)
            position = drawn(game, side)
            rates = [
                visits_a_second(game, position, VISITS, plain=False),
                visits_a_second(game, position, PLAIN_VISITS, plain=True),
            ]
            rows.append((uid, side, *(f"{rate:,.0f}" for rate in rates)))
    timing.table("visits a second", ("game", "side", "as it plays", "quick games by lot"), rows)


def drawn(game: AnyGame, side: int) -> Position:
    """Return a position after some plies by lot."""
    position: Position = game.start(side)
    random = Random(side)
    for _ in range(PLIES):
        position = game.play(position, draw_move(game, position, random))
    return position


def visits_a_second(game: AnyGame, position: Position, visits: int, plain: bool) -> float:
    """Return how many visits are made in a second."""
    search = Search(game, find_guide(game, plain), position, Random(1))
    began = process_time()
    search.run(visits)
    return search.root.visits / (process_time() - began)


def beside() -> None:
    """Print how `move` is answered alone, and while a suggestion is thought about."""
    found: dict[str, list[Heard]] = {"alone": [], "beside a suggestion": []}
    asked = load.both("control", "compact")["move"]
    state = orjson.loads(asked.request.partition(b"\r\n\r\n")[2])["state"]
    with ProcessPoolExecutor(1, get_context("spawn")) as callers, served() as service:
        for _ in range(ROUNDS):
            for name, rounds in found.items():
                with suggested(service.port, state, on=name != "alone"):
                    call = callers.submit(heard, service.port, 1, SECONDS, *asked)
                    rounds.append(call.result())
    rows = []
    for name, rounds in found.items():
        each = [one for told in rounds for one in told.each]
        cuts = quantiles(each, n=100)
        rate = len(each) / sum(one.clock for one in rounds)
        rows.append((name, f"{rate:,.0f}", f"{cuts[49] * 1e3:.2f}", f"{cuts[98] * 1e3:.2f}"))
    head = ("`move`, one connection, one worker", "a second", "p50 ms", "p99 ms")
    timing.table("what others notice", head, rows)


@contextmanager
def suggested(port: int, state: str, on: bool) -> Iterator[None]:
    """Have a suggestion thought about meanwhile."""
    body = orjson.dumps({"state": state, "seconds": SECONDS * 1.5})
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    thread = threading.Thread(target=ask, args=(link, body))
    if on:
        thread.start()
    yield
    if on:
        thread.join()
    link.close()


def ask(link: http.client.HTTPConnection, body: bytes) -> None:
    """Ask for a suggestion, which must be given."""
    kind = {"Content-Type": "application/json"}
    link.request("POST", "/v1/games/control/suggest", body, kind)
    answer = link.getresponse()
    if answer.status != 200:
        raise RuntimeError(f"suggest: {answer.status} {answer.read()!r}")
    answer.read()
