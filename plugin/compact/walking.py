"""A compact state replayed: from the start, or back from its end."""

from collections.abc import Iterator
from typing import Any

from plugin import deadline
from plugin.clock import Stamp, stamp
from plugin.compact.reading import checked, ended
from plugin.compact.sealing import wrong
from plugin.compact.stack import CompactStack
from plugin.game import Illegal, Position
from plugin.history import AnyGame, Step, begin
from plugin.varints import Reader, unzigzag


def walk(game: AnyGame, stack: CompactStack, last: Step) -> Iterator[Step]:
    """Yield every step, replayed from the start; raises InvalidState at the first that fails.

    `last` is the last step as it was read; the replay has to arrive there.
    """
    stamps = iter(_stamps(stack))
    step = begin(game, last.position.board.side, next(stamps), last.version)
    yield step
    for made in _moves(game, stack, step.position):
        try:
            step = checked(game, step, made, next(stamps))
        except (ValueError, Illegal) as error:
            text, reason = game.text(step.position, made), getattr(error, "reason", None)
            why = "is not legal here"
            raise wrong(step.ply + 1, "move", why, move=text, reason=reason) from error
        yield step
    for text in stack.endings:
        step = ended(game, step, text, next(stamps))
        yield step
    if step.position != last.position:
        raise wrong(step.ply, "position", "is not what the moves lead to")


def _moves(game: AnyGame, stack: CompactStack, start: Position) -> list[Any]:
    made, at = [], 0
    try:
        for _ in range(stack.moves_made):
            one, at = game.unpack(start.board, stack.moves, at)
            made.append(one)
    except ValueError as error:
        raise wrong(stack.moves_made - len(made), "move", str(error)) from error
    if at != len(stack.moves):
        raise wrong(0, "moves", "there are more than the count says")
    return made[::-1]


def _stamps(stack: CompactStack) -> list[Stamp]:
    reader, moments = Reader(stack.times), [stack.last]
    try:
        for _ in range(stack.stamps_after):
            moments.append(moments[-1] - unzigzag(reader.varint()))
        stamps = [stamp(moment) for moment in reversed(moments)]
    except ValueError as error:
        raise wrong(stack.stamps_after - len(moments), "timestamp", str(error)) from error
    if reader.at != len(stack.times) or moments[-1] != stack.first:
        raise wrong(0, "timestamp", "the times do not lead back to the start")
    return stamps


def backwards(game: AnyGame, stack: CompactStack, later: Step) -> Iterator[Position]:
    """Yield positions before a step, the latest first, while its own may have stood."""
    position, at = later.position, 0
    try:
        for ply in range(stack.moves_made, 0, -1):
            deadline.check()
            made, at = game.unpack(position.board, stack.moves, at)
            if ply > later.ply:
                continue
            if not game.recurs(made):
                return
            position = game.undo(position, made, ply)
            yield position
    except ValueError as error:
        raise wrong(ply, "move", "cannot have been played") from error
