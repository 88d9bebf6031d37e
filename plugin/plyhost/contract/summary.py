"""How a game stands, in one sentence that a person would say: `summary` and the titles of pictures.

Players are called as the game calls them (`Game.name_seat`), and why it ended as the game says it
(`Game.say_end`), so a site need not put words together from codes.
"""

from plyhost.games.game import AnyGame
from plyhost.states.steps import Step

_ENDINGS = {
    "resigned": "{player} resigned",
    "timeout": "{player} ran out of time",
    "gameabandoned": "the game was abandoned",
}
_REPEATED = "the position stood for the third time"


def summarise_step(game: AnyGame, step: Step) -> str:
    """Return a sentence with the game, its board, the ply, the last move and how it stands."""
    board = f"{step.position.board.side} cells to a side"
    standing = say_standing(game, step)
    return f"{game.info.name}, {board}, {_say_ply(step)}: {standing}."


def _say_ply(step: Step) -> str:
    if step.ply == 0:
        return "before the first move"
    return f"after ply {step.ply}" + (f" ({step.text})" if step.move is not None else "")


def say_standing(game: AnyGame, step: Step) -> str:
    """Return whose turn it is, or who won and why; without a full stop."""
    if step.winner is None:
        return f"{game.name_seat(step.position, step.position.seat)} is to move"
    if len(step.winner) == 1:
        result = f"{game.name_seat(step.position, step.winner[0])} won"
    else:
        result = "a draw" if step.winner else "nobody won"
    if "drawagreed" in [event["type"] for event in step.results]:
        return f"{result} by agreement"
    return f"{result}: {say_reason(game, step)}"


def say_reason(game: AnyGame, step: Step) -> str:
    """Return why a game that is over ended as it did; without a full stop."""
    for event in step.results:
        if event["type"] == "drawagreed":
            return "the players agreed to a draw"
        if event["type"] in _ENDINGS:
            player = game.name_seat(step.position, event.get("player", 1))
            return _ENDINGS[event["type"]].format(player=lower_start(player))
        if event.get("reason") == "repetition":
            return _REPEATED
        if event.get("reason") == "agreement":
            return f"the players agreed to stop, and {game.say_lead(step.position)}"
    return game.say_end(step.position)


def lower_start(name: str) -> str:
    """Return what a sentence calls a player within it: a colour keeps its capital."""
    return f"player{name.removeprefix('Player')}" if name.startswith("Player") else name
