"""Compact states taken apart and sealed again: a forger can compute the check as well as we."""

import random
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from struct import Struct

from plyhost.board.hexes import get_board
from tests.tools.games import SIDES, side_of

_NUMBERS = Struct(">HHHHqq")
_CHECK = 8
#: How every compact state begins.
FORMAT = "p1:"


@dataclass(frozen=True)
class Compact:
    """The parts of a compact state as `docs/states.md` lays them out."""

    header: tuple[str, ...]
    numbers: tuple[int, ...]
    stones: tuple[bytes, bytes]
    own: bytes
    times: bytes
    moves: bytes

    def payload(self) -> bytes:
        """Return the bytes before the check; the lengths are told as they are."""
        made, after, _, _, first, last = self.numbers
        numbers = _NUMBERS.pack(made, after, len(self.times), len(self.own), first, last)
        return b"".join((numbers, *self.stones, self.own, self.times, self.moves))

    def text(self) -> str:
        """Return the state with a check that is right."""
        return sealed(self.header, self.payload())


def sealed(header: tuple[str, ...], payload: bytes) -> str:
    """Return a compact state of a header and any payload, with a check that is right."""
    head = ":".join((*header, ""))
    check = blake2b(head.encode() + payload, digest_size=_CHECK).digest()
    return head + urlsafe_b64encode(payload + check).rstrip(b"=").decode()


def side(header: tuple[str, ...]) -> int:
    """Return the side of the board of a header, as well as it can be told."""
    uid = header[1] or "control"
    known = [one for one in header[2].split("+") if one in SIDES[uid]]
    return side_of(uid, {"variants": known})


def opened(text: str) -> Compact:
    """Return the parts of a sound compact state."""
    *header, code = text.split(":")
    payload = urlsafe_b64decode(code + "=" * (-len(code) % 4))[:-_CHECK]
    numbers = _NUMBERS.unpack(payload[: _NUMBERS.size])
    size = (get_board(side(tuple(header))).limit + 7) // 8
    parts, at = [], _NUMBERS.size
    for length in (size, size, numbers[3], numbers[2]):
        parts.append(payload[at : at + length])
        at += length
    one, two, own, times = parts
    return Compact(tuple(header), numbers, (one, two), own, times, payload[at:])


def flipped(pick: random.Random, data: bytes) -> bytes:
    """Return bytes with one bit changed."""
    if not data:
        return bytes((pick.randrange(256),))
    at = pick.randrange(len(data))
    return data[:at] + bytes((data[at] ^ 1 << pick.randrange(8),)) + data[at + 1 :]


def _stone(pick: random.Random, state: Compact) -> Compact:
    """Set, take or turn a stone of a cell of the board."""
    on = get_board(side(state.header))
    bit = 1 << pick.choice(on.cells)
    one, two = (int.from_bytes(cells, "little") for cells in state.stones)
    one, two = pick.choice(((one ^ bit, two & ~bit), (one & ~bit, two ^ bit)))
    size = max(len(state.stones[0]), (max(one, two).bit_length() + 7) // 8)
    return replace(state, stones=(one.to_bytes(size, "little"), two.to_bytes(size, "little")))


def _numbers(pick: random.Random, state: Compact) -> Compact:
    numbers = list(state.numbers)
    at = pick.choice((0, 1, 4, 5))
    numbers[at] += pick.choice((-1, 1, 1000, -1000))
    if pick.random() < 0.3 and at < 2:
        numbers[1 - at] += numbers[at] - state.numbers[at]
    numbers[:2] = [min(max(number, 0), 65535) for number in numbers[:2]]
    return replace(state, numbers=tuple(numbers))


_OWN = (b"{}", b'{"black":1}', b'{"black":2}', b'{"black":null}', b'{"black":3}', b"[]", b"null")
_HEADERS = {
    1: ("control", "congeners", ""),
    2: ("", "size-5", "size-7", "size-9", "#board", "size-5+size-7", "size-5+size-5"),
    3: ("20240909", "20261130", "20200101", ""),
    4: ("", "resign1", "timeout2", "draw", "abandoned", "settle", "repetition", "resign", "draw1"),
}


def _header(pick: random.Random, state: Compact) -> Compact:
    header = list(state.header)
    at = pick.choice((1, 2, 3, 4, 4))
    header[at] = pick.choice(_HEADERS[at])
    made, _, *rest = state.numbers
    endings = len(header[4].split("+")) if header[4] else 0
    times = state.times if header[4] == state.header[4] else b"\0" * endings + state.times
    return replace(state, header=tuple(header), numbers=(made, made + endings, *rest), times=times)


def _moves_swapped(pick: random.Random, state: Compact) -> Compact:
    """Take two plies of one seat the other way round, as far as one byte is one move."""
    moves = bytearray(state.moves)
    if len(moves) > 2:
        at = pick.randrange(len(moves) - 2)
        moves[at], moves[at + 2] = moves[at + 2], moves[at]
    return replace(state, moves=bytes(moves))


KINDS: dict[str, Callable[[random.Random, Compact], Compact]] = {
    "stone": _stone,
    "numbers": _numbers,
    "header": _header,
    "own": lambda pick, state: replace(state, own=pick.choice(_OWN)),
    "times": lambda pick, state: replace(state, times=flipped(pick, state.times)),
    "moves": lambda pick, state: replace(state, moves=flipped(pick, state.moves)),
    "moves swapped": _moves_swapped,
}


def forged(pick: random.Random, text: str, other: str) -> str:
    """Return a compact state changed somewhere, or joined from two; the check is right."""
    state, second = opened(text), opened(other)
    way = pick.randrange(4)
    if way == 0:
        return sealed(state.header, flipped(pick, state.payload()))
    if way == 1:
        parts = ("header", "stones", "own", "moves", "numbers")
        taken = {name: getattr(second, name) for name in pick.sample(parts, pick.randint(1, 3))}
        return replace(state, **taken).text()
    for _ in range(pick.randint(1, 2)):
        state = KINDS[pick.choice(list(KINDS))](pick, state)
    return state.text()
