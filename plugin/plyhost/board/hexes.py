"""Hexagonal boards of hexagons ("hexhex"), of any side from 2.

A cell is a bit number in a layout with one spare column: the six directions
are six constant shifts, and ascending cells are board order (the top row
first, each row from the left).  Names are Abstract Play's: rows lettered from
the bottom row `a` upwards, columns numbered from 1 at the left.
"""

from functools import cached_property, lru_cache
from string import ascii_lowercase

from plyhost.board.bits import Bits, Cell, scan_cells

SMALLEST_SIDE = 2
LARGEST_SIDE = 30

Point = dict[str, int]


def format_row_letters(number: int) -> str:
    """Return the letters of a row counted from 0 at the bottom: a..z, then aa, ab, ..."""
    high, low = divmod(number, 26)
    return (ascii_lowercase[high - 1] if high else "") + ascii_lowercase[low]


@lru_cache(maxsize=LARGEST_SIDE)
def get_board(side: int) -> "Board":
    """Return the `Board` of a side from 2 to 30; raises ValueError outside that range."""
    if not SMALLEST_SIDE <= side <= LARGEST_SIDE:
        raise ValueError(f"side must be from {SMALLEST_SIDE} to {LARGEST_SIDE}, not {side}")
    return Board(side)


class Board:
    """The geometry of one side, which makes boards equal; `get_board(side)` keeps them.

    Tables indexed by cell (`labels`, `points`, `neighbours`, ...) have an entry
    for every bit number below `limit`; spare ones hold an empty value.
    """

    def __init__(self, side: int) -> None:
        self.side = side
        self.rows = 2 * side - 1
        self.width = 2 * side
        self.limit = self.rows * self.width
        #: Bit distance of the six directions, clockwise from the right.
        self.shifts = (1, self.width + 1, self.width, -1, -self.width - 1, -self.width)
        self.cells: tuple[Cell, ...] = tuple(
            self.at(row, col) for row in range(self.rows) for col in range(self.row_length(row))
        )
        #: Where each row's cells lie among the bit numbers.
        self.spans = [
            slice(self.at(row, 0), self.at(row, 0) + self.row_length(row))
            for row in range(self.rows)
        ]
        self.mask: Bits = sum(1 << cell for cell in self.cells)
        self.labels, self.points = self._names()
        self._by_label = {self.labels[cell]: cell for cell in self.cells}
        #: The points of the cells by name.
        self.named = {self.labels[cell]: self.points[cell] for cell in self.cells}

    def __repr__(self) -> str:
        return f"board({self.side})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.side == other.side

    def __hash__(self) -> int:
        return hash(self.side)

    def row_length(self, row: int) -> int:
        """Return the number of cells of a row, counted from 0 at the top."""
        return self.rows - abs(row - (self.side - 1))

    def at(self, row: int, col: int) -> Cell:
        """Return the cell at a row from 0 at the top and a column from 0 at the left."""
        return row * self.width + col + max(0, row - (self.side - 1))

    def has(self, row: int, col: int) -> bool:
        """Tell whether a row and column, each from 0, name a cell."""
        return 0 <= row < self.rows and 0 <= col < self.row_length(row)

    def _names(self) -> tuple[list[str], list[Point]]:
        labels, points = [""] * self.limit, [Point()] * self.limit
        for row in range(self.rows):
            letters = format_row_letters(self.rows - 1 - row)
            for col in range(self.row_length(row)):
                cell = self.at(row, col)
                labels[cell], points[cell] = f"{letters}{col + 1}", {"row": row, "col": col}
        return labels, points

    def cell(self, label: str) -> Cell | None:
        """Return the cell of an exact name (`d4`), or None; the inverse of `labels[cell]`."""
        return self._by_label.get(label)

    def spread(self, cells: Bits) -> Bits:
        """Return every cell that is next to a cell of the set."""
        width, right, left = self.width, cells << 1, cells >> 1
        return (right | left | (cells | right) << width | (cells | left) >> width) & self.mask

    def shifted(self, cells: Bits) -> list[Bits]:
        """Return six sets: the cells one step away in each direction."""
        width, mask = self.width, self.mask
        return [
            cells << 1 & mask,
            cells << width + 1 & mask,
            cells << width & mask,
            cells >> 1 & mask,
            cells >> width + 1 & mask,
            cells >> width & mask,
        ]

    @cached_property
    def neighbours(self) -> list[Bits]:
        """The set of cells next to each cell."""
        near = [0] * self.limit
        for cell in self.cells:
            near[cell] = sum(self.shifted(1 << cell))
        return near

    @cached_property
    def edge(self) -> Bits:
        """The cells with fewer than six neighbours, corners included (C3)."""
        return sum(1 << cell for cell in self.cells if self.neighbours[cell].bit_count() < 6)

    @cached_property
    def rays(self) -> list[list[tuple[Cell, ...]]]:
        """For each cell six lines of cells, outwards, clockwise from the right."""
        lines: list[list[tuple[Cell, ...]]] = [[] for _ in range(self.limit)]
        for cell in self.cells:
            lines[cell] = [self._ray(cell, shift) for shift in self.shifts]
        return lines

    def _ray(self, cell: Cell, shift: int) -> tuple[Cell, ...]:
        line = []
        while (cell := cell + shift) >= 0 and self.mask >> cell & 1:
            line.append(cell)
        return tuple(line)

    @cached_property
    def rank(self) -> list[int]:
        """Each cell's place in board order, from 0."""
        ranks = [0] * self.limit
        for rank, cell in enumerate(self.cells):
            ranks[cell] = rank
        return ranks

    @cached_property
    def name_order(self) -> list[int]:
        """Each cell's rank by row letter from the bottom, then column: a1, a2, ..., b1, ..."""
        ranks = [0] * self.limit
        ordered = sorted(self.cells, key=lambda cell: (-(cell // self.width), cell))
        for rank, cell in enumerate(ordered):
            ranks[cell] = rank
        return ranks

    @cached_property
    def symmetries(self) -> list[list[Cell]]:
        """The twelve rotations and reflections, each a table from cell to cell."""
        return [
            self._symmetry(order, sign)
            for sign in (1, -1)
            for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2))
        ]

    def _symmetry(self, order: tuple[int, int, int], sign: int) -> list[Cell]:
        table, centre = [0] * self.limit, self.side - 1
        for cell in self.cells:
            row, across = cell // self.width - centre, cell % self.width - centre
            # Cube coordinates: they sum to zero, so permuting and negating them keeps the board.
            cube = (across - row, -across, row)
            turned = [sign * cube[axis] for axis in order]
            table[cell] = (turned[2] + centre) * self.width + centre - turned[1]
        return table

    def mapped(self, cells: Bits, table: list[Cell]) -> Bits:
        """Return a set carried over by one of `symmetries`."""
        return sum(1 << table[cell] for cell in scan_cells(cells))
