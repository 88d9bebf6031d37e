"""Texts of Congeners that are not whole moves yet: what can follow, and completion.

A begun text is good when some legal move begins with it.  `find_next_cells` gives the cells that
may be named next; advice, completion and the dots of a drawing ask it.  Where nothing can follow
although every cell named is all right by itself, the text is refused as `incomplete`, and of all
ways to go on the one that comes closest (whose reason stands last in the list) tells why.
"""

from collections.abc import Iterator, Sequence

from plyhost.board.bits import Bits, Cell, scan_cells
from plyhost.board.hexes import Board
from plyhost.games.congeners.flaws import list_legal_words, make_flaw_finder
from plyhost.games.congeners.info import REASONS
from plyhost.games.congeners.notation import Spelt, find_named_cells, split_move_text
from plyhost.games.congeners.position import PASS, CongenersPosition
from plyhost.games.congeners.setup import (
    find_pair_partners,
    find_pair_starters,
    find_white_room,
    order_pair,
)
from plyhost.games.game import Advice, Illegal, find_common_start

_SETUP_MARKS = (",", "/", ",", "")
_RANKS = {reason: rank for rank, reason in enumerate(REASONS)}


def find_next_cells(position: CongenersPosition, cells: Sequence[Cell], mark: str = "") -> Bits:
    """Return the cells that can be named next in a legal move.

    The cells of a pair may come in either order.
    """
    if position.phase == "setup":
        return _find_next_setup_cells(position.board, cells)
    turns = position.turns
    if not cells:
        return sum({1 << moved for moved, _, _ in turns})
    lift = turns.lift(cells[0])
    if len(cells) > 1:
        return turns.places(cells[0], cells[1])
    goals = lift.goals & {"": -1, "-": ~turns.theirs, "x": turns.theirs}[mark]
    return sum(1 << goal for goal in scan_cells(goals) if lift.places(goal))


def _find_next_setup_cells(board: Board, cells: Sequence[Cell]) -> Bits:
    within = board.mask if len(cells) < 2 else find_white_room(board, (cells[0], cells[1]))
    return (
        find_pair_partners(board, cells[-1], within)
        if len(cells) % 2
        else find_pair_starters(board, within)
    )


def advise_begun_text(position: CongenersPosition, text: str, hint: str) -> Advice:
    """Return what is known of a clean text that is no whole move but free of flaws so far.

    `hint` tells what must follow.  Raises Illegal when no legal move begins with the text.
    """
    spelt = split_move_text(position, text)
    if spelt.kind == "word" or not text:
        return Advice(-1, False, hint, text, complete_begun_text(position, text))
    cells = find_named_cells(position.board, spelt.names)
    following = find_next_cells(position, cells, spelt.mark)
    if not _list_cell_names(position.board, following, spelt.half):
        raise make_dead_end_flaw(position, cells, spelt, text)
    ordered = _order_first_pair(position.board, cells, text)
    completed = complete_begun_text(position, ordered)
    return Advice(-1, bool(cells), "column" if spelt.half else hint, ordered, completed)


def _list_cell_names(board: Board, cells: Bits, start: str) -> list[str]:
    """Return the names of a set's cells that begin with a text."""
    names = [board.labels[cell] for cell in scan_cells(cells)]
    return [name for name in names if name.startswith(start)]


def _order_first_pair(board: Board, cells: Sequence[Cell], text: str) -> str:
    """Return a begun text with Black's pair, when it stands first, in name order."""
    labels = board.labels
    pair = ",".join(labels[cell] for cell in cells[:2])
    if len(cells) < 2 or not text.startswith(pair):
        return text
    sorted_pair = order_pair(board, cells[0], cells[1])
    return ",".join(labels[cell] for cell in sorted_pair) + text[len(pair) :]


def make_dead_end_flaw(
    position: CongenersPosition, cells: list[Cell], spelt: Spelt, text: str
) -> Illegal:
    """Return the refusal of a begun text that no legal move begins with.

    `nearest` is the reason of the continuation that comes closest to a legal move.
    """
    nearest: str | None = None
    for flaw in _yield_continuation_flaws(position, cells, spelt):
        if nearest is None or _RANKS[flaw.reason] > _RANKS[nearest]:
            nearest = flaw.reason
        if nearest == "split":
            break
    nearest = None if nearest == "incomplete" else nearest
    told = {"move": text, "nearest": nearest, "next": "", "hint": "dead-end"}
    if cells:
        told["cell"] = position.board.labels[cells[0]]
    return Illegal("incomplete", say=_choose_dead_end(position, cells, spelt, nearest), **told)


def _choose_dead_end(
    position: CongenersPosition, cells: Sequence[Cell], spelt: Spelt, nearest: str | None
) -> str:
    """Return the hint that says why nothing can follow."""
    if position.phase == "setup" or spelt.half or not cells:
        return "dead-end"
    if len(cells) == 1:
        if PASS in list_legal_words(position):
            return "must-pass"
        return "no-bite" if spelt.mark == "x" else "no-turn"
    return {"merge": "all-merge", "split": "all-split"}.get(nearest or "", "no-place")


def _yield_continuation_flaws(
    position: CongenersPosition, cells: list[Cell], spelt: Spelt
) -> Iterator[Illegal]:
    """Yield what is wrong with the moves that begin so; without a whole cell only the next one."""
    find, labels = make_flaw_finder(position, spelt.mark), position.board.labels
    begun = [[*cells, cell] for cell in position.board.cells if labels[cell].startswith(spelt.half)]
    while begun:
        named = begun.pop()
        flaw = find(named)
        if flaw and flaw.reason == "incomplete" and cells:
            begun += [[*named, cell] for cell in position.board.cells]
        elif flaw:
            yield flaw


def complete_begun_text(position: CongenersPosition, text: str) -> str | None:
    """Return the longest text that all legal moves which begin with a text share, if longer."""
    done = text[: max(map(text.rfind, "-x,/")) + 1]
    rest = text[len(done) :]
    if any(word.startswith(text) for word in list_legal_words(position)):
        done, rest = "", text
    while True:
        fitting = [piece for piece in _list_next_pieces(position, done) if piece.startswith(rest)]
        done += find_common_start(fitting) or rest
        if len(fitting) != 1 or done[-1] not in "-x,/":
            return done if len(done) > len(text) else None
        rest = ""


def _list_next_pieces(position: CongenersPosition, done: str) -> list[str]:
    """Return what may come next: a cell with the mark behind it, or a word.

    `done` is empty or ends with a mark.
    """
    board, labels = position.board, position.board.labels
    spelt = split_move_text(position, done)
    cells = find_named_cells(board, spelt.names)
    if position.phase == "setup":
        end = _SETUP_MARKS[len(cells)]
    elif not cells:
        turns = position.turns
        sources = {(moved, turns.theirs >> goal & 1) for moved, goal, _ in turns}
        return list_legal_words(position) + [labels[moved] + "-x"[bite] for moved, bite in sources]
    else:
        end = "" if len(cells) == 2 else ","
    return [
        name + end
        for name in _list_cell_names(board, find_next_cells(position, cells, spelt.mark), "")
    ]
