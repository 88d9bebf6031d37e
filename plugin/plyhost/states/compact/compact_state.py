"""A compact state in and out: its last step made again, all that went before left packed."""

from collections.abc import Sequence
from typing import Any

from plyhost.games import variants
from plyhost.games.game import AnyGame, Illegal, Position, Unsettled
from plyhost.states.clock import Stamp, format_stamp
from plyhost.states.compact.packed_history import CompactStack
from plyhost.states.compact.payload import pack_compact_payload, unpack_compact_payload
from plyhost.states.compact.sealing import make_compact_fault, open_compact_text, seal_compact_text
from plyhost.states.steps import (
    BY_SEAT,
    ENDINGS,
    Step,
    make_ending_step,
    make_first_step,
    make_move_step,
)


def dump_compact_state(uid: str, uids: Sequence[str], stack: CompactStack, last: Step) -> str:
    """Return the text of a compact state."""
    return seal_compact_text(
        uid, uids, last.version, stack.endings, pack_compact_payload(stack, last.position)
    )


def parse_compact_state(
    game: AnyGame, text: str
) -> tuple[list[str], CompactStack, Step, tuple[Step, ...]]:
    """Return the variants, stack and last step of a compact state, and steps before the last.

    Checks the header, the check, and the last step by undoing it and making it again; raises
    InvalidState or UnsupportedEngine.
    """
    uids, version, endings, payload = open_compact_text(game, text)
    game = game.rules(version)
    side = variants.find_stored_variant(game.info, uids).side
    try:
        stack, position = unpack_compact_payload(game, side, payload, endings)
    except ValueError as error:
        raise make_compact_fault(None, "payload", str(error)) from error
    last, *known = _remake_last_steps(game, stack, position, version)[::-1]
    return uids, stack, last, tuple(known)


def _remake_last_steps(
    game: AnyGame, stack: CompactStack, position: Position, version: str
) -> list[Step]:
    """Return the position before the last move, if there is one, and what follows."""
    at = format_stamp(stack.last)
    if stack.moves_made:
        steps = _remake_last_move(game, stack, position, at, version)
    else:
        steps = [_remake_start_step(game, stack, position, at, version)]
    for text in stack.endings:
        steps.append(remake_packed_ending(game, steps[-1], text, at))
    return steps


def _remake_start_step(
    game: AnyGame, stack: CompactStack, position: Position, at: Stamp, version: str
) -> Step:
    start = make_first_step(game, position.board.side, at, version)
    if position != start.position or stack.moves:
        raise make_compact_fault(0, "position", "must be an empty board")
    if not stack.endings and (stack.first != stack.last or stack.times):
        raise make_compact_fault(0, "timestamp", "nothing was played, yet time went by")
    return start


def _remake_last_move(
    game: AnyGame, stack: CompactStack, position: Position, at: Stamp, version: str
) -> list[Step]:
    ply = stack.moves_made
    try:
        made, _ = game.unpack(position.board, stack.moves, 0)
        before = Step(ply - 1, game.undo(position, made, ply), None, [], at, version)
        step = remake_packed_move(game, before, made, at, position)
    except (ValueError, Illegal) as error:
        raise make_compact_fault(ply, "move", "cannot have led to the position") from error
    if ply == 1 and before.position != game.start(position.board.side):
        raise make_compact_fault(ply, "position", "is not what the last move leads to")
    return [before, step]


def remake_packed_move(
    game: AnyGame, before: Step, made: Any, at: Stamp, after: Position | None = None
) -> Step:
    """Return the step of an unpacked move, which leads to `after` if that is given.

    Raises Illegal, or ValueError for a move that is packed otherwise than it would be.
    """
    # A game that is over has no legal move, so this finds that out as well.
    if not game.allows(before.position, made):
        game.read(before.position, game.text(before.position, made))
        raise ValueError("is packed otherwise than it is read")
    return make_move_step(game, before, made, at, version=before.version, after=after)


def remake_packed_ending(game: AnyGame, before: Step, text: str, at: Stamp) -> Step:
    """Return the step of an ending as the header tells it; raises InvalidState."""
    how, seat = (text[:-1], int(text[-1])) if text[-1:] in ("1", "2") else (text, None)
    if how not in ENDINGS or (how in BY_SEAT) != (seat is not None):
        raise make_compact_fault(None, "endings", f"{text} is no ending")
    if how == "repetition" and not game.repeats:
        raise make_compact_fault(None, "endings", "no position of this game comes back")
    try:
        return make_ending_step(game, before, how, seat, at, before.version)
    except Unsettled as early:
        raise make_compact_fault(before.ply + 1, "ending", "too early to settle") from early
