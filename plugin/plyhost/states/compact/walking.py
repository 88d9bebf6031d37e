"""A compact state replayed: from the start, or back from its end."""

from collections.abc import Iterator
from typing import Any

from plyhost import deadline
from plyhost.games.game import AnyGame, Illegal, Position
from plyhost.states.clock import Stamp, format_stamp
from plyhost.states.compact.compact_state import remake_packed_ending, remake_packed_move
from plyhost.states.compact.packed_history import CompactStack
from plyhost.states.compact.sealing import make_compact_fault
from plyhost.states.compact.varints import VarintReader, decode_zigzag
from plyhost.states.steps import Step, make_first_step


def walk_compact_stack(game: AnyGame, stack: CompactStack, last: Step) -> Iterator[Step]:
    """Yield every step, replayed from the start; raises InvalidState at the first that fails.

    `last` is the last step as it was read; the replay has to arrive there.
    """
    stamps = iter(_unpack_compact_stamps(stack))
    step = make_first_step(game, last.position.board.side, next(stamps), last.version)
    yield step
    for made in _unpack_compact_moves(game, stack, step.position):
        try:
            step = remake_packed_move(game, step, made, next(stamps))
        except (ValueError, Illegal) as error:
            text, reason = game.text(step.position, made), getattr(error, "reason", None)
            why = "is not legal here"
            raise make_compact_fault(step.ply + 1, "move", why, move=text, reason=reason) from error
        yield step
    for text in stack.endings:
        step = remake_packed_ending(game, step, text, next(stamps))
        yield step
    if step.position != last.position:
        raise make_compact_fault(step.ply, "position", "is not what the moves lead to")


def _unpack_compact_moves(game: AnyGame, stack: CompactStack, start: Position) -> list[Any]:
    made, at = [], 0
    try:
        for _ in range(stack.moves_made):
            one, at = game.unpack(start.board, stack.moves, at)
            made.append(one)
    except ValueError as error:
        raise make_compact_fault(stack.moves_made - len(made), "move", str(error)) from error
    if at != len(stack.moves):
        raise make_compact_fault(0, "moves", "there are more than the count says")
    return made[::-1]


def _unpack_compact_stamps(stack: CompactStack) -> list[Stamp]:
    reader, moments = VarintReader(stack.times), [stack.last]
    try:
        for _ in range(stack.stamps_after_first):
            moments.append(moments[-1] - decode_zigzag(reader.read_varint()))
        stamps = [format_stamp(moment) for moment in reversed(moments)]
    except ValueError as error:
        raise make_compact_fault(
            stack.stamps_after_first - len(moments), "timestamp", str(error)
        ) from error
    if reader.at != len(stack.times) or moments[-1] != stack.first:
        raise make_compact_fault(0, "timestamp", "the times do not lead back to the start")
    return stamps


def walk_compact_backwards(game: AnyGame, stack: CompactStack, later: Step) -> Iterator[Position]:
    """Yield the positions before a step, the latest first, until one cannot equal the step's own.

    That is so before a move which no later one can take back.  Raises InvalidState.
    """
    position, at = later.position, 0
    try:
        for ply in range(stack.moves_made, 0, -1):
            deadline.check_deadline()
            made, at = game.unpack(position.board, stack.moves, at)
            if ply > later.ply:
                continue
            if not game.recurs(made):
                return
            position = game.undo(position, made, ply)
            yield position
    except ValueError as error:
        raise make_compact_fault(ply, "move", "cannot have been played") from error
