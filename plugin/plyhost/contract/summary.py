"""How a game stands, in one sentence that a person would say: `summary` and the titles of pictures.

Players are called as the game calls them (`Game.name_seat`), and why it ended as the game says it
(`Game.say_end`), so a site need not put words together from codes.
"""

from plyhost.games.game import AnyGame, Seat
from plyhost.states.steps import Step

_ENDINGS = {
    "resigned": "{player} resigned",
    "timeout": "{player}'s time is over",
    "drawagreed": "the players agreed to a draw",
    "gameabandoned": "nobody went on",
}
_REASONS = {
    "agreement": "the players agreed to stop and to compare: ",
    "repetition": "the position stood for the third time",
}


def summarise_step(game: AnyGame, step: Step) -> str:
    """Return a sentence with the game, its board, the ply, the last move and how it stands."""
    board = f"{step.position.board.side} cells to a side"
    standing = say_standing(game, step)
    return f"{game.info.name}, {board}, {_say_ply(step)}: {standing}."


def _say_ply(step: Step) -> str:
    if step.ply == 0:
        return "before the first move"
    return f"after ply {step.ply}" + (f" ({step.text})" if step.text else "")


def say_standing(game: AnyGame, step: Step) -> str:
    """Return whose turn it is, or who won and why; without a full stop."""
    names = {seat: game.name_seat(step.position, seat) for seat in (1, 2)}
    if step.winner is None:
        return f"{names[step.position.seat]} is to move"
    return f"{_say_result(step.winner, names)}: {say_reason(game, step)}"


def _say_result(winner: list[Seat], names: dict[Seat, str]) -> str:
    if not winner:
        return "nobody won"
    return f"{names[winner[0]]} won" if len(winner) == 1 else "a draw"


def say_reason(game: AnyGame, step: Step) -> str:
    """Return why a game that is over ended as it did; without a full stop."""
    for event in step.results:
        if event["type"] in _ENDINGS:
            player = game.name_seat(step.position, event.get("player", 1))
            return _ENDINGS[event["type"]].format(player=player)
        if event.get("reason") == "repetition":
            return _REASONS["repetition"]
        if event.get("reason") == "agreement":
            return _REASONS["agreement"] + game.say_lead(step.position)
    return game.say_end(step.position)
