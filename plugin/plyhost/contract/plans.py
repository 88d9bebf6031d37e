"""Plans, or conditional moves: what the waiting player answers to what the other may play.

A plan is an object of branches, `{"their move": {"move": "my answer", "then": {...}}}`; `then` is
the plan from there, and may be left out.  `plyhost.schemas.fields` has judged its shape and size.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from plyhost import deadline, limits
from plyhost.errors import (
    GameOver,
    IllegalMove,
    InvalidRequest,
    NotYourTurn,
    PlyhostError,
    TooLarge,
    cut_strings,
)
from plyhost.games.game import AnyGame, Seat
from plyhost.states.clock import Stamp
from plyhost.states.steps import Step, make_text_step, parse_next_move

Plan: TypeAlias = Mapping[str, Any]
Verdict: TypeAlias = dict[str, Any]
#: Moves that lead to a branch, canonical; the branches there; where their spelling is kept.
Part: TypeAlias = tuple[list[str], Step, Plan, dict[str, Any]]


class Unplayable(Exception):
    """A move of a plan that cannot be made: the moves up to it, and what `move` would say."""

    def __init__(self, path: list[str], error: PlyhostError) -> None:
        super().__init__(path)
        self.path, self.error = cut_strings(path), error

    def describe(self) -> Verdict:
        """Return the fault as callers are told it."""
        told = self.error.body()
        reason = told.get("reason", self.error.code)
        rest = {"message": told["detail"], "params": told["params"]}
        return {"path": self.path, "reason": reason, **rest}

    def make_refusal(self) -> InvalidRequest:
        """Return it as the error of a request that makes moves."""
        return InvalidRequest({"plan": [f"{' / '.join(self.path)}: {self.error.detail}"]})


def check_plan(game: AnyGame, last: Step, plan: Plan, owner: Seat) -> Verdict:
    """Return the verdict on a whole plan: its faults, those nearest to the game first."""
    faults: list[Verdict] = []
    written: dict[str, Any] = {}
    work: deque[Part] = deque([([], last, plan, written)])
    count = 0
    while work:
        part = work.popleft()
        for text, branch in part[2].items():
            count += 1
            try:
                work.append(_follow_branch(game, part, text, branch, owner))
            except Unplayable as unplayable:
                faults.append(unplayable.describe())
    told = {"valid": not faults, "player": owner, "count": count, "faults": faults}
    return told | {"plan": None if faults else written}


def _follow_branch(game: AnyGame, part: Part, text: str, branch: Plan, owner: Seat) -> Part:
    """Return what follows a branch, which is written down; raises Unplayable."""
    path, before, _, written = part
    theirs = _make_planned_step(game, before, text, 3 - owner, before.timestamp, path)
    name = str(theirs.text)
    if name in written:
        raise Unplayable([*path, text], _make_same_branch_refusal(before, text, name))
    # At once, so that a second spelling is told even where the answer to the first is at fault.
    kept: dict[str, Any] = {"move": None, "then": {}}
    written[name] = kept
    path = [*path, name]
    answer = _make_planned_step(game, theirs, branch["move"], owner, before.timestamp, path)
    kept["move"] = answer.text
    return [*path, str(answer.text)], answer, branch.get("then", {}), kept["then"]


def _make_planned_step(
    game: AnyGame, before: Step, text: str, seat: Seat, at: Stamp, path: list[str]
) -> Step:
    """Return the step of a plan's move by a seat; raises Unplayable with what `move` would say."""
    try:
        if before.is_over:
            raise GameOver(before.ply, None)
        if before.position.seat != seat:
            raise NotYourTurn(before.ply, before.position.seat, player=seat)
        if before.ply >= limits.PLIES:
            raise TooLarge({"limit": limits.PLIES}, what="The number of plies", limit=limits.PLIES)
        return make_text_step(game, before, text, at)
    except PlyhostError as error:
        raise Unplayable([*path, text], error) from error


def _make_same_branch_refusal(before: Step, text: str, other: str) -> IllegalMove:
    told = {"move": text, "other": other}
    return IllegalMove(text, before.ply, "same-branch", "{move} is {other}, as another is.", told)


class PlanFollower:
    """The plan of the waiting player while the plies of one request are made.

    `rest` is the plan that stands after those noted so far.
    """

    def __init__(self, game: AnyGame, owner: Seat, plan: Plan) -> None:
        self.game, self.owner, self.rest = game, owner, plan
        self._answer: str | None = None
        self._path: list[str] = []

    def note_move(self, before: Step, step: Step) -> None:
        """Choose the branch of a move that was made; raises InvalidRequest."""
        move = str(step.text)
        if before.position.seat != self.owner:
            branches = dict(self._name_branches(before))
            branch = branches.get(move, {})
            self._answer, self.rest = branch.get("move"), branch.get("then", {})
        self._path.append(move)

    def make_answer(self, before: Step, at: Stamp) -> Step | None:
        """Return the step of the plan's answer, None where it has none; raises InvalidRequest."""
        if (text := self._answer) is None:
            return None
        self._answer = None
        try:
            return _make_planned_step(self.game, before, text, self.owner, at, self._path)
        except Unplayable as unplayable:
            raise unplayable.make_refusal() from unplayable

    def _name_branches(self, before: Step) -> Iterator[tuple[str, Plan]]:
        """Yield the branches by their moves' canonical texts; raises InvalidRequest."""
        named: set[str] = set()
        rules = self.game.rules(before.version)
        for text, branch in self.rest.items():
            deadline.check_deadline()
            try:
                made = parse_next_move(self.game, before, text)
                name = rules.text(before.position, made)
                if name in named:
                    raise _make_same_branch_refusal(before, text, name)
            except IllegalMove as error:
                raise Unplayable([*self._path, text], error).make_refusal() from error
            named.add(name)
            yield name, branch
