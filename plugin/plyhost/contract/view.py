"""What a caller is shown of a state: the view of the contract, and what `include` adds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, TypeAlias

from plyhost import deadline
from plyhost.contract import chat, history, text_board
from plyhost.contract.picture_requests import SVG, make_render_picture
from plyhost.contract.summary import summarise_step
from plyhost.errors import GameOver, cut_strings, fill_sentence
from plyhost.games import variants
from plyhost.games.game import AnyGame, Illegal
from plyhost.pictures import render_json
from plyhost.pictures.asking import list_player_colours
from plyhost.states import forms
from plyhost.states.forms import State
from plyhost.states.steps import Step

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
        "engine": game.version,
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
        "summary": summarise_step(game, last),
        "scores": game.scores(position),
        **game.shown(position),
        "colours": game.colours(position),
        "repetitions": forms.count_repetitions(state),
        "timestamp": last.timestamp,
        "previous_timestamp": state.stack.previous_stamp(),
        "started": state.stack.first_stamp(),
    }
    look = _Look(state, wanted)
    for name in dict.fromkeys(wanted.get("include", ())):
        shown.update(_EXTRAS[name](look))
    return shown


@dataclass
class _Look:
    """A state, what is wanted of it, and its steps once something needs them all."""

    state: State
    wanted: Wanted

    @cached_property
    def steps(self) -> list[Step]:
        return list(self.state.walk())


def _view_render(look: _Look) -> Answer:
    return {"render": render_state(look.state, look.wanted)}


def render_state(state: State, wanted: Wanted) -> Answer:
    """Return the render JSON of a state's last position."""
    display, perspective = wanted.get("display", ""), wanted.get("perspective", 0)
    return render_json.render_step(state.game, state.last, display, perspective)


def _view_svg(look: _Look) -> Answer:
    return {"svg": draw_state(look.state, look.wanted)}


def draw_state(state: State, wanted: Wanted) -> str:
    """Return a state's last position as the text of an SVG; raises InvalidRequest."""
    render = render_state(state, wanted)
    return make_render_picture(state.game, render, wanted, SVG, state.game.info.name).drawn


def _view_moves(look: _Look) -> Answer:
    listed = list_legal_moves(look.state, 0, DEFAULT_MOVES, "")
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


def _view_sidebar(look: _Look) -> Answer:
    game = look.state.game
    pair = game.scores(look.state.last.position)
    scores = [{"name": game.score_name(), "scores": pair, "spoiler": False}]
    return {"sidebar": {"scores": scores, "statuses": []}}


def _view_buttons(look: _Look) -> Answer:
    last, game = look.state.last, look.state.game
    return {"buttons": [] if last.is_over else game.buttons(last.position)}


def _view_prompt(look: _Look) -> Answer:
    prompt = judge_move_text(look.state, "")
    if "targets" in look.wanted["include"]:
        prompt["targets"] = list_targets(look.state, "")
    return {"prompt": prompt}


def _view_targets(look: _Look) -> Answer:
    return {"targets": list_targets(look.state, "")}


def list_targets(state: State, text: str) -> list[Answer]:
    """Return the cells whose click after a text is good, in board order, and what it does."""
    position = state.last.position
    if state.last.is_over:
        return []
    board = position.board
    found = sorted(state.game.targets(position, text), key=lambda one: board.rank[one[0]])
    return [
        {"cell": board.labels[cell], **board.points[cell], "does": does} for cell, does in found
    ]


def _view_history(look: _Look) -> Answer:
    return {"history": history.describe_plies(look.state.game, look.steps)}


def _view_chat(look: _Look) -> Answer:
    names = look.wanted.get("players", chat.DEFAULT_NAMES)
    return {"chat": chat.make_chat_log(look.steps, names)}


def _view_text(look: _Look) -> Answer:
    return {"text": text_board.format_state_text(look.state)}


_EXTRAS: dict[str, Callable[[_Look], Answer]] = {
    "render": _view_render,
    "svg": _view_svg,
    "moves": _view_moves,
    "sidebar": _view_sidebar,
    "buttons": _view_buttons,
    "prompt": _view_prompt,
    "targets": _view_targets,
    "history": _view_history,
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
        why = game.choose_sentence(illegal)
        return refuse_move_text(text, illegal.reason, why, illegal.params)
    return {
        "valid": True,
        "complete": advice.complete,
        "canrender": advice.canrender,
        "message": fill_sentence(game.hints[advice.hint], advice.params),
        "code": advice.hint,
        "params": cut_strings(advice.params),
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
        "params": cut_strings(params),
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
        "flags": list(info.flags),
        "categories": list(info.categories),
        "reasons": dict(game.reasons),
        "hints": dict(game.hints),
        "colours": list_player_colours(info),
        "state": token,
    }
