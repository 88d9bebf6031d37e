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

from plyhost.board.bits import Bits
from plyhost.board.hexes import Board

Shape: TypeAlias = str
#: A row and a distance across the slanted columns, both in steps.
Axial: TypeAlias = tuple[int, int]

# Room for one coordinate when two are packed into an int; boards have fewer than 64 rows.
_ROOM = 6


@lru_cache(maxsize=4096)
def _compute_cached_shape(width: int, cells: Bits) -> Shape:
    return format_canonical_shape(_find_axial_coordinates(width, cells))


def compute_shape(board: Board, creature: Bits) -> Shape:
    """Return the shape of a set of one or more cells that hang together."""
    # Dropping the low zeros moves the set without turning it, so that all copies share an entry.
    return _compute_cached_shape(board.width, creature >> (creature & -creature).bit_length() - 1)


def _find_axial_coordinates(width: int, cells: Bits) -> Iterable[Axial]:
    """Return the coordinates of cells as seen from the lowest one, which is bit 0.

    They are found step by step: a bit alone does not tell whether it lies to the right of the
    lowest one or, a row further on, to the left.
    """
    ways = {1: (0, 1), width: (1, 0), width + 1: (1, 1)}
    steps = ways | {-step: (-down, -across) for step, (down, across) in ways.items()}
    found, left = {0: (0, 0)}, [0]
    for cell in left:
        row, across = found[cell]
        for step, (down, right) in steps.items():
            other = cell + step
            if other > 0 and cells >> other & 1 and other not in found:
                found[other] = row + down, across + right
                left.append(other)
    return found.values()


def format_canonical_shape(cells: Iterable[Axial]) -> Shape:
    """Return the shape of cells given in axial coordinates, one or more."""
    cubes = [(row, -across, across - row) for row, across in cells]
    opposite = [(-x, -y, -z) for x, y, z in cubes]
    first = min(image for turned in (cubes, opposite) for image in _yield_cube_images(turned))
    return " ".join(f"{packed >> _ROOM},{packed & (1 << _ROOM) - 1}" for packed in first)


def _yield_cube_images(cubes: Sequence[tuple[int, int, int]]) -> Iterator[list[int]]:
    """Yield six images of cells in cube coordinates: any two of the axes, in either order."""
    for rows, columns in permutations(zip(*cubes, strict=True), 2):
        top, left = min(rows), max(columns)
        pairs = zip(rows, columns, strict=True)
        yield sorted(row - top << _ROOM | left - column for row, column in pairs)
