"""Reading the notation of Congeners.

A text is split into its parts (`spell`), its cells are looked up (`found`), and what they name is
judged by `flaws`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from plugin.bits import Cell
from plugin.congeners.flaws import flaw_finder, misplaced, word_flaw
from plugin.congeners.position import PASS, SECOND, CongenersPosition, Move
from plugin.congeners.setup import ordered
from plugin.congeners.turns import REMEMBERED
from plugin.game import Illegal, clean
from plugin.hexes import Board

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


def spell(position: CongenersPosition, text: str) -> Spelt:
    """Return the parts of a clean text, whole or begun; Illegal when it is malformed.

    One or no cell begins both a setup and a turn; then what is due decides.
    """
    if text and (PASS.startswith(text) or SECOND.startswith(text)):
        return Spelt("word")
    kinds = ("setup", "turn") if position.phase == "setup" else ("turn", "setup")
    for kind in kinds:
        match = (_SETUP if kind == "setup" else _TURN).match(text)
        half = text[match.end() :] if match else text
        if match and _may_trail(position.board, text, half):
            names = [name for name in match.groups() if name]
            mark = names.pop(1) if kind == "turn" and match[2] else ""
            return Spelt(kind, tuple(names), mark, half)
    raise Illegal("malformed", move=text)


def _may_trail(board: Board, text: str, half: str) -> bool:
    """Tell whether the end of a text is empty, or a row letter where a cell is due."""
    if not half:
        return True
    before = text[: -len(half)]
    rows = (board.labels[cell] for cell in board.cells)
    return half.isalpha() and not before[-1:].isdigit() and any(n.startswith(half) for n in rows)


def found(board: Board, names: Sequence[str]) -> list[Cell]:
    """Return the cells of names; Illegal with the first that is not on the board."""
    cells = []
    for name in names:
        cell = board.cell(name)
        if cell is None:
            raise Illegal("off-board", cell=name)
        cells.append(cell)
    return cells


@lru_cache(maxsize=REMEMBERED)
def read(position: CongenersPosition, text: str, stored: bool) -> Move:
    """Return the legal move that a text spells; a stored text must be canonical."""
    given = text if stored else clean(text)
    spelt = spell(position, given)
    cells = found(position.board, spelt.names)
    if spelt.kind != "word":
        flaw = misplaced(position, spelt.kind) or flaw_finder(position, spelt.mark)(cells)
    else:
        flaw = word_flaw(position, given)
    if flaw:
        flaw.params.setdefault("move", given)
        raise flaw
    if spelt.kind == "word":
        return given
    if spelt.kind == "turn":
        return cells[0], cells[1], cells[2], spelt.mark == "x"
    black, white = ordered(position.board, *cells[:2]), ordered(position.board, *cells[2:])
    if stored and [*black, *white] != cells:
        raise Illegal("malformed", move=given)
    return black, white
