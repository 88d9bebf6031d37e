"""A game as a chain of steps: what follows from what, whichever form it is stored in.

A step is one entry of a stack in the game's own terms.  `make_first_step`, `make_move_step` and
`make_ending_step` make steps; `follow_stored_entry` makes the one that a stored entry must be equal
to, so that making and checking cannot differ.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from plyhost import deadline
from plyhost.errors import IllegalMove
from plyhost.games.game import AnyGame, Event, Illegal, Position, Seat, Unsettled
from plyhost.states.clock import Stamp

#: Endings that name a seat, and Abstract Play's result type for each.
BY_SEAT = {"resign": "resigned", "timeout": "timeout"}
#: Endings that two players, or the site, bring about.
BY_ALL = {"draw": "drawagreed", "abandoned": "gameabandoned"}
#: Ours, with the reason that their `eog` carries.
BY_RULE = {"settle": "agreement", "repetition": "repetition"}
ENDINGS = (*BY_SEAT, *BY_ALL, *BY_RULE)

#: A position that stood this often before may be claimed as a draw (G10).
ENOUGH_REPETITIONS = 2


class Step(msgspec.Struct, frozen=True):
    """One stack entry: `ply` is its index, `text` its `lastmove` (None for the first).

    `winner` is None while the game runs; `move` is the game's own, None for start and endings.
    """

    ply: int
    position: Position
    text: str | None
    results: list[Event]
    timestamp: Stamp
    version: str
    winner: list[Seat] | None = None
    move: Any = None

    @property
    def is_over(self) -> bool:
        """Tell whether the game has ended with this step."""
        return self.winner is not None


def count_equal_positions(now: Position, earlier: Iterable[Position]) -> int:
    """Return how often a position stood among earlier ones."""
    return sum(position == now for position in earlier)


def is_repetition_claimable(game: AnyGame, repetitions: int) -> bool:
    """Tell whether a position that stood so often before may be claimed as a draw (G10)."""
    return game.repeats and repetitions >= ENOUGH_REPETITIONS


class Impossible(ValueError):
    """A stored entry cannot follow: `field` names the entry's field at fault."""

    def __init__(self, field: str, why: str, expected: Any = None, found: Any = None) -> None:
        super().__init__(why)
        self.field, self.why = field, why
        self.expected, self.found = expected, found
        self.reason: str | None = None


def make_first_step(game: AnyGame, side: int, timestamp: Stamp, version: str) -> Step:
    """Return the first step: the empty board."""
    return Step(0, game.rules(version).start(side), None, [], timestamp, version)


def _make_end_events(winner: Sequence[Seat], reason: str | None = None) -> list[Event]:
    eog: Event = {"type": "eog"} if reason is None else {"type": "eog", "reason": reason}
    return [eog, {"type": "winners", "players": list(winner)}]


def make_move_step(
    game: AnyGame,
    before: Step,
    made: Any,
    timestamp: Stamp,
    text: str = "",
    version: str | None = None,
    after: Position | None = None,
) -> Step:
    """Return the step of a legal move; `text` is the stored one where it may not be canonical.

    `version` is the engine that made a stored move; a new one is made by the rules of the engine
    that the step before names.  `after` is the position that it leads to where that is known.
    """
    deadline.check_deadline()
    game = game.rules(version or before.version)
    after = after or game.play(before.position, made)
    winner = game.winners(after)
    results = game.events(before.position, made) + (
        [] if winner is None else _make_end_events(winner)
    )
    text = text or game.text(before.position, made)
    version = version or game.version
    return Step(before.ply + 1, after, text, results, timestamp, version, winner, made)


def parse_next_move(game: AnyGame, last: Step, text: str, version: str | None = None) -> Any:
    """Return the game's move that a text spells after a step; raises IllegalMove."""
    game = game.rules(version or last.version)
    try:
        return game.read(last.position, text, version)
    except Illegal as illegal:
        raise make_move_refusal(game, last, text, illegal) from illegal


def make_text_step(
    game: AnyGame, before: Step, text: str, timestamp: Stamp, version: str | None = None
) -> Step:
    """Return the step of the move that a text spells; raises IllegalMove.

    With `version` the text is a stored one: read as that engine wrote it, and kept as it is.
    """
    made = parse_next_move(game, before, text, version)
    return make_move_step(game, before, made, timestamp, text if version else "", version)


def make_move_refusal(game: AnyGame, last: Step, text: str, illegal: Illegal) -> IllegalMove:
    """Return the game's refusal of a text after a step as the error that callers are told."""
    why = game.choose_sentence(illegal)
    return IllegalMove(text, last.ply, illegal.reason, why, illegal.params)


def find_ending_outcome(
    game: AnyGame, position: Position, how: str, seat: Seat | None
) -> tuple[list[Seat], list[Event]]:
    """Return the winners of an ending and its results; raises Unsettled for an early `settle`."""
    if how in BY_SEAT:
        if seat not in (1, 2):
            raise ValueError("an ending by a seat needs 1 or 2")
        winner = [3 - seat]
        return winner, [{"type": BY_SEAT[how], "player": seat}, *_make_end_events(winner)]
    if how in BY_ALL:
        winner = [1, 2] if how == "draw" else []
        return winner, [{"type": BY_ALL[how]}, *_make_end_events(winner)]
    winner = game.settled(position) if how == "settle" else [1, 2]
    return winner, _make_end_events(winner, BY_RULE[how])


def make_ending_step(
    game: AnyGame,
    before: Step,
    how: str,
    seat: Seat | None,
    timestamp: Stamp,
    version: str | None = None,
) -> Step:
    """Return the step that ends the game early; the seat to move stays."""
    deadline.check_deadline()
    game = game.rules(version or before.version)
    winner, results = find_ending_outcome(game, before.position, how, seat)
    version = version or game.version
    return Step(before.ply + 1, before.position, how, results, timestamp, version, winner)


def _find_ending_seat(results: Any) -> Seat | None:
    first = results[0] if isinstance(results, list) and results else None
    seat = first.get("player") if isinstance(first, dict) else None
    return seat if type(seat) is int and seat in (1, 2) else None


def follow_stored_entry(
    game: AnyGame, before: Step, text: str, results: Any, stamp: Stamp, version: str
) -> Step:
    """Return the step that a stored `lastmove` makes; raises Impossible.

    `results` are read for the seat of a resignation or timeout only.  An ending may follow an
    ending, as Abstract Play's engine allows; the last one counts.
    """
    game = game.rules(version)
    if text in ENDINGS:
        return _follow_stored_ending(game, before, text, results, stamp, version)
    if before.is_over:
        raise Impossible("lastmove", "the game was over", expected=None, found=text)
    try:
        return make_text_step(game, before, text, stamp, version)
    except IllegalMove as illegal:
        reason = illegal.beside["reason"]
        problem = Impossible("lastmove", f"no legal move here ({reason})", found=text)
        problem.reason = reason
        raise problem from illegal


def _follow_stored_ending(
    game: AnyGame, before: Step, how: str, results: Any, stamp: Stamp, version: str
) -> Step:
    seat = _find_ending_seat(results) if how in BY_SEAT else None
    if how in BY_SEAT and seat is None:
        raise Impossible("_results", "the seat that ended the game is missing", found=results)
    if how == "repetition" and not game.repeats:
        raise Impossible("lastmove", "no position of this game comes back", found=how)
    try:
        return make_ending_step(game, before, how, seat, stamp, version)
    except Unsettled as early:
        raise Impossible("lastmove", "too early to settle", found=how) from early
