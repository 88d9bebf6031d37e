"""The 2018 contract, over the operations of contract version 1: object in, object out.

A site posts `{"mode": ...}` and keeps the answer's `state`, a text of ours that carries the user
ids with it; see `plyhost.legacy.state_string`.  Beside the moves of its game a player may send
`resign` and `timeout`, on any turn and of themselves, and `repetition`, which is looked into.
Endings that need both players, or the site, are not one player's to send and are refused.
"""

from collections.abc import Callable, Sequence
from html import escape
from itertools import islice
from typing import Any

from plyhost.contract import chat, operations
from plyhost.contract.view import Answer
from plyhost.errors import (
    Conflict,
    IllegalMove,
    InvalidRequest,
    NotYourTurn,
    PlyhostError,
    RequestError,
    StateError,
    cut_strings,
)
from plyhost.games import registry, variants
from plyhost.games.game import AnyGame, Illegal, Seat, clean_move_text
from plyhost.legacy import about, report
from plyhost.legacy.state_string import format_legacy_state, parse_legacy_state
from plyhost.pictures.asking import Fields
from plyhost.schemas.requests import load_request
from plyhost.schemas.requests_2018 import REQUESTS
from plyhost.states.steps import BY_SEAT, ENDINGS

#: The endings that one player may bring about.
BY_PLAYER = (*BY_SEAT, "repetition")
#: How many wrong fields a refusal names.
NAMED_FIELDS = 8

_REFUSALS = (RequestError, StateError, Conflict, IllegalMove)


class Refused(Exception):
    """There is no answer: `message` says why in a sentence that is safe in HTML."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = escape(message)


def answer_legacy_request(uid: str, request: Any) -> Answer:
    """Return the answer of a game to a request as it was read from JSON; raises Refused."""
    try:
        game = registry.find_game(uid)
        asked = _load_legacy_request(request)
        return MODES[asked["mode"]](game, asked)
    except _REFUSALS as error:
        raise Refused(_format_refusal_sentence(error)) from error


def _load_legacy_request(request: Any) -> Fields:
    if not isinstance(request, dict):
        raise Refused("The body must be an object.")
    mode = request.get("mode")
    if not isinstance(mode, str) or mode not in REQUESTS:
        raise Refused(f"mode: Must be one of {', '.join(REQUESTS)}.")
    return load_request(REQUESTS[mode], request)


def _format_refusal_sentence(error: PlyhostError) -> str:
    if isinstance(error, InvalidRequest):
        wrong = islice(error.beside["errors"].items(), NAMED_FIELDS)
        return " ".join(f"{cut_strings(path)}: {' '.join(why)}" for path, why in wrong)
    return str(error.detail)


def answer_legacy_ping(game: AnyGame, request: Fields) -> Answer:
    """Return a text that changes with the engine."""
    return {"state": about.make_ping_token(game)}


def answer_legacy_metadata(game: AnyGame, request: Fields) -> Answer:
    """Return what a site shows of the game."""
    return about.make_metadata_answer(game)


def answer_legacy_init(game: AnyGame, request: Fields) -> Answer:
    """Return a game before its first move."""
    uids = variants.resolve_variant_names(game.info, request["variants"])
    asked = {"variants": uids, "form": "compact", "include": ["render"]}
    return _make_turn_answer(request["players"], operations.answer_new_game(game, asked), "")


def answer_legacy_move(game: AnyGame, request: Fields) -> Answer:
    """Return the game after a user's move."""
    players, wire = parse_legacy_state(request["state"])
    seat = _find_user_seat(players, request["player"])
    view = _play_user_turn(game, wire, seat, request["move"], players)
    return _make_turn_answer(players, view, _format_turn_chat(view, seat, players))


def _find_user_seat(players: Sequence[str], user: str) -> Seat:
    if user not in players:
        raise Refused(f"{user} does not play in this game.")
    return players.index(user) + 1


def _play_user_turn(
    game: AnyGame, wire: str, seat: Seat, text: str, players: Sequence[str]
) -> Answer:
    asked: dict[str, Any] = {"state": wire, "include": ["render"]}
    word = _clean_move_word(text)
    if word in BY_PLAYER:
        return operations.answer_ending(game, {**asked, "how": word, "player": seat})
    if word in ENDINGS:
        raise Refused(f"{word} takes more than one player's word, which no move can give.")
    try:
        return operations.answer_move(game, {**asked, "move": text, "player": seat, "auto": "none"})
    except NotYourTurn as error:
        on_move = players[error.beside["to_move"] - 1]
        raise Refused(f"{on_move} is to move, not {players[seat - 1]}.") from error


def _clean_move_word(text: str) -> str:
    try:
        return clean_move_text(text)
    except Illegal:
        return ""


def _format_turn_chat(view: Answer, seat: Seat, players: Sequence[str]) -> str:
    """Return what the turn just made says in the chat, a sentence a line, safe in HTML."""
    lines = (chat.format_chat_line(event, seat, players) for event in view["results"])
    return "\n".join(escape(line) for line in lines if line)


def _make_turn_answer(players: Sequence[str], view: Answer, said: str) -> Answer:
    return {
        "state": format_legacy_state(players, view["state"]),
        "whoseturn": [] if view["gameover"] else [players[view["to_move"] - 1]],
        "chat": said,
        "renderrep": view["render"],
    }


def answer_legacy_archive(game: AnyGame, request: Fields) -> Answer:
    """Return the report of a finished game."""
    return report.make_legacy_report(game, request)


MODES: dict[str, Callable[[AnyGame, Fields], Answer]] = {
    "ping": answer_legacy_ping,
    "metadata": answer_legacy_metadata,
    "init": answer_legacy_init,
    "move": answer_legacy_move,
    "archive": answer_legacy_archive,
}
