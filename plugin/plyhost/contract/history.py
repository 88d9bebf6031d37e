"""What happened in a game, ply by ply."""

from collections.abc import Sequence
from typing import Any

from plyhost.contract.chat import find_mover
from plyhost.games.game import AnyGame
from plyhost.states.steps import Step


def describe_plies(game: AnyGame, steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Return an entry for each step from the start; `player` and `move` are null for the first."""
    movers = [None, *map(find_mover, steps, steps[1:])]
    return [_describe_ply(game, step, mover) for step, mover in zip(steps, movers, strict=True)]


def _describe_ply(game: AnyGame, step: Step, mover: int | None) -> dict[str, Any]:
    return {
        "ply": step.ply,
        "player": mover,
        "move": step.text,
        "results": step.results,
        "timestamp": step.timestamp,
        "currplayer": step.position.seat,
        "gameover": step.is_over,
        "scores": game.rules(step.version).scores(step.position),
    }
