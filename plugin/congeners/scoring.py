"""Who is ahead in Congeners: shapes, points and the comparison by sizes (G7 to G9).

Everything is given for Black first, then White; seats are no concern of this module.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from plugin.bits import Bits
from plugin.congeners.polyhex import Shape, shape
from plugin.congeners.turns import REMEMBERED, creatures
from plugin.hexes import Board

#: How many of one player's creatures have each shape, by size, the largest first.
Kinds: TypeAlias = Mapping[int, Mapping[Shape, int]]


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


@lru_cache(maxsize=REMEMBERED)
def kinds(board: Board, stones: Bits) -> Kinds:
    """Return a player's creatures, sorted into sizes and shapes; not to be changed."""
    groups, singles = creatures(board, stones)
    sizes: dict[int, dict[Shape, int]] = {}
    for group in sorted(groups, key=Bits.bit_count, reverse=True):
        alike, kind = sizes.setdefault(group.bit_count(), {}), shape(board, group)
        alike[kind] = alike.get(kind, 0) + 1
    if singles:
        sizes[1] = {shape(board, singles & -singles): singles.bit_count()}
    return sizes


def points(size: int, alike: int) -> int:
    """Return what a shape scores that so many creatures of a size have (G7)."""
    return alike * size * size if alike > 1 else 0


def ranking(size: int, alike: Mapping[Shape, int]) -> list[int]:
    """Return the points of each shape among a player's creatures of one size, downwards (G8)."""
    return sorted((points(size, number) for number in alike.values()), reverse=True)


def _difference(black: Sequence[int], white: Sequence[int]) -> tuple[int, int, int] | None:
    """Return place (from 1) and both numbers where two lists first differ, zeros filled in."""
    for place, (one, two) in enumerate(zip_longest(black, white, fillvalue=0), 1):
        if one != two:
            return place, one, two
    return None


@lru_cache(maxsize=REMEMBERED)
def deciding(board: Board, stones: tuple[Bits, Bits]) -> Deciding:
    """Return where the comparison is decided, by score (G8), else by creatures (G9)."""
    black, white = (kinds(board, each) for each in stones)
    for size in sorted({*black, *white}, reverse=True):
        ranks = [ranking(size, side.get(size, {})) for side in (black, white)]
        found = _difference(*ranks)
        if found:
            return Deciding("score", size, *found)
    found = _difference(_sizes(black), _sizes(white))
    return Deciding("creatures", None, *found) if found else Deciding("draw")


def _sizes(side: Kinds) -> list[int]:
    """Return the size of each creature, downwards."""
    return [size for size, alike in side.items() for _ in range(sum(alike.values()))]


def _entries(size: int, alike: Mapping[Shape, int]) -> list[dict[str, Any]]:
    entries = [
        {"shape": kind, "creatures": number, "points": points(size, number)}
        for kind, number in alike.items()
    ]
    return sorted(entries, key=lambda entry: (-entry["points"], entry["shape"]))


@lru_cache(maxsize=REMEMBERED)
def scoring(board: Board, stones: tuple[Bits, Bits]) -> Mapping[str, Any]:
    """Return the `scoring` of a view: all sizes that occur, downwards, and what decides.

    It is the same one to all who ask: not to be changed.
    """
    black, white = (kinds(board, each) for each in stones)
    end = deciding(board, stones)
    place = {"size": end.size, "place": end.place, "black": end.black, "white": end.white}
    return {
        "sizes": [
            {
                "size": size,
                "black": _entries(size, black.get(size, {})),
                "white": _entries(size, white.get(size, {})),
            }
            for size in sorted({*black, *white}, reverse=True)
        ],
        "decided_by": end.by,
        "at": place if end.place else None,
    }


def kin(board: Board, stones: Bits) -> Iterator[Bits]:
    """Yield, for each shape that several creatures of a player have, all their cells (G7)."""
    cells: dict[Shape, list[Bits]] = {}
    for creature in sorted(creatures(board, stones).each(), key=Bits.bit_count, reverse=True):
        cells.setdefault(shape(board, creature), []).append(creature)
    yield from (sum(same) for same in cells.values() if len(same) > 1)


def told(board: Board, stones: tuple[Bits, Bits]) -> list[str]:
    """Return lines of plain text: each colour's creatures, and where they differ."""
    lines = []
    for colour, each in zip(("Black", "White"), stones, strict=True):
        sizes = kinds(board, each).items()
        counts = ", ".join(f"{sum(alike.values())} of size {size}" for size, alike in sizes)
        lines.append(f"{colour}'s creatures: {counts or 'none'}.")
    return [*lines, _decision(deciding(board, stones))]


def _decision(end: Deciding) -> str:
    if end.by == "draw":
        return "Scores and creatures are equal."
    ahead = "Black" if end.black > end.white else "White"
    what = "creature sizes" if end.size is None else f"scores for shapes of size {end.size}"
    numbers = f"Black {end.black}, White {end.white}"
    return f"{ahead} is ahead by {what} (place {end.place}: {numbers})."
