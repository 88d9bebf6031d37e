"""Congeners: listing beside the slow rules."""

from collections.abc import Iterator
from functools import partial
from statistics import median
from typing import Any

import orjson

from bench import timing
from bench.echo import clear
from bench.games import VECTORS
from plyhost.games import registry
from tests import naive

GAME = registry.find_game("congeners")
SIDES = {"size-5": 5, "size-7": 7}


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
    fast = [_time(partial(_texts, p), rounds) for p, _ in kept]
    slow = [_time(s.legal, rounds) for _, s in kept]
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
