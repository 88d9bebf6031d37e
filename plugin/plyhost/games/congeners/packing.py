"""Moves of Congeners as bytes, for compact states.

The first byte tells what follows: a cell's rank in board order begins a turn, a tag is a word or
a setup.  A turn is three ranks, the second with its high bit set for a bite; a setup is its tag and
four ranks.
"""

from plyhost.board.bits import Cell
from plyhost.board.hexes import Board
from plyhost.games.congeners.position import WORDS, Move
from plyhost.games.congeners.setup import order_pair

_BITE = 0x80
_SETUP = 0xFD
#: The tags of `WORDS`, in their order.
_TAGS = (0xFF, 0xFE)


def pack_congeners_move(board: Board, move: Move) -> bytes:
    """Return the bytes of a move on a board of at most 127 cells."""
    rank = board.rank
    if isinstance(move, str):
        return bytes((_TAGS[WORDS.index(move)],))
    if len(move) == 2:
        return bytes((_SETUP, *(rank[cell] for pair in move for cell in pair)))
    moved, goal, placed, bite = move
    return bytes((rank[moved], rank[goal] | (_BITE if bite else 0), rank[placed]))


def unpack_congeners_move(board: Board, data: bytes, start: int) -> tuple[Move, int]:
    """Return the move packed at `start`, legal or not, and the index behind it.

    Raises ValueError when there are no such bytes or cells.
    """
    tag = data[start] if start < len(data) else _BITE
    if tag in _TAGS:
        return WORDS[_TAGS.index(tag)], start + 1
    if tag == _SETUP:
        return _unpack_setup(board, data[start + 1 : start + 5]), start + 5
    return _unpack_turn(board, data[start : start + 3]), start + 3


def _unpack_setup(board: Board, ranks: bytes) -> Move:
    one, two, three, four = _unpack_cells(board, ranks, 4)
    black, white = order_pair(board, one, two), order_pair(board, three, four)
    if (*black, *white) != (one, two, three, four) or len({one, two, three, four}) < 4:
        raise ValueError("the cells of a pair are not in order")
    return black, white


def _unpack_turn(board: Board, ranks: bytes) -> Move:
    bite = len(ranks) == 3 and ranks[1] >= _BITE
    plain = bytes((ranks[0], ranks[1] - _BITE, ranks[2])) if bite else ranks
    moved, goal, placed = _unpack_cells(board, plain, 3)
    if goal in (moved, placed):
        raise ValueError("a turn names its destination twice")
    return moved, goal, placed, bite


def _unpack_cells(board: Board, ranks: bytes, number: int) -> list[Cell]:
    if len(ranks) != number or max(ranks) >= len(board.cells):
        raise ValueError("no cell has this number")
    return [board.cells[rank] for rank in ranks]
