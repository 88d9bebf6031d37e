"""What answers look like: typed shapes, from which the OpenAPI document's schemas are made.

`refer` stands for a schema that is put together in `plyhost.schemas.shapes`: a union, or one that
the games at hand fill.
"""

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from plyhost.schemas.fields import MOMENT_PATTERN
from plyhost.states.forms import FORMS

REFERENCE = "#/components/schemas/{name}"


def refer(name: str) -> msgspec.Meta:
    """Return what makes the schema of a type a reference to one of another making."""
    return msgspec.Meta(extra_json_schema={"$ref": REFERENCE.format(name=name)})


Seat: TypeAlias = Literal[1, 2]
Form: TypeAlias = Literal[FORMS]  # type: ignore[valid-type]
Pair: TypeAlias = tuple[int, int]
Moment: Any = Annotated[str, msgspec.Meta(pattern=MOMENT_PATTERN)]
#: The seats that won: none while a game runs or when it was abandoned, both for a draw.
Winners: Any = Annotated[list[Seat], msgspec.Meta(max_length=2)]
#: A moment, then the sentences of its ply.
ChatLog: TypeAlias = list[list[str]]
State: TypeAlias = Annotated[Any, refer("State")]
RenderJson: TypeAlias = Annotated[Any, refer("RenderJson")]
MovePlan: TypeAlias = Annotated[Any, refer("MovePlan")]
View: TypeAlias = Annotated[Any, refer("GameView")]
ViewAfterMove: TypeAlias = Annotated[Any, refer("GameViewAfterMove")]


class Answer(msgspec.Struct, kw_only=True):
    """The root: answers may gain fields."""


# --- what happens in a turn: Abstract Play's results ----------------------------------------


class PlaceResult(Answer, tag_field="type", tag="place"):
    """A stone came on a cell; `what` is its colour where a player places both."""

    where: str
    what: Literal["black", "white"] | UnsetType = UNSET


class CaptureResult(Answer, tag_field="type", tag="capture"):
    """A stone was taken from a cell."""

    where: str


class MoveResult(Answer, tag_field="type", tag="move"):
    """A stone went from one cell to another."""

    from_: str = msgspec.field(name="from")
    to: str


class PassResult(Answer, tag_field="type", tag="pass"):
    """The player passed."""


class PieResult(Answer, tag_field="type", tag="pie"):
    """The player chose the other side."""


class ResignedResult(Answer, tag_field="type", tag="resigned"):
    """A player gave up."""

    player: Seat


class TimeoutResult(Answer, tag_field="type", tag="timeout"):
    """A player's time was over."""

    player: Seat


class DrawAgreedResult(Answer, tag_field="type", tag="drawagreed"):
    """Both players agreed to a draw."""


class AbandonedResult(Answer, tag_field="type", tag="gameabandoned"):
    """Nobody went on."""


class EndResult(Answer, tag_field="type", tag="eog"):
    """The game ended; `reason` tells an end that no move made."""

    reason: Literal["agreement", "repetition"] | UnsetType = UNSET


class WinnersResult(Answer, tag_field="type", tag="winners"):
    """Who won: one, both for a draw, none of an abandoned game."""

    players: Winners


Result: TypeAlias = (
    PlaceResult
    | CaptureResult
    | MoveResult
    | PassResult
    | PieResult
    | ResignedResult
    | TimeoutResult
    | DrawAgreedResult
    | AbandonedResult
    | EndResult
    | WinnersResult
)
#: The union by name, so that generators make one type of it.
Results: TypeAlias = list[Annotated[Any, refer("GameResult")]]


# --- a text judged --------------------------------------------------------------------------


class ClickTarget(Answer):
    """A cell whose click leads on, and what the click does."""

    cell: str
    row: int
    col: int
    does: Literal["pick", "move", "place", "capture", "bite", "take-back"]


class MoveVerdict(Answer):
    """What is to be said of a move text.

    `complete` is 1 when nothing can follow, 0 when it can be played and more may follow, -1 when
    more is needed.
    """

    valid: bool
    complete: Literal[-1, 0, 1]
    canrender: bool
    message: str
    code: str
    params: dict[str, Any]
    move: str
    autocomplete: str | None
    targets: list[ClickTarget] | UnsetType = UNSET
    render: RenderJson | UnsetType = UNSET
    svg: str | UnsetType = UNSET


class ClickVerdict(MoveVerdict):
    """The verdict on the text after a click.

    With `make` there is a `view`: that after the move, or null where the click completed none.
    """

    view: ViewAfterMove | UnsetType | None = UNSET


# --- a game as it stands --------------------------------------------------------------------


class SidebarScores(Answer):
    """A pair of scores by seat, and what to write over it."""

    name: str
    scores: Pair
    spoiler: bool


class Sidebar(Answer):
    """What a site shows beside the board."""

    scores: list[SidebarScores]
    statuses: list[str]


class MoveButton(Answer):
    """A move that no click makes: `key` for code, `label` for people."""

    key: str
    label: str
    move: str


class HistoryPly(Answer):
    """One ply of a history; `player` and `move` are null for the start."""

    ply: int
    player: Seat | None
    move: str | None
    results: Results
    timestamp: Moment
    currplayer: Seat
    gameover: bool
    scores: Pair


class CommonView(Answer):
    """A game as it stands, with what `include` asked for."""

    contract: int
    engine: str
    variants: list[str]
    variant_names: list[str]
    form: Form
    state: State
    ply: int
    currplayer: Seat
    to_move: Seat | None
    gameover: bool
    winner: Winners
    lastmove: str | None
    results: Results
    summary: str
    scores: Pair
    colours: Pair
    repetitions: int
    timestamp: Moment
    previous_timestamp: Moment | None
    started: Moment
    render: RenderJson | UnsetType = UNSET
    svg: str | UnsetType = UNSET
    moves: list[str] | UnsetType = UNSET
    moves_count: int | UnsetType = UNSET
    moves_truncated: bool | UnsetType = UNSET
    sidebar: Sidebar | UnsetType = UNSET
    buttons: list[MoveButton] | UnsetType = UNSET
    prompt: MoveVerdict | UnsetType = UNSET
    targets: list[ClickTarget] | UnsetType = UNSET
    history: list[HistoryPly] | UnsetType = UNSET
    chat: ChatLog | UnsetType = UNSET
    text: str | UnsetType = UNSET


class AppliedPly(Answer):
    """One ply that a request made; `auto` tells those that were forced."""

    ply: int
    player: Seat
    move: str
    results: Results
    timestamp: Moment
    auto: bool


class CommonViewAfterMove(CommonView, kw_only=True):
    """A game after a move: the plies that were made, and what remains of a plan that was given."""

    applied: list[AppliedPly]
    plan: MovePlan | UnsetType = UNSET


# --- other answers --------------------------------------------------------------------------


class LegalMoves(Answer):
    """The legal moves: their exact number, and a page of them."""

    count: int
    moves: list[str]
    truncated: bool


class PlanFault(Answer):
    """A branch that cannot be played: the moves that lead to it, the last the one at fault."""

    path: list[str]
    reason: str
    message: str
    params: dict[str, Any]


class PlanVerdict(Answer):
    """The verdict on a plan of so many answers, and the plan as it should be kept if it is good."""

    valid: bool
    player: Seat
    count: int
    faults: list[PlanFault]
    plan: MovePlan | None


class RandomMove(Answer):
    """One of so many legal moves."""

    count: int
    move: str


class RenderedBoards(Answer):
    """One board as render JSON, or several."""

    render: RenderJson | UnsetType = UNSET
    renders: list[RenderJson] | UnsetType = UNSET


class GameHistory(Answer):
    """Every ply, and the chat log."""

    plies: list[HistoryPly]
    chat: ChatLog


class MoveComparison(Answer):
    """Whether two texts are one move; `moves` are canonical, null where not legal."""

    same: bool
    legal: tuple[bool, bool]
    moves: tuple[str | None, str | None]


class RecordedGame(Answer):
    """A game by the name of its record."""

    name: str
    variants: list[str]


class RecordedSite(Answer):
    """Where a game was played."""

    name: str
    gameid: str


class RecordedPlayer(Answer):
    """A player by seat, with what the game gave; no `result` while it runs."""

    name: str
    score: int
    result: int | UnsetType = UNSET
    userid: str | UnsetType = UNSET
    is_ai: bool | UnsetType = UNSET


class RecordHeader(Answer):
    """What stands over the moves of a record; `version` names an engine that wrote otherwise."""

    game: RecordedGame
    site: RecordedSite
    date_start: Moment = msgspec.field(name="date-start")
    date_end: Moment = msgspec.field(name="date-end")
    date_generated: Moment = msgspec.field(name="date-generated")
    players: list[RecordedPlayer]
    event: str | UnsetType = UNSET
    round: str | UnsetType = UNSET
    version: str | UnsetType = UNSET
    unrated: bool | UnsetType = UNSET
    pie_invoked: bool | UnsetType = msgspec.field(name="pie-invoked", default=UNSET)


class GameRecord(Answer):
    """Abstract Play's record of a game: its moves in rounds of two."""

    header: RecordHeader
    moves: list[list[str]]


class RecordAnswer(Answer):
    """A game record."""

    record: GameRecord


class GameVerdict(Answer):
    """A verdict: all in order, or the first thing that is not.

    `expected` is what the rules give, `found` what the state or record holds.
    """

    ok: bool
    plies_ok: int
    ply: int | None
    move: str | None
    field: str | None
    code: str | None
    reason: str | None
    expected: Any
    found: Any
    where: str | None
    message: str | None
    read_as: str | None


class ReplayVerdict(GameVerdict):
    """The verdict on a replay, and the view that was reached."""

    view: View


class DroppedPart(Answer):
    """What normalising dropped, and where it stood."""

    where: str
    what: str


class ConvertedState(Answer):
    """The state in its new form, and what normalising dropped."""

    form: Form
    state: State
    dropped: list[DroppedPart]
    dropped_count: int


class SuggestedMove(Answer):
    """A move, how often the search tried it, and the share of a win that its seat may expect.

    `line` is how the game is expected to go on; `proved` tells that what is expected is certain.
    """

    move: str
    visits: int
    expected: float
    proved: bool
    line: list[str]


class Suggestion(Answer):
    """The move to play, the best ones with what is expected of them, and what was asked about."""

    ply: int
    to_move: Seat
    level: int
    move: str
    moves: list[SuggestedMove]
    analysis: SuggestedMove | None
    visits: int
    stopped: str


class BatchEntry(Answer):
    """What became of one call: an `answer` with status 200, a `problem` with any other."""

    status: int
    answer: dict[str, Any] | UnsetType = UNSET
    problem: Annotated[Any, refer("Problem")] | UnsetType = UNSET


class BatchAnswers(Answer):
    """What became of each call, in their order."""

    answers: list[BatchEntry]


# --- what is here ---------------------------------------------------------------------------


class ServiceInfo(Answer):
    """What this server is: contract, engine versions by game, forms, limits."""

    name: str
    release: str
    contract: int
    engines: dict[str, list[str]]
    forms: list[Form]
    limits: dict[str, float]


class Person(Answer):
    """Somebody who made a game."""

    type: str
    name: str
    urls: list[str] | UnsetType = UNSET


class VariantInfo(Answer):
    """One choice of board; `default` preselects it in a form."""

    uid: str
    name: str
    description: str
    group: str
    default: bool


class DisplayInfo(Answer):
    """One way to draw."""

    uid: str
    name: str
    description: str


class GameInfo(Answer):
    """What a site shows of a game; `state` changes whenever the engine does.

    `colours` are the two players' by palette, as `#rrggbb`.
    """

    name: str
    uid: str
    version: str
    versions: list[str]
    dateAdded: str
    description: str
    rules: str
    notation: str
    notes: list[str]
    urls: list[str]
    bggid: str | None
    people: list[Person]
    playercounts: list[int]
    variants: list[VariantInfo]
    displays: list[DisplayInfo]
    flags: list[str]
    categories: list[str]
    reasons: dict[str, str]
    hints: dict[str, str]
    colours: dict[str, tuple[str, str]]
    state: str


class GameList(Answer):
    """Every game at hand."""

    games: list[GameInfo]


class Health(Answer):
    """That the server answers."""

    status: Literal["ok"]


class GameLeftOut(Answer):
    """An installed game that is not hosted, by its entry point; `why` ends a sentence about it."""

    name: str
    why: str


class Readiness(Health):
    """That it can do its work."""

    redis: Literal["off", "ok", "degraded"]
    games_left_out: list[GameLeftOut]


PAGES: dict[str, type[Answer]] = {
    "/v1": ServiceInfo,
    "/v1/games": GameList,
    "/v1/games/{game}": GameInfo,
    "/healthz": Health,
    "/readyz": Readiness,
}

#: What does not belong to one game.
BATCH = BatchAnswers

#: Each operation's answer.
ANSWERS: dict[str, Any] = {
    "new": View,
    "move": ViewAfterMove,
    "plan": PlanVerdict,
    "moves": LegalMoves,
    "random": RandomMove,
    "validate": MoveVerdict,
    "click": ClickVerdict,
    "render": RenderedBoards,
    "end": View,
    "view": View,
    "at": View,
    "history": GameHistory,
    "same": MoveComparison,
    "record": RecordAnswer,
    "replay": ReplayVerdict,
    "verify": GameVerdict,
    "convert": ConvertedState,
    "suggest": Suggestion,
}
