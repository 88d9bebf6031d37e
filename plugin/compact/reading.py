"""A compact state in and out: its last step made again, all that went before left packed."""

from collections.abc import Sequence
from typing import Any

from plugin import variants
from plugin.clock import Stamp, stamp
from plugin.compact.payload import packed, unpacked
from plugin.compact.sealing import opened, sealed, wrong
from plugin.compact.stack import CompactStack
from plugin.game import Illegal, Position, Unsettled
from plugin.history import BY_SEAT, ENDINGS, AnyGame, Step, begin, ending, move


def dumped(uid: str, uids: Sequence[str], stack: CompactStack, last: Step) -> str:
    """Return the string."""
    return sealed(uid, uids, last.version, stack.endings, packed(stack, last.position))


def read(game: AnyGame, text: str) -> tuple[list[str], CompactStack, Step, tuple[Step, ...]]:
    """Return the variants, stack and last step of a compact state, and what was met before that.

    Checks the header, the check, and the last step by undoing it and making it again; raises
    InvalidState or UnsupportedEngine.
    """
    uids, version, endings, payload = opened(game, text)
    side = variants.stored(game.info, uids).side
    try:
        stack, position = unpacked(game, side, payload, endings)
    except ValueError as error:
        raise wrong(None, "payload", str(error)) from error
    last, *known = _steps(game, stack, position, version)[::-1]
    return uids, stack, last, tuple(known)


def _steps(game: AnyGame, stack: CompactStack, position: Position, version: str) -> list[Step]:
    """Return the position before the last move, if there is one, and what follows."""
    at = stamp(stack.last)
    if stack.moves_made:
        steps = _last_move(game, stack, position, at, version)
    else:
        steps = [_start(game, stack, position, at, version)]
    for text in stack.endings:
        steps.append(ended(game, steps[-1], text, at))
    return steps


def _start(game: AnyGame, stack: CompactStack, position: Position, at: Stamp, version: str) -> Step:
    start = begin(game, position.board.side, at, version)
    if position != start.position or stack.moves:
        raise wrong(0, "position", "must be an empty board")
    if not stack.endings and (stack.first != stack.last or stack.times):
        raise wrong(0, "timestamp", "nothing was played, yet time went by")
    return start


def _last_move(
    game: AnyGame, stack: CompactStack, position: Position, at: Stamp, version: str
) -> list[Step]:
    ply = stack.moves_made
    try:
        made, _ = game.unpack(position.board, stack.moves, 0)
        before = Step(ply - 1, game.undo(position, made, ply), None, [], at, version)
        step = checked(game, before, made, at, position)
    except (ValueError, Illegal) as error:
        raise wrong(ply, "move", "cannot have led to the position") from error
    if ply == 1 and before.position != game.start(position.board.side):
        raise wrong(ply, "position", "is not what the last move leads to")
    return [before, step]


def checked(
    game: AnyGame, before: Step, made: Any, at: Stamp, after: Position | None = None
) -> Step:
    """Return the step of an unpacked move, which leads to `after` if that is given.

    Raises Illegal, or ValueError for a move that is packed otherwise than it would be.
    """
    # A game that is over has no legal move, so this finds that out as well.
    if not game.allows(before.position, made):
        game.read(before.position, game.text(before.position, made))
        raise ValueError("is packed otherwise than it is read")
    return move(game, before, made, at, version=before.version, after=after)


def ended(game: AnyGame, before: Step, text: str, at: Stamp) -> Step:
    """Return the step of an ending as the header tells it; raises InvalidState."""
    how, seat = (text[:-1], int(text[-1])) if text[-1:] in ("1", "2") else (text, None)
    if how not in ENDINGS or (how in BY_SEAT) != (seat is not None):
        raise wrong(None, "endings", f"{text} is no ending")
    if how == "repetition" and not game.repeats:
        raise wrong(None, "endings", "no position of this game comes back")
    try:
        return ending(game, before, how, seat, at, before.version)
    except Unsettled as early:
        raise wrong(before.ply + 1, "ending", "too early to settle") from early
