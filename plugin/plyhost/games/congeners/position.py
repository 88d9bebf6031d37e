"""A position of Congeners, and what a move makes of it.

A game begins with the setup, goes on with the choice of a side, then with turns (G3, G4).
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any, Final, Literal, TypeAlias

from plyhost.board.bits import Bits, Cell
from plyhost.board.hexes import Board
from plyhost.games.congeners import scoring
from plyhost.games.congeners.setup import Setup, make_pair_set
from plyhost.games.congeners.turns import Turns, find_creatures
from plyhost.games.game import Position, Seat

PASS: Final = "pass"
SECOND: Final = "play-second"
WORDS: Final = (PASS, SECOND)

#: The moved stone, its destination, the placed stone, and whether the destination is bitten.
Turn: TypeAlias = tuple[Cell, Cell, Cell, bool]
#: A word, a setup (two pairs) or a turn.
Move: TypeAlias = str | Setup | Turn
Phase: TypeAlias = Literal["setup", "choice", "turns"]


#: How many positions a worker remembers: those that a player is just trying moves in.
#: Few, since what is kept for long lies scattered over memory that could else be given back.
REMEMBERED = 24


class Facts:
    """What follows from the stones of a position, found when it is first asked for.

    Of each pair the first is Black's.  All who ask get the same: not to be changed.
    """

    def __init__(self, board: Board, stones: tuple[Bits, Bits]) -> None:
        black, white = find_creatures(board, stones[0]), find_creatures(board, stones[1])
        self.creatures = black, white
        self.turns = Turns(board, black, white), Turns(board, white, black)
        self._board = board

    @cached_property
    def kinds(self) -> tuple[scoring.Kinds, scoring.Kinds]:
        """How many creatures of each shape a colour has."""
        black, white = self.creatures
        count = scoring.count_shapes_by_size
        return count(self._board, black), count(self._board, white)

    @cached_property
    def deciding(self) -> scoring.Deciding:
        """Where the comparison of both colours is decided (G8, G9)."""
        return scoring.find_deciding_place(*self.kinds)

    @cached_property
    def scoring_view(self) -> Mapping[str, Any]:
        """The `scoring` of a view."""
        return scoring.build_scoring_view(*self.kinds, self.deciding)


class CongenersPosition(Position, frozen=True):
    """`stones` are Black's and White's; `black` is the seat that holds Black, None before G3."""

    black: Seat | None = None

    @property
    def phase(self) -> Phase:
        """What is due."""
        if self.black is not None:
            return "turns"
        return "choice" if any(self.stones) else "setup"

    @property
    def colour(self) -> int:
        """The index in `stones` of the player to move; who takes a turn at the choice is Black."""
        return int(self.black == 3 - self.seat)

    @property
    def sides(self) -> tuple[Bits, Bits]:
        """The stones of the player to move, and the other's."""
        one, two = self.stones
        return (two, one) if self.colour else (one, two)

    @property
    def facts(self) -> Facts:
        """What follows from the stones."""
        return recall_facts(self.board, self.stones)

    @property
    def turns(self) -> Turns:
        """The turns of the player to move."""
        return self.facts.turns[self.colour]

    @property
    def replies(self) -> Turns:
        """The turns that the other player would have on this very board."""
        return self.facts.turns[1 - self.colour]


@lru_cache(maxsize=REMEMBERED)
def recall_facts(board: Board, stones: tuple[Bits, Bits]) -> Facts:
    """Return the facts of some stones; the last few that were asked about are kept."""
    return Facts(board, stones)


def is_bite(move: Move) -> bool:
    """Tell whether a move is a turn that bites."""
    return not isinstance(move, str) and len(move) == 4 and move[3]


def play_congeners_move(position: CongenersPosition, move: Move) -> CongenersPosition:
    """Return the position after a legal move."""
    board, black, seat = position.board, position.black, position.seat
    if isinstance(move, str):
        return CongenersPosition(board, position.stones, 3 - seat, black or 1)
    if len(move) == 2:
        stones = make_pair_set(move[0]), make_pair_set(move[1])
        return CongenersPosition(board, stones, 3 - seat)
    moved, goal, placed, bite = move
    mine, theirs = position.sides
    mine = mine & ~(1 << moved) | 1 << goal | 1 << placed
    if bite:
        theirs ^= 1 << goal
    after = (theirs, mine) if position.colour else (mine, theirs)
    return CongenersPosition(board, after, 3 - seat, black or seat)


def find_due_phase(ply: int) -> Phase:
    """Return the phase in which a ply, numbered from 1, is made."""
    return "setup" if ply == 1 else "choice" if ply == 2 else "turns"


def is_consistent_position(position: CongenersPosition) -> bool:
    """Tell whether the stones suit the seat that holds Black, or that nobody does yet."""
    numbers = [stones.bit_count() for stones in position.stones]
    if position.phase == "choice":
        return position.seat == 2 and numbers == [2, 2]
    return position.phase == "setup" or any(numbers)


def undo_congeners_move(position: CongenersPosition, move: Move, ply: int) -> CongenersPosition:
    """Return the position before a move that was made as ply number `ply`, from 1.

    Raises ValueError when the move cannot have led here.
    """
    seat, phase = 3 - position.seat, find_due_phase(ply)
    black = position.black if phase == "turns" else None
    stones = position.stones
    if not isinstance(move, str):
        colour = 0 if black in (None, seat) else 1
        stones = (0, 0) if len(move) == 2 else _undo_turn_stones(stones, move, colour)
    before = CongenersPosition(position.board, stones, seat, black)
    if seat != 2 - ply % 2 or before.phase != phase or not is_consistent_position(before):
        raise ValueError(f"no ply {ply} leads here")
    if not _is_move_of_phase(move, phase) or play_congeners_move(before, move) != position:
        raise ValueError(f"{move} does not lead here")
    return before


def _is_move_of_phase(move: Move, phase: Phase) -> bool:
    """Tell whether this kind of move belongs into a phase."""
    if isinstance(move, str):
        return phase == ("choice" if move == SECOND else "turns")
    return (len(move) == 2) == (phase == "setup")


def _undo_turn_stones(stones: tuple[Bits, Bits], turn: Turn, colour: int) -> tuple[Bits, Bits]:
    """Return the stones before a turn of a colour (0 or 1)."""
    moved, goal, placed, bite = turn
    mine, theirs = stones[colour], stones[1 - colour]
    before = mine & ~(1 << goal | 1 << placed)
    taken = before | theirs
    if placed == goal or moved == goal or taken >> moved & 1:
        raise ValueError("these stones are not where such a turn leaves them")
    before |= 1 << moved
    theirs |= int(bite) << goal
    return (before, theirs) if colour == 0 else (theirs, before)
