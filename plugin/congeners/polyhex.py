"""Free polyhexes: the shape of a connected set of hexes, told apart up to turning and mirroring.

A shape is written as its cells in axial coordinates, `row,across` pairs with a blank between
them.  Of the twelve ways to lay the polyhex down, each pushed against row 0 and column 0 and
listed in order, the first in order is written.  So one cell is `0,0`, two are `0,0 0,1`, and the
three of a bent row `0,0 0,1 1,0`.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from typing import TypeAlias

from plugin.bits import Bits, scan
from plugin.hexes import Board

Shape: TypeAlias = str
#: A row and a distance across the slanted columns, both in steps.
Axial: TypeAlias = tuple[int, int]

# Room for one coordinate when two are packed into an int; boards have fewer than 64 rows.
_ROOM = 6


@lru_cache(maxsize=4096)
def _cached(width: int, cells: Bits) -> Shape:
    return canonical([divmod(cell, width) for cell in scan(cells)])


def shape(board: Board, creature: Bits) -> Shape:
    """Return the shape of a set of one or more cells."""
    # Dropping the low zeros moves the set without turning it, so that all copies share an entry.
    low = (creature & -creature).bit_length() - 1
    row_start = low // board.width * board.width
    left = _leftmost(board.width, creature >> row_start)
    return _cached(board.width, creature >> row_start + left)


def _leftmost(width: int, cells: Bits) -> int:
    """Return the smallest column that a set of cells has in rows of `width`."""
    folded, row = 0, (1 << width) - 1
    while cells:
        folded |= cells & row
        cells >>= width
    return (folded & -folded).bit_length() - 1


def canonical(cells: Iterable[Axial]) -> Shape:
    """Return the shape of cells given in axial coordinates, one or more."""
    cubes = [(row, -across, across - row) for row, across in cells]
    opposite = [(-x, -y, -z) for x, y, z in cubes]
    first = min(image for turned in (cubes, opposite) for image in _images(turned))
    return " ".join(f"{packed >> _ROOM},{packed & (1 << _ROOM) - 1}" for packed in first)


def _images(cubes: Sequence[tuple[int, int, int]]) -> Iterator[list[int]]:
    """Yield six images of cells in cube coordinates: any two of the axes, in either order."""
    for rows, columns in permutations(zip(*cubes, strict=True), 2):
        top, left = min(rows), max(columns)
        pairs = zip(rows, columns, strict=True)
        yield sorted(row - top << _ROOM | left - column for row, column in pairs)
