"""Who is ahead in Congeners: shapes, points and the comparison by sizes (G7 to G9).

Everything is given for Black first, then White; seats are no concern of this module.
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from plyhost.board.bits import Bits
from plyhost.board.hexes import Board, format_row_letters
from plyhost.games.congeners.polyhex import Shape, compute_shape
from plyhost.games.congeners.turns import Creatures

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


def count_shapes_by_size(board: Board, creatures: Creatures) -> Kinds:
    """Return how many of a player's creatures have each shape, by size."""
    groups, singles = creatures.groups, creatures.singles
    sizes: dict[int, dict[Shape, int]] = {}
    for group in sorted(groups, key=Bits.bit_count, reverse=True):
        alike, kind = sizes.setdefault(group.bit_count(), {}), compute_shape(board, group)
        alike[kind] = alike.get(kind, 0) + 1
    if singles:
        sizes[1] = {compute_shape(board, singles & -singles): singles.bit_count()}
    return sizes


def score_shape(size: int, alike: int) -> int:
    """Return what a shape scores that so many creatures of a size have (G7)."""
    return alike * size * size if alike > 1 else 0


def rank_shape_scores(size: int, alike: Mapping[Shape, int]) -> list[int]:
    """Return the points of each shape among a player's creatures of one size, downwards (G8)."""
    return sorted((score_shape(size, number) for number in alike.values()), reverse=True)


def _find_first_difference(
    black: Sequence[int], white: Sequence[int]
) -> tuple[int, int, int] | None:
    """Return place (from 1) and both numbers where two lists first differ, zeros filled in."""
    for place, (one, two) in enumerate(zip_longest(black, white, fillvalue=0), 1):
        if one != two:
            return place, one, two
    return None


def find_deciding_place(black: Kinds, white: Kinds) -> Deciding:
    """Return where the comparison is decided, by score (G8), else by creatures (G9)."""
    for size in sorted({*black, *white}, reverse=True):
        ranks = [rank_shape_scores(size, side.get(size, {})) for side in (black, white)]
        found = _find_first_difference(*ranks)
        if found:
            return Deciding("score", size, *found)
    found = _find_first_difference(_list_creature_sizes(black), _list_creature_sizes(white))
    return Deciding("creatures", None, *found) if found else Deciding("draw")


def _list_creature_sizes(side: Kinds) -> list[int]:
    """Return the size of each creature, downwards."""
    return [size for size, alike in side.items() for _ in range(sum(alike.values()))]


def _list_shape_scores(
    size: int, alike: Mapping[Shape, int], letters: Mapping[Shape, str]
) -> list[dict[str, Any]]:
    entries = [
        {
            "shape": kind,
            "creatures": number,
            "points": score_shape(size, number),
            "mark": letters[kind] if number > 1 else None,
        }
        for kind, number in alike.items()
    ]
    return sorted(entries, key=lambda entry: (-entry["points"], entry["shape"]))


def build_scoring_view(black: Kinds, white: Kinds, end: Deciding) -> Mapping[str, Any]:
    """Return the `scoring` of a view: all sizes that occur, downwards, and `end`, which decides."""
    letters = letter_shared_shapes((black, white))
    place = {"size": end.size, "place": end.place, "black": end.black, "white": end.white}
    return {
        "sizes": [
            {
                "size": size,
                "black": _list_shape_scores(size, black.get(size, {}), letters),
                "white": _list_shape_scores(size, white.get(size, {}), letters),
            }
            for size in sorted({*black, *white}, reverse=True)
        ],
        "decided_by": end.by,
        "at": place if end.place else None,
    }


def letter_shared_shapes(sides: Sequence[Kinds]) -> Mapping[Shape, str]:
    """Return letters for the shapes that several creatures of a player have, the largest first.

    A shape has the same letters for both players: A..Z, then AA, AB, and so on.
    """
    shared = {
        (-size, kind)
        for side in sides
        for size, alike in side.items()
        for kind, number in alike.items()
        if number > 1
    }
    return {kind: format_row_letters(at).upper() for at, (_, kind) in enumerate(sorted(shared))}


def find_kin_cells(board: Board, creatures: Creatures) -> Mapping[Shape, Bits]:
    """Return, for each shape that several creatures of a player have, all their cells (G7)."""
    cells: dict[Shape, list[Bits]] = {}
    for creature in creatures.each():
        cells.setdefault(compute_shape(board, creature), []).append(creature)
    return {kind: sum(same) for kind, same in cells.items() if len(same) > 1}


def explain_scoring(black: Kinds, white: Kinds) -> list[str]:
    """Return lines of plain text: each colour's creatures by size."""
    lines = []
    for colour, side in (("Black", black), ("White", white)):
        counts = ", ".join(f"{sum(alike.values())} of size {size}" for size, alike in side.items())
        lines.append(f"{colour}'s creatures: {counts or 'none'}.")
    return lines


def say_decision(end: Deciding) -> str:
    """Return what the comparison comes to (G8, G9), without a full stop."""
    if end.by == "draw":
        return "scores and creatures are equal"
    leader, numbers = ("Black", (end.black, end.white))
    if end.black < end.white:
        leader, numbers = "White", (end.white, end.black)
    score = f"{numbers[0]} to {numbers[1]}"
    if end.size is None:
        return f"{leader} has the larger creatures, {score} at place {end.place}"
    return f"{leader} leads in creatures of size {end.size}, {score}"
