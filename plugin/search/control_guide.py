"""Good play in Control, as far as it is known: territory (C7) tells early who will win.

So what is expected of a position follows from its territory, and nothing is played out.  What a
move adds to it is read off the margins of the cells around: one that is at zero becomes the
mover's, one that the other seat holds by one neighbour becomes nobody's.
"""

from collections.abc import Iterator
from math import exp
from random import Random

from plugin.bits import Cell, scan
from plugin.control import ControlPosition, territory
from plugin.game import Seat
from plugin.search.guide import Candidates, Guide, Played, Result

#: How sure of the end one more point of territory makes.
SURENESS = 0.6


def weigh_lead(lead: int) -> float:
    """Return the share that a lead in territory promises."""
    return 1 / (1 + exp(-SURENESS * lead))


def measure_lead(position: ControlPosition, seat: Seat) -> int:
    """Return how much more territory a seat has than the other (C7)."""
    one, two = territory(position)
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
    empty, held, lead = board.mask & ~(one | two), position.control[seat - 1], 0
    lead = measure_lead(position, seat)
    # Cells that count once, and those that count twice, as soon as a stone is added beside them.
    once, twice, near = (even | behind) & empty, even & enemy | behind & mine, board.neighbours
    for cell in scan(position.legal):
        around = near[cell]
        # The cell itself: a capture halves what it counts, a placement on our own ends it.
        own = (held | enemy) >> cell & 1
        yield cell, lead + (around & once).bit_count() + 2 * (around & twice).bit_count() - own


class ControlGuide(Guide[ControlPosition, Cell]):
    """Territory instead of playouts."""

    exploration = 0.25
    trust = 1.0

    def estimate_result(self, position: ControlPosition) -> Result:
        """Return what territory promises."""
        return weigh_lead(measure_lead(position, 1))

    def play_out(self, position: ControlPosition, random: Random) -> tuple[Result, Played]:
        """Return what is expected at once."""
        return self.estimate_result(position), (set(), set())

    def list_candidates(self, position: ControlPosition, random: Random) -> Candidates:
        """Return all legal moves by the territory that they bring."""
        rated = [(cell, weigh_lead(lead)) for cell, lead in rate_cells(position)]
        random.shuffle(rated)
        return Candidates(rated, True)

    def limit_width(self, visits: int) -> int:
        """Return how many cells are tried."""
        return 4 + int(3 * visits**0.5)

    def measure_gain(self, position: ControlPosition, seat: Seat) -> int:
        """Return a seat's lead."""
        return measure_lead(position, seat)
