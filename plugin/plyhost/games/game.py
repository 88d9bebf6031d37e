"""What a game is: a frozen position, its legal moves, and how it is told.

A game subclasses `Game` and is offered under the entry point `plyhost.games`.
Everything above this module (states, contract, drawing, replay) is written
against these methods alone.  They are pure; a move is whatever the game makes
of it, and nothing above looks inside one.

Where a method takes a move it trusts it: `read` is the door that checks.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

import msgspec

from plyhost.board.bits import Bits, Cell
from plyhost.board.hexes import Board, Point, get_board

Seat: TypeAlias = int
#: One of Abstract Play's result entries: `{"type": "place", "where": "d4"}`.
Event: TypeAlias = dict[str, Any]
#: An annotation of the render JSON, see `make_mark`.
Mark: TypeAlias = dict[str, Any]

PlaceT = TypeVar("PlaceT", bound="Position")
MoveT = TypeVar("MoveT")

# What `\s` matches in JavaScript, which is not what Python strips.
_SPACE = re.compile("[\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")


class Position(msgspec.Struct, frozen=True):
    """A board with stones and the seat to move; games add fields.

    `stones` holds the cells whose value in a stored Map is 1, then those of 2.
    `seat` is 1 or 2.
    """

    board: Board
    stones: tuple[Bits, Bits]
    seat: Seat


class Illegal(Exception):
    """A text is no legal move here: `reason` is of the game's closed list, `params` fill it."""

    def __init__(self, reason: str, **params: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.params = params


class Unsettled(Exception):
    """The position is too early to be compared."""


@dataclass(frozen=True)
class Variant:
    """One choice of board: `uid` as stored, `side` in cells; `default` preselects it in a form.

    `other_names` are those that records may give it, in whatever language.
    """

    uid: str
    name: str
    description: str
    side: int
    group: str = "board"
    default: bool = False
    other_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Display:
    """One way to draw: `style` is a board style of the render JSON."""

    uid: str
    name: str
    description: str
    style: str = "hex-of-hex"


@dataclass(frozen=True)
class Boards:
    """How pictures of a game look: the board for each palette that may be asked for, by its name.

    `joined` bridges neighbouring stones of one colour, where groups matter.
    """

    light: str = "light"
    dark: str = "dark"
    safe: str = "safe"
    mono: str = "mono"
    joined: bool = False


@dataclass(frozen=True, eq=False)
class Info:
    """What a site shows of a game; the names are Abstract Play's gameinfo.

    The first of `variants` whose uid begins with `#` is the default board, stored as no variant.
    `versions` are the engine versions whose stored states can be read; the last is written.
    """

    uid: str
    name: str
    versions: tuple[str, ...]
    date_added: str
    description: str
    rules: str
    notation: str
    urls: tuple[str, ...]
    people: tuple[Mapping[str, Any], ...]
    variants: tuple[Variant, ...]
    displays: tuple[Display, ...]
    flags: tuple[str, ...]
    categories: tuple[str, ...]
    bggid: str | None = None
    notes: tuple[str, ...] = ()
    boards: Boards = Boards()

    @cached_property
    def version(self) -> str:
        """The engine version that new entries carry."""
        return self.versions[-1]

    @cached_property
    def standard(self) -> Variant:
        """The board that no variant stands for."""
        return next(variant for variant in self.variants if variant.uid.startswith("#"))

    @cached_property
    def by_uid(self) -> dict[str, Variant]:
        """The variants by uid."""
        return {variant.uid: variant for variant in self.variants}


def make_mark(
    kind: str, targets: Sequence[Point], colour: int | None = None, **options: Any
) -> Mark:
    """Return something to draw over the board, its targets in order."""
    if colour is None:
        return {"type": kind, "targets": targets, **options}
    return {"type": kind, "colour": colour, "targets": targets, **options}


@dataclass(frozen=True)
class Advice:
    """What is known of a text that some legal turn begins with.

    `complete` is 1 (nothing can follow), 0 (it may be played, more may follow) or -1 (more is
    needed); `hint` names a sentence of `Game.hints`; `text` is the canonical form.
    """

    complete: int
    canrender: bool
    hint: str
    text: str
    autocomplete: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


def clean_move_text(text: str) -> str:
    """Return a move text without white space and in lower case; Illegal unless it is ASCII."""
    text = _SPACE.sub("", text)
    if not text.isascii():
        # Before lowering: the Kelvin sign lowers to a plain k.
        raise Illegal("malformed", move=text)
    return text.lower()


def find_common_start(texts: Sequence[str]) -> str:
    """Return the longest text that all of them begin with."""
    first, last = min(texts, default=""), max(texts, default="")
    same = 0
    while same < len(first) and first[same] == last[same]:
        same += 1
    return first[:same]


class Game(ABC, Generic[PlaceT, MoveT]):
    """The rules of one game."""

    info: ClassVar[Info]
    #: The closed list of reasons, in order of precedence: code -> sentence with `{params}`.
    reasons: ClassVar[Mapping[str, str]]
    #: Sentences for texts that are not refused: code -> sentence.
    hints: ClassVar[Mapping[str, str]]
    #: Whether a position can come back, so that repetitions need to be counted.
    repeats: ClassVar[bool] = False
    #: The types of what `shown` returns, by field.
    shown_types: ClassVar[Mapping[str, Any]] = {}
    #: A subclass of `plyhost.search.guide.Guide`, for a game that knows more of good play than the
    #: search that knows only its rules.
    guide: ClassVar[type[Any] | None] = None

    #: The rules of the newest engine, where these are those of an older one.
    _newest: "Game[Any, Any] | None" = None
    #: Whether these rules hold for the entries of every engine.
    _is_fixed = False

    @cached_property
    def version(self) -> str:
        """The engine whose rules these are; new entries carry it."""
        return self.info.version

    @cached_property
    def _older(self) -> dict[str, "Game[Any, Any]"]:
        return {}

    def keep_rules(self, version: str, rules: "Game[Any, Any]") -> None:
        """Keep the rules by which an older engine's entries were made, where ours are others."""
        rules.version, rules._newest = version, self
        self._older[version] = rules

    def rules(self, version: str | None) -> "Game[Any, Any]":
        """Return the game by the rules of an engine of `Info.versions`; None is the newest."""
        if self._is_fixed:
            return self
        newest = self._newest or self
        return newest._older.get(version or "", newest)

    def name_engine(self, version: str) -> str:
        """Return the engine by which an entry of a version is judged."""
        return self.version if self._is_fixed else version

    def fix_rules(self, version: str) -> "Game[Any, Any]":
        """Return the rules of an engine as those by which every entry is judged."""
        fixed = copy(self.rules(version))
        fixed._is_fixed = True
        fixed.version = version
        return fixed

    def start(self, side: int) -> PlaceT:
        """Return the position before the first move."""
        return self.restore(get_board(side), (0, 0), 1, {})

    @abstractmethod
    def restore(
        self, on: Board, stones: tuple[Bits, Bits], seat: Seat, stored: Mapping[str, Any]
    ) -> PlaceT:
        """Return the position of a stored entry.

        `stored` holds the entry's own fields, those of `stored()`; raises ValueError with the
        field's name as its first argument when one is wrong.
        """

    def stored(self, position: PlaceT) -> dict[str, Any]:
        """Return the fields beyond the board that an entry keeps for `restore`."""
        return {}

    @abstractmethod
    def moves(self, position: PlaceT) -> Iterator[MoveT]:
        """Yield the legal moves in the contract's order."""

    def count(self, position: PlaceT) -> int:
        """Return how many legal moves there are."""
        return sum(1 for _ in self.moves(position))

    @abstractmethod
    def read(self, position: PlaceT, text: str, version: str | None = None) -> MoveT:
        """Return the legal move that a text spells; raises Illegal with a reason.

        With `version` the text is a stored one and is read as that engine version wrote it.
        """

    def choose_sentence(self, illegal: "Illegal") -> str:
        """Return the sentence of a refusal: its reason's, or the hint that its `say` names."""
        say = illegal.params.get("say")
        return self.reasons[illegal.reason] if say is None else self.hints[say]

    def allows(self, position: PlaceT, move: MoveT) -> bool:
        """Tell whether a move that `unpack` returned is legal; so does `read` of its text."""
        try:
            return self.read(position, self.text(position, move)) == move
        except Illegal:
            return False

    @abstractmethod
    def text(self, position: PlaceT, move: MoveT) -> str:
        """Return the canonical notation of a legal move."""

    @abstractmethod
    def play(self, position: PlaceT, move: MoveT) -> PlaceT:
        """Return the position after a legal move."""

    def most_stones(self, plies: int) -> int:
        """Return how many stones there may be at most after so many moves; by default one each."""
        return plies

    @abstractmethod
    def undo(self, position: PlaceT, move: MoveT, ply: int) -> PlaceT:
        """Return the position before the last move, which was made as ply number `ply` (from 1).

        From there the move leads here, if it is legal there; raises ValueError when it cannot.
        """

    @abstractmethod
    def events(self, position: PlaceT, move: MoveT) -> list[Event]:
        """Return what a legal move does, as Abstract Play's results, the end left out."""

    @abstractmethod
    def winners(self, position: PlaceT) -> list[Seat] | None:
        """Return the winning seats if the game has ended here by its own rules, else None."""

    @abstractmethod
    def settled(self, position: PlaceT) -> list[Seat]:
        """Return the winning seats if both players agree to stop; raises Unsettled."""

    @abstractmethod
    def scores(self, position: PlaceT) -> list[int]:
        """Return the pair of scores that a stored entry carries, by seat."""

    def shown(self, position: PlaceT) -> dict[str, Any]:
        """Return the fields that a view of this game has beyond the common ones."""
        return {}

    def colours(self, position: PlaceT) -> list[int]:
        """Return the palette numbers of seats 1 and 2."""
        return [1, 2]

    def recurs(self, move: MoveT) -> bool:
        """Tell whether a position from before this move may come back after it."""
        return False

    @abstractmethod
    def advise(self, position: PlaceT, text: str) -> Advice:
        """Return what is known of a text, also an empty or partial one; raises Illegal."""

    @abstractmethod
    def click(self, position: PlaceT, text: str, cell: Cell) -> str:
        """Return the text after a click on a cell; it may turn out to be illegal."""

    @abstractmethod
    def targets(self, position: PlaceT, text: str) -> Iterator[tuple[Cell, str]]:
        """Yield the cells whose click after a text is good, each with what it does.

        That is `pick`, `move`, `place`, `capture`, `bite` or `take-back`.  The cells are just those
        for which `advise` accepts what `click` returns.
        """

    def buttons(self, position: PlaceT) -> list[dict[str, str]]:
        """Return the legal moves that no click makes: `{"key", "label", "move"}` each."""
        return []

    def sketch(self, position: PlaceT, text: str) -> tuple[tuple[Bits, Bits], list[Mark]]:
        """Return the stones and marks to draw for a partial text that `advise` accepts."""
        return position.stones, []

    @abstractmethod
    def marks(self, position: PlaceT, events: Sequence[Event], display: str) -> list[Mark]:
        """Return the marks of a display: the last turn's events first, then the position's."""

    @abstractmethod
    def pack(self, position: PlaceT, move: MoveT) -> bytes:
        """Return a legal move as a few bytes, for compact states."""

    @abstractmethod
    def unpack(self, on: Board, data: bytes, start: int) -> tuple[MoveT, int]:
        """Return the move packed at `start` and the index behind it; raises ValueError."""

    def name_seat(self, position: PlaceT, seat: Seat) -> str:
        """Return what a sentence calls a player."""
        return f"Player {seat}"

    def name_colours(self, position: PlaceT) -> tuple[str, str]:
        """Return what a sentence calls the owners of the stones of values 1 and 2."""
        one, two = (self.name_seat(position, seat) for seat in (1, 2))
        return (one, two) if self.colours(position)[0] == 1 else (two, one)

    def say_end(self, position: PlaceT) -> str:
        """Return why a game that ended by its own rules did, and so; no full stop."""
        return "the game ended by its rules"

    def say_lead(self, position: PlaceT) -> str:
        """Return what decides when the players agree to compare; no full stop."""
        return self.say_end(position)

    @abstractmethod
    def score_name(self) -> str:
        """Return what a site writes over the pair of scores."""

    def explain(self, position: PlaceT) -> list[str]:
        """Return lines of plain text that tell the score, for the text board; not who leads."""
        return []


#: A game of which no more is known than that it is one.
AnyGame: TypeAlias = Game[Any, Any]
