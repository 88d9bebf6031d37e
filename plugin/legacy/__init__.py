"""The 2018 contract, over the operations of contract version 1: object in, object out.

A site posts `{"mode": ...}` and keeps the answer's `state`, a text of ours that carries the user
ids with it; see `plugin.legacy.state`.  Beside the moves of its game a player may send
`resign` and `timeout`, on any turn and of themselves, and `repetition`, which is looked into.
Endings that need both players, or the site, are not one player's to send and are refused.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from marshmallow import ValidationError

from plugin import chat, contract, registry
from plugin.errors import (
    Conflict,
    IllegalMove,
    InvalidRequest,
    NotYourTurn,
    PlyhostError,
    RequestError,
    StateError,
    safe,
)
from plugin.game import Illegal, Seat, clean
from plugin.history import BY_SEAT, ENDINGS, AnyGame
from plugin.legacy import about, report
from plugin.legacy.state import opened, sealed
from plugin.view import Answer
from schemas.v2018 import REQUESTS

Request = Mapping[str, Any]

#: The endings that one player may bring about.
BY_PLAYER = (*BY_SEAT, "repetition")
#: How many wrong fields a refusal names.
NAMED_FIELDS = 8

_REFUSALS = (RequestError, StateError, Conflict, IllegalMove)


class Refused(Exception):
    """There is no answer: `message` says why in a sentence, with what came in escaped for HTML."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def answer(uid: str, request: Any) -> Answer:
    """Return the answer of a game to a request as it was read from JSON; raises Refused."""
    try:
        game = registry.game(uid)
        asked = _checked(request)
        return MODES[asked["mode"]](game, asked)
    except _REFUSALS as error:
        raise Refused(_sentence(error)) from error


def _checked(request: Any) -> Request:
    if not isinstance(request, dict):
        raise Refused("The body must be an object.")
    mode = request.get("mode")
    if not isinstance(mode, str) or mode not in REQUESTS:
        raise Refused(f"mode: Must be one of {', '.join(REQUESTS)}.")
    try:
        loaded: Request = REQUESTS[mode].load(request)
    except ValidationError as error:
        found = islice(_reasons(error.messages_dict, ""), NAMED_FIELDS)
        raise Refused(" ".join(found)) from error.with_traceback(None)
    return loaded


def _reasons(messages: Any, path: str) -> Iterator[str]:
    """Yield marshmallow's nested messages, each behind its dotted path."""
    if isinstance(messages, dict):
        for key, inner in messages.items():
            yield from _reasons(inner, f"{path}.{key}" if path else str(key))
    else:
        yield f"{safe(path)}: {' '.join(map(str, messages))}"


def _sentence(error: PlyhostError) -> str:
    if isinstance(error, InvalidRequest):
        return " ".join(_reasons(error.beside["errors"], ""))
    return str(error.detail)


def ping(game: AnyGame, request: Request) -> Answer:
    """Return a text that changes with the engine."""
    return {"state": about.token(game)}


def metadata(game: AnyGame, request: Request) -> Answer:
    """Return what a site shows of the game."""
    return about.told(game)


def init(game: AnyGame, request: Request) -> Answer:
    """Return a game before its first move."""
    uids = about.uids(game.info, request["variants"])
    asked = {"variants": uids, "form": "compact", "include": ["render"]}
    return _turn(request["players"], contract.new(game, asked), "")


def move(game: AnyGame, request: Request) -> Answer:
    """Return the game after a user's move."""
    players, wire = opened(request["state"])
    seat = _seat(players, request["player"])
    view = _played(game, wire, seat, request["move"], players)
    return _turn(players, view, _said(view, seat, players))


def _seat(players: Sequence[str], user: str) -> Seat:
    if user not in players:
        raise Refused(f"{safe(user)} does not play in this game.")
    return players.index(user) + 1


def _played(game: AnyGame, wire: str, seat: Seat, text: str, players: Sequence[str]) -> Answer:
    asked: dict[str, Any] = {"state": wire, "include": ["render"]}
    word = _word(text)
    if word in BY_PLAYER:
        return contract.end(game, {**asked, "how": word, "player": seat})
    if word in ENDINGS:
        raise Refused(f"{word} takes more than one player's word, which no move can give.")
    try:
        return contract.move(game, {**asked, "move": text, "player": seat, "auto": "none"})
    except NotYourTurn as error:
        on_move = players[error.beside["to_move"] - 1]
        raise Refused(f"{safe(on_move)} is to move, not {safe(players[seat - 1])}.") from error


def _word(text: str) -> str:
    try:
        return clean(text)
    except Illegal:
        return ""


def _said(view: Answer, seat: Seat, players: Sequence[str]) -> str:
    """Return what the turn just made says in the chat, a sentence a line."""
    names = [str(safe(user)) for user in players]
    lines = (chat.line(event, seat, names) for event in view["results"])
    return "\n".join(line for line in lines if line)


def _turn(players: Sequence[str], view: Answer, said: str) -> Answer:
    return {
        "state": sealed(players, view["state"]),
        "whoseturn": [] if view["gameover"] else [players[view["to_move"] - 1]],
        "chat": said,
        "renderrep": view["render"],
    }


def archive(game: AnyGame, request: Request) -> Answer:
    """Return the report of a finished game."""
    return report.report(game, request)


MODES: dict[str, Callable[[AnyGame, Request], Answer]] = {
    "ping": ping,
    "metadata": metadata,
    "init": init,
    "move": move,
    "archive": archive,
}
