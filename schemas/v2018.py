"""Requests of the 2018 contract, one schema for each mode, and the inside of its state string.

`schemas/published/2018-request.schema.json` says the same to the outside.
"""

from collections.abc import Sequence
from typing import Any

from marshmallow import ValidationError, fields, validate

from plugin import limits
from schemas.fields import Truth, short_text, text
from schemas.v1 import Request

SEATS = 2
#: The last state of a game, or every one it ever had.
ARCHIVED_STATES = limits.LAST_PLY + 1


def _state() -> fields.String:
    return text(limits.STATE_BYTES, required=True)


def _user_id(**kwargs: Any) -> fields.String:
    return fields.String(validate=validate.Length(1, limits.NAME_CHARACTERS), **kwargs)


def _user_ids() -> fields.List[Any]:
    checks: list[Any] = [validate.Length(equal=SEATS), _distinct]
    return fields.List(_user_id(), required=True, validate=checks)


def _distinct(ids: Sequence[str]) -> None:
    if len(set(ids)) < len(ids):
        raise ValidationError("Must be different.")


class Mode(Request):
    """What every request says."""

    mode = fields.String(required=True)


class Ping(Mode):
    """`ping`: whether the engine has changed."""


class Metadata(Mode):
    """`metadata`: what a site shows of the game."""


class Init(Mode):
    """`init`: a new game; the user ids in the order of play, variants by uid or display name."""

    players = _user_ids()
    variants = fields.List(
        short_text(), load_default=list, validate=validate.Length(max=limits.LISTED_NAMES)
    )


class Move(Mode):
    """`move`: a user's move on a state, or one of the words that end the game."""

    player = _user_id(required=True)
    move = text(limits.MOVE_CHARACTERS, required=True)
    state = _state()


class ArchivedPlayer(Request):
    """What the site knows of a player."""

    name = short_text()
    is_ai = Truth()


class Archive(Mode):
    """`archive`: the report of a finished game, from its last state or from all in order.

    The rest is what a state cannot know, and need not be given; `players` come by seat.
    """

    states = fields.List(
        _state(), required=True, validate=validate.Length(min=1, max=ARCHIVED_STATES)
    )
    event = short_text(load_default="")
    round = short_text(load_default="")
    site = short_text(load_default="Abstract Play")
    gameid = short_text()
    players = fields.List(
        fields.Nested(ArchivedPlayer),
        load_default=lambda: [{}, {}],
        validate=validate.Length(equal=SEATS),
    )


class Sealed(Request):
    """The members of a state string."""

    format = fields.String(required=True)
    players = _user_ids()
    state = fields.String(required=True)
    check = fields.String(required=True)


SEALED = Sealed()

REQUESTS: dict[str, Request] = {
    "ping": Ping(),
    "metadata": Metadata(),
    "init": Init(),
    "move": Move(),
    "archive": Archive(),
}
