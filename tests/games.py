"""Recorded games, as tests read them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parent.parent / "fixtures" / "vectors"
SIDES = {"control": {"size-5": 5, "size-9": 9}, "congeners": {"size-5": 5, "size-7": 7}}
DEFAULT_SIDE = {"control": 7, "congeners": 6}


@cache
def recorded(uid: str) -> list[dict[str, Any]]:
    """Return every recorded game of a game."""
    lines = (VECTORS / f"{uid}_games.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def side_of(uid: str, game: dict[str, Any]) -> int:
    """Return the side of the board that a recorded game was played on."""
    return next((SIDES[uid][variant] for variant in game["variants"]), DEFAULT_SIDE[uid])
