"""What the search has to say of a position: its best moves, and what it expects of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import inf
from random import Random
from time import monotonic
from typing import Any

from plyhost import deadline, limits
from plyhost.games.congeners.rules import Congeners
from plyhost.games.control.rules import Control
from plyhost.games.game import AnyGame, Position
from plyhost.search.congeners_guide import CongenersGuide
from plyhost.search.control_guide import ControlGuide
from plyhost.search.guide import AnyGuide, Guide, share_of
from plyhost.search.levels import LEVELS, STRONGEST
from plyhost.search.tree import Edge, Search

#: Moves of the line that is expected.
LINE_PLIES = 8
_GUIDES: dict[type, type[AnyGuide]] = {Control: ControlGuide, Congeners: CongenersGuide}


@dataclass(frozen=True)
class Effort:
    """How hard to think: `level` from 1 to 6, `seed` of what is drawn by lot.

    `visits`, or else `seconds`, replace the visits of the level.  `longest` is a number of seconds
    that ends the search in any case.  `plain` has nothing known of a game but its rules.
    """

    level: int = STRONGEST
    seed: int = 0
    visits: int | None = None
    seconds: float | None = None
    longest: float | None = None
    plain: bool = False


@dataclass(frozen=True)
class Thought:
    """A move, how often it was tried, and the share of the result that its seat may expect.

    `line` is how the game is expected to go on, the move itself first; `proved` tells that what is
    expected is certain.
    """

    move: Any
    visits: int
    expected: float
    proved: bool
    line: list[Any]


@dataclass(frozen=True)
class Thoughts:
    """The moves that were tried, best first; `choice` is the one to play, not always the first.

    `stopped` is `visits`, `seconds` or `proved`.
    """

    choice: Any
    best: list[Thought]
    visits: int
    stopped: str


def find_guide(game: AnyGame, plain: bool = False) -> AnyGuide:
    """Return a new guide of a game: the one that it names itself, one of ours, or a plain one."""
    kind = Guide if plain else game.guide or _GUIDES.get(type(game), Guide)
    made: AnyGuide = kind(game)
    return made


def think_of_position(game: AnyGame, position: Position, effort: Effort) -> Thoughts:
    """Return what the search finds; the game must not be over.

    Without seconds the answer depends on the arguments alone.  Raises deadline.Overdue.
    """
    random, level = Random(effort.seed), LEVELS[effort.level]
    search, stopped = run_search(game, position, effort, random)
    best = [tell_thought(search, edge) for edge in search.root.known]
    slips = random.random() < level.slip
    choice = draw_move(game, position, random) if slips else best[0].move
    return Thoughts(choice, best, search.root.visits, stopped)


def think_of_move(game: AnyGame, position: Position, move: Any, effort: Effort) -> Thought:
    """Return what the search finds behind one legal move, with an effort of its own."""
    search, _ = run_search(game, game.play(position, move), effort, Random(effort.seed))
    root, line = search.root, [move]
    if root.proved is None or root.known:
        best = tell_thought(search, root.known[0])
        line += best.line[: LINE_PLIES - 1]
        result = share_of(best.expected, root.seat)
    else:
        result = root.proved
    expected = share_of(result, position.seat)
    return Thought(move, root.visits, expected, root.proved is not None, line)


def run_search(
    game: AnyGame, position: Position, effort: Effort, random: Random
) -> tuple[Search, str]:
    """Return a search after its effort, and what stopped it."""
    search = Search(game, find_guide(game, effort.plain), position, random)
    visits = effort.visits or LEVELS[effort.level].visits
    if effort.seconds is not None and effort.visits is None:
        visits = limits.SUGGESTED_VISITS
    bounds = [one for one in (effort.seconds, effort.longest) if one is not None]
    until = monotonic() + min(bounds, default=inf)
    search.run(visits, lambda: monotonic() < until or not search.root.visits)
    if search.root.proved is not None:
        return search, "proved"
    return search, "visits" if search.root.visits >= visits else "seconds"


def draw_move(game: AnyGame, position: Position, random: Random) -> Any:
    """Return a legal move, each with the same chance."""
    drawn = random.randrange(game.count(position))
    return next(islice(deadline.yield_until_deadline(game.moves(position)), drawn, None))


def tell_thought(search: Search, edge: Edge) -> Thought:
    """Return what is known of a move at the root of a search."""
    seat, proved = search.root.seat, edge.node.proved if edge.node else None
    result = share_of(edge.expected, seat)
    result = search.guide.convert_mean(result) if proved is None else proved
    line = list(_follow_line(edge))
    return Thought(edge.move, edge.visits, share_of(result, seat), proved is not None, line)


def _follow_line(edge: Edge) -> Iterator[Any]:
    for _ in range(LINE_PLIES):
        yield edge.move
        known = edge.node.known if edge.node else []
        if not known:
            return
        edge = known[0]
