"""Control and Congeners once more, written from the numbered rules and from nothing else.

It shares no code with the engine and prefers the obvious to the fast, so that the two can be
held against each other. Rules are cited as C1.. (Control) and G1.. (Congeners).

    python naive.py control 5 3 i4 f2    prints: side, depth, number of sequences, moves
"""

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product, takewhile, zip_longest
from typing import Any, Protocol, Self

Point = tuple[int, int]
DIRECTIONS: tuple[Point, ...] = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))
BLACK, WHITE = "black", "white"


# --- the board (C1, G1) ---------------------------------------------------------------------


@cache
def points(side: int) -> dict[str, Point]:
    """Cell name to (x, y): y is the row, x counts along it and is skewed to a straight axis."""
    last = 2 * side - 2
    return {
        f"{chr(ord('a') + y)}{x + 1 - max(0, y - side + 1)}": (x, y)
        for y in range(last, -1, -1)
        for x in range(max(0, y - side + 1), min(last, y + side - 1) + 1)
    }


def cells(side: int) -> list[str]:
    """All cells in board order: the top row first, each from the left."""
    return list(points(side))


def name_order(cell: str) -> tuple[str, int]:
    """Sort key: row letter, then column as a number."""
    return cell[0], int(cell[1:])


@cache
def rays(side: int) -> dict[str, list[list[str]]]:
    """Six straight lines from each cell out to the rim, the cell itself left out."""
    return {cell: [ray(side, cell, step) for step in DIRECTIONS] for cell in cells(side)}


def ray(side: int, cell: str, step: Point) -> list[str]:
    """The cells met by going from a cell in one direction."""
    names = {point: name for name, point in points(side).items()}
    (x, y), (dx, dy) = points(side)[cell], step
    line = [(x + n * dx, y + n * dy) for n in range(1, 2 * side)]
    return [names[point] for point in line if point in names]


@cache
def neighbours(side: int) -> dict[str, list[str]]:
    """The cells that touch each cell: three at a corner, four on an edge, else six."""
    return {cell: [line[0] for line in lines if line] for cell, lines in rays(side).items()}


@cache
def adjacent_pairs(side: int) -> list[tuple[str, str]]:
    """Every pair of touching cells once, in name order within and between the pairs."""
    near, ordered = neighbours(side), sorted(cells(side), key=name_order)
    return [(a, b) for i, a in enumerate(ordered) for b in ordered[i:] if b in near[a]]


# --- Control --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Control:
    """A position of Control: whose stone stands where, and the seat to move."""

    side: int
    stones: Mapping[str, int]
    seat: int

    @classmethod
    def start(cls, side: int) -> Self:
        """C2: an empty board, seat 1 to move."""
        return cls(side, {}, 1)

    def around(self, cell: str, seat: int) -> int:
        """How many neighbours of a cell hold that seat's stones."""
        return sum(self.stones.get(near) == seat for near in neighbours(self.side)[cell])

    def controller(self, cell: str) -> int:
        """C4: the seat with strictly more stones around the cell, 0 if there is none."""
        one, two = self.around(cell, 1), self.around(cell, 2)
        return 1 if one > two else 2 if two > one else 0

    def turn_on(self, cell: str) -> str | None:
        """C3, C5: the only turn that a cell can offer the player to move, if it offers one."""
        owner, controller = self.stones.get(cell), self.controller(cell)
        if owner is None:
            first_off_edge = not self.stones and len(neighbours(self.side)[cell]) == 6
            return None if first_off_edge or controller == 3 - self.seat else cell
        return f"{cell}x" if owner != self.seat and controller == self.seat else None

    def legal(self) -> list[str]:
        """C5: all turns, in board order of the cell."""
        return [turn for cell in cells(self.side) if (turn := self.turn_on(cell))]

    def after(self, text: str) -> Self:
        """The position that a legal turn leads to; legality is not looked at again."""
        stones = dict(self.stones)
        if text.endswith("x"):
            del stones[text[:-1]]
        else:
            stones[text] = self.seat
        return type(self)(self.side, stones, 3 - self.seat)

    def scores(self) -> list[int]:
        """C9: controlled empty cells, by seat."""
        empty = [cell for cell in cells(self.side) if cell not in self.stones]
        held = Counter(map(self.controller, empty))
        return [held[1], held[2]]

    def territory(self) -> list[int]:
        """C7: one for a controlled empty cell, two for an enemy stone on a controlled cell."""
        held = Counter((self.controller(cell), owner) for cell, owner in self.stones.items())
        one, two = self.scores()
        return [one + 2 * held[1, 2], two + 2 * held[2, 1]]

    def settled(self) -> int:
        """C7, C8: the winner by territory; a tie goes to the opponent of the player to move."""
        one, two = self.territory()
        return 3 - self.seat if one == two else 1 if one > two else 2

    def winner(self) -> int | None:
        """C6: who is not to move wins as soon as the player to move has no turn."""
        return None if self.legal() else 3 - self.seat

    def harmony(self) -> int:
        """C8: adjacent pairs of one colour minus adjacent pairs of two."""
        get = self.stones.get
        pairs = [(get(a), get(b)) for a, b in adjacent_pairs(self.side)]
        return sum(1 if a == b else -1 for a, b in pairs if a and b)


# --- Congeners: creatures and shapes --------------------------------------------------------


def rim(side: int, group: Iterable[str]) -> set[str]:
    """The cells that touch a group, cells of the group included where they touch it."""
    return {near for cell in group for near in neighbours(side)[cell]}


def creatures(side: int, stones: Collection[str]) -> list[set[str]]:
    """G2: the connected groups of one colour's stones."""
    left, found = set(stones), []
    while left:
        group = frontier = {min(left)}
        while frontier := (rim(side, frontier) & left) - group:
            group = group | frontier
        found.append(group)
        left -= group
    return found


def shape(side: int, creature: Iterable[str]) -> str:
    """G7: one name for all rotations and mirror images of a creature."""
    group, forms = [points(side)[cell] for cell in creature], []
    for _ in DIRECTIONS:
        group = [(x - y, x) for x, y in group]  # a sixth of a turn
        for form in (group, [(y, x) for x, y in group]):
            left, low = min(form)
            forms.append(sorted((x - left, y - low) for x, y in form))
    return " ".join(f"{x},{y}" for x, y in min(forms))


@cache
def setups(side: int) -> list[str]:
    """G3: a pair for each colour, the two pairs apart, in name order of the four cells."""
    pairs = adjacent_pairs(side)
    apart = {pair: set(pair) | rim(side, pair) for pair in pairs}
    return [
        f"{','.join(black)}/{','.join(white)}"
        for black, white in product(pairs, pairs)
        if apart[black].isdisjoint(white)
    ]


# --- Congeners: turns -----------------------------------------------------------------------


def goals(side: int, creature: set[str], own: frozenset[str], foe: frozenset[str]) -> set[str]:
    """G4a: empty cells at the creature, and all stones of smaller enemies that touch it."""
    near = rim(side, creature)
    prey = [c for c in creatures(side, foe) if len(c) < len(creature) and c & near]
    return (near - own - foe).union(*prey)


def spots(side: int, goal: str, taken: Collection[str]) -> list[str]:
    """G4b: where a straight empty line from the moved stone reaches, from two steps on."""
    lines = (list(takewhile(lambda cell: cell not in taken, line)) for line in rays(side)[goal])
    return [cell for line in lines for cell in line[1:]]


def kept_apart(side: int, homes: dict[str, int]) -> Callable[[str], bool]:
    """G5 as a test of the placed cell; `homes` says which old creature each stone is of.

    The groups that touch the placed stone become one. Then no group may hold two creatures
    (merged) and no creature may be in two groups (split).
    """
    groups = creatures(side, homes)
    owners = [{homes[cell] for cell in group} for group in groups]
    group_of = {cell: n for n, group in enumerate(groups) for cell in group}

    def test(spot: str) -> bool:
        touched = {group_of[near] for near in neighbours(side)[spot] if near in group_of}
        joined = {home for n in touched for home in owners[n]}
        apart = [home for n, held in enumerate(owners) if n not in touched for home in held]
        return len(joined) < 2 and len(apart) == len(set(apart) - joined)

    # A stone more can mend a split but never undo a merger, so look no further after one.
    return test if all(len(held) == 1 for held in owners) else lambda _: False


def turns(side: int, own: frozenset[str], foe: frozenset[str]) -> list[str]:
    """G4, G5: all turns of a colour, by moved stone, goal and placed stone in board order."""
    place = {cell: n for n, cell in enumerate(cells(side))}
    found = sorted(each_turn(side, own, foe), key=lambda turn: [place[cell] for cell in turn])
    return [f"{a}{'x' if b in foe else '-'}{b},{c}" for a, b, c in found]


def each_turn(
    side: int, own: frozenset[str], foe: frozenset[str]
) -> Iterator[tuple[str, str, str]]:
    """G4, G5: moved stone, goal and placed stone of each turn, in no order."""
    before = creatures(side, own)
    homes = {cell: home for home, creature in enumerate(before) for cell in creature}
    for creature in (c for c in before if len(c) > 1):
        for stone, goal in product(creature, goals(side, creature, own, foe)):
            moved = {cell: home for cell, home in homes.items() if cell != stone}
            moved[goal] = homes[stone]
            allowed = kept_apart(side, moved)
            found = spots(side, goal, (own - {stone}) | foe)
            yield from ((stone, goal, spot) for spot in found if allowed(spot))


# --- Congeners: the game --------------------------------------------------------------------


@dataclass(frozen=True)
class Congeners:
    """A position of Congeners; `black_seat` is None until the sides are chosen (G3)."""

    side: int
    black: frozenset[str]
    white: frozenset[str]
    seat: int
    black_seat: int | None
    ply: int

    @classmethod
    def start(cls, side: int) -> Self:
        """G1, G3: an empty board, seat 1 to set up."""
        return cls(side, frozenset(), frozenset(), 1, None, 0)

    def black_to_move(self) -> bool:
        """G3: whether Black's stones are the ones to move, as they also are while choosing."""
        return self.black_seat in (None, self.seat)

    def turns_of(self, black: bool) -> list[str]:
        """The stone turns one colour would have here."""
        own, foe = (self.black, self.white) if black else (self.white, self.black)
        return turns(self.side, own, foe)

    def legal(self) -> list[str]:
        """G3, G4, G6: all turns in the contract's order; none when the game is over."""
        if self.ply == 0:
            return list(setups(self.side))
        own = self.turns_of(self.black_to_move())
        if self.ply == 1:
            return ["play-second", *own]
        return own or ["pass"] * bool(self.turns_of(not self.black_to_move()))

    def after(self, text: str) -> Self:
        """The position that a legal turn leads to; legality is not looked at again."""
        black, white = self.stones_after(text)
        chooser = 1 if text == "play-second" else self.seat
        holder = chooser if self.ply == 1 else self.black_seat
        return type(self)(self.side, black, white, 3 - self.seat, holder, self.ply + 1)

    def stones_after(self, text: str) -> tuple[frozenset[str], frozenset[str]]:
        """Black's and White's stones after a turn (G3, G4)."""
        if text in ("play-second", "pass"):
            return self.black, self.white
        if "/" in text:
            first, second = text.split("/")
            return frozenset(first.split(",")), frozenset(second.split(","))
        stone, goal, spot = text.replace("x", "-").replace(",", "-").split("-")
        if self.black_to_move():
            return (self.black - {stone}) | {goal, spot}, self.white - {goal}
        return self.black - {goal}, (self.white - {stone}) | {goal, spot}

    def outcome(self) -> list[int] | None:
        """G3, G6 to G9: the winning seats, both in a draw; None while the game goes on."""
        if self.black_seat is None or self.turns_of(True) or self.turns_of(False):
            return None
        seats = {BLACK: [self.black_seat], WHITE: [3 - self.black_seat], None: [1, 2]}
        return seats[self.scoring()["winner_colour"]]

    def scoring(self) -> dict[str, Any]:
        """G7 to G9: the points by size, what decides, where, and the winning colour."""
        both = creatures(self.side, self.black), creatures(self.side, self.white)
        lengths = [sorted(map(len, groups), reverse=True) for groups in both]
        sizes = [
            {"size": size, BLACK: self.entries(both[0], size), WHITE: self.entries(both[1], size)}
            for size in sorted({*lengths[0], *lengths[1]}, reverse=True)
        ]
        self.letter(sizes)
        return {"sizes": sizes, **decision(sizes, lengths)}

    def letter(self, sizes: list[dict[str, Any]]) -> None:
        """Letter the shapes that several creatures have: by size downwards, then as text."""
        told = [entry for row in sizes for colour in (BLACK, WHITE) for entry in row[colour]]
        cells = {entry["shape"]: len(entry["shape"].split()) for entry in told}
        shared = {entry["shape"] for entry in told if entry["creatures"] > 1}
        order = sorted(shared, key=lambda shape: (-cells[shape], shape))
        for entry in told:
            at = order.index(entry["shape"]) if entry["creatures"] > 1 else -1
            high, low = divmod(at, 26)
            letters = (chr(64 + high) if high else "") + chr(65 + low)
            entry["mark"] = letters if at >= 0 else None

    def entries(self, groups: list[set[str]], size: int) -> list[dict[str, Any]]:
        """G7: a player's shapes of one size, the dearest first, with their points."""
        kinds = Counter(shape(self.side, group) for group in groups if len(group) == size)
        found = [
            {"shape": kind, "creatures": k, "points": k * size * size if k > 1 else 0}
            for kind, k in kinds.items()
        ]
        return sorted(found, key=lambda entry: (-entry["points"], entry["shape"]))


def decision(sizes: list[dict[str, Any]], lengths: list[list[int]]) -> dict[str, Any]:
    """G8, then G9: the first place (from 0) where the two colours differ; the larger wins."""
    stages = [
        ("score", row["size"], *([entry["points"] for entry in row[c]] for c in (BLACK, WHITE)))
        for row in sizes
    ]
    for decided_by, size, black, white in [*stages, ("creatures", None, *lengths)]:
        for place, (b, w) in enumerate(zip_longest(black, white, fillvalue=0)):
            if b != w:
                at = {"size": size, "place": place, BLACK: b, WHITE: w}
                winner = BLACK if b > w else WHITE
                return {"decided_by": decided_by, "winner_colour": winner, "at": at}
    return {"decided_by": "draw", "winner_colour": None, "at": None}


# --- counting -------------------------------------------------------------------------------


class Position(Protocol):
    """What counting needs of a game; a game that is over lists no turns."""

    def legal(self) -> list[str]: ...

    def after(self, text: str) -> Self: ...


def count(position: Position, depth: int) -> int:
    """How many legal sequences of that length begin here."""
    if depth < 2:
        return len(position.legal()) if depth else 1
    return sum(split(position, depth).values())


def split(position: Position, depth: int) -> dict[str, int]:
    """The same number by the first move, for a depth of at least 1."""
    return {turn: count(position.after(turn), depth - 1) for turn in position.legal()}


def main(game: str, side: str, depth: str, *moves: str) -> None:
    """Print one line of a file in fixtures/counts."""
    start: Callable[[int], Position] = Control.start if game == "control" else Congeners.start
    position = start(int(side))
    for move in moves:
        position = position.after(move)
    print(side, depth, count(position, int(depth)), *moves)


if __name__ == "__main__":
    main(*sys.argv[1:])
