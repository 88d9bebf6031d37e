"""What a caller is shown of a state: the view of the contract, and what `include` adds."""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, TypeAlias

from plugin import chat, codec, deadline, render, variants
from plugin.codec import State
from plugin.errors import GameOver, safe, sentence
from plugin.game import Illegal
from plugin.history import AnyGame

CONTRACT = 1
DEFAULT_MOVES = 1000

Answer: TypeAlias = dict[str, Any]
Wanted: TypeAlias = Mapping[str, Any]


def view(state: State, wanted: Wanted) -> Answer:
    """Return the view of a state; `wanted` is a request's `include`, `display` and so on."""
    game, last = state.game, state.last
    position, is_over = last.position, last.is_over
    shown = {
        "contract": CONTRACT,
        "game": game.info.uid,
        "engine": game.info.version,
        "variants": state.variants,
        "variant_names": variants.names(game.info, state.variants),
        "form": state.form,
        "state": codec.dump(state),
        "ply": last.ply,
        "currplayer": position.seat,
        "to_move": None if is_over else position.seat,
        "gameover": is_over,
        "winner": last.winner or [],
        "lastmove": last.text,
        "results": last.results,
        "scores": game.scores(position),
        **game.shown(position),
        "colours": game.colours(position),
        "repetitions": codec.repetitions(state),
        "timestamp": last.timestamp,
        "previous_timestamp": state.stack.previous(),
        "started": state.stack.started(),
    }
    for name in dict.fromkeys(wanted.get("include", ())):
        shown.update(_EXTRAS[name](state, wanted))
    return shown


def _render(state: State, wanted: Wanted) -> Answer:
    return {"render": picture(state, wanted)}


def picture(state: State, wanted: Wanted) -> Answer:
    """Return the render JSON of a state's last position."""
    last, display = state.last, wanted.get("display", "")
    perspective = wanted.get("perspective", 0)
    return render.draw(state.game, last.position, last.results, display, perspective)


def _moves(state: State, wanted: Wanted) -> Answer:
    listed = listing(state, 0, DEFAULT_MOVES, "")
    return {
        "moves": listed["moves"],
        "moves_count": listed["count"],
        "moves_truncated": listed["truncated"],
    }


def listing(state: State, offset: int, limit: int, prefix: str) -> Answer:
    """Return the legal moves that begin with a clean `prefix`: exact count, one page of texts."""
    game, position = state.game, state.last.position
    if state.last.is_over:
        return {"count": 0, "moves": [], "truncated": False}
    moves = deadline.watched(game.moves(position))
    if not prefix:
        count = game.count(position)
        page = islice(moves, offset, offset + limit)
        texts = [game.text(position, move) for move in page]
    else:
        every = (game.text(position, move) for move in moves)
        fitting = [text for text in every if text.startswith(prefix)]
        count, texts = len(fitting), fitting[offset : offset + limit]
    return {"count": count, "moves": texts, "truncated": offset + len(texts) < count}


def _sidebar(state: State, wanted: Wanted) -> Answer:
    pair = state.game.scores(state.last.position)
    scores = [{"name": state.game.score_name(), "scores": pair, "spoiler": False}]
    return {"sidebar": {"scores": scores, "statuses": []}}


def _buttons(state: State, wanted: Wanted) -> Answer:
    over = state.last.is_over
    return {"buttons": [] if over else state.game.buttons(state.last.position)}


def _prompt(state: State, wanted: Wanted) -> Answer:
    return {"prompt": verdict(state, "")}


def _chat(state: State, wanted: Wanted) -> Answer:
    names = wanted.get("players", chat.DEFAULT_NAMES)
    return {"chat": chat.log(list(state.walk()), names)}


def _text(state: State, wanted: Wanted) -> Answer:
    return {"text": render.text_board(state)}


_EXTRAS: dict[str, Callable[[State, Wanted], Answer]] = {
    "render": _render,
    "moves": _moves,
    "sidebar": _sidebar,
    "buttons": _buttons,
    "prompt": _prompt,
    "chat": _chat,
    "text": _text,
}


def verdict(state: State, text: str) -> Answer:
    """Return what is to be said of a move text, also an empty or partial one."""
    if state.last.is_over:
        return refusal(text, GameOver.code, GameOver.text, {"ply": state.last.ply})
    game = state.game
    try:
        advice = game.advise(state.last.position, text)
    except Illegal as illegal:
        return refusal(text, illegal.reason, game.reasons[illegal.reason], illegal.params)
    return {
        "valid": True,
        "complete": advice.complete,
        "canrender": advice.canrender,
        "message": sentence(game.hints[advice.hint], advice.params),
        "code": advice.hint,
        "params": safe(advice.params),
        "move": advice.text,
        "autocomplete": advice.autocomplete,
    }


def refusal(text: str, code: str, template: str, params: Mapping[str, Any]) -> Answer:
    """Return the verdict that a text is not valid; the text itself comes back unchanged."""
    return {
        "valid": False,
        "complete": -1,
        "canrender": False,
        "message": sentence(template, params),
        "code": code,
        "params": safe(params),
        "move": text,
        "autocomplete": None,
    }


def gameinfo(game: AnyGame, token: str) -> Answer:
    """Return what a site shows of a game, with the `token` that changes with its engine."""
    info = game.info
    return {
        "name": info.name,
        "uid": info.uid,
        "version": info.version,
        "versions": list(info.versions),
        "dateAdded": info.date_added,
        "description": info.description,
        "rules": info.rules,
        "notation": info.notation,
        "notes": list(info.notes),
        "urls": list(info.urls),
        "bggid": info.bggid,
        "people": [dict(person) for person in info.people],
        "playercounts": [2],
        "variants": [
            {
                "uid": variant.uid,
                "name": variant.name,
                "description": variant.description,
                "group": variant.group,
                "default": variant.default,
            }
            for variant in info.variants
        ],
        "displays": [
            {"uid": one.uid, "name": one.name, "description": one.description}
            for one in info.displays
        ],
        "flags": list(info.flags),
        "categories": list(info.categories),
        "reasons": dict(game.reasons),
        "hints": dict(game.hints),
        "state": token,
    }
