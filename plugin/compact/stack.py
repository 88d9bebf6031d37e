"""The history that a compact state holds, as bytes that are read only where they must be."""

from collections.abc import Sequence

import msgspec

from plugin.clock import Stamp, millis, stamp
from plugin.compact.sealing import wrong
from plugin.history import BY_SEAT, ENDINGS, AnyGame, Step
from plugin.varints import Reader, unzigzag, varint, zigzag


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
            raise wrong(self.stamps_after, "timestamp", str(error)) from error

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
