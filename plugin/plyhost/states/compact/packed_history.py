"""The history that a compact state holds, as bytes that are read only where they must be."""

from collections.abc import Sequence

import msgspec

from plyhost.games.game import AnyGame
from plyhost.states.clock import Stamp, format_stamp, parse_stamp
from plyhost.states.compact.sealing import make_compact_fault
from plyhost.states.compact.varints import VarintReader, decode_zigzag, encode_varint, encode_zigzag
from plyhost.states.steps import BY_SEAT, ENDINGS, Step


class CompactStack(msgspec.Struct, frozen=True):
    """What a compact state holds, unpacked as far as one move needs.

    `first` and `last` are timestamps in milliseconds; `times` holds the differences between all,
    `moves` the moves, both packed, the newest first.  `stamp_before` is the timestamp of the entry
    before the last, where it is known already.
    """

    game: AnyGame
    moves_made: int
    stamps_after_first: int
    first: int
    last: int
    times: bytes = b""
    moves: bytes = b""
    endings: tuple[str, ...] = ()
    stamp_before: Stamp | None = None

    def first_stamp(self) -> Stamp:
        """Return the timestamp of the first entry."""
        return format_stamp(self.first)

    def previous_stamp(self) -> Stamp | None:
        """Return the timestamp of the entry before the last, if any; raises InvalidState."""
        if self.stamp_before or not self.stamps_after_first:
            return self.stamp_before
        try:
            return format_stamp(self.last - decode_zigzag(VarintReader(self.times).read_varint()))
        except ValueError as error:
            raise make_compact_fault(self.stamps_after_first, "timestamp", str(error)) from error

    def with_steps(self, before: Step, steps: Sequence[Step]) -> "CompactStack":
        """Return the stack with `steps`, which follow `before`, added."""
        made, times, moves, endings = self.moves_made, self.times, self.moves, self.endings
        last, earlier = self.last, self.stamp_before
        for step in steps:
            earlier, now = before.timestamp, parse_stamp(step.timestamp)
            times = encode_varint(encode_zigzag(now - last)) + times
            last = now
            if step.text in ENDINGS:
                endings = (*endings, _format_packed_ending(step))
            else:
                made, moves = made + 1, self.game.pack(before.position, step.move) + moves
            before = step
        after = self.stamps_after_first + len(steps)
        return CompactStack(
            self.game, made, after, self.first, last, times, moves, endings, earlier
        )


def start_compact_stack(game: AnyGame, start: Step) -> CompactStack:
    """Return the stack of a game that has not begun."""
    first = parse_stamp(start.timestamp)
    return CompactStack(game, 0, 0, first, first)


def _format_packed_ending(step: Step) -> str:
    seat = str(step.results[0]["player"]) if step.text in BY_SEAT else ""
    return f"{step.text}{seat}"
