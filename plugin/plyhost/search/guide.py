"""What a search asks about a game beyond its rules; here the answers that hold for any game.

A *result* is what seat 1 gets: 1 for a win, 0 for a loss, 1/2 for a draw, and between them what is
expected.  A *share* is the same for the seat to move.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Generic, TypeAlias

from plyhost import deadline
from plyhost.games.game import Game, MoveT, PlaceT, Seat, Unsettled

Result: TypeAlias = float
#: A move, and the share that it may bring.
Rated: TypeAlias = tuple[Any, float]


def result_of(winners: Sequence[Seat]) -> Result:
    """Return the result of winning seats; both of them or none are a draw."""
    return float(winners[0] == 1) if len(winners) == 1 else 0.5


def share_of(result: Result, seat: Seat) -> float:
    """Return a result as the seat sees it (1 - result for seat 2); applied twice it is undone."""
    return result if seat == 1 else 1 - result


class Guide(Generic[PlaceT, MoveT]):
    """The advice of a game to a search; a game with more to say overrides what it knows better.

    A guide serves one search: `aim` tells it the position that is searched from.  All other methods
    are pure but for the random numbers that they draw from `random`.
    """

    #: How much a rarely tried move is favoured over one that did well.
    exploration: ClassVar[float] = 0.4
    #: How many visits a move's first guess weighs.
    trust: ClassVar[float] = 1.0
    #: Plies that are played by lot before a quick game is settled.
    playout_plies: ClassVar[int] = 200

    def __init__(self, game: Game[PlaceT, MoveT]) -> None:
        self.game = game

    def aim(self, position: PlaceT) -> None:
        """Take note of the position that a search begins at."""

    def list_candidates(self, position: PlaceT, random: Random) -> tuple[list[Rated], bool]:
        """Return legal moves with the share that each may bring, and whether they are all.

        There is at least one unless there is no move; equals stand in an order by lot.
        """
        moves = list(deadline.yield_until_deadline(self.game.moves(position)))
        random.shuffle(moves)
        return [(move, 0.5) for move in moves], True

    def limit_width(self, visits: int) -> int:
        """Return how many moves are tried at a place that was visited so often."""
        return 3 + int(2 * visits**0.5)

    def foresee_result(self, position: PlaceT, random: Random) -> Result:
        """Return how the game may come out from here: of a quick one by lot, how it does."""
        game = self.game
        for _ in range(self.playout_plies):
            winners = game.winners(position)
            if winners is not None:
                return result_of(winners)
            position = game.play(position, random.choice(list(game.moves(position))))
        return self.estimate_result(position)

    def estimate_result(self, position: PlaceT) -> Result:
        """Return what is expected without looking further: here who is ahead has it."""
        try:
            return result_of(self.game.settled(position))
        except Unsettled:
            return 0.5

    def convert_mean(self, result: Result) -> Result:
        """Return the result that a mean of the search stands for."""
        return result

    def measure_gain(self, position: PlaceT, seat: Seat) -> Any:
        """Return what a player who looks one move ahead wants most of, of any sortable type."""
        return share_of(self.estimate_result(position), seat)


AnyGuide: TypeAlias = Guide[Any, Any]
