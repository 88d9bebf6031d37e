"""The schemas of answers, as parts of the OpenAPI document: made of typed shapes, or put together.

Put together are a state, the views (one for each game at hand), the render JSON and the problems.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
import orjson

from plyhost import limits
from plyhost.games import registry
from plyhost.games.game import AnyGame
from plyhost.schemas import answers
from plyhost.schemas.answers import REFERENCE, CommonView, CommonViewAfterMove, Result
from plyhost.schemas.problem_shapes import build_problem_schemas

Part = dict[str, Any]

_STATE: dict[str, Part] = {
    "State": {
        "description": "A state: an object (form full) or a text (the other forms). Send it back.",
        "anyOf": [{"type": "string"}, {"$ref": REFERENCE.format(name="StateObject")}],
    },
    "StateObject": {
        "description": "A state in form full: Abstract Play's, to be kept as it is.",
        "type": "object",
        "additionalProperties": True,
    },
    "MovePlan": {
        "description": "What to answer, by what the other player may play.",
        "type": "object",
        "additionalProperties": {"$ref": REFERENCE.format(name="PlannedAnswer")},
    },
    "PlannedAnswer": {
        "description": "A move that answers another, and the plan from there.",
        "type": "object",
        "properties": {
            "move": {"type": "string", "maxLength": limits.MOVE_CHARACTERS},
            "then": {"$ref": REFERENCE.format(name="MovePlan")},
        },
        "required": ["move"],
        "additionalProperties": False,
    },
    "RecordToReplay": {
        "description": "A game record: ours, Abstract Play's, or another of their format.",
        "type": "object",
        "additionalProperties": True,
    },
}


@cache
def build_answer_parts() -> Mapping[str, Part]:
    """Return every part that answers are made of, by name."""
    kinds = [
        kind
        for kind in (*answers.ANSWERS.values(), *answers.PAGES.values(), answers.BATCH)
        if _is_own(kind)
    ]
    views = [_make_view_shape(game) for game in registry.load_games().values()]
    moved = [_make_moved_shape(game) for game in registry.load_games().values()]
    (results, *_), parts = msgspec.json.schema_components(
        [Result, *kinds, *views, *moved], ref_template=REFERENCE
    )
    results["description"] = "Something that a turn did: Abstract Play's results."
    parts |= {"GameResult": _name_alternatives(results)}
    parts |= _STATE | _read_render_parts() | build_problem_schemas()
    parts["GameView"] = _make_union(views, "A game as it stands; `game` tells which fields it has.")
    told = "The view after a move, and the plies that were made."
    parts["GameViewAfterMove"] = _make_union(moved, told)
    return {name: _drop_titles(part) for name, part in parts.items()}


def _is_own(kind: Any) -> bool:
    return isinstance(kind, type)


def describe_answer(kind: Any) -> Part:
    """Return the reference to an answer's schema."""
    if _is_own(kind):
        return {"$ref": REFERENCE.format(name=kind.__name__)}
    (meta,) = kind.__metadata__
    found: Part = meta.extra_json_schema
    return found


def _make_view_shape(
    game: AnyGame, name: str = "View", base: type[CommonView] = CommonView
) -> type[msgspec.Struct]:
    """Return the shape of a game's view: the common fields, and those that it shows."""
    own = {"game": Literal[game.info.uid], **game.shown_types}
    shape = msgspec.defstruct(
        f"{game.info.uid.title()}{name}", list(own.items()), bases=(base,), kw_only=True
    )
    shape.__doc__ = f"A game of {game.info.name}."
    return shape


def _make_moved_shape(game: AnyGame) -> type[msgspec.Struct]:
    return _make_view_shape(game, "ViewAfterMove", CommonViewAfterMove)


def _make_union(shapes: list[type[msgspec.Struct]], description: str) -> Part:
    games = zip(registry.load_games(), shapes, strict=True)
    named = {uid: REFERENCE.format(name=shape.__name__) for uid, shape in games}
    return {
        "description": description,
        "oneOf": [{"$ref": target} for target in named.values()],
        "discriminator": {"propertyName": "game", "mapping": named},
    }


def _name_alternatives(union: Part) -> Part:
    return {"oneOf" if key == "anyOf" else key: value for key, value in union.items()}


def _read_render_parts() -> dict[str, Part]:
    """Return the render JSON's own schema as parts of this document."""
    whole = orjson.loads(files("plyhost.published").joinpath("render.schema.json").read_bytes())
    parts = {f"Render{name.title()}": part for name, part in whole.pop("$defs").items()}
    parts["RenderJson"] = {key: value for key, value in whole.items() if key[0] != "$"}
    return {name: _move_render_references(part) for name, part in parts.items()}


def _move_render_references(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _move_render_references(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_move_render_references(inner) for inner in value]
    if isinstance(value, str) and value.startswith("#/$defs/"):
        return REFERENCE.format(name=f"Render{value.removeprefix('#/$defs/').title()}")
    return value


def _drop_titles(part: Any) -> Any:
    """Return a schema without the titles that repeat the names of its parts."""
    if not isinstance(part, dict):
        return [_drop_titles(one) for one in part] if isinstance(part, list) else part
    return {
        key: _drop_titles(value)
        for key, value in part.items()
        if not (key == "title" and isinstance(value, str))
    }
