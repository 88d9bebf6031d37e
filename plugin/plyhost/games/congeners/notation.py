"""Reading the notation of Congeners.

A text is split into its parts (`split_move_text`), its cells are looked up (`find_named_cells`),
and what they name is judged by `flaws`.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from plyhost.board.bits import Cell
from plyhost.board.hexes import Board
from plyhost.games.congeners.flaws import (
    find_phase_flaw,
    find_word_flaw,
    list_legal_words,
    make_flaw_finder,
)
from plyhost.games.congeners.position import PASS, SECOND, CongenersPosition, Move
from plyhost.games.congeners.setup import order_pair
from plyhost.games.game import Illegal, clean_move_text

_CELL = "[a-z]{1,2}[1-9][0-9]*"
# Each matches a whole move and every beginning of one that ends behind a cell or a mark.
_TURN = re.compile(f"(?:({_CELL})(?:([-x])(?:({_CELL})(?:,({_CELL})?)?)?)?)?")
_SETUP = re.compile(f"(?:({_CELL})(?:,(?:({_CELL})(?:/(?:({_CELL})(?:,({_CELL})?)?)?)?)?)?)?")


class Spelt(NamedTuple):
    """A text in its parts; `half` is a row letter at its end that still lacks its column.

    `kind` is `word`, `setup` or `turn`.  `names` are the cells that it names, on the board or
    not; of a turn `mark` is the `-` or `x`, empty before it is written.
    """

    kind: str
    names: tuple[str, ...] = ()
    mark: str = ""
    half: str = ""

    @property
    def whole(self) -> bool:
        """Whether no cell is missing."""
        return len(self.names) == (4 if self.kind == "setup" else 3)


def split_move_text(position: CongenersPosition, text: str) -> Spelt:
    """Return the parts of a clean text, whole or begun; Illegal when it is malformed.

    One or no cell begins both a setup and a turn; then what is due decides.
    """
    if text and (PASS.startswith(text) or SECOND.startswith(text)):
        return Spelt("word")
    kinds = ("setup", "turn") if position.phase == "setup" else ("turn", "setup")
    for kind in kinds:
        match = (_SETUP if kind == "setup" else _TURN).match(text)
        half = text[match.end() :] if match else text
        if match and _may_end_in_row_letter(position.board, text, half):
            names = [name for name in match.groups() if name]
            mark = names.pop(1) if kind == "turn" and match[2] else ""
            return Spelt(kind, tuple(names), mark, half)
    raise make_malformed_flaw(position, text)


def make_malformed_flaw(position: CongenersPosition, text: str) -> Illegal:
    """Return the refusal of what is no move, with the form of what is due."""
    phase = "pass" if PASS in list_legal_words(position) else position.phase
    if phase == "turns":
        return Illegal("malformed", move=text)
    return Illegal("malformed", move=text, say=f"malformed-{phase}")


def _may_end_in_row_letter(board: Board, text: str, half: str) -> bool:
    """Tell whether the end of a text is empty, or a row letter where a cell is due."""
    if not half:
        return True
    before = text[: -len(half)]
    rows = (board.labels[cell] for cell in board.cells)
    return half.isalpha() and not before[-1:].isdigit() and any(n.startswith(half) for n in rows)


def find_named_cells(board: Board, names: Sequence[str]) -> list[Cell]:
    """Return the cells of names; Illegal with the first that is not on the board."""
    cells = []
    for name in names:
        cell = board.cell(name)
        if cell is None:
            raise Illegal("off-board", cell=name)
        cells.append(cell)
    return cells


def parse_congeners_move(position: CongenersPosition, text: str, stored: bool) -> Move:
    """Return the legal move that a text spells; a stored text must be canonical."""
    given = text if stored else clean_move_text(text)
    spelt = split_move_text(position, given)
    cells = find_named_cells(position.board, spelt.names)
    if spelt.kind != "word":
        flaw = find_phase_flaw(position, spelt.kind) or make_flaw_finder(position, spelt.mark)(
            cells
        )
        if flaw and flaw.reason == "setup-over" and len(cells) == 2:
            flaw.params |= {"say": "move-instead", "one": spelt.names[0], "two": spelt.names[1]}
    else:
        flaw = find_word_flaw(position, given)
    if flaw:
        flaw.params.setdefault("move", given)
        raise flaw
    if spelt.kind == "word":
        return given
    if spelt.kind == "turn":
        return cells[0], cells[1], cells[2], spelt.mark == "x"
    black, white = order_pair(position.board, *cells[:2]), order_pair(position.board, *cells[2:])
    if stored and [*black, *white] != cells:
        raise make_malformed_flaw(position, given)
    return black, white
