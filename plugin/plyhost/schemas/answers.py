"""What answers look like: for the OpenAPI document, and for tests to hold answers against."""

from typing import Any

from marshmallow import EXCLUDE, Schema, fields

from plyhost.schemas.fields import Moment, StateField


class Answer(Schema):
    """The root."""

    class Meta:
        unknown = EXCLUDE


def _make_seats_field() -> Any:
    return fields.List(fields.Integer(), required=True)


class Advised(Answer):
    """What is to be said of a move text."""

    valid = fields.Boolean(required=True)
    complete = fields.Integer(required=True)
    canrender = fields.Boolean(required=True)
    message = fields.String(required=True)
    code = fields.String(required=True)
    params = fields.Dict(required=True)
    move = fields.String(required=True)
    autocomplete = fields.String(required=True, allow_none=True)


class View(Answer):
    """A game as it stands, with what `include` asked for."""

    contract = fields.Integer(required=True)
    game = fields.String(required=True)
    engine = fields.String(required=True)
    variants = fields.List(fields.String(), required=True)
    variant_names = fields.List(fields.String(), required=True)
    form = fields.String(required=True)
    state = StateField(required=True)
    ply = fields.Integer(required=True)
    currplayer = fields.Integer(required=True)
    to_move = fields.Integer(required=True, allow_none=True)
    gameover = fields.Boolean(required=True)
    winner = _make_seats_field()
    lastmove = fields.String(required=True, allow_none=True)
    results = fields.List(fields.Dict(), required=True)
    scores = _make_seats_field()
    colours = _make_seats_field()
    repetitions = fields.Integer(required=True)
    timestamp = Moment(required=True)
    previous_timestamp = Moment(required=True, allow_none=True)
    started = Moment(required=True)
    territory = fields.List(fields.Integer())
    scoring = fields.Dict()
    black = fields.Integer(allow_none=True)
    render = fields.Dict()
    moves = fields.List(fields.String())
    moves_count = fields.Integer()
    moves_truncated = fields.Boolean()
    sidebar = fields.Dict()
    buttons = fields.List(fields.Dict())
    prompt = fields.Nested(Advised)
    chat = fields.List(fields.List(fields.String()))
    text = fields.String()


class Applied(Answer):
    """One ply that a request made."""

    ply = fields.Integer(required=True)
    player = fields.Integer(required=True)
    move = fields.String(required=True)
    results = fields.List(fields.Dict(), required=True)
    timestamp = Moment(required=True)
    auto = fields.Boolean(required=True)


class Moved(View):
    """The view after the move, and the plies that were made."""

    applied = fields.List(fields.Nested(Applied), required=True)


class Listed(Answer):
    """The legal moves: their exact number, and a page of them."""

    count = fields.Integer(required=True)
    moves = fields.List(fields.String(), required=True)
    truncated = fields.Boolean(required=True)


class Rendered(Answer):
    """One board as render JSON, or several."""

    render = fields.Dict()
    renders = fields.List(fields.Dict())


class Told(Answer):
    """One ply of a history."""

    ply = fields.Integer(required=True)
    mover = fields.Integer(required=True, allow_none=True)
    notation = fields.String(required=True, allow_none=True)
    results = fields.List(fields.Dict(), required=True)
    timestamp = Moment(required=True)
    currplayer = fields.Integer(required=True)
    gameover = fields.Boolean(required=True)
    scores = _make_seats_field()


class Past(Answer):
    """Every ply, and the chat log."""

    plies = fields.List(fields.Nested(Told), required=True)
    chat = fields.List(fields.List(fields.String()), required=True)


class Compared(Answer):
    """Whether two texts are one move; `moves` are canonical, null where not legal."""

    same = fields.Boolean(required=True)
    legal = fields.List(fields.Boolean(), required=True)
    moves = fields.List(fields.String(allow_none=True), required=True)


class Recorded(Answer):
    """A game record."""

    record = fields.Dict(required=True)


class Judged(Answer):
    """A verdict: all in order, or the first thing that is not."""

    ok = fields.Boolean(required=True)
    plies_ok = fields.Integer(required=True)
    ply = fields.Integer(required=True, allow_none=True)
    move = fields.String(required=True, allow_none=True)
    field = fields.String(required=True, allow_none=True)
    code = fields.String(required=True, allow_none=True)
    reason = fields.String(required=True, allow_none=True)
    expected = fields.Raw(required=True, allow_none=True)
    found = fields.Raw(required=True, allow_none=True)
    where = fields.String(required=True, allow_none=True)
    message = fields.String(required=True, allow_none=True)


class Replayed(Judged):
    """The verdict on a replay, and the view that was reached."""

    view = fields.Nested(View, required=True)


class Converted(Answer):
    """The state in its new form, and what normalising dropped."""

    form = fields.String(required=True)
    state = StateField(required=True)
    dropped = fields.List(fields.Dict(), required=True)
    dropped_count = fields.Integer(required=True)


class Problem(Answer):
    """Why a request was refused (RFC 9457)."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    code = fields.String(required=True)
    params = fields.Dict(required=True)


class About(Answer):
    """What this server is: contract, engines, forms, limits."""

    name = fields.String(required=True)
    release = fields.String(required=True)
    contract = fields.Integer(required=True)
    engines = fields.Dict(required=True)
    forms = fields.List(fields.String(), required=True)
    limits = fields.Dict(required=True)


class GameInfo(Answer):
    """What a site shows of a game; `state` changes whenever the engine does."""

    name = fields.String(required=True)
    uid = fields.String(required=True)
    version = fields.String(required=True)
    dateAdded = fields.String(required=True)
    description = fields.String(required=True)
    rules = fields.String(required=True)
    notation = fields.String(required=True)
    notes = fields.List(fields.String(), required=True)
    urls = fields.List(fields.String(), required=True)
    bggid = fields.String(required=True, allow_none=True)
    people = fields.List(fields.Dict(), required=True)
    playercounts = fields.List(fields.Integer(), required=True)
    variants = fields.List(fields.Dict(), required=True)
    displays = fields.List(fields.Dict(), required=True)
    palettes = fields.Dict(required=True)
    flags = fields.List(fields.String(), required=True)
    categories = fields.List(fields.String(), required=True)
    reasons = fields.Dict(required=True)
    hints = fields.Dict(required=True)
    state = fields.String(required=True)


class Games(Answer):
    """Every game at hand."""

    games = fields.List(fields.Nested(GameInfo), required=True)


class Health(Answer):
    """That the server answers."""

    status = fields.String(required=True)


class Ready(Health):
    """That it can do its work; `redis` is `off`, `ok`, or `degraded` while it is away."""

    redis = fields.String(required=True)


PAGES: dict[str, Answer] = {
    "/v1": About(),
    "/v1/games": Games(),
    "/v1/games/{game}": GameInfo(),
    "/healthz": Health(),
    "/readyz": Ready(),
}

ANSWERS: dict[str, Answer] = {
    "new": View(),
    "move": Moved(),
    "moves": Listed(),
    "validate": Advised(),
    "click": Advised(),
    "render": Rendered(),
    "end": View(),
    "at": View(),
    "history": Past(),
    "same": Compared(),
    "record": Recorded(),
    "replay": Replayed(),
    "verify": Judged(),
    "convert": Converted(),
}
