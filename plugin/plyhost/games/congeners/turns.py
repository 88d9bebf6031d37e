"""Where stones may go in Congeners: every turn of one player as sets of cells (G4, G5).

`Turns` is the one place that knows which turns are legal.  Listing, counting, reading, advice,
clicks, drawing and the end of the game all ask it: `goals` says where a stone may move or bite,
`places` where the second stone may then be placed.

A player's stones fall into creatures.  A cell is *touched* when it lies next to another creature
than the one that moves, and *crowded* when it lies next to two such.
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

from plyhost.board.bits import Bits, Cell, scan_cells
from plyhost.board.hexes import LARGEST_SIDE, Board

#: Six sets of cells, one for each direction of `Board.shifts`.
Rays: TypeAlias = tuple[Bits, ...]


class Creatures(NamedTuple):
    """One player's creatures (G2): those of two or more stones, the single ones, and all stones."""

    groups: tuple[Bits, ...]
    singles: Bits
    stones: Bits

    def holding(self, bit: Bits) -> Bits:
        """Return the creature that holds a stone, or the empty set."""
        return next((group for group in self.groups if group & bit), self.singles & bit)

    def each(self) -> Iterator[Bits]:
        """Yield every creature."""
        yield from self.groups
        yield from (1 << cell for cell in scan_cells(self.singles))


def find_creatures(board: Board, stones: Bits) -> Creatures:
    """Return the creatures that a player's stones form."""
    near = board.spread(stones)
    singles, rest, groups = stones & ~near, stones & near, []
    while rest:
        group = grow_creature(board, rest & -rest, rest)
        groups.append(group)
        rest ^= group
    return Creatures(tuple(groups), singles, stones)


def grow_creature(board: Board, seed: Bits, within: Bits) -> Bits:
    """Return the connected part of `within` that holds the seed."""
    neighbours, reached = board.neighbours, seed
    while seed:
        low = seed & -seed
        fresh = neighbours[low.bit_length() - 1] & within & ~reached
        reached |= fresh
        seed ^= low | fresh
    return reached


@lru_cache(maxsize=LARGEST_SIDE)
def list_ray_sets(board: Board) -> list[Rays]:
    """Return for each cell its six rays as sets."""
    return [
        tuple(sum(1 << cell for cell in line) for line in lines) if lines else (0,) * 6
        for lines in board.rays
    ]


@lru_cache(maxsize=LARGEST_SIDE)
def list_line_sets(board: Board) -> list[Bits]:
    """Return for each cell all cells in line with it."""
    return [sum(each) for each in list_ray_sets(board)]


@lru_cache(maxsize=LARGEST_SIDE)
def list_close_line_sets(board: Board) -> list[Bits]:
    """Return for each cell those in line with it that are at most two steps away."""
    return [sum(1 << cell for line in lines for cell in line[:2]) for lines in board.rays]


def find_seen_cells(six: Rays, taken: Bits) -> Bits:
    """Return the cells of six rays up to the first taken one of each.

    The first three directions run upwards in cell numbers, so the lowest taken bit stops them;
    the highest one stops the others.
    """
    a, b, c, d, e, f = six
    stop_a, stop_b, stop_c = a & taken, b & taken, c & taken
    stop_d, stop_e, stop_f = d & taken, e & taken, f & taken
    top_d, top_e, top_f = stop_d.bit_length(), stop_e.bit_length(), stop_f.bit_length()
    upwards = a & (stop_a & -stop_a) - 1 | b & (stop_b & -stop_b) - 1 | c & (stop_c & -stop_c) - 1
    return upwards | d >> top_d << top_d | e >> top_e << top_e | f >> top_f << top_f


class Body(NamedTuple):
    """A creature that can move: `open` are cells that its stones may enter as far as others go.

    `near` are the cells next to it, some of its own among them.
    """

    stones: Bits
    near: Bits
    open: Bits
    touched: Bits
    crowded: Bits


class Lift:
    """One stone taken up: where it may go, and where the second stone may be placed then."""

    __slots__ = ("_lines", "_near", "_parts", "_turns", "body", "goals", "moved")

    def __init__(self, turns: "Turns", body: Body, moved: Cell) -> None:
        board = turns.board
        self._turns, self.body, self.moved = turns, body, moved
        self._near = board.spread(body.stones ^ 1 << moved)
        self._parts: list[Bits] | None = None
        self._lines = list_line_sets(board)[moved]
        self.goals = self._near & body.open

    def _split(self) -> list[Bits]:
        """Return the cells next to each part that the creature falls into without the stone."""
        board, rest = self._turns.board, self.body.stones ^ 1 << self.moved
        ring, width = board.neighbours[self.moved] & rest, board.width
        links = (ring & ring >> 1).bit_count() + (ring & ring >> width).bit_count()
        if ring.bit_count() - links - (ring & ring >> width + 1).bit_count() <= 1:
            # The stone's neighbours form one arc around it, so they hang together without it.
            return [self._near]
        parts = []
        while rest:
            part = grow_creature(board, rest & -rest, rest)
            parts.append(board.spread(part))
            rest ^= part
        return parts

    @property
    def goals_with_view(self) -> Bits:
        """The goals from which more than a neighbour is seen, where none may be placed (G5)."""
        turns = self._turns
        return self.goals & (turns.beside_two_empty | list_close_line_sets(turns.board)[self.moved])

    def sight(self, goal: Cell) -> Bits:
        """Return the empty cells in line with a goal and nothing between, this cell empty."""
        if self._lines >> goal & 1:
            turns = self._turns
            return find_seen_cells(list_ray_sets(turns.board)[goal], turns.taken ^ 1 << self.moved)
        return self._turns.sight(goal)

    def places(self, goal: Cell) -> Bits:
        """Return where the second stone may be placed when this one has gone to a goal."""
        sight = self.sight(goal) & ~self._turns.board.neighbours[goal]
        return sight and sight & self._allowed(goal)

    def _allowed(self, goal: Cell) -> Bits:
        """Return the cells where a stone leaves no creature split and no two merged (G5)."""
        body, joined, missing = self.body, 0, -1
        if self._parts is None:
            self._parts = self._split()
        for near in self._parts:
            if near >> goal & 1:
                joined |= near
            else:
                missing &= near
        if missing == -1:
            return ~(body.crowded | body.touched & joined)
        # The move split the creature: the placed stone must touch all its parts.
        return missing & joined & ~body.touched


class Turns:
    """All turns of the player whose creatures are `own`, against those of the other player."""

    def __init__(self, board: Board, own: Creatures, others: Creatures) -> None:
        self.board, self.own, self.others = board, own, others
        self.mine, self.theirs = own.stones, others.stones
        self.taken = self.mine | self.theirs
        self._sights: dict[Cell, Bits] = {}
        self._biteable: dict[int, Bits] = {}
        self._lifts: dict[Cell, Lift] = {}
        self._places: dict[tuple[Cell, Cell], Bits] = {}
        self._some: bool | None = None
        self._beside_two_empty: Bits | None = None

    @cached_property
    def _near(self) -> tuple[Bits, Bits, Bits]:
        """The cells next to at least one, two and three of the player's creatures."""
        board, groups, singles = self.board, self.own.groups, self.own.singles
        one = two = three = 0
        for near in [*board.shifted(singles), *map(board.spread, groups)]:
            three |= two & near
            two |= one & near
            one |= near
        return one, two, three

    def find_biteable(self, size: int) -> Bits:
        """Return the enemy stones whose creatures are smaller than a size (G4)."""
        if size not in self._biteable:
            small = sum(group for group in self.others.groups if group.bit_count() < size)
            self._biteable[size] = small | (self.others.singles if size > 1 else 0)
        return self._biteable[size]

    def sight(self, cell: Cell) -> Bits:
        """Return the empty cells in line with a cell and nothing between, before any move."""
        if cell not in self._sights:
            self._sights[cell] = find_seen_cells(list_ray_sets(self.board)[cell], self.taken)
        return self._sights[cell]

    @property
    def beside_two_empty(self) -> Bits:
        """The cells with two empty ones in a row next to them, before any move."""
        if self._beside_two_empty is None:
            empty, width, beside_two_empty = self.board.mask & ~self.taken, self.board.width, 0
            for step in (1, width, width + 1):
                twos = empty & empty >> step
                beside_two_empty |= twos >> step | twos << 2 * step
            # Whole at once: other threads may be looking.
            self._beside_two_empty = beside_two_empty
        return self._beside_two_empty

    def _body(self, stones: Bits) -> Body:
        near, (one, two, three) = self.board.spread(stones), self._near
        touched = one & ~near | two & near
        crowded = two & ~near | three & near
        enterable = self.board.mask & ~self.taken | self.find_biteable(stones.bit_count())
        return Body(stones, near, enterable & ~touched, touched, crowded)

    def lift(self, moved: Cell) -> Lift:
        """Return what the stone on a cell can do; it must be in a creature of two or more."""
        if moved not in self._lifts:
            body = self._body(self.own.holding(1 << moved))
            self._lifts[moved] = Lift(self, body, moved)
        return self._lifts[moved]

    def places(self, moved: Cell, goal: Cell) -> Bits:
        """Return where the second stone may be placed when a stone has gone to a goal, if it may.

        Kept for each that is asked about, unlike what a listing goes through.
        """
        way = moved, goal
        if way not in self._places:
            self._places[way] = self._found(moved, goal)
        return self._places[way]

    def _found(self, moved: Cell, goal: Cell) -> Bits:
        if not self.mine & ~self.own.singles & 1 << moved:
            return 0
        lift = self.lift(moved)
        return lift.places(goal) if lift.goals >> goal & 1 else 0

    def lifts(self) -> Iterator[Lift]:
        """Yield what each stone that may move can do, in board order."""
        bodies = [self._body(group) for group in self.own.groups]
        whose = {cell: body for body in bodies for cell in scan_cells(body.stones)}
        for moved in sorted(whose):
            yield Lift(self, whose[moved], moved)

    def _lifts_as_they_come(self) -> Iterator[Lift]:
        """Yield the same creature by creature, looking at no more than is asked for."""
        for group in self.own.groups:
            body = self._body(group)
            if body.near & body.open:
                yield from (Lift(self, body, moved) for moved in scan_cells(group))

    def __iter__(self) -> Iterator[tuple[Cell, Cell, Bits]]:
        """Yield moved stone, destination, and the legal places, none of them empty."""
        for lift in self.lifts():
            for goal in scan_cells(lift.goals_with_view):
                places = lift.places(goal)
                if places:
                    yield lift.moved, goal, places

    def count(self) -> int:
        """Return how many turns there are."""
        return sum(places.bit_count() for _, _, places in self)

    def has_any(self) -> bool:
        """Tell whether there is any turn, stopping at the first that is found (G6)."""
        if self._some is None:
            lifts = self._lifts_as_they_come()
            self._some = any(
                lift.places(goal) for lift in lifts for goal in scan_cells(lift.goals_with_view)
            )
        return self._some
