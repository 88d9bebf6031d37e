"""What a caller is shown of a state: the view of the contract, and what `include` adds."""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, TypeAlias

from plyhost import deadline
from plyhost.contract import chat
from plyhost.errors import GameOver, escape_value, fill_sentence
from plyhost.games import variants
from plyhost.games.game import AnyGame, Illegal
from plyhost.pictures import render_json
from plyhost.pictures.asking import describe_palettes
from plyhost.states import forms
from plyhost.states.forms import State

CONTRACT = 1
DEFAULT_MOVES = 1000

Answer: TypeAlias = dict[str, Any]
Wanted: TypeAlias = Mapping[str, Any]


def view_state(state: State, wanted: Wanted) -> Answer:
    """Return the view of a state; `wanted` is a request's `include`, `display` and so on."""
    game, last = state.game, state.last
    position, is_over = last.position, last.is_over
    shown = {
        "contract": CONTRACT,
        "game": game.info.uid,
        "engine": game.info.version,
        "variants": state.variants,
        "variant_names": variants.list_variant_names(game.info, state.variants),
        "form": state.form,
        "state": forms.dump_state(state),
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
        "repetitions": forms.count_repetitions(state),
        "timestamp": last.timestamp,
        "previous_timestamp": state.stack.previous(),
        "started": state.stack.started(),
    }
    for name in dict.fromkeys(wanted.get("include", ())):
        shown.update(_EXTRAS[name](state, wanted))
    return shown


def _view_render(state: State, wanted: Wanted) -> Answer:
    return {"render": render_state(state, wanted)}


def render_state(state: State, wanted: Wanted) -> Answer:
    """Return the render JSON of a state's last position."""
    last, display = state.last, wanted.get("display", "")
    perspective = wanted.get("perspective", 0)
    return render_json.render_position(
        state.game, last.position, last.results, display, perspective
    )


def _view_moves(state: State, wanted: Wanted) -> Answer:
    listed = list_legal_moves(state, 0, DEFAULT_MOVES, "")
    return {
        "moves": listed["moves"],
        "moves_count": listed["count"],
        "moves_truncated": listed["truncated"],
    }


def list_legal_moves(state: State, offset: int, limit: int, prefix: str) -> Answer:
    """Return the legal moves that begin with a clean `prefix`: exact count, one page of texts."""
    game, position = state.game, state.last.position
    if state.last.is_over:
        return {"count": 0, "moves": [], "truncated": False}
    moves = deadline.yield_until_deadline(game.moves(position))
    if not prefix:
        count = game.count(position)
        page = islice(moves, offset, offset + limit)
        texts = [game.text(position, move) for move in page]
    else:
        every = (game.text(position, move) for move in moves)
        fitting = [text for text in every if text.startswith(prefix)]
        count, texts = len(fitting), fitting[offset : offset + limit]
    return {"count": count, "moves": texts, "truncated": offset + len(texts) < count}


def _view_sidebar(state: State, wanted: Wanted) -> Answer:
    pair = state.game.scores(state.last.position)
    scores = [{"name": state.game.score_name(), "scores": pair, "spoiler": False}]
    return {"sidebar": {"scores": scores, "statuses": []}}


def _view_buttons(state: State, wanted: Wanted) -> Answer:
    over = state.last.is_over
    return {"buttons": [] if over else state.game.buttons(state.last.position)}


def _view_prompt(state: State, wanted: Wanted) -> Answer:
    return {"prompt": judge_move_text(state, "")}


def _view_chat(state: State, wanted: Wanted) -> Answer:
    names = wanted.get("players", chat.DEFAULT_NAMES)
    return {"chat": chat.make_chat_log(list(state.walk()), names)}


def _view_text(state: State, wanted: Wanted) -> Answer:
    return {"text": render_json.format_state_text(state)}


_EXTRAS: dict[str, Callable[[State, Wanted], Answer]] = {
    "render": _view_render,
    "moves": _view_moves,
    "sidebar": _view_sidebar,
    "buttons": _view_buttons,
    "prompt": _view_prompt,
    "chat": _view_chat,
    "text": _view_text,
}


def judge_move_text(state: State, text: str) -> Answer:
    """Return what is to be said of a move text, also an empty or partial one."""
    if state.last.is_over:
        return refuse_move_text(text, GameOver.code, GameOver.text, {"ply": state.last.ply})
    game = state.game
    try:
        advice = game.advise(state.last.position, text)
    except Illegal as illegal:
        return refuse_move_text(text, illegal.reason, game.reasons[illegal.reason], illegal.params)
    return {
        "valid": True,
        "complete": advice.complete,
        "canrender": advice.canrender,
        "message": fill_sentence(game.hints[advice.hint], advice.params),
        "code": advice.hint,
        "params": escape_value(advice.params),
        "move": advice.text,
        "autocomplete": advice.autocomplete,
    }


def refuse_move_text(text: str, code: str, template: str, params: Mapping[str, Any]) -> Answer:
    """Return the verdict that a text is not valid; the text itself comes back unchanged."""
    return {
        "valid": False,
        "complete": -1,
        "canrender": False,
        "message": fill_sentence(template, params),
        "code": code,
        "params": escape_value(params),
        "move": text,
        "autocomplete": None,
    }


def view_game_info(game: AnyGame, token: str) -> Answer:
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
        "palettes": describe_palettes(info),
        "flags": list(info.flags),
        "categories": list(info.categories),
        "reasons": dict(game.reasons),
        "hints": dict(game.hints),
        "state": token,
    }
