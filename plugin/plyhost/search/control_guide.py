"""Good play in Control, as far as it is known: territory (C7) tells early who will win.

So what is expected of a position follows from its territory, and nothing is played out.  What a
move adds to it is read off the margins of the cells around: one that is at zero becomes the
mover's, one that the other seat holds by one neighbour becomes nobody's.
"""

from collections.abc import Iterator
from math import exp, log
from random import Random

from plyhost.board.bits import Cell, scan_cells
from plyhost.games.control.rules import ControlPosition, count_territory
from plyhost.games.game import Seat
from plyhost.search.guide import Guide, Rated, Result

#: How sure one more point of territory makes the search, which compares leads that are close to
#: each other, and how sure of the end it makes.
SURENESS = 0.6
SURENESS_OF_END = 0.15
#: Points of territory that the move is worth to whoever has it: leads told at even and at odd
#: depths can be compared.
TEMPO = 1.5


def weigh_lead(lead: float, sureness: float = SURENESS) -> float:
    """Return the share that a lead in territory promises."""
    return 1 / (1 + exp(-sureness * lead))


def measure_lead(position: ControlPosition, seat: Seat) -> int:
    """Return how much more territory a seat has than the other (C7)."""
    one, two = count_territory(position)
    return one - two if seat == 1 else two - one


def rate_cells(position: ControlPosition) -> Iterator[tuple[Cell, int]]:
    """Yield each legal move with the lead that the mover has after it."""
    board, seat, (one, two) = position.board, position.seat, position.stones
    ones, twos, fours, sign = position.margin
    even = board.mask & ~(ones | twos | fours | sign)
    if seat == 1:
        mine, enemy, behind = one, two, ones & twos & fours & sign
    else:
        mine, enemy, behind = two, one, ones & ~(twos | fours | sign)
    empty, held = board.mask & ~(one | two), position.control[seat - 1]
    lead = measure_lead(position, seat)
    # Cells that count once, and those that count twice, as soon as a stone is added beside them.
    once, twice, near = (even | behind) & empty, even & enemy | behind & mine, board.neighbours
    for cell in scan_cells(position.legal):
        around = near[cell]
        # The cell itself: a capture halves what it counts, a placement on our own ends it.
        own = (held | enemy) >> cell & 1
        yield cell, lead + (around & once).bit_count() + 2 * (around & twice).bit_count() - own


class ControlGuide(Guide[ControlPosition, Cell]):
    """Territory instead of playouts.

    What counts is how much the lead changes from the root on (`par`): else nothing would be worth
    an effort where one seat is far ahead.
    """

    exploration = 0.15
    trust = 1.0
    par: int = 0

    def aim(self, position: ControlPosition) -> None:
        """Take the lead of seat 1 for par."""
        self.par = measure_lead(position, 1)

    def estimate_result(self, position: ControlPosition) -> Result:
        """Return what territory promises, as compared to par."""
        tempo = TEMPO if position.seat == 1 else -TEMPO
        return weigh_lead(measure_lead(position, 1) + tempo - self.par)

    def convert_mean(self, result: Result) -> Result:
        """Return what the lead promises that a mean stands for."""
        odds = max(result, 1e-9) / max(1 - result, 1e-9)
        return weigh_lead(self.par + log(odds) / SURENESS, SURENESS_OF_END)

    def foresee_result(self, position: ControlPosition, random: Random) -> Result:
        """Return what is expected at once."""
        return self.estimate_result(position)

    def list_candidates(
        self, position: ControlPosition, random: Random
    ) -> tuple[list[Rated], bool]:
        """Return all legal moves, and what the territory that they bring promises."""
        # The move is the other seat's then.
        par = TEMPO + (self.par if position.seat == 1 else -self.par)
        rated: list[Rated] = [(cell, weigh_lead(lead - par)) for cell, lead in rate_cells(position)]
        random.shuffle(rated)
        return rated, True

    def limit_width(self, visits: int) -> int:
        """Return how many cells are tried."""
        return 4 + int(3 * visits**0.5)

    def measure_gain(self, position: ControlPosition, seat: Seat) -> int:
        """Return a seat's lead."""
        return measure_lead(position, seat)
