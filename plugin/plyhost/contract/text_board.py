"""The render JSON as text for a terminal.

`X` and `O` are the pieces of the legend in its order, `x` and `o` dots of those colours on empty
cells; brackets are around the cells of the last turn.  A row stands between its letter and the
number of its last column.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from plyhost.pictures.layout import Layout, make_board_layout
from plyhost.pictures.scene import parse_render_pieces

_PIECES, _DOTS = "XO#@%&", "xo"
#: What a terminal colours: red and blue, bold for stones, and the brackets.
_CODES = {"X": "1;31", "O": "1;34", "x": "31", "o": "34", "(": "33", ")": "33"}


def draw_text_board(render: Mapping[str, Any], coloured: bool = False) -> str:
    """Return the board's rows from the top, however the render JSON turns them.

    `coloured` puts a terminal's codes around the signs.  Raises Undrawable.
    """
    board = render["board"]
    place = make_board_layout(board["style"], board["minWidth"], 0)
    signs = _list_cell_signs(place, render)
    marked = {rank for note in _list_turn_notes(render) for rank in _list_note_ranks(place, note)}
    rows = [_draw_text_row(place, row, signs, marked, coloured) for row in range(place.board.rows)]
    return "\n".join(rows)


def _list_turn_notes(render: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    notes = render.get("annotations", ())
    return (note for note in notes if note["type"] in ("enter", "exit", "move"))


def _list_note_ranks(place: Layout, note: Mapping[str, Any]) -> Iterable[int]:
    return (place.rank(target["row"], target["col"]) for target in note["targets"])


def _list_cell_signs(place: Layout, render: Mapping[str, Any]) -> list[str]:
    shown = dict(zip(render["legend"], _PIECES, strict=False)) | {"-": "."}
    signs = [shown.get(piece, "?") for piece in parse_render_pieces(place, render["pieces"])]
    for note in render.get("annotations", ()):
        if note["type"] == "dots" and note.get("colour") in (1, 2):
            for rank in _list_note_ranks(place, note):
                signs[rank] = _DOTS[note["colour"] - 1] if signs[rank] == "." else signs[rank]
    return signs


def _draw_text_row(
    place: Layout, row: int, signs: list[str], marked: set[int], coloured: bool
) -> str:
    on = place.board
    first, length = place.rank(row, 0), on.row_length(row)
    ranks = range(first, first + length)
    flags = [False, *(rank in marked for rank in ranks), False]
    gaps = [_choose_cell_gap(left, right) for left, right in pairwise(flags)]
    line = gaps[0] + "".join(signs[rank] + gap for rank, gap in zip(ranks, gaps[1:], strict=True))
    if coloured:
        line = re.sub("[XOxo()]", lambda sign: f"\033[{_CODES[sign[0]]}m{sign[0]}\033[0m", line)
    indent = " " * abs(row - (on.side - 1))
    letters = place.names[first][:-1]
    return f"{letters:>2} {indent}{line}{indent} {length}"


def _choose_cell_gap(left: bool, right: bool) -> str:
    """Return what stands between two cells; marked neighbours share their brackets."""
    if left == right:
        return " "
    return "(" if right else ")"
