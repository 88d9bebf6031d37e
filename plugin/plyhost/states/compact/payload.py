"""The payload of a compact state: numbers, stones, the game's own fields, times and moves."""

import struct
from collections.abc import Sequence
from functools import cache

import orjson

from plyhost import limits
from plyhost.board.hexes import Board, get_board
from plyhost.games.game import AnyGame, Position
from plyhost.states.clock import is_moment
from plyhost.states.compact.packed_history import CompactStack
from plyhost.states.compact.varints import check_varints

_NUMBERS = ">HHHHqq"


def pack_compact_payload(stack: CompactStack, position: Position) -> bytes:
    """Return the payload of a history and the position that it leads to."""
    head, size = _make_payload_head(position.board)
    own = orjson.dumps(stack.game.stored(position))
    one, two = position.stones
    start = head.pack(
        stack.moves_made,
        stack.stamps_after_first,
        len(stack.times),
        len(own),
        stack.first,
        stack.last,
        one.to_bytes(size, "little"),
        two.to_bytes(size, "little"),
    )
    return start + own + stack.times + stack.moves


@cache
def _make_payload_head(on: Board) -> tuple[struct.Struct, int]:
    """Return the part of a payload that is as long for all states of a board, and a set's bytes."""
    size = (on.limit + 7) // 8
    return struct.Struct(f"{_NUMBERS}{size}s{size}s"), size


def unpack_compact_payload(
    game: AnyGame, side: int, payload: bytes, endings: tuple[str, ...]
) -> tuple[CompactStack, Position]:
    """Return the history and the last position of a payload; raises ValueError.

    Of the moves nothing is read yet.
    """
    on = get_board(side)
    head, _ = _make_payload_head(on)
    try:
        made, after, length, own_length, first, last, *sets = head.unpack_from(payload)
    except struct.error as error:
        raise ValueError("it is cut short") from error
    times = head.size + own_length
    moves = times + length
    if moves > len(payload):
        raise ValueError("it is cut short")
    if after != made + len(endings) or after > limits.LAST_PLY or len(payload) - moves < made:
        raise ValueError("the counts do not agree")
    check_varints(payload[times:moves], after)
    if not (is_moment(first) and is_moment(last)):
        raise ValueError("no such moment")
    position = _unpack_payload_position(game, on, sets, 1 + made % 2, payload[head.size : times])
    if sum(stones.bit_count() for stones in position.stones) > game.most_stones(made):
        raise ValueError("there are more stones than moves can have placed")
    stack = CompactStack(
        game, made, after, first, last, payload[times:moves], payload[moves:], endings
    )
    return stack, position


def _unpack_payload_position(
    game: AnyGame, on: Board, sets: Sequence[bytes], seat: int, own: bytes
) -> Position:
    one, two = int.from_bytes(sets[0], "little"), int.from_bytes(sets[1], "little")
    if one & two or (one | two) & ~on.mask:
        raise ValueError("the stones do not fit the board")
    fields = orjson.loads(own)
    if not isinstance(fields, dict):
        raise ValueError("the game's own fields are no object")
    position: Position = game.restore(on, (one, two), seat, fields)
    if orjson.dumps(game.stored(position)) != own:
        raise ValueError("the game's own fields do not fit")
    return position
