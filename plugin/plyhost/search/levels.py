"""How hard each level thinks.

A level is a number of visits and a chance of a *slip*: a move taken from all legal ones by lot.
"""

from typing import NamedTuple


class Level(NamedTuple):
    """`visits` of the search; `slip` is the chance that a legal move by lot is played instead."""

    visits: int
    slip: float = 0.0


LEVELS: dict[int, Level] = {
    1: Level(10, slip=0.5),
    2: Level(10, slip=0.25),
    3: Level(20, slip=0.1),
    4: Level(100),
    5: Level(700),
    6: Level(5000),
}
WEAKEST, STRONGEST = min(LEVELS), max(LEVELS)
