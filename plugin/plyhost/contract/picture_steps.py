"""The steps of a game that a picture or film is of: those of a state, or made by moves."""

from typing import Any

from plyhost import deadline, limits
from plyhost.contract import records
from plyhost.contract.record_reading import Source
from plyhost.errors import GameOver, TooLarge
from plyhost.games import variants
from plyhost.games.game import AnyGame
from plyhost.pictures import render_json
from plyhost.pictures.asking import Fields
from plyhost.states import forms
from plyhost.states.forms import State
from plyhost.states.steps import Step, make_first_step

#: No picture shows a time; positions made from moves carry this one.
_THEN = "1970-01-01T00:00:00.000Z"


def find_picture_step(game: AnyGame, request: Fields) -> Step:
    """Return the step that a picture is of: that of a `ply`, else the last; raises PlyhostError."""
    if "moves" in request:
        return _play_picture_moves(game, request)[-1]
    state = _load_picture_state(game, request)
    return list(state.walk())[request["ply"]] if "ply" in request else state.last


def list_picture_steps(game: AnyGame, request: Fields) -> list[Step]:
    """Return every step up to a state, or through moves; raises PlyhostError."""
    if "moves" in request:
        return _play_picture_moves(game, request)
    return list(_load_picture_state(game, request).walk())


def _load_picture_state(game: AnyGame, request: Fields) -> State:
    return forms.parse_state(game, request["state"])


def render_picture_step(game: AnyGame, step: Step, request: Fields) -> dict[str, Any]:
    """Return the render JSON of a step as a request asks for it."""
    deadline.check_deadline()
    display, perspective = request.get("display", ""), request.get("perspective", 0)
    return render_json.render_step(game, step, display, perspective)


def _play_picture_moves(game: AnyGame, request: Fields) -> list[Step]:
    """Return the steps that moves, and perhaps an ending, make from the start.

    Raises UnknownVariant, IllegalMove.
    """
    moves = request["moves"]
    if len(moves) > limits.REPLAYED_MOVES:
        limit = limits.REPLAYED_MOVES
        raise TooLarge({"limit": limit}, what="The number of moves", limit=limit)
    uids = variants.normalise_variant_uids(game.info, request.get("variants", ()))
    side = variants.find_board_variant(game.info, uids).side
    steps = [make_first_step(game, side, _THEN, game.info.version)]
    source = Source(uids, list(moves), _THEN)
    for text in moves:
        if steps[-1].is_over:
            raise GameOver(steps[-1].ply, None)
        steps.append(records.play_source_text(game, source, steps, text))
    return steps
