"""Those who can be seated at a game: levels, and two that any level must beat.

A player is written as `random`, `greedy` or as an effort: `level=4`, `level=6,seconds=1`,
`visits=200`, `visits=200,plain`.
"""

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

from plyhost.games.game import AnyGame, Position
from plyhost.search.levels import LEVELS, STRONGEST
from plyhost.search.thinking import Effort, draw_move, find_guide, think_of_position

#: Chooses a legal move of a position that is not over; draws its luck from the random numbers.
Player: TypeAlias = Callable[[AnyGame, Position, Random], Any]

_KINDS: dict[str, type] = {"level": int, "visits": int, "seconds": float, "plain": bool}


def play_greedy(game: AnyGame, position: Position, random: Random) -> Any:
    """Return a move after which the player has most (`Guide.measure_gain`), by lot among equals."""
    guide, seat = find_guide(game), position.seat
    best, most = [], None
    for move in game.moves(position):
        gain = guide.measure_gain(game.play(position, move), seat)
        if most is None or gain > most:
            best, most = [move], gain
        elif gain == most:
            best.append(move)
    return random.choice(best)


def parse_player(text: str) -> Player:
    """Return the player that a text names; raises ValueError."""
    if text == "random":
        return draw_move
    if text == "greedy":
        return play_greedy
    given = dict(part.partition("=")[::2] for part in text.split(","))
    if set(given) - set(_KINDS):
        raise ValueError(f"{text} is no player: random, greedy, or {', '.join(_KINDS)}")
    effort = {name: _KINDS[name](value or "yes") for name, value in given.items()}
    if effort.get("level", 1) not in LEVELS or effort.get("visits", 1) < 1:
        raise ValueError(f"{text} is no player: levels go from 1 to {STRONGEST}")

    def play(game: AnyGame, position: Position, random: Random) -> Any:
        asked = Effort(seed=random.getrandbits(32), **effort)
        return think_of_position(game, position, asked).choice

    return play
