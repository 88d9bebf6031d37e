"""What a view of Congeners shows beyond the common fields, as types."""

from typing import Any, Literal

import msgspec


class ShapeScore(msgspec.Struct):
    """A shape of one size and what its creatures give (G7).

    `mark` is its letter in the display `kin`, null for a shape that only one creature has.
    """

    shape: str
    creatures: int
    points: int
    mark: str | None


class SizeScores(msgspec.Struct):
    """Both colours' shapes of one size."""

    size: int
    black: list[ShapeScore]
    white: list[ShapeScore]


class DecidingPlace(msgspec.Struct):
    """Where the colours first differ: the size, the place from 1, and what is compared (G8)."""

    size: int | None
    place: int
    black: int
    white: int


class Scoring(msgspec.Struct):
    """How the position compares, from the largest size down (G7 to G9)."""

    sizes: list[SizeScores]
    decided_by: Literal["score", "creatures", "draw"]
    at: DecidingPlace | None


SHOWN_TYPES: dict[str, Any] = {"scoring": Scoring, "black": Literal[1, 2] | None}
