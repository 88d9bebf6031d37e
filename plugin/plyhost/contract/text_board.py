"""The board as text for a terminal, and a game as text with it.

`X` and `O` are the pieces of the legend in its order, `x` and `o` dots of those colours on empty
cells; brackets are around the cells of the last turn.  A row stands between its letter and the
number of its last column; below the board stand the numbers of the lowest row's.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from textwrap import fill
from typing import Any

from plyhost.contract.summary import lower_start, say_standing
from plyhost.games.game import AnyGame, Position, Unsettled
from plyhost.pictures.layout import Layout, make_board_layout
from plyhost.pictures.render_json import render_step
from plyhost.pictures.scene import parse_render_pieces
from plyhost.states.forms import State

#: Characters in a line of words.
WIDTH = 80

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
    return "\n".join([*rows, _draw_column_numbers(place)])


def format_state_text(state: State) -> str:
    """Return a game as text: the board, what its signs are, the last move, and how it stands."""
    game, last = state.game, state.last
    board = draw_text_board(render_step(game, last))
    below = [_describe_signs(game, last.position, board), *_describe_situation(state)]
    return "\n".join([board, *(fill(line, WIDTH) for line in below)])


def _describe_signs(game: AnyGame, position: Position, board: str) -> str:
    one, two = game.name_colours(position)
    dots = " x and o are empty cells that they control." if re.search("[xo]", board) else ""
    marks = " Brackets are around the last turn." if "(" in board else ""
    return f"X is {lower_start(one)}, O is {lower_start(two)}.{dots}{marks}"


def _describe_situation(state: State) -> list[str]:
    game, last = state.game, state.last
    standing = say_standing(game, last)
    lines = [f"Last move: {last.text}."] if last.move is not None else []
    lines += [f"{standing[0].upper()}{standing[1:]}.", *game.explain(last.position)]
    if not last.is_over and _can_settle(game, last.position):
        lines.append(f"As it stands, {game.say_lead(last.position)}.")
    return lines


def _can_settle(game: AnyGame, position: Position) -> bool:
    try:
        game.settled(position)
    except Unsettled:
        return False
    return True


def _draw_column_numbers(place: Layout) -> str:
    """Return the numbers below the lowest row, each under its cell."""
    on = place.board
    last = on.rows - 1
    indent = " " * abs(last - (on.side - 1))
    numbers = " ".join(str(one % 10) for one in range(1, on.row_length(last) + 1))
    return f"   {indent} {numbers}"


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
