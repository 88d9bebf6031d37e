"""Who is ahead in Congeners: shapes, points and the comparison by sizes (G7 to G9).

Everything is given for Black first, then White; seats are no concern of this module.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from plugin.bits import Bits
from plugin.congeners_turns import creatures
from plugin.hexes import Board
from plugin.polyhex import Shape, shape

#: The creatures of one player by size.
Sizes: TypeAlias = dict[int, list[Bits]]


class Deciding(NamedTuple):
    """The first place where Black and White differ.

    `by` is `score`, `creatures` or `draw`.  `size` is the size whose shapes are compared, None
    when creatures are; `place` counts from 1, and is 0 in a draw.
    """

    by: str
    size: int | None = None
    place: int = 0
    black: int = 0
    white: int = 0


def by_size(board: Board, stones: Bits) -> Sizes:
    """Return a player's creatures, sorted into sizes."""
    sizes: Sizes = {}
    for creature in creatures(board, stones).each():
        sizes.setdefault(creature.bit_count(), []).append(creature)
    return sizes


def points(size: int, alike: int) -> int:
    """Return what a shape scores that so many creatures of a size have (G7)."""
    return alike * size * size if alike > 1 else 0


def shapes(board: Board, alike: Sequence[Bits]) -> Counter[Shape]:
    """Return how many of some creatures have each shape."""
    return Counter(shape(board, creature) for creature in alike)


def ranking(board: Board, size: int, creatures_: Sequence[Bits]) -> list[int]:
    """Return the points of each shape among a player's creatures of one size, downwards (G8)."""
    if len(creatures_) < 2:
        return [0] * len(creatures_)
    kinds = shapes(board, creatures_)
    return sorted((points(size, alike) for alike in kinds.values()), reverse=True)


def _difference(black: Sequence[int], white: Sequence[int]) -> tuple[int, int, int] | None:
    """Return place (from 1) and both numbers where two lists first differ, zeros filled in."""
    for place, (one, two) in enumerate(zip_longest(black, white, fillvalue=0), 1):
        if one != two:
            return place, one, two
    return None


def deciding(board: Board, stones: tuple[Bits, Bits]) -> Deciding:
    """Return where the comparison is decided, by score (G8), else by creatures (G9)."""
    black, white = (by_size(board, each) for each in stones)
    sizes = sorted({*black, *white}, reverse=True)
    for size in sizes:
        ranks = [ranking(board, size, side.get(size, ())) for side in (black, white)]
        found = _difference(*ranks)
        if found:
            return Deciding("score", size, *found)
    lists = [[size for size in sizes for _ in side.get(size, ())] for side in (black, white)]
    found = _difference(*lists)
    return Deciding("creatures", None, *found) if found else Deciding("draw")


def _entries(board: Board, size: int, alike: Sequence[Bits]) -> list[dict[str, Any]]:
    entries = [
        {"shape": kind, "creatures": number, "points": points(size, number)}
        for kind, number in shapes(board, alike).items()
    ]
    return sorted(entries, key=lambda entry: (-entry["points"], entry["shape"]))


def scoring(board: Board, stones: tuple[Bits, Bits]) -> dict[str, Any]:
    """Return the `scoring` of a view: all sizes that occur, downwards, and what decides."""
    black, white = (by_size(board, each) for each in stones)
    end = deciding(board, stones)
    place = {"size": end.size, "place": end.place, "black": end.black, "white": end.white}
    return {
        "sizes": [
            {
                "size": size,
                "black": _entries(board, size, black.get(size, ())),
                "white": _entries(board, size, white.get(size, ())),
            }
            for size in sorted({*black, *white}, reverse=True)
        ],
        "decided_by": end.by,
        "at": place if end.place else None,
    }


def kin(board: Board, stones: Bits) -> Iterator[Bits]:
    """Yield, for each shape that several creatures of a player have, all their cells (G7)."""
    for _, alike in sorted(by_size(board, stones).items(), reverse=True):
        cells: dict[Shape, list[Bits]] = {}
        for creature in alike:
            cells.setdefault(shape(board, creature), []).append(creature)
        yield from (sum(same) for same in cells.values() if len(same) > 1)


def told(board: Board, stones: tuple[Bits, Bits]) -> list[str]:
    """Return lines of plain text: each colour's creatures, and where they differ."""
    lines = []
    for colour, each in zip(("Black", "White"), stones, strict=True):
        sizes = sorted(by_size(board, each).items(), reverse=True)
        counts = ", ".join(f"{len(alike)} of size {size}" for size, alike in sizes)
        lines.append(f"{colour}'s creatures: {counts or 'none'}.")
    return [*lines, _decision(deciding(board, stones))]


def _decision(end: Deciding) -> str:
    if end.by == "draw":
        return "Scores and creatures are equal."
    ahead = "Black" if end.black > end.white else "White"
    what = "creature sizes" if end.size is None else f"scores for shapes of size {end.size}"
    numbers = f"Black {end.black}, White {end.white}"
    return f"{ahead} is ahead by {what} (place {end.place}: {numbers})."
