"""The recorded games that benchmarks run on."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.tools import ROOT

VECTORS = ROOT / "fixtures" / "vectors"
SIDES = {"size-5": 5, "size-7": 7, "size-9": 9}


@cache
def control() -> list[dict[str, Any]]:
    """Return the recorded games of Control."""
    return [json.loads(line) for line in (VECTORS / "control_games.jsonl").open()]


def of_side(side: int) -> dict[str, Any]:
    """Return the first recorded game of Control on a side of 5, 7 or 9."""
    wanted = {5: ["size-5"], 7: [], 9: ["size-9"]}[side]
    return next(game for game in control() if game["variants"] == wanted)


def full_at(game: dict[str, Any], ply: int) -> dict[str, Any]:
    """Return the full state as it was at a ply."""
    final: dict[str, Any] = game["final_state"]
    return final | {"gameover": False, "winner": [], "stack": final["stack"][: ply + 1]}


def congeners() -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield name, moves and variants of a recorded game of Congeners on each side.

    It is the one of middling length.
    """
    games = [json.loads(line) for line in (VECTORS / "congeners_games.jsonl").open()]
    for side, variants in ((5, ["size-5"]), (6, []), (7, ["size-7"])):
        alike = [game for game in games if game["variants"] == variants]
        game = sorted(alike, key=lambda one: len(one["moves"]))[len(alike) // 2]
        yield f"side {side}", game["moves"], variants
