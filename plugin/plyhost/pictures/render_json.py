"""A position and its marks as the render JSON of Abstract Play's renderer."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from plyhost.board.bits import Bits, format_cell_letters
from plyhost.board.hexes import Board
from plyhost.games.game import AnyGame, Event, Info, Mark, Position
from plyhost.states.steps import Step

DEFAULT_STYLE = "hex-of-hex"
#: Degrees by which a seat's perspective turns the picture; 0 is for onlookers.
TURNS = {0: 0, 1: 0, 2: 180}


def render_step(
    game: AnyGame, step: Step, display: str = "", perspective: int = 0
) -> dict[str, Any]:
    """Return the render JSON of the position after a step, as the engine that made it draws it."""
    rules = game.rules(step.version)
    return render_position(rules, step.position, step.results, display, perspective)


def render_position(
    game: AnyGame,
    position: Position,
    events: Sequence[Event],
    display: str = "",
    perspective: int = 0,
) -> dict[str, Any]:
    """Return the render JSON of a position after the events of its last turn."""
    marks = game.marks(position, events, display)
    return render_stones(game, position, position.stones, marks, display, perspective)


def render_stones(
    game: AnyGame,
    position: Position,
    stones: tuple[Bits, Bits],
    marks: Sequence[Mark],
    display: str = "",
    perspective: int = 0,
) -> dict[str, Any]:
    """Return the render JSON of stones and marks; an unknown display is the default one."""
    board = position.board
    render: dict[str, Any] = {
        "board": {**_render_board(game.info, board, display, perspective)},
        "legend": {
            "A": [{"name": "piece", "colour": 1}],
            "B": [{"name": "piece", "colour": 2}],
        },
        "pieces": format_render_pieces(board, stones),
    }
    for one in marks:
        if one["type"] == "glyph":
            render["legend"][one["glyph"]] = _render_letters(one["glyph"])
    if marks:
        render["annotations"] = marks
    return render


def _render_letters(glyph: str) -> list[dict[str, Any]]:
    """Return the legend of letters on a piece: `bA` is a B that can be read on piece A."""
    return [{"text": glyph[:-1].upper(), "colour": 2 if glyph[-1] == "A" else 1}]


@lru_cache(maxsize=64)
def _render_board(info: Info, board: Board, display: str, perspective: int) -> Mapping[str, Any]:
    """Return what a board is, the same one to all who ask: not to be changed."""
    style = next((one.style for one in info.displays if one.uid == display), DEFAULT_STYLE)
    drawn = {"style": style, "minWidth": board.side, "maxWidth": board.rows}
    turn = TURNS[perspective]
    return drawn | {"rotate": turn} if turn else drawn


def format_render_pieces(board: Board, stones: tuple[Bits, Bits]) -> str:
    """Return the rows from the top, `A` and `B` for values 1 and 2, `_` for an empty row."""
    letters = format_cell_letters(stones, board.limit, "-AB")
    rows = (letters[span] for span in board.spans)
    return "\n".join(",".join(row) if row.strip("-") else "_" for row in rows)
