"""Control, by Takuro Kawasaki: whoever cannot place or capture loses.

Rules C1 to C9 are numbered in `info`.  Source: the designer's text on
BoardGameGeek (418399); reference engine: Abstract Play's, version 20240909.

A position carries, for every cell, how many more neighbours of seat 1 it has than of seat 2 (a
margin in bit planes), kept up to date by the neighbours of the one stone that changes.  `control`
is read off it, and everything else reads that.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plyhost.board import bits
from plyhost.board.bits import EMPTY_MARGIN, Bits, Cell, Planes
from plyhost.board.hexes import Board
from plyhost.games.control.info import HINTS, INFO, REASONS
from plyhost.games.game import (
    Advice,
    Event,
    Game,
    Illegal,
    Mark,
    Position,
    Seat,
    Unsettled,
    clean_move_text,
    find_common_start,
    make_mark,
)

_TURN = re.compile(r"([a-z]{1,2}[1-9][0-9]*)(x?)")


class ControlPosition(Position, frozen=True):
    """`margin` is, for each cell, neighbours of seat 1 minus neighbours of seat 2.

    `control` holds the cells that seat 1 controls and those that seat 2 controls (C4).
    `legal` holds those where the seat to move may place, if they are empty, or capture (C3, C5).
    """

    margin: Planes = EMPTY_MARGIN
    control: tuple[Bits, Bits] = (0, 0)
    legal: Bits = 0


def _make_control_position(
    board: Board, stones: tuple[Bits, Bits], seat: Seat, margin: Planes
) -> ControlPosition:
    """Return the position; whoever has more neighbours of a cell controls it (C4)."""
    control = ours, theirs = bits.split_margin_signs(margin)
    one, two = stones
    # Placements: empty cells that the opponent does not control.  Captures: opposing stones on
    # cells that the mover controls.  The first stone goes to the edge (C3, C5).
    if not one | two:
        legal = board.edge
    elif seat == 1:
        legal = board.mask & ~(one | two | theirs) | two & ours
    else:
        legal = board.mask & ~(one | two | ours) | one & theirs
    return ControlPosition(board, stones, seat, margin, control, legal)


def find_territory_cells(position: ControlPosition) -> tuple[Bits, Bits]:
    """Return the cells that count for each seat's territory: controlled, and not its own stones."""
    one, two = position.stones
    ours, theirs = position.control
    return ours & ~one, theirs & ~two


def count_territory(position: ControlPosition) -> list[int]:
    """Return each seat's territory (C7): controlled empty cells, enemy stones there twice."""
    one, two = position.stones
    ours, theirs = find_territory_cells(position)
    return [
        ours.bit_count() + (ours & two).bit_count(),
        theirs.bit_count() + (theirs & one).bit_count(),
    ]


def _is_mark_right(marked: bool, captures: bool, is_stored: bool) -> bool:
    """Tell whether a legal turn may be written with the `x` that it has, or without it.

    A stored text marks every capture and may mark a placement, as engine 20240909 does; a player
    may leave the x out but must not put it on a placement.
    """
    return marked or not captures if is_stored else captures or not marked


class Control(Game[ControlPosition, Cell]):
    """The game; a move is the cell it names, a capture when the enemy holds it."""

    info = INFO
    reasons = REASONS
    hints = HINTS
    shown_types = {"territory": tuple[int, int]}  # noqa: RUF012 - `Game` declares it

    def restore(
        self, on: Board, stones: tuple[Bits, Bits], seat: Seat, stored: Mapping[str, Any]
    ) -> ControlPosition:
        """Return the position; nothing but board and seat is needed."""
        margin = bits.compute_margin(*map(on.shifted, stones))
        return _make_control_position(on, stones, seat, margin)

    def moves(self, position: ControlPosition) -> Iterator[Cell]:
        """Yield the cells of the legal moves in board order."""
        return bits.scan_cells(position.legal)

    def count(self, position: ControlPosition) -> int:
        """Return how many legal moves there are."""
        return position.legal.bit_count()

    def read(self, position: ControlPosition, text: str, version: str | None = None) -> Cell:
        """Return the cell that a turn names; see `REASONS` for why not.

        With `version` the text is a stored one; `_is_mark_right` says what that changes.
        """
        name, marked = (text[:-1], True) if text[-1:] == "x" else (text, False)
        cell = position.board.cell(name)
        if cell is None:
            if version is not None:
                raise Illegal("malformed", move=text)
            cell, marked = self._spelt(position.board, text)
        if position.legal >> cell & 1:
            one, two = position.stones
            captures = bool((one | two) >> cell & 1)
            if _is_mark_right(marked, captures, version is not None):
                return cell
        raise self._refusal(position, cell, marked)

    def allows(self, position: ControlPosition, move: Cell) -> bool:
        """Tell whether a cell may be placed on or captured (C3, C5)."""
        return bool(position.legal >> move & 1)

    def _spelt(self, board: Board, text: str) -> tuple[Cell, bool]:
        match = _TURN.fullmatch(cleaned := clean_move_text(text))
        if match is None:
            raise Illegal("malformed", move=text, **({} if cleaned else {"say": "no-text"}))
        cell = board.cell(match[1])
        if cell is None:
            raise Illegal("off-board", cell=match[1])
        return cell, bool(match[2])

    def _refusal(self, position: ControlPosition, cell: Cell, marked: bool) -> Illegal:
        return Illegal(self._reason(position, 1 << cell, marked), cell=position.board.labels[cell])

    def _reason(self, position: ControlPosition, bit: Bits, marked: bool) -> str:
        mine, enemy = position.stones[:: 3 - 2 * position.seat]
        if not mine | enemy and not bit & position.board.edge:
            return "first-move-edge"
        if bit & mine:
            return "occupied"
        if bit & enemy:
            return "not-controlled"
        return "not-a-capture" if marked else "controlled-by-opponent"

    def text(self, position: ControlPosition, move: Cell) -> str:
        """Return `d4` for a placement, `d4x` for a capture."""
        one, two = position.stones
        return position.board.labels[move] + ("x" if (one | two) >> move & 1 else "")

    def play(self, position: ControlPosition, move: Cell) -> ControlPosition:
        """Return the position after placing or capturing: either way the neighbours turn to us."""
        board, (one, two), seat = position.board, position.stones, position.seat
        bit, near = 1 << move, board.neighbours[move]
        if seat == 1:
            stones = (one, two ^ bit) if two & bit else (one | bit, two)
            return _make_control_position(
                board, stones, 2, bits.raise_margin(position.margin, near)
            )
        stones = (one ^ bit, two) if one & bit else (one, two | bit)
        return _make_control_position(board, stones, 1, bits.lower_margin(position.margin, near))

    def undo(self, position: ControlPosition, move: Cell, ply: int) -> ControlPosition:
        """Take the mover's stone away, or put the captured one back."""
        board, (one, two), seat = position.board, position.stones, 3 - position.seat
        bit, near = 1 << move, board.neighbours[move]
        if (two if seat == 1 else one) & bit:
            raise ValueError(f"the enemy holds {board.labels[move]}")
        if seat == 1:
            stones = (one ^ bit, two) if one & bit else (one, two | bit)
            return _make_control_position(
                board, stones, 1, bits.lower_margin(position.margin, near)
            )
        stones = (one, two ^ bit) if two & bit else (one | bit, two)
        return _make_control_position(board, stones, 2, bits.raise_margin(position.margin, near))

    def events(self, position: ControlPosition, move: Cell) -> list[Event]:
        """Return one event, `place` or `capture`."""
        one, two = position.stones
        kind = "capture" if (one | two) >> move & 1 else "place"
        return [{"type": kind, "where": position.board.labels[move]}]

    def winners(self, position: ControlPosition) -> list[Seat] | None:
        """Return the other seat when the one to move has neither placement nor capture (C6)."""
        return None if position.legal else [3 - position.seat]

    def settled(self, position: ControlPosition) -> list[Seat]:
        """Return the seat with more territory; a tie goes to the seat not to move (C7, C8)."""
        if not any(position.stones):
            raise Unsettled
        one, two = count_territory(position)
        if one == two:
            return [3 - position.seat]
        return [1 if one > two else 2]

    def scores(self, position: ControlPosition) -> list[int]:
        """Return how many empty cells each seat controls (C9)."""
        one, two = position.stones
        ours, theirs = position.control
        empty = ~(one | two)
        return [(ours & empty).bit_count(), (theirs & empty).bit_count()]

    def shown(self, position: ControlPosition) -> dict[str, Any]:
        """Return `territory` by seat (C7)."""
        return {"territory": count_territory(position)}

    def advise(self, position: ControlPosition, text: str) -> Advice:
        """Judge a text that names a cell as a turn, a shorter one by what can begin with it."""
        text = clean_move_text(text)
        if not text:
            return Advice(-1, False, "first" if not any(position.stones) else "begin", "")
        if _TURN.fullmatch(text) or not text.isalpha():
            move = self.read(position, text)
            return Advice(1, True, "ready", self.text(position, move))
        fitting = [turn for turn in self._texts(position) if turn.startswith(text)]
        if not fitting:
            raise Illegal("malformed", move=text)
        shared = find_common_start(fitting)
        return Advice(-1, False, "column", text, shared if len(shared) > len(text) else None)

    def _texts(self, position: ControlPosition) -> Iterator[str]:
        return (self.text(position, move) for move in self.moves(position))

    def click(self, position: ControlPosition, text: str, cell: Cell) -> str:
        """Return the turn on the clicked cell; what was typed before does not matter."""
        return self.text(position, cell)

    def targets(self, position: ControlPosition, text: str) -> Iterator[tuple[Cell, str]]:
        """Yield the cells of the legal moves, whatever was typed before."""
        one, two = position.stones
        for cell in bits.scan_cells(position.legal):
            yield cell, "capture" if (one | two) >> cell & 1 else "place"

    def marks(self, position: ControlPosition, events: Sequence[Event], display: str) -> list[Mark]:
        """Ring the cell of the last turn, and dot what counts as territory if the display does."""
        named = position.board.named
        marks = [
            make_mark("enter", [named[event["where"]]]) for event in events if "where" in event
        ]
        if display != "hide-control":
            marks += self._dots(position)
        return marks

    def _dots(self, position: ControlPosition) -> list[Mark]:
        points = position.board.points
        return [
            make_mark("dots", bits.pick_entries(cells, points), colour)
            for colour, cells in enumerate(find_territory_cells(position), 1)
            if cells
        ]

    def pack(self, position: ControlPosition, move: Cell) -> bytes:
        """Return one byte: the cell's rank in board order."""
        return bytes((position.board.rank[move],))

    def unpack(self, on: Board, data: bytes, start: int) -> tuple[Cell, int]:
        """Return the cell of a byte."""
        if start >= len(data) or data[start] >= len(on.cells):
            raise ValueError("no cell has this number")
        return on.cells[data[start]], start + 1

    def say_end(self, position: ControlPosition) -> str:
        """Say who can do nothing (C6)."""
        return f"player {position.seat} has neither a placement nor a capture"

    def say_lead(self, position: ControlPosition) -> str:
        """Say whose territory is larger (C7); a tie goes to the seat not to move."""
        one, two = count_territory(position)
        if one == two:
            return f"territory is equal, {one} each, and player {position.seat} is to move"
        first, second = (one, two) if one > two else (two, one)
        return f"player {1 if one > two else 2} leads in territory, {first} to {second}"

    def score_name(self) -> str:
        """Return Abstract Play's words for the scores."""
        return "Controlled empty spaces"


GAME = Control()
