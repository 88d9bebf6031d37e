"""Where everything of a hexagonal board lies in a picture, worked out once for each shape.

Units are those of the viewBox.  A hexagon stands on a point, 52 wide and 60 high, so that rows are
45 apart and every place of an unturned board is a whole number.  The origin is the board's centre.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import cos, radians, sin
from typing import Any

from plyhost.board.hexes import LARGEST_SIDE, SMALLEST_SIDE, Board, get_board
from plyhost.pictures.letters import format_coordinate, outline_text

Spot = tuple[float, float]

#: The steps from a cell to the one on its lower right.
HALF, ROW = 26, 45
HEXAGON: Sequence[Spot] = ((0, -30), (26, -15), (26, 15), (0, 30), (-26, 15), (-26, -15))
STYLES = ("hex-of-hex", "hex-of-tri")

#: How far from a cell its label stands, and its tick; how much room is needed around the whole.
_LABEL_REACH = 58.0
_TICK = (40, 45)
_LABEL_ROOM = 20.0
_RIM = 45.0
#: How far inside a cell the line lies that goes around it.
_INSET = 23.6 / 26
#: The middles of a cell's sides, clockwise from the right, where its inner radius is 1.
_WAYS: Sequence[Spot] = tuple((cos(radians(at)), sin(radians(at))) for at in range(0, 360, 60))

#: Cells are drawn a little smaller than they are; the board that shows between them is the lines.
_SEAM = 26 / 27


class Undrawable(ValueError):
    """The render JSON asks for what this drawing cannot do."""


@lru_cache(maxsize=256)
def make_board_layout(style: str, side: int, turn: float) -> "Layout":
    """Return the layout of a board style, side and clockwise turn in degrees; Undrawable else."""
    if style not in STYLES:
        raise Undrawable(f"the board style must be one of {', '.join(STYLES)}")
    if not SMALLEST_SIDE <= side <= LARGEST_SIDE:
        raise Undrawable(f"the side must be from {SMALLEST_SIDE} to {LARGEST_SIDE}")
    return Layout(style, get_board(side), turn)


def make_render_layout(board: Mapping[str, Any]) -> "Layout":
    """Return the layout of a render JSON's board; raises Undrawable."""
    return make_board_layout(board["style"], board["minWidth"], board.get("rotate", 0) % 360)


def format_line_path(spots: Iterable[Spot]) -> str:
    """Return the path of a line through some spots."""
    path = "M" + " ".join(f"{format_coordinate(x)} {format_coordinate(y)}" for x, y in spots)
    return path.replace(" -", "-")


class Layout:
    """The places of one board; `spots`, `names` and `openings` go by a cell's rank, row by row."""

    def __init__(self, style: str, on: Board, turn: float) -> None:
        self.board = on
        #: What tells it from others; of the same kind there may be several.
        self.kind = style, on.side, turn
        self.on_vertices = style == "hex-of-tri"
        self._cos, self._sin = cos(radians(turn)), sin(radians(turn))
        self._starts = [on.rank[on.at(row, 0)] for row in range(on.rows)]
        self.names = [on.labels[cell] for cell in on.cells]
        self.spots = [
            self._turned(*_find_cell_spot(on, row, col))
            for row in range(on.rows)
            for col in range(on.row_length(row))
        ]
        self.corners = [self._turned(*corner) for corner in HEXAGON]
        self.hexagon = format_line_path((x * _SEAM, y * _SEAM) for x, y in self.corners) + "z"
        self.inset = format_line_path((x * _INSET, y * _INSET) for x, y in self.corners) + "z"
        #: Whether each cell's column, counted from 0, is odd.
        self.is_odd = [col % 2 == 1 for row in range(on.rows) for col in range(on.row_length(row))]
        #: How each cell's group begins, as far as the colour of its hexagon.
        self.openings = [self._opening(rank) for rank in range(len(self.spots))]
        self._bridges: dict[tuple[int, ...], str] = {}

    def _turned(self, x: float, y: float) -> Spot:
        return x * self._cos - y * self._sin, x * self._sin + y * self._cos

    def _opening(self, rank: int) -> str:
        x, y = map(format_coordinate, self.spots[rank])
        row, col = self.board.points[self.board.cells[rank]].values()
        named = f'data-cell="{self.names[rank]}" data-row="{row}" data-col="{col}"'
        return f'<g {named} transform="translate({x} {y})"><path d="{self.hexagon}"'

    @cached_property
    def neighbours(self) -> list[tuple[int, ...]]:
        """For each cell the ranks of its neighbours, clockwise from the right; -1 off the board."""
        on = self.board
        return [tuple(on.rank[ray[0]] if ray else -1 for ray in on.rays[cell]) for cell in on.cells]

    def bridge(self, ways: tuple[int, ...]) -> str:
        """Return the path from a cell's middle to its sides in some of the six directions."""
        if ways not in self._bridges:
            ends = [self._turned(HALF * _WAYS[way][0], HALF * _WAYS[way][1]) for way in ways]
            self._bridges[ways] = "".join(format_line_path([(0, 0), end]) for end in ends)
        return self._bridges[ways]

    def rank(self, row: int, col: int) -> int:
        """Return the rank of a cell given by row and column from 0; Undrawable off the board."""
        if not self.board.has(row, col):
            raise Undrawable(f"there is no cell in row {row}, column {col}")
        return self._starts[row] + col

    @cached_property
    def plate(self) -> str:
        """The path through the six corner cells."""
        last, middle = self.board.rows - 1, self.board.side - 1
        places = ((0, 0), (0, middle), (middle, last), (last, middle), (last, 0), (middle, 0))
        return format_line_path(self.spots[self.rank(*place)] for place in places) + "z"

    @cached_property
    def grid(self) -> str:
        """The path of all lines that join neighbours."""
        on = self.board
        path = ""
        for cell in on.cells:
            for ray, back in zip(on.rays[cell][:3], on.rays[cell][3:], strict=True):
                if ray and not back:
                    path += format_line_path(self.spots[on.rank[end]] for end in (cell, ray[-1]))
        return path

    @cached_property
    def columns(self) -> str:
        """The path of the columns, each bent in the middle row."""
        on = self.board
        ways = [
            [self.spots[self.rank(row, col)] for row in range(on.rows) if col < on.row_length(row)]
            for col in range(on.rows)
        ]
        return "".join(format_line_path(way) for way in ways if len(way) > 1)

    @cached_property
    def labels(self) -> Sequence[tuple[str, Spot]]:
        """Each label with its spot: letters at the left, numbers at the right ends of columns.

        A column bends in the middle row, so its number stands at both of its ends.
        """
        return tuple(self._labels())

    def _labels(self) -> Iterator[tuple[str, Spot]]:
        on = self.board
        for row in range(on.rows):
            yield on.labels[on.at(row, 0)][:-1], self._off(row, 0, -_LABEL_REACH, 0)
        for row, col, right, down in self._ends():
            spot = self._off(row, col, right * _LABEL_REACH, down * _LABEL_REACH)
            yield str(col + 1), spot

    def _ends(self) -> Iterator[tuple[int, int, float, float]]:
        """Yield the cells at the ends of columns, with the way on from there, of length 1."""
        on, middle = self.board, self.board.side - 1
        for row in range(on.rows):
            length = on.row_length(row)
            down = (row > middle) - (row < middle)
            for col in range(0 if abs(row - middle) == middle else length - 1, length):
                yield row, col, 0.5 if down else 1, 0.866 * down

    def _off(self, row: int, col: int, right: float, down: float) -> Spot:
        x, y = _find_cell_spot(self.board, row, col)
        return self._turned(x + right, y + down)

    @cached_property
    def ticks(self) -> str:
        """The path of short lines that lead from numbers to the columns they are of."""
        path = ""
        for row, col, right, down in self._ends():
            path += format_line_path(self._off(row, col, right * at, down * at) for at in _TICK)
        return path

    @cached_property
    def lettering(self) -> str:
        """The labels, one path each."""
        return "".join(
            f'<path data-label="{text}" d="{outline_text(text, *spot)}"/>'
            for text, spot in self.labels
        )

    def box(self, labelled: bool) -> tuple[int, int]:
        """Return half the width and half the height that the picture needs."""
        if labelled:
            spots, room = [spot for _, spot in self.labels], _LABEL_ROOM
        else:
            spots, room = self.spots, _RIM
        across, down = (max(abs(spot[axis]) for spot in spots) for axis in (0, 1))
        return round(across + room), round(down + room)


def _find_cell_spot(on: Board, row: int, col: int) -> Spot:
    return HALF * (2 * col - on.row_length(row) + 1), ROW * (row - on.side + 1)
