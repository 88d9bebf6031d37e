"""The first ply of Congeners: one pair of stones for each colour (G3).

`find_pair_partners` and `find_white_room` say where stones may go; listing, counting, reading and
drawing ask them.
A *pair* is two adjacent cells in name order; a setup is Black's pair and White's pair.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from plyhost.board.bits import Bits, Cell, scan_cells
from plyhost.board.hexes import LARGEST_SIDE, Board

Pair: TypeAlias = tuple[Cell, Cell]
Setup: TypeAlias = tuple[Pair, Pair]


def order_pair(board: Board, one: Cell, two: Cell) -> Pair:
    """Return two cells in name order."""
    rank = board.name_order
    return (one, two) if rank[one] < rank[two] else (two, one)


def make_pair_set(pair: Pair) -> Bits:
    """Return a pair as a set."""
    return 1 << pair[0] | 1 << pair[1]


def find_white_room(board: Board, black: Pair) -> Bits:
    """Return the cells that White's pair may take: off Black's creature and not next to it."""
    taken = make_pair_set(black)
    return board.mask & ~(taken | board.spread(taken))


def find_pair_starters(board: Board, within: Bits) -> Bits:
    """Return the cells of a set where a pair that stays inside it may begin."""
    return within & board.spread(within)


def find_pair_partners(board: Board, cell: Cell, within: Bits) -> Bits:
    """Return the cells of a set that make a pair with a cell."""
    return board.neighbours[cell] & within


@lru_cache(maxsize=LARGEST_SIDE)
def list_pairs(board: Board) -> list[Pair]:
    """Return every pair of a board, in name order."""
    rank = board.name_order
    found = [
        order_pair(board, one, two)
        for one in board.cells
        for two in scan_cells(find_pair_partners(board, one, board.mask))
        if one < two
    ]
    return sorted(found, key=lambda pair: (rank[pair[0]], rank[pair[1]]))


def yield_setups(board: Board) -> Iterator[Setup]:
    """Yield every setup, by its four cells in name order, Black's first."""
    every = [(pair, make_pair_set(pair)) for pair in list_pairs(board)]
    for black in list_pairs(board):
        barred = ~find_white_room(board, black)
        for white, cells in every:
            if not cells & barred:
                yield black, white


def count_setups(board: Board) -> int:
    """Return how many setups there are, without making them."""
    width, total = board.width, 0
    for black in list_pairs(board):
        free = find_white_room(board, black)
        for step in (1, width, width + 1):
            total += (free & free >> step).bit_count()
    return total
