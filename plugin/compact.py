"""Compact states: a whole game in one short string, cheap to use at any ply.

    p1:<game>:<variants>:<version>:<endings>:<payload>

`variants` and `endings` are joined by `+`; an ending is its word, with the seat behind it for
`resign` and `timeout`.  The payload is base64url without padding of, in order:

- moves made, timestamps after the first, bytes of the times, bytes of the game's own fields (two
  bytes each), the first timestamp and the last (eight bytes each, signed milliseconds), all
  big-endian;
- the two sets of stones (each as many bytes as the board's bit numbers need, little-endian);
- the game's own fields as JSON;
- the times: zigzag varints of the differences in milliseconds, the newest first;
- the moves, each as the game packs it, the newest first;
- a check of 8 bytes: BLAKE2b of the header and of the payload before it.

Newest first means that a move is read, undone and appended at the front, whatever the length.  The
check finds accidents; it is no signature.
"""

import struct
from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

import msgspec
import orjson

from plugin import deadline, limits, variants
from plugin.clock import Stamp, is_moment, millis, stamp
from plugin.errors import InvalidState, UnsupportedEngine
from plugin.game import Illegal, Position, Unsettled
from plugin.hexes import Board, board
from plugin.history import BY_SEAT, ENDINGS, AnyGame, Step, begin, ending, move
from plugin.varints import Reader, unzigzag, varint, zigzag

FORMAT = "p1"
CHECK_BYTES = 8

_NUMBERS = ">HHHHqq"
_TO_URL = bytes.maketrans(b"+/", b"-_")
# What belongs into another alphabet becomes what belongs into none.
_FROM_URL = bytes.maketrans(b"-_+/", b"+/**")
_DIGITS = f"{ascii_uppercase}{ascii_lowercase}{digits}-_"
#: What canonical base64 may end with, by its length modulo 4: the bits beyond the last byte are 0.
_ENDS = (_DIGITS, "", _DIGITS[::16], _DIGITS[::4])


class CompactStack(msgspec.Struct, frozen=True):
    """What a compact state holds, unpacked as far as one move needs.

    `first` and `last` are timestamps in milliseconds; `before` is that of the entry before the
    last, where it is known already.
    """

    game: AnyGame
    moves_made: int
    stamps_after: int
    first: int
    last: int
    times: bytes = b""
    moves: bytes = b""
    endings: tuple[str, ...] = ()
    before: Stamp | None = None

    def started(self) -> Stamp:
        """Return the timestamp of the first entry."""
        return stamp(self.first)

    def previous(self) -> Stamp | None:
        """Return the timestamp of the entry before the last, if any; raises InvalidState."""
        if self.before or not self.stamps_after:
            return self.before
        try:
            return stamp(self.last - unzigzag(Reader(self.times).varint()))
        except ValueError as error:
            raise _wrong(self.stamps_after, "timestamp", str(error)) from error

    def appended(self, before: Step, steps: Sequence[Step]) -> "CompactStack":
        """Return the stack with `steps`, which follow `before`, added."""
        made, times, moves, endings = self.moves_made, self.times, self.moves, self.endings
        last, earlier = self.last, self.before
        for step in steps:
            earlier, now = before.timestamp, millis(step.timestamp)
            times = varint(zigzag(now - last)) + times
            last = now
            if step.text in ENDINGS:
                endings = (*endings, _ending_text(step))
            else:
                made, moves = made + 1, self.game.pack(before.position, step.move) + moves
            before = step
        after = self.stamps_after + len(steps)
        return CompactStack(
            self.game, made, after, self.first, last, times, moves, endings, earlier
        )


def fresh(game: AnyGame, start: Step) -> CompactStack:
    """Return the stack of a game that has not begun."""
    first = millis(start.timestamp)
    return CompactStack(game, 0, 0, first, first)


def _ending_text(step: Step) -> str:
    seat = str(step.results[0]["player"]) if step.text in BY_SEAT else ""
    return f"{step.text}{seat}"


def dumped(uid: str, uids: Sequence[str], stack: CompactStack, last: Step) -> str:
    """Return the string."""
    header = ":".join((FORMAT, uid, "+".join(uids), last.version, "+".join(stack.endings), ""))
    payload = _payload(stack, last.position)
    sealed = payload + _check(header, payload)
    return header + _coded(sealed)


def _coded(data: bytes) -> str:
    return b2a_base64(data, newline=False).translate(_TO_URL).rstrip(b"=").decode()


def _payload(stack: CompactStack, position: Position) -> bytes:
    head, size = _head(position.board)
    own = orjson.dumps(stack.game.stored(position))
    one, two = position.stones
    start = head.pack(
        stack.moves_made,
        stack.stamps_after,
        len(stack.times),
        len(own),
        stack.first,
        stack.last,
        one.to_bytes(size, "little"),
        two.to_bytes(size, "little"),
    )
    return start + own + stack.times + stack.moves


@cache
def _head(on: Board) -> tuple[struct.Struct, int]:
    """Return the part of a payload that is as long for all states of a board, and a set's bytes."""
    size = (on.limit + 7) // 8
    return struct.Struct(f"{_NUMBERS}{size}s{size}s"), size


def _check(header: str, payload: bytes) -> bytes:
    return blake2b(header.encode() + payload, digest_size=CHECK_BYTES).digest()


def read(game: AnyGame, text: str) -> tuple[list[str], CompactStack, Step]:
    """Return the variants, stack and last step of a compact state.

    Checks the header, the check, and the last step by undoing it and making it again; raises
    InvalidState or UnsupportedEngine.
    """
    uids, version, endings, payload = _opened(game, text)
    side = variants.stored(game.info, uids).side
    try:
        stack, position = _unpacked(game, side, payload, endings)
    except ValueError as error:
        raise _wrong(None, "payload", str(error)) from error
    return uids, stack, _last(game, stack, position, version)


def _opened(game: AnyGame, text: str) -> tuple[list[str], str, tuple[str, ...], bytes]:
    fields = text.split(":")
    if len(fields) != 6 or not text.isascii():
        raise _wrong(None, "header", "a compact state has six fields")
    form, uid, uids, version, endings, code = fields
    if form != FORMAT:
        raise UnsupportedEngine("header: format", f"{form} is not {FORMAT}")
    if uid != game.info.uid:
        raise _wrong(None, "game", f"must be {game.info.uid}")
    header = text[: len(text) - len(code)]
    payload = _decoded(header, code)
    if version not in game.info.versions:
        raise UnsupportedEngine("header: version", f"engine {version} is not known here")
    return _split(uids), version, tuple(_split(endings)), payload


def _split(joined: str) -> list[str]:
    return joined.split("+") if joined else []


def _decoded(header: str, code: str) -> bytes:
    try:
        padded = code.encode().translate(_FROM_URL) + b"=" * (-len(code) % 4)
        sealed = a2b_base64(padded, strict_mode=True)
    except (Base64Error, ValueError) as error:
        raise _wrong(None, "payload", "is no base64") from error
    if code[-1:] not in _ENDS[len(code) % 4]:
        raise _wrong(None, "payload", "is no canonical base64")
    payload, check = sealed[:-CHECK_BYTES], sealed[-CHECK_BYTES:]
    if _check(header, payload) != check:
        raise _wrong(None, "check", "the state was damaged on its way")
    return payload


def _wrong(ply: int | None, field: str, why: str, **trace: Any) -> InvalidState:
    place = "header" if ply is None else f"ply {ply}"
    return InvalidState(f"{place}: {field}", why, ply=ply, field=field, **trace)


def _unpacked(
    game: AnyGame, side: int, payload: bytes, endings: tuple[str, ...]
) -> tuple[CompactStack, Position]:
    on = board(side)
    head, _ = _head(on)
    try:
        made, after, length, own_length, first, last, *sets = head.unpack_from(payload)
    except struct.error as error:
        raise ValueError("it is cut short") from error
    times = head.size + own_length
    moves = times + length
    if moves > len(payload):
        raise ValueError("it is cut short")
    if after != made + len(endings) or after > limits.LAST_PLY:
        raise ValueError("the counts do not agree")
    if not (is_moment(first) and is_moment(last)):
        raise ValueError("no such moment")
    position = _position(game, on, sets, 1 + made % 2, payload[head.size : times])
    stack = CompactStack(
        game, made, after, first, last, payload[times:moves], payload[moves:], endings
    )
    return stack, position


def _position(game: AnyGame, on: Board, sets: Sequence[bytes], seat: int, own: bytes) -> Position:
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


def _last(game: AnyGame, stack: CompactStack, position: Position, version: str) -> Step:
    at = stamp(stack.last)
    if stack.moves_made:
        step = _last_move(game, stack, position, at, version)
    else:
        step = _start(game, stack, position, at, version)
    for text in stack.endings:
        step = _ended(game, step, text, at)
    return step


def _start(game: AnyGame, stack: CompactStack, position: Position, at: Stamp, version: str) -> Step:
    start = begin(game, position.board.side, at, version)
    if position != start.position or stack.moves:
        raise _wrong(0, "position", "must be an empty board")
    if not stack.endings and (stack.first != stack.last or stack.times):
        raise _wrong(0, "timestamp", "nothing was played, yet time went by")
    return start


def _last_move(
    game: AnyGame, stack: CompactStack, position: Position, at: Stamp, version: str
) -> Step:
    ply = stack.moves_made
    try:
        made, _ = game.unpack(position.board, stack.moves, 0)
        before = game.undo(position, made, ply)
        step = _checked(game, Step(ply - 1, before, None, [], at, version), made, at, position)
    except (ValueError, Illegal) as error:
        raise _wrong(ply, "move", "cannot have led to the position") from error
    if ply == 1 and before != game.start(before.board.side):
        raise _wrong(ply, "position", "is not what the last move leads to")
    return step


def _checked(
    game: AnyGame, before: Step, made: Any, at: Stamp, after: Position | None = None
) -> Step:
    # A game that is over has no legal move, so this finds that out as well.
    if not game.allows(before.position, made):
        # Reading says why.
        made = game.read(before.position, game.text(before.position, made))
    return move(game, before, made, at, version=before.version, after=after)


def _ended(game: AnyGame, before: Step, text: str, at: Stamp) -> Step:
    how, seat = (text[:-1], int(text[-1])) if text[-1:] in ("1", "2") else (text, None)
    if how not in ENDINGS or (how in BY_SEAT) != (seat is not None):
        raise _wrong(None, "endings", f"{text} is no ending")
    if how == "repetition" and not game.repeats:
        raise _wrong(None, "endings", "no position of this game comes back")
    try:
        return ending(game, before, how, seat, at, before.version)
    except Unsettled as early:
        raise _wrong(before.ply + 1, "ending", "too early to settle") from early


def walk(game: AnyGame, stack: CompactStack, last: Step) -> Iterator[Step]:
    """Yield every step, replayed from the start; raises InvalidState at the first that fails.

    `last` is the last step as it was read; the replay has to arrive there.
    """
    stamps = iter(_stamps(stack))
    step = begin(game, last.position.board.side, next(stamps), last.version)
    yield step
    for made in _moves(game, stack, step.position):
        try:
            step = _checked(game, step, made, next(stamps))
        except (ValueError, Illegal) as error:
            text, reason = game.text(step.position, made), getattr(error, "reason", None)
            why = "is not legal here"
            raise _wrong(step.ply + 1, "move", why, move=text, reason=reason) from error
        yield step
    for text in stack.endings:
        step = _ended(game, step, text, next(stamps))
        yield step
    if step.position != last.position:
        raise _wrong(step.ply, "position", "is not what the moves lead to")


def _moves(game: AnyGame, stack: CompactStack, start: Position) -> list[Any]:
    made, at = [], 0
    try:
        for _ in range(stack.moves_made):
            one, at = game.unpack(start.board, stack.moves, at)
            made.append(one)
    except ValueError as error:
        raise _wrong(stack.moves_made - len(made), "move", str(error)) from error
    if at != len(stack.moves):
        raise _wrong(0, "moves", "there are more than the count says")
    return made[::-1]


def _stamps(stack: CompactStack) -> list[Stamp]:
    reader, moments = Reader(stack.times), [stack.last]
    try:
        for _ in range(stack.stamps_after):
            moments.append(moments[-1] - unzigzag(reader.varint()))
        stamps = [stamp(moment) for moment in reversed(moments)]
    except ValueError as error:
        raise _wrong(stack.stamps_after - len(moments), "timestamp", str(error)) from error
    if reader.at != len(stack.times) or moments[-1] != stack.first:
        raise _wrong(0, "timestamp", "the times do not lead back to the start")
    return stamps


def backwards(game: AnyGame, stack: CompactStack, position: Position) -> Iterator[Position]:
    """Yield positions before the present one, the latest first, while that one may have stood."""
    at = 0
    try:
        for ply in range(stack.moves_made, 0, -1):
            deadline.check()
            made, at = game.unpack(position.board, stack.moves, at)
            if not game.recurs(made):
                return
            position = game.undo(position, made, ply)
            yield position
    except ValueError as error:
        raise _wrong(ply, "move", "cannot have been played") from error
