"""The engine alone: checked moves a second on one core."""

from functools import partial
from typing import Any

from bench import games, timing
from plyhost.games.control.rules import GAME


def moves_a_second(rounds: int = 15) -> None:
    """Print how many recorded moves a second are read, checked, made and judged, by side."""
    rows = []
    for side in (5, 7, 9):
        moves = games.of_side(side)["moves"]
        taken = timing.cpu({"moves": timing.repeat(partial(play, moves, side), 20)}, rounds)
        rows.append((side, len(moves), f"{20 * len(moves) / taken['moves']:,.0f}"))
    timing.table("engine alone, Control", ("side", "plies", "checked moves a second"), rows)


def play(moves: list[str], side: int) -> Any:
    """Play a game: notation, legality, both players' control, scores and the end at each ply."""
    position = GAME.start(side)
    for text in moves:
        position = GAME.play(position, GAME.read(position, text))
        GAME.scores(position)
        GAME.winners(position)
    return position
