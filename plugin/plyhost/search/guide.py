"""What a search asks about a game beyond its rules; here the answers that hold for any game.

A *result* is what seat 1 gets: 1 for a win, 0 for a loss, 1/2 for a draw, and between them what is
expected.  A *share* is the same for the seat to move.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, TypeAlias

from plyhost import deadline
from plyhost.games.game import Game, MoveT, PlaceT, Seat, Unsettled

Result: TypeAlias = float
#: The moves that each seat made in a playout.
Played: TypeAlias = tuple[set[Any], set[Any]]


class Candidates(NamedTuple):
    """Moves to try, the most promising first, with the share that each may bring.

    `complete` tells whether they are all legal moves.
    """

    moves: list[tuple[Any, float]]
    complete: bool


def result_of(winners: Sequence[Seat]) -> Result:
    """Return the result of winning seats; both of them or none are a draw."""
    return float(winners[0] == 1) if len(winners) == 1 else 0.5


def share_of(result: Result, seat: Seat) -> float:
    """Return what a seat has of a result."""
    return result if seat == 1 else 1 - result


class Guide(Generic[PlaceT, MoveT]):
    """The advice of a game to a search; a game with more to say overrides what it knows better.

    A guide serves one search: `aim` tells it the position that is searched from.  All other methods
    are pure but for the random numbers that they draw from `random`.
    """

    #: How much a rarely tried move is favoured over one that did well.
    exploration: ClassVar[float] = 0.4
    #: How many visits a candidate's first share weighs.
    trust: ClassVar[float] = 2.0
    #: Whether a move is worth as much later as now, so that playouts tell of it (RAVE); the larger
    #: the bias, the sooner a move's own visits count alone.  None where it is not.
    rave_bias: ClassVar[float | None] = None
    #: Moves that are looked at in one position, and plies of a playout before it is settled.
    most_candidates: ClassVar[int] = 400
    playout_plies: ClassVar[int] = 200

    def __init__(self, game: Game[PlaceT, MoveT]) -> None:
        self.game = game

    def aim(self, position: PlaceT) -> None:
        """Take note of the position that a search begins at."""

    def list_candidates(self, position: PlaceT, random: Random) -> Candidates:
        """Return legal moves to try, at least one where there is one."""
        moves = list(deadline.yield_until_deadline(self.game.moves(position)))
        random.shuffle(moves)
        complete = len(moves) <= self.most_candidates
        return Candidates([(move, 0.5) for move in moves[: self.most_candidates]], complete)

    def limit_width(self, visits: int) -> int:
        """Return how many candidates are tried at a place that was visited so often."""
        return 3 + int(2 * visits**0.5)

    def estimate_result(self, position: PlaceT) -> Result:
        """Return what is expected without looking further."""
        try:
            return result_of(self.game.settled(position))
        except Unsettled:
            return 0.5

    def play_out(self, position: PlaceT, random: Random) -> tuple[Result, Played]:
        """Return how a quick game from here comes out, and what was played in it."""
        game, played = self.game, (set[Any](), set[Any]())
        for _ in range(self.playout_plies):
            winners = game.winners(position)
            if winners is not None:
                return result_of(winners), played
            move = random.choice(list(game.moves(position)))
            played[position.seat - 1].add(move)
            position = game.play(position, move)
        return self.estimate_result(position), played

    def convert_mean(self, result: Result) -> Result:
        """Return the result that a mean of the search stands for."""
        return result

    def measure_gain(self, position: PlaceT, seat: Seat) -> Any:
        """Return what a player who looks one move ahead wants most of, of any sortable type."""
        return share_of(self.estimate_result(position), seat)


AnyGuide: TypeAlias = Guide[Any, Any]
