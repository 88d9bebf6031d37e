"""Congeners: listing beside the slow rules, and `move` beside an echo, early and late in a game."""

import random
from collections.abc import Iterator
from functools import cache
from statistics import median
from typing import Any

import orjson

from bench import timing
from bench.echo import FORGET, clear
from bench.games import VECTORS
from bench.operations import BATCH, pair, us
from bench.service import served
from plugin import codec, history, registry
from plugin.convert import convert
from tests import naive

GAME = registry.game("congeners")
SIDES = {"size-5": 5, "size-7": 7}
STAMP = "2026-01-01T00:00:00.000Z"
LONG = 230


def positions() -> Iterator[tuple[Any, naive.Congeners]]:
    """Yield the recorded positions after the setup, in the engine's terms and the slow one's."""
    lines = (VECTORS / "congeners_games.jsonl").read_text().splitlines()
    for game in map(orjson.loads, [*lines, (VECTORS / "congeners_largest.json").read_text()]):
        side = next((SIDES[variant] for variant in game["variants"]), 6)
        wanted = {one["ply"] for one in game.get("positions", [])} or {len(game["moves"])}
        fast, slow = GAME.start(side), naive.Congeners.start(side)
        for ply, text in enumerate([*game["moves"], None]):
            if ply in wanted and ply:
                yield fast, slow
            if text:
                fast, slow = GAME.play(fast, GAME.read(fast, text)), slow.after(text)


def listings(rounds: int = 3) -> None:
    """Print what listing every recorded position takes, beside the slow rules, in one run."""
    kept = list(positions())
    fast = [_time(lambda p=p: _texts(p), rounds) for p, _ in kept]
    slow = [_time(lambda s=s: s.legal(), rounds) for _, s in kept]
    counts = [GAME.count(p) for p, _ in kept]
    rows = [
        (name, len(times), f"{sum(times) * 1e3:.0f}", f"{median(times) * 1e3:.2f}",
         f"{times[counts.index(max(counts))] * 1e3:.1f}")
        for name, times in (("engine", fast), ("slow rules", slow))
    ]  # fmt: skip
    head = ("listing", "positions", "sum ms", "median ms", f"largest ({max(counts)}) ms")
    timing.table("Congeners: every legal turn as text", head, rows)
    print(f"  the slow rules take {sum(slow) / sum(fast):.0f} times as long in sum")


def _texts(position: Any) -> list[str]:
    clear()
    return [GAME.text(position, move) for move in GAME.moves(position)]


def _time(work: timing.Work, rounds: int) -> float:
    return timing.cpu({"": work}, rounds)[""]


def over_http(rounds: int = 25) -> None:
    """Print processor time per request of the worker, `move` beside echo.

    Positions are `known` that the worker has met not long ago, when they were reached or tried
    moves in, and `new` otherwise.
    """
    rows = []
    with served() as service:
        for form in ("full-string", "compact"):
            for ply in (10, 90, 180):
                asked = [body(ply + number, form) for number in range(BATCH)]
                size = f"{sum(map(len, asked)) / BATCH / 1000:.1f}"
                for name, more in (("known", {}), ("new", {FORGET: "1"})):
                    move, echo = pair(service, "congeners", asked, rounds, more)
                    plies = f"{ply}-{ply + BATCH - 1}"
                    ratio = f"{move / echo:.2f}"
                    rows.append((form, plies, size, name, us(move), us(echo), ratio))
    head = ("form", "plies", "kB", "positions", "move us", "echo us", "ratio")
    timing.table("Congeners, side 7: move with render, processor time a request", head, rows)


def body(ply: int, form: str) -> bytes:
    """Return a `move` request with render at a ply of a long game, in a form."""
    state, text = long_game()[ply]
    wire = codec.dump(convert(state, form).state)
    return orjson.dumps({"state": wire, "move": text, "include": ["render"]})


@cache
def long_game() -> list[tuple[codec.State, str]]:
    """Return a game that goes on, by players who would rather bite: states and moves made."""
    for seed in range(100):
        pick, steps = random.Random(seed), list[tuple[codec.State, str]]()
        state = codec.start(GAME, ["size-7"], "compact", STAMP)
        while not state.last.is_over and len(steps) < LONG:
            text = _bitten(pick, state)
            steps.append((state, text))
            made = GAME.read(state.last.position, text)
            state = state.with_steps([history.move(GAME, state.last, made, STAMP)])
        if len(steps) == LONG:
            return steps
    raise RuntimeError("no game went on that long")


def _bitten(pick: random.Random, state: codec.State) -> str:
    texts = [GAME.text(state.last.position, move) for move in GAME.moves(state.last.position)]
    bites = [text for text in texts if "x" in text]
    return pick.choice(bites or texts)
