"""Recorded games, as tests read them."""

import json
from functools import cache
from typing import Any

from tests.tools import ROOT

VECTORS = ROOT / "fixtures" / "vectors"
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


#: A game of Congeners that can go round for ever: the way into it, and one round.
LEAD = "g6,h5/c3,d4 play-second g6-i4,c2 c3-d5,d8 i4-h4,d3 d5-c4,c7 h4-g6,e8".split()  # noqa: SIM905
ROUND = "c7xe8,e3 c2xe3,e5 c4xe5,g5 g6xg5,c7 e8xc7,c2 e3xc2,c4 e5xc4,g6 g5xg6,e8".split()  # noqa: SIM905
