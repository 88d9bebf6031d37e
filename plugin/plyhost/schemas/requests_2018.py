"""Requests of the 2018 contract, one schema for each mode, and the inside of its state string.

`schemas/2018-request.schema.json`, at the top of the repository, says the same to the outside.
"""

from collections.abc import Sequence
from typing import Any

from marshmallow import EXCLUDE, ValidationError, fields, validate

from plyhost import limits
from plyhost.schemas.fields import Few, Truth, make_short_text_field, make_text_field
from plyhost.schemas.requests import RequestSchema

SEATS = 2
#: The last state of a game, or every one it ever had.
ARCHIVED_STATES = limits.LAST_PLY + 1
ROUND = r"^([0-9]+(\.[0-9]+)*)?\Z"


def _make_state_text_field() -> fields.String:
    return make_text_field(limits.STATE_BYTES, required=True)


def _make_user_id_field(**kwargs: Any) -> fields.String:
    return fields.String(validate=validate.Length(1, limits.NAME_CHARACTERS), **kwargs)


def _make_user_ids_field() -> Few:
    checks: list[Any] = [validate.Length(equal=SEATS), _check_distinct_ids]
    return Few(_make_user_id_field(), required=True, validate=checks)


def _check_distinct_ids(ids: Sequence[str]) -> None:
    if len(set(ids)) < len(ids):
        raise ValidationError("Must be different.")


class Mode(RequestSchema):
    """What every request says; further members are passed over."""

    class Meta:
        unknown = EXCLUDE

    mode = fields.String(required=True)


class Ping(Mode):
    """`ping`: whether the engine has changed."""


class Metadata(Mode):
    """`metadata`: what a site shows of the game."""


class Init(Mode):
    """`init`: a new game; the user ids in the order of play, variants by uid or display name."""

    players = _make_user_ids_field()
    variants = Few(
        make_short_text_field(),
        load_default=list,
        validate=validate.Length(max=limits.LISTED_NAMES),
    )


class Move(Mode):
    """`move`: a user's move on a state, or one of the words that end the game."""

    player = _make_user_id_field(required=True)
    move = make_text_field(limits.MOVE_CHARACTERS, required=True)
    state = _make_state_text_field()


class ArchivedPlayer(RequestSchema):
    """What the site knows of a player."""

    class Meta:
        unknown = EXCLUDE

    name = make_short_text_field()
    is_ai = Truth()


class Archive(Mode):
    """`archive`: the report of a finished game, from its last state or from all in order.

    The rest is what a state cannot know, and need not be given; `players` come by seat.
    """

    states = Few(
        _make_state_text_field(),
        required=True,
        validate=validate.Length(min=1, max=ARCHIVED_STATES),
    )
    event = make_short_text_field(load_default="")
    round = fields.String(
        load_default="",
        validate=[
            validate.Length(max=limits.NAME_CHARACTERS),
            validate.Regexp(ROUND, error="Must be numbers with dots between them."),
        ],
    )
    site = make_short_text_field(load_default="Abstract Play")
    gameid = make_short_text_field()
    players = Few(
        fields.Nested(ArchivedPlayer),
        load_default=lambda: [{}, {}],
        validate=validate.Length(equal=SEATS),
    )


class Sealed(RequestSchema):
    """The members of a state string."""

    format = fields.String(required=True)
    players = _make_user_ids_field()
    state = fields.String(required=True)
    check = fields.String(required=True)


SEALED = Sealed()

REQUESTS: dict[str, RequestSchema] = {
    "ping": Ping(),
    "metadata": Metadata(),
    "init": Init(),
    "move": Move(),
    "archive": Archive(),
}
