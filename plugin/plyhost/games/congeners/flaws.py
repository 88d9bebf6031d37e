"""Why a move of Congeners is refused: the first reason of the closed list that applies.

Whether a turn is legal is for `Turns` to say, and for `find_white_room` and `find_pair_partners` in
a setup; here a refusal gets its name.  Each function takes the cells named so far and answers with
an `Illegal`, or None for a legal move.  Fewer cells than a move has are `incomplete` unless those
named are wrong already.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from plyhost.board.bits import Bits, Cell, scan_cells
from plyhost.board.hexes import Board
from plyhost.games.congeners.info import HINTS
from plyhost.games.congeners.position import PASS, SECOND, CongenersPosition
from plyhost.games.congeners.setup import find_pair_partners, find_white_room, make_pair_set
from plyhost.games.congeners.turns import Body, Lift, Turns, find_creatures, list_line_sets
from plyhost.games.game import Illegal

#: Finds what is wrong with the cells named so far.
Finder: TypeAlias = Callable[[Sequence[Cell]], Illegal | None]

_SETUP_HINTS = ("setup", "black-second", "white-first", "white-second")


def make_incomplete_flaw(hint: str) -> Illegal:
    """Return the refusal of a text that is only the beginning of a move."""
    return Illegal("incomplete", hint=hint, next=HINTS[hint])


def find_phase_flaw(position: CongenersPosition, kind: str) -> Illegal | None:
    """Return what is wrong with a `setup` or a `turn` at this time (G3)."""
    if (kind == "setup") == (position.phase == "setup"):
        return None
    return Illegal("setup-due" if position.phase == "setup" else "setup-over")


def list_legal_words(position: CongenersPosition) -> list[str]:
    """Return the words that are legal moves here (G3, G6)."""
    if position.phase == "choice":
        return [SECOND]
    if position.phase == "setup" or position.turns.has_any() or not position.replies.has_any():
        return []
    return [PASS]


def find_word_flaw(position: CongenersPosition, text: str) -> Illegal | None:
    """Return what is wrong with a word; the beginning of one is judged as the whole."""
    legal = list_legal_words(position)
    if text in legal:
        return None
    if any(word.startswith(text) for word in legal):
        return make_incomplete_flaw("word")
    if position.phase == "setup":
        return Illegal("setup-due")
    return Illegal("must-turn" if PASS.startswith(text) else "choice-over")


def make_flaw_finder(position: CongenersPosition, mark: str) -> Finder:
    """Return what finds the flaw of cells named in a setup or a turn, whichever is due."""
    if position.phase == "setup":
        return partial(find_setup_flaw, position.board)
    turns = position.turns

    def find(cells: Sequence[Cell]) -> Illegal | None:
        if not cells:
            return make_incomplete_flaw(choose_begin_hint(position))
        flaw = find_turn_flaw(turns, cells, mark)
        if flaw and flaw.reason == "not-your-stone" and position.phase == "choice":
            flaw.params["say"] = "choice-white"
        return flaw

    return find


def choose_begin_hint(position: CongenersPosition) -> str:
    """Return the hint for an empty text."""
    if position.phase == "turns":
        return "must-pass" if PASS in list_legal_words(position) else "begin"
    return position.phase


def find_setup_flaw(board: Board, cells: Sequence[Cell]) -> Illegal | None:
    """Return what is wrong with up to four cells of a setup, Black's first (G3)."""
    labels, black, white = board.labels, cells[:2], cells[2:]
    for pair in (black, white):
        if len(pair) == 2 and not find_pair_partners(board, pair[0], 1 << pair[1]):
            return Illegal("setup-not-pair", one=labels[pair[0]], two=labels[pair[1]])
    for cell in white:
        if make_pair_set((black[0], black[1])) >> cell & 1:
            return Illegal("setup-overlap", cell=labels[cell])
    for cell in white:
        if not find_white_room(board, (black[0], black[1])) >> cell & 1:
            return Illegal("setup-adjacent", cell=labels[cell])
    return None if len(cells) == 4 else make_incomplete_flaw(_SETUP_HINTS[len(cells)])


def find_turn_flaw(turns: Turns, cells: Sequence[Cell], mark: str) -> Illegal | None:
    """Return what is wrong with one to three cells of a turn (G4, G5).

    Without a mark the destination is bitten when the enemy holds it.
    """
    labels, moved = turns.board.labels, cells[0]
    reason = _find_source_reason(turns, 1 << moved)
    if reason:
        return Illegal(reason, cell=labels[moved])
    if len(cells) == 1:
        return make_incomplete_flaw(_choose_goal_hint(turns, moved, mark))
    goal, lift = cells[1], turns.lift(moved)
    reason = _find_goal_reason(turns, lift.body, 1 << goal, mark)
    if reason:
        flaw = Illegal(reason, cell=labels[goal], moved=labels[moved])
        if mark == "-" and not _find_goal_reason(turns, lift.body, 1 << goal, "x"):
            flaw.params["say"] = "bite-instead"
        return flaw
    if len(cells) == 2:
        return make_incomplete_flaw("place")
    placed = cells[2]
    reason = _find_place_reason(turns, lift, goal, placed)
    return Illegal(reason, cell=labels[placed], goal=labels[goal]) if reason else None


def _choose_goal_hint(turns: Turns, moved: Cell, mark: str) -> str:
    """Return the hint for where a stone can go: beside its creature, on a victim, or either."""
    if mark:
        return "empty-goal" if mark == "-" else "victim"
    lift = turns.lift(moved)
    bites = [bool(turns.theirs >> goal & 1) for goal in scan_cells(lift.goals) if lift.places(goal)]
    if any(bites) and not all(bites):
        return "goal"
    return "victim" if any(bites) else "empty-goal"


def _find_source_reason(turns: Turns, bit: Bits) -> str | None:
    if not bit & turns.taken:
        return "empty-source"
    if bit & turns.theirs:
        return "not-your-stone"
    return "single-stone" if bit & turns.own.singles else None


def _find_goal_reason(turns: Turns, body: Body, goal: Bits, mark: str) -> str | None:
    bite = mark == "x" or (not mark and goal & turns.theirs)
    if goal & turns.mine or (goal & turns.theirs and not bite):
        return "occupied"
    if bite and not goal & turns.theirs:
        return "nothing-to-bite"
    if bite and not goal & turns.find_biteable(body.stones.bit_count()):
        return "victim-not-smaller"
    # What must be next to the creature is the whole victim's creature, not the stone (G4).
    target = turns.others.holding(goal) if bite else goal
    return None if target & body.near else "not-adjacent"


def _find_place_reason(turns: Turns, lift: Lift, goal: Cell, placed: Cell) -> str | None:
    board, bit = turns.board, 1 << placed
    if bit & turns.places(lift.moved, goal):
        return None
    if bit & (turns.taken & ~(1 << lift.moved) | 1 << goal):
        return "occupied"
    if not bit & list_line_sets(board)[goal]:
        return "not-in-line"
    if bit & board.neighbours[goal]:
        return "adjacent-placement"
    if not bit & lift.sight(goal):
        return "blocked-line"
    return "merge" if _is_merging_turn(turns, 1 << lift.moved, 1 << goal, bit) else "split"


def _is_merging_turn(turns: Turns, moved: Bits, goal: Bits, placed: Bits) -> bool:
    """Tell whether the stones after a turn connect two creatures of before it (G5)."""
    before = [body ^ moved | goal if body & moved else body for body in turns.own.each()]
    after = find_creatures(turns.board, turns.mine ^ moved | goal | placed)
    return any(sum(bool(body & group) for body in before) > 1 for group in after.groups)
