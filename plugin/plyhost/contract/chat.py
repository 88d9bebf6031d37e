"""What happened, in sentences: the chat log of Abstract Play's sites."""

from collections.abc import Sequence
from itertools import pairwise

from plyhost.games.game import Event
from plyhost.states.steps import Step

DEFAULT_NAMES = ("Player 1", "Player 2")

_SENTENCES = {
    "place": "{player} placed a piece at {where}.",
    "place what": "{player} placed a {what} piece at {where}.",
    "capture": "{player} captured a piece at {where}.",
    "move": "{player} moved a piece from {from} to {to}.",
    "pass": "{player} passed.",
    "pie": "{player} chose to play second.",
    "resigned": "{player} has resigned.",
    "timeout": "{player} lost on time.",
    "drawagreed": "Players agreed to a draw.",
    "gameabandoned": "The game was abandoned.",
    "eog": "The game has ended.",
}
_REASONS = {
    "agreement": "The players agreed to stop and to compare.",
    "repetition": "The position stood for the third time.",
}


def format_chat_line(event: Event, mover: int | None, names: Sequence[str]) -> str:
    """Return a sentence for a result; `names` are those of seats 1 and 2."""
    if event["type"] == "winners":
        return _format_winners_line([names[seat - 1] for seat in event["players"]])
    seat = event.get("player", mover) or 1
    kind = "place what" if event["type"] == "place" and "what" in event else event["type"]
    said = _SENTENCES.get(kind, "").format_map({**event, "player": names[seat - 1]})
    reason = _REASONS.get(event.get("reason", ""))
    return f"{reason} {said}" if reason else said


def _format_winners_line(names: Sequence[str]) -> str:
    if not names:
        return "There were no winners."
    player = "player" if len(names) == 1 else "players"
    return f"The following {player} won: {', '.join(names)}."


def make_chat_log(steps: Sequence[Step], names: Sequence[str] = DEFAULT_NAMES) -> list[list[str]]:
    """Return a list for each step after the first: its timestamp, then its sentences."""
    return [
        [
            step.timestamp,
            *(format_chat_line(event, find_mover(before, step), names) for event in step.results),
        ]
        for before, step in pairwise(steps)
    ]


def find_mover(before: Step, step: Step) -> int | None:
    """Return the seat that made a step: a player's move, resignation or time-out."""
    if step.move is not None:
        return before.position.seat
    first = step.results[0].get("player") if step.results else None
    return first if isinstance(first, int) else None
