"""Good play in Congeners, as far as it is known: what creatures are worth on the way to the end.

The largest size at which scores differ decides (G8), so a creature weighs the more the larger it
is, and one that shares its shape with another weighs most.  `strength` adds that up for one colour;
what is expected of a position follows from how the two strengths compare.

Shapes are told apart by the distances between their stones alone.  A few different shapes have the
same; here that does no harm.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import exp, log
from random import Random
from typing import NamedTuple, TypeAlias

from plyhost.board.bits import Bits, Cell, scan_cells
from plyhost.board.hexes import LARGEST_SIDE, Board
from plyhost.games.congeners import scoring as scores
from plyhost.games.congeners import setup
from plyhost.games.congeners.flaws import list_legal_words
from plyhost.games.congeners.position import CongenersPosition, Move
from plyhost.games.congeners.turns import find_creatures
from plyhost.games.game import Seat
from plyhost.search.guide import Guide, Rated, Result, share_of

#: A size, and a number that follows from the distances between the stones.
Kind: TypeAlias = tuple[int, int]
KindCounts: TypeAlias = Mapping[Kind, int]

#: By what factor a creature weighs more for each stone, and what a shape that only one creature has
#: is worth of the same shape with another.
GROWTH = 2.0
ALONE = 0.2
#: How sure of the end the logarithm of two strengths' ratio makes.
SURENESS = 1.0
#: Setups that are looked at.
SETUPS = 24


class Side(NamedTuple):
    """One colour's creatures by kind, and their strength."""

    kinds: KindCounts
    strength: float


@lru_cache(maxsize=LARGEST_SIDE)
def make_distance_hashes(board: Board) -> list[list[int]]:
    """Return for each two cells a random number that stands for their distance."""
    numbers: dict[int, int] = {}
    random = Random(0)
    table = [[0] * board.limit for _ in range(board.limit)]
    for one in board.cells:
        for two in board.cells:
            down = one // board.width - two // board.width
            across = one % board.width - two % board.width
            square = down * down - down * across + across * across
            if square not in numbers:
                numbers[square] = random.getrandbits(60)
            table[one][two] = numbers[square]
    return table


def weigh_kind(size: int, number: int) -> float:
    """Return what so many creatures of one kind are worth."""
    return GROWTH**size * size * size * (number if number > 1 else number * ALONE)


def kind_of(board: Board, creature: Bits) -> Kind:
    """Return the kind of a creature."""
    cells, table = list(scan_cells(creature)), make_distance_hashes(board)
    total = sum(table[one][two] for one in cells for two in cells if one < two)
    return len(cells), total


@lru_cache(maxsize=1024)
def weigh_creatures(board: Board, stones: Bits) -> Side:
    """Return what a colour has; not to be changed."""
    groups, singles, _ = find_creatures(board, stones)
    kinds: dict[Kind, int] = {}
    for group in groups:
        kind = kind_of(board, group)
        kinds[kind] = kinds.get(kind, 0) + 1
    if singles:
        kinds[1, 0] = singles.bit_count()
    return Side(kinds, sum(weigh_kind(kind[0], number) for kind, number in kinds.items()))


def change_strength(side: Side, changes: Mapping[Kind, int]) -> float:
    """Return the strength when there are so many more or fewer creatures of some kinds."""
    strength, kinds = side.strength, side.kinds
    for kind, change in changes.items():
        number = kinds.get(kind, 0)
        strength += weigh_kind(kind[0], number + change) - weigh_kind(kind[0], number)
    return strength


def compare_strengths(mine: float, theirs: float) -> float:
    """Return what is expected for the first of two colours: from 0 to 1."""
    return 1 / (1 + exp(SURENESS * (log(1 + theirs) - log(1 + mine))))


class CongenersGuide(Guide[CongenersPosition, Move]):
    """The strength of both colours instead of playouts."""

    exploration = 0.25
    trust = 1.0

    def estimate_result(self, position: CongenersPosition) -> Result:
        """Return what the strengths of both colours promise."""
        if position.black is None:
            return 0.5
        mine, theirs = (
            weigh_creatures(position.board, stones).strength for stones in position.sides
        )
        return share_of(compare_strengths(mine, theirs), position.seat)

    def foresee_result(self, position: CongenersPosition, random: Random) -> Result:
        """Return what is expected at once."""
        return self.estimate_result(position)

    def list_candidates(
        self, position: CongenersPosition, random: Random
    ) -> tuple[list[Rated], bool]:
        """Return some setups, or all turns and words."""
        if position.phase == "setup":
            return [(one, 0.5) for one in draw_setups(position.board, random)], False
        found = list(rate_turns(position))
        if position.phase == "choice" or not found:
            words = list_legal_words(position)
            found += [(word, self._rate_word(position, word)) for word in words]
        random.shuffle(found)
        return found, True

    def _rate_word(self, position: CongenersPosition, word: Move) -> float:
        return share_of(self.estimate_result(self.game.play(position, word)), position.seat)

    def measure_gain(self, position: CongenersPosition, seat: Seat) -> list[int]:
        """Return how much more a seat scores, size by size, the largest first (G8)."""
        black, white = (list_points(position.board, kinds) for kinds in position.facts.kinds)
        sign = 1 if seat == position.black else -1
        return [sign * (one - two) for one, two in zip(black, white, strict=True)]


def list_points(board: Board, by_size: scores.Kinds) -> list[int]:
    """Return what a colour scores by size, from the largest that can be downwards (G7)."""
    sizes = range(len(board.cells), 0, -1)
    return [sum(scores.rank_shape_scores(size, by_size.get(size, {}))) for size in sizes]


def draw_setups(board: Board, random: Random) -> list[setup.Setup]:
    """Return a few setups by lot."""
    pairs = setup.list_pairs(board)
    found: dict[setup.Setup, None] = {}
    while len(found) < SETUPS:
        black, white = random.sample(pairs, 2)
        room = setup.find_white_room(board, black)
        if all(room >> cell & 1 for cell in white):
            found[black, white] = None
    return list(found)


def rate_turns(position: CongenersPosition) -> Iterator[Rated]:
    """Yield each turn of the player to move with the share that it promises."""
    board, (mine, theirs) = position.board, position.sides
    neighbours, table = board.neighbours, make_distance_hashes(board)
    turns, side, other = (
        position.turns,
        weigh_creatures(board, mine),
        weigh_creatures(board, theirs),
    )
    groups = {cell: group for group in turns.own.groups for cell in scan_cells(group)}
    cells = {group: list(scan_cells(group)) for group in turns.own.groups}
    kinds = {group: kind_of(board, group) for group in turns.own.groups}
    bitten: dict[Cell, float] = {}
    for moved, goal, places in turns:
        group = groups[moved]
        rest = [cell for cell in cells[group] if cell != moved]
        size, number = kinds[group]
        away, to = table[moved], table[goal]
        number += sum(to[cell] - away[cell] for cell in rest)
        after, shape = group ^ 1 << moved | 1 << goal, [*rest, goal]
        bite = bool(theirs >> goal & 1)
        if bite and goal not in bitten:
            bitten[goal] = bite_strength(board, turns.others.holding(1 << goal), goal, other)
        against = bitten[goal] if bite else other.strength
        for placed in scan_cells(places):
            near, far = neighbours[placed], table[placed]
            changes = {kinds[group]: -1}
            if near & after:
                grown = size + 1, number + sum(far[cell] for cell in shape)
                changes[grown] = changes.get(grown, 0) + 1
            else:
                still = size, number
                changes[still] = changes.get(still, 0) + 1
                joined = near & mine & ~(1 << moved)
                single = 1, 0
                if joined:
                    spot = (joined & -joined).bit_length() - 1
                    found = groups.get(spot)
                    old = kinds[found] if found else single
                    others = cells[found] if found else [spot]
                    changes[old] = changes.get(old, 0) - 1
                    grown = old[0] + 1, old[1] + sum(far[cell] for cell in others)
                    changes[grown] = changes.get(grown, 0) + 1
                else:
                    changes[single] = changes.get(single, 0) + 1
            share = compare_strengths(change_strength(side, changes), against)
            yield (moved, goal, placed, bite), share


def bite_strength(board: Board, victim: Bits, bitten: Cell, side: Side) -> float:
    """Return the strength of a colour that loses a stone of a creature."""
    changes = {kind_of(board, victim): -1}
    for part in find_creatures(board, victim ^ 1 << bitten).each():
        kind = kind_of(board, part)
        changes[kind] = changes.get(kind, 0) + 1
    return change_strength(side, changes)
