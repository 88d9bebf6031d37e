"""What a game must be like to be hosted, tried on a few moves of each board before it is.

A game that passes gives answers that can be written, drawn and described.  That its rules are sound
is for `plyhost check-game` to say, which plays whole games.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import msgspec
import orjson

from plyhost.board.bits import Bits
from plyhost.board.hexes import LARGEST_SIDE, SMALLEST_SIDE, Board
from plyhost.games.game import Advice, AnyGame, Event, Game, Info, Mark, Position, Variant

#: What can be drawn: styles of the render JSON, and palettes by name.
STYLES = ("hex-of-hex", "hex-of-tri")
PALETTES = ("light", "dark", "safe", "mono", "wood", "night")
#: Plies that are tried on each board.
PLIES = 2

_UID = re.compile(r"[a-z][a-z0-9-]{0,39}")
#: Names that the documents give to other things than games.
_RESERVED = ("common", "game")
_Pair = tuple[int, int]


class Unfit(ValueError):
    """A game cannot be hosted: the text says why, as the end of a sentence about it."""


def check_game(game: Any) -> None:
    """Try a game's words and each of its boards; raises Unfit for whatever is wrong."""
    if not isinstance(game, Game):
        raise Unfit(f"is a {type(game).__name__}, not an instance of a subclass of Game")
    _check_words(game)
    for variant in game.info.variants:
        try:
            _check_board(game, variant)
        except Unfit as unfit:
            raise Unfit(f"on the board {variant.uid} {unfit}") from unfit
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            raise Unfit(f"on the board {variant.uid} fails with {told}") from error


def _check_words(game: AnyGame) -> None:
    try:
        _check_info(game.info)
        for words in (game.reasons, game.hints):
            msgspec.convert(dict(words), dict[str, str])
        msgspec.json.schema(msgspec.defstruct("View", list(game.shown_types.items())))
    except Unfit:
        raise
    except Exception as error:
        raise Unfit(f"cannot be described: {type(error).__name__}: {error}") from error
    if type(game).__module__ not in sys.modules:
        raise Unfit(f"has its class in {type(game).__module__}, which is no module")


def _check_info(info: Info) -> None:
    orjson.dumps(msgspec.convert(asdict(info), Info))
    if not _UID.fullmatch(info.uid) or info.uid in _RESERVED:
        raise Unfit("needs a uid of 1 to 40 of a-z, 0-9 and dashes that is not common or game")
    if not info.versions or not all(info.versions):
        raise Unfit("names no engine version")
    if len(info.by_uid) < len(info.variants):
        raise Unfit("has two variants of one uid")
    if not any(one.uid.startswith("#") and one.group == "board" for one in info.variants):
        raise Unfit("needs a variant whose uid begins with #, its default board")
    _check_looks(info)


def _check_looks(info: Info) -> None:
    for variant in info.variants:
        if not SMALLEST_SIDE <= variant.side <= LARGEST_SIDE:
            told = f"{SMALLEST_SIDE} to {LARGEST_SIDE}"
            raise Unfit(f"has a board of side {variant.side}; sides go from {told}")
    for display in info.displays:
        if display.style not in STYLES:
            raise Unfit(f"has a display of style {display.style}; we draw {', '.join(STYLES)}")
    boards = info.boards
    for palette in (boards.light, boards.dark, boards.safe, boards.mono):
        if palette not in PALETTES:
            raise Unfit(f"wants the palette {palette}; there are {', '.join(PALETTES)}")


def _check_board(game: AnyGame, variant: Variant) -> None:
    position = game.start(variant.side)
    for ply in range(1, PLIES + 1):
        _check_position(game, position, variant.side)
        move = next(iter(game.moves(position)), None)
        if move is None:
            return
        position = _try_move(game, position, move, ply)


def _try_move(game: AnyGame, position: Position, move: Any, ply: int) -> Position:
    text = _check_value("text", game.text(position, move), str)
    if not text.isascii() or not game.read(position, text) == move:
        raise Unfit(f"does not read its own text {text!r} as the move it is of")
    events = _check_value("events", game.events(position, move), list[Event])
    if any(not isinstance(event.get("type"), str) for event in events):
        raise Unfit("has an event without a type")
    packed = _check_value("pack", game.pack(position, move), bytes)
    if game.unpack(position.board, packed, 0) != (move, len(packed)):
        raise Unfit(f"does not unpack {text} from its bytes")
    after: Position = game.play(position, move)
    _check_position(game, after, position.board.side)
    if game.undo(after, move, ply) != position:
        raise Unfit(f"does not take {text} back")
    _check_value("marks", game.marks(after, events, ""), list[Mark])
    return after


def _check_position(game: AnyGame, position: Any, side: int) -> None:
    if not isinstance(position, Position):
        raise Unfit(f"returns a {type(position).__name__} for a Position")
    if not isinstance(position.board, Board) or position.board.side != side:
        raise Unfit("has a board that cannot be drawn: only hexagons of hexagons can, of its side")
    _check_stones(position)
    for name, kind in _ANSWERS.items():
        _check_value(name, getattr(game, name)(position), kind)
    advice = game.advise(position, "")
    if not isinstance(advice, Advice) or advice.hint not in game.hints:
        raise Unfit("gives an Advice whose hint is none of its hints")
    _check_value("targets", list(game.targets(position, "")), list[tuple[int, str]])


#: What methods that take only a position must return.
_ANSWERS: dict[str, Any] = {
    "stored": dict[str, Any],
    "count": int,
    "winners": list[int] | None,
    "scores": _Pair,
    "shown": dict[str, Any],
    "colours": _Pair,
    "buttons": list[dict[str, str]],
    "explain": list[str],
}


def _check_stones(position: Position) -> None:
    """Refuse more or less than two kinds of stone, which is where our states and pictures end."""
    if not (isinstance(position.stones, tuple) and len(position.stones) == 2):
        raise Unfit("needs two kinds of stone, no more: positions are kept as the cells of each")
    one, two = (_check_value("stones", cells, int) for cells in position.stones)
    if _lie_outside(one | two, position.board) or one & two or position.seat not in (1, 2):
        raise Unfit("has stones off the board, two on a cell, or a seat that is not 1 or 2")


def _lie_outside(cells: Bits, board: Board) -> bool:
    return bool(cells & ~board.mask)


def _check_value(name: str, value: Any, kind: Any) -> Any:
    """Return a value that is of a kind and can be written as JSON; raises Unfit."""
    try:
        found = msgspec.convert(value, kind, strict=True)
        if kind not in (bytes, int):  # Sets of cells are larger than JSON's whole numbers.
            orjson.dumps(found)
    except (msgspec.ValidationError, TypeError) as error:
        raise Unfit(f"returns a wrong {name}: {error}") from error
    return value


def list_twins(game: AnyGame, others: Iterator[AnyGame]) -> list[str]:
    """Return what of a game's uid and name other games have already."""
    taken = {word for other in others for word in (other.info.uid, other.info.name.lower())}
    return [word for word in (game.info.uid, game.info.name) if word.lower() in taken]
