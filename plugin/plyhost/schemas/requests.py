"""Requests of contract version 1, one schema for each operation's body."""

from collections.abc import Iterator, Mapping
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, pre_load, validate, validates_schema

from plyhost import limits
from plyhost.errors import InvalidRequest
from plyhost.pictures.asking import DEFAULT_PALETTE, PALETTE_NAMES
from plyhost.pictures.own_colours import PARTS
from plyhost.schemas.fields import (
    Amount,
    Few,
    Moment,
    PlanField,
    StateField,
    Truth,
    Whole,
    make_choice_field,
    make_form_field,
    make_player_names_field,
    make_short_text_field,
    make_text_field,
)
from plyhost.search.levels import STRONGEST, WEAKEST
from plyhost.states.forms import DEFAULT_FORM
from plyhost.states.steps import BY_SEAT, ENDINGS
from plyhost.states.strict_json import LARGEST_INTEGER

INCLUDES = (
    "render",
    "svg",
    "moves",
    "sidebar",
    "buttons",
    "prompt",
    "targets",
    "history",
    "chat",
    "text",
)
#: What a verdict on a text can carry.
VERDICT_INCLUDES = ("targets", "render", "svg")
AUTO = ("none", "pass", "forced")


class RequestSchema(Schema):
    """The root: an unknown field is an error."""

    class Meta:
        unknown = RAISE

    @pre_load
    def few(self, data: Any, **kwargs: Any) -> Any:
        """Refuse a crowd of fields before each is looked at."""
        if isinstance(data, Mapping) and len(data) > limits.FIELDS:
            raise ValidationError(f"At most {limits.FIELDS} fields.")
        return data

    @validates_schema
    def _together(self, data: dict[str, Any], **kwargs: Any) -> None:
        self.together(data)

    def together(self, data: Mapping[str, Any]) -> None:
        """Judge fields that are sound one by one; raises ValidationError."""


def load_request(schema: RequestSchema, found: Any) -> dict[str, Any]:
    """Return the fields of a request, checked and with their defaults.

    `found` is what was read of its body, of any type.  Raises InvalidRequest with a list of
    sentences for each wrong field, by its dotted path, or for `_schema`.
    """
    if not isinstance(found, dict):
        raise InvalidRequest({"_schema": ["The body must be an object."]})
    try:
        loaded: dict[str, Any] = schema.load(found)
    except ValidationError as error:
        flat = dict(_flatten_field_messages(error.messages_dict))
        # The frame that raised it knows it as well: a circle that would keep the whole body.
        raise InvalidRequest(flat) from error.with_traceback(None)
    return loaded


def _flatten_field_messages(messages: Any, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yield marshmallow's nested messages with their dotted paths."""
    if isinstance(messages, dict):
        for key, inner in messages.items():
            yield from _flatten_field_messages(inner, f"{path}.{key}" if path else str(key))
    else:
        yield path, [str(message) for message in messages]


class OnState(RequestSchema):
    """A call on a state; `verify` has its whole history checked first."""

    state = StateField(required=True)
    verify = Truth(load_default=False)


class Drawing(Schema):
    """How a board is drawn: an unknown display is the default one."""

    display = make_short_text_field(load_default="", allow_none=True)
    perspective = Whole(0, 2, load_default=0)


class Inking(Drawing):
    """How a picture is coloured and lettered.

    `colours` are texts such as `cell:f0d9b5`; `background` is `none` or a colour.
    """

    palette = make_choice_field(PALETTE_NAMES, load_default=DEFAULT_PALETTE)
    colours = Few(
        make_short_text_field(), load_default=list, validate=validate.Length(max=len(PARTS))
    )
    background = make_short_text_field(load_default="")
    labels = Truth(load_default=True)


class Colouring(Inking):
    """How a picture looks, whose width is in pixels."""

    width = Whole(limits.NARROWEST_PICTURE, limits.WIDEST_PICTURE)


class Carding(Schema):
    """What makes a card of a picture: its height in pixels, and the names of both players."""

    height = Whole(limits.NARROWEST_PICTURE, limits.WIDEST_PICTURE)
    players = make_player_names_field()


class Timing(Schema):
    """How a film runs: `step` milliseconds for each position, once or again and again."""

    step = Whole(limits.SHORTEST_STEP, limits.LONGEST_STEP)
    loops = Truth(load_default=True)


class Viewing(Inking):
    """What a view carries beside the named fields."""

    include = Few(
        make_choice_field(INCLUDES),
        load_default=list,
        validate=validate.Length(max=limits.LISTED_NAMES),
    )
    players = make_player_names_field()


class NewGameRequest(RequestSchema, Viewing):
    """`new`: a game before its first move."""

    variants = Few(
        make_short_text_field(),
        load_default=list,
        allow_none=True,
        validate=validate.Length(max=limits.LISTED_NAMES),
    )
    form = make_form_field(load_default=DEFAULT_FORM)
    timestamp = Moment()


class MoveRequest(OnState, Viewing):
    """`move`: make a move, those that it forces, and the answers of the waiting player's plan."""

    move = make_text_field(limits.MOVE_CHARACTERS, required=True)
    player = Whole(1, 2)
    expected_ply = Whole(0, limits.LAST_PLY)
    auto = make_choice_field(AUTO, load_default="none")
    plan = PlanField()
    timestamp = Moment()


class PlanRequest(OnState):
    """`plan`: judge a plan of the waiting player."""

    plan = PlanField(required=True)
    player = Whole(1, 2)
    expected_ply = Whole(0, limits.LAST_PLY)


class LegalMovesRequest(OnState):
    """`moves`: the legal moves."""

    limit = Whole(0, limits.LISTED_MOVES, load_default=1000)
    offset = Whole(0, 10**9, load_default=0)
    prefix = make_text_field(limits.MOVE_CHARACTERS, load_default="")


class Judging(OnState, Inking):
    """What a verdict on a text carries beside the named fields."""

    include = Few(
        make_choice_field(VERDICT_INCLUDES),
        load_default=list,
        validate=validate.Length(max=limits.LISTED_NAMES),
    )


class RandomMoveRequest(OnState):
    """`random`: one of the legal moves, the same one for the same seed."""

    seed = Whole(0, LARGEST_INTEGER)


class ValidationRequest(Judging):
    """`validate`: judge a text."""

    move = make_text_field(limits.MOVE_CHARACTERS, required=True)


class ClickRequest(Judging):
    """`click`: the text after a click, judged; the cell clicked may lie off the board.

    With `make`, a move that the click completes is made; the last four fields are those of `move`.
    """

    move = make_text_field(limits.MOVE_CHARACTERS, load_default="")
    cell = make_short_text_field()
    row = Whole(-(10**6), 10**6)
    col = Whole(-(10**6), 10**6)
    piece = make_short_text_field(allow_none=True)
    include = Few(
        make_choice_field(INCLUDES),
        load_default=list,
        validate=validate.Length(max=limits.LISTED_NAMES),
    )
    players = make_player_names_field()
    make = Truth(load_default=False)
    player = Whole(1, 2)
    expected_ply = Whole(0, limits.LAST_PLY)
    auto = make_choice_field(AUTO, load_default="none")
    timestamp = Moment()

    def together(self, data: Mapping[str, Any]) -> None:
        """Ask for a cell by its name or by row and column, and not for both."""
        for name in ("row", "col"):
            if ("cell" in data) == (name in data):
                raise ValidationError("Give a cell, or row and col.", name)


class RenderRequest(OnState, Colouring, Carding, Timing):
    """`render`: the board at the last ply, at others, or with a move drawn."""

    ply = Whole(-1, limits.LAST_PLY)
    plies = Few(Whole(-1, limits.LAST_PLY), validate=validate.Length(equal=2))
    move = make_text_field(limits.MOVE_CHARACTERS)

    def together(self, data: Mapping[str, Any]) -> None:
        """Refuse two of `ply`, `plies` and `move`."""
        given = [key for key in ("ply", "plies", "move") if key in data]
        if len(given) > 1:
            raise ValidationError("Give one of ply, plies and move.", given[-1])


class EndRequest(OnState, Viewing):
    """`end`: end the game by something else than a move."""

    how = make_choice_field(ENDINGS, required=True)
    player = Whole(1, 2)
    expected_ply = Whole(0, limits.LAST_PLY)
    timestamp = Moment()

    def together(self, data: Mapping[str, Any]) -> None:
        """Ask for the seat where an ending has one, and only there."""
        if data.get("how") in BY_SEAT and "player" not in data:
            raise ValidationError("Needed for this ending.", "player")
        if data.get("how") not in BY_SEAT and "player" in data:
            raise ValidationError("This ending has no seat.", "player")


class ViewRequest(OnState, Viewing):
    """`view`: a state as its view."""


class ViewAtRequest(OnState, Viewing):
    """`at`: the view at an earlier ply; -1 is the last."""

    ply = Whole(-1, limits.LAST_PLY, required=True)


class HistoryRequest(OnState):
    """`history`: every ply, and the chat log."""

    players = make_player_names_field()


class SameMoveRequest(OnState):
    """`same`: whether two texts are one move."""

    move = make_text_field(limits.MOVE_CHARACTERS, required=True)
    other = make_text_field(limits.MOVE_CHARACTERS, required=True)


def _refuse_both(data: Mapping[str, Any], ours: str, theirs: str) -> None:
    if ours in data and theirs in data:
        raise ValidationError(f"Give {ours} or {theirs}.", theirs)


class RecordPlayer(RequestSchema):
    """A player as the record names them; `uid` and `isai` are other names of the two fields."""

    name = make_short_text_field(required=True)
    userid = make_short_text_field()
    uid = make_short_text_field()
    is_ai = Truth()
    isai = Truth()

    def together(self, data: Mapping[str, Any]) -> None:
        """Refuse a thing that is given by both of its names."""
        _refuse_both(data, "userid", "uid")
        _refuse_both(data, "is_ai", "isai")


class RecordRequest(OnState):
    """`record`: what the site knows of a finished game."""

    gameid = make_short_text_field()
    uid = make_short_text_field()
    site = make_short_text_field(load_default="Abstract Play")
    players = Few(fields.Nested(RecordPlayer), required=True, validate=validate.Length(equal=2))
    event = make_short_text_field()
    round = make_short_text_field()
    date_start = Moment(data_key="date-start", attribute="date-start")
    date_end = Moment(data_key="date-end", attribute="date-end")
    unrated = Truth()
    pied = Truth()
    running = Truth(load_default=False)
    timestamp = Moment()

    def together(self, data: Mapping[str, Any]) -> None:
        """Ask for the game's id by one of its two names."""
        _refuse_both(data, "gameid", "uid")
        if "gameid" not in data and "uid" not in data:
            raise ValidationError("Missing data for required field.", "gameid")


class ReplayRequest(RequestSchema, Viewing):
    """`replay`: a record, or variants and moves, played from the start."""

    record = fields.Dict()
    variants = Few(
        make_short_text_field(),
        allow_none=True,
        validate=validate.Length(max=limits.LISTED_NAMES),
    )
    moves = Few(
        make_text_field(limits.MOVE_CHARACTERS), validate=validate.Length(max=limits.REPLAYED_MOVES)
    )
    form = make_form_field(load_default=DEFAULT_FORM)
    timestamp = Moment()

    def together(self, data: Mapping[str, Any]) -> None:
        """Ask for a record or for moves, and not for both."""
        if ("record" in data) == ("moves" in data):
            raise ValidationError("Give a record, or variants and moves.", "record")
        if "record" in data and "variants" in data:
            raise ValidationError("A record names its own variants.", "variants")


class VerificationRequest(RequestSchema):
    """`verify`: the verdict on a state's whole history."""

    state = StateField(required=True)


class ConversionRequest(OnState):
    """`convert`: the state in another form, refused where something would be lost.

    With `normalise` it is made canonical instead, and what was dropped is listed.
    """

    form = make_form_field(required=True)
    normalise = Truth(load_default=False)


class SuggestionRequest(OnState):
    """`suggest`: the best moves that a search finds, and what it expects of them.

    Given `visits`, the answer depends on the request alone; given `seconds`, on the machine too.
    """

    level = Whole(WEAKEST, STRONGEST, load_default=STRONGEST)
    seed = Whole(0, limits.LARGEST_SEED, load_default=0)
    visits = Whole(1, limits.SUGGESTED_VISITS)
    seconds = Amount(0.01, limits.SUGGESTED_SECONDS)
    limit = Whole(1, limits.SUGGESTED_MOVES, load_default=5)
    move = make_text_field(limits.MOVE_CHARACTERS)
    expected_ply = Whole(0, limits.LAST_PLY)

    def together(self, data: Mapping[str, Any]) -> None:
        """Refuse both `visits` and `seconds`."""
        if "visits" in data and "seconds" in data:
            raise ValidationError("Give visits or seconds.", "seconds")


class ShownQuery(RequestSchema, Colouring):
    """A state as text, or moves from the start of variants."""

    state = make_text_field(limits.PICTURED_STATE)
    moves = Few(
        make_text_field(limits.MOVE_CHARACTERS), validate=validate.Length(max=limits.REPLAYED_MOVES)
    )
    variants = Few(make_short_text_field(), validate=validate.Length(max=limits.LISTED_NAMES))

    def together(self, data: Mapping[str, Any]) -> None:
        """Ask for a state or for moves, and not for both."""
        if ("state" in data) == ("moves" in data):
            raise ValidationError("Give a state, or variants and moves.", "state")
        if "state" in data and "variants" in data:
            raise ValidationError("A state names its own variants.", "variants")


class PictureQuery(ShownQuery, Carding):
    """`picture`: a state as text, or moves from the start of variants; with a height a card."""


class FilmQuery(ShownQuery, Timing):
    """`film`: the whole game up to a state, or through moves, or its `last` moves alone."""

    last = Whole(1, limits.FILMED_POSITIONS)


PICTURE, FILM = PictureQuery(), FilmQuery()


class BatchCall(RequestSchema):
    """One call of a batch: what its address and its body would be."""

    game = make_short_text_field(required=True)
    operation = fields.String(required=True)
    body = fields.Dict(required=True)

    def together(self, data: Mapping[str, Any]) -> None:
        """Refuse an operation that is none."""
        if data["operation"] not in REQUESTS:
            raise ValidationError(f"Must be one of: {', '.join(REQUESTS)}.", "operation")


class BatchRequest(RequestSchema):
    """`batch`: calls that are answered one after another, each for itself."""

    calls = Few(
        fields.Nested(BatchCall),
        required=True,
        validate=validate.Length(1, limits.BATCHED_CALLS),
    )


BATCH = BatchRequest()

#: Each operation's request, in the order of the contract.
REQUESTS: dict[str, RequestSchema] = {
    "new": NewGameRequest(),
    "move": MoveRequest(),
    "plan": PlanRequest(),
    "moves": LegalMovesRequest(),
    "random": RandomMoveRequest(),
    "validate": ValidationRequest(),
    "click": ClickRequest(),
    "render": RenderRequest(),
    "end": EndRequest(),
    "view": ViewRequest(),
    "at": ViewAtRequest(),
    "history": HistoryRequest(),
    "same": SameMoveRequest(),
    "record": RecordRequest(),
    "replay": ReplayRequest(),
    "verify": VerificationRequest(),
    "convert": ConversionRequest(),
    "suggest": SuggestionRequest(),
}
