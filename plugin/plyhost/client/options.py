"""The optional fields of each operation's request, as docs/contract.md tells them."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from plyhost.schemas.answers import Form, Seat

State = str | dict[str, Any]
Names = Sequence[str]
Include = Literal[
    "render", "svg", "moves", "sidebar", "buttons", "prompt", "targets", "history", "chat", "text"
]
Ending = Literal["resign", "timeout", "draw", "abandoned", "settle", "repetition"]


class Drawing(TypedDict, total=False):
    """How boards are drawn; `perspective` is the seat below, 0 for as it is."""

    display: str | None
    perspective: Literal[0, 1, 2]


class Inking(Drawing, total=False):
    """How an SVG that is included looks."""

    palette: Literal["light", "dark", "safe", "mono", "auto"]
    colours: Names
    background: str
    labels: bool


class Viewing(Inking, total=False):
    """What a view includes."""

    include: Sequence[Include]
    players: Names


class Checking(TypedDict, total=False):
    """Whether the state's whole history is verified first."""

    verify: bool


class NewOptions(Viewing, total=False):
    """Of `new`."""

    variants: Names | None
    form: Form
    timestamp: str


class ViewOptions(Viewing, Checking, total=False):
    """Of `view` and `at`."""


class EndOptions(ViewOptions, total=False):
    """Of `end`."""

    player: Seat
    expected_ply: int
    timestamp: str


class PlannedAnswer(TypedDict):
    """A move that answers another, and the plan from there."""

    move: str
    then: NotRequired["Plan"]


#: What to answer, by what the other player may play.
Plan = Mapping[str, PlannedAnswer]


class MoveOptions(EndOptions, total=False):
    """Of `move`; `plan` is that of the player who waits."""

    auto: Literal["none", "pass", "forced"]
    plan: Plan


class PlanOptions(Checking, total=False):
    """Of `plan`."""

    player: Seat
    expected_ply: int


class MovesOptions(Checking, total=False):
    """Of `moves`."""

    limit: int
    offset: int
    prefix: str


class RandomOptions(Checking, total=False):
    """Of `random`."""

    seed: int


class ValidateOptions(Inking, Checking, total=False):
    """Of `validate`."""

    include: Sequence[Literal["targets", "render", "svg"]]


class ClickOptions(ViewOptions, total=False):
    """Of `click`: the cell by name, or by row and column; with `make` the move is made."""

    make: bool
    player: Seat
    expected_ply: int
    auto: Literal["none", "pass", "forced"]
    timestamp: str
    move: str
    cell: str
    row: int
    col: int
    piece: str | None


class RenderOptions(Inking, Checking, total=False):
    """Of `render`; `width` and `height` in pixels, `step` in milliseconds."""

    step: int
    loops: bool
    height: int
    players: Names
    width: int
    ply: int
    plies: tuple[int, int]
    move: str


class HistoryOptions(Checking, total=False):
    """Of `history`."""

    players: Names


class RecordOptions(Checking, total=False):
    """Of `record`; `date_start` and `date_end` are the request's `date-start`, `date-end`."""

    gameid: str
    uid: str
    site: str
    event: str
    round: str
    date_start: str
    date_end: str
    unrated: bool
    pied: bool
    running: bool
    timestamp: str


class ReplayOptions(NewOptions, total=False):
    """Of `replay`: a record, or moves."""

    record: dict[str, Any]
    moves: Names


class ConvertOptions(Checking, total=False):
    """Of `convert`."""

    normalise: bool


class SuggestOptions(Checking, total=False):
    """Of `suggest`."""

    level: int
    seed: int
    visits: int
    seconds: float
    limit: int
    move: str
    expected_ply: int
