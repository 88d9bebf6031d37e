"""The schema of a refusal: a union over `code`, by what stands beside it."""

from typing import Any

import msgspec

from plyhost import errors
from plyhost.errors import PlyhostError
from plyhost.schemas.answers import REFERENCE, Answer, Seat

Part = dict[str, Any]


class PlainProblem(Answer):
    """A refusal (RFC 9457); `detail` is a sentence made from `params`."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    params: dict[str, Any]


class LimitProblem(PlainProblem):
    """Something is over a limit."""

    limit: int


class FieldsProblem(PlainProblem):
    """Fields are wrong or missing: for each, or for `_schema`, a list of sentences."""

    errors: dict[str, list[str]]


class StateProblem(PlainProblem):
    """A state, or what it is to become, is at fault; `where` names the place."""

    where: str


class ChoiceProblem(PlainProblem):
    """No such thing is here; `choices` are those that are."""

    choices: list[str]


class VariantProblem(StateProblem):
    """The game has no such variants; `choices` are those it has."""

    choices: list[str]


class PlyProblem(PlainProblem):
    """The game stands otherwise than the caller thinks; `to_move` is null when it is over."""

    ply: int
    to_move: Seat | None


class MoveProblem(PlainProblem):
    """The move is not legal; `reason` is one of the game's closed list."""

    move: str
    ply: int
    reason: str


class RateProblem(PlainProblem):
    """Too many requests: wait `retry_after` seconds."""

    limit: str
    weight: int
    retry_after: int


class ServiceProblem(PlainProblem):
    """Ours; `request_id` finds it in the log."""

    request_id: str


#: What an error is told as: the nearest of its classes counts.
SHAPES: dict[type[PlyhostError], type[PlainProblem]] = {
    errors.PlyhostError: PlainProblem,
    errors.TooLarge: LimitProblem,
    errors.UriTooLong: LimitProblem,
    errors.InvalidRequest: FieldsProblem,
    errors.StateError: StateProblem,
    errors.UnknownGame: ChoiceProblem,
    errors.UnknownVariant: VariantProblem,
    errors.Conflict: PlyProblem,
    errors.IllegalMove: MoveProblem,
    errors.RateLimited: RateProblem,
    errors.ServiceError: ServiceProblem,
}


def list_error_codes() -> list[str]:
    """Return every stable code of an error, sorted."""
    return sorted(leaf.code for leaf in _list_error_leaves(PlyhostError))


def _list_error_leaves(kind: type[PlyhostError]) -> list[type[PlyhostError]]:
    below = [leaf for one in kind.__subclasses__() for leaf in _list_error_leaves(one)]
    return below or [kind]


def _find_error_shape(kind: type[PlyhostError]) -> str:
    return next(SHAPES[one].__name__ for one in kind.__mro__ if one in SHAPES)


def build_problem_schemas() -> dict[str, Part]:
    """Return `Problem`, the union, and its alternatives, each with its codes."""
    # Each once, in order: a set of classes would have them by their addresses.
    shapes = dict.fromkeys(SHAPES.values())
    _, parts = msgspec.json.schema_components(shapes, ref_template=REFERENCE)
    mapping = {}
    for kind in sorted(_list_error_leaves(PlyhostError), key=lambda leaf: leaf.code):
        name = _find_error_shape(kind)
        parts[name]["properties"]["code"].setdefault("enum", []).append(kind.code)
        mapping[kind.code] = REFERENCE.format(name=name)
    alternatives = [{"$ref": REFERENCE.format(name=name)} for name in sorted(parts)]
    parts["Problem"] = {
        "description": "Why a request was refused; nothing was changed.",
        "oneOf": alternatives,
        "discriminator": {"propertyName": "code", "mapping": mapping},
    }
    return parts
