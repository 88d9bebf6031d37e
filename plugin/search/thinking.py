"""What the search has to say of a position: its best moves, and what it expects."""

from dataclasses import dataclass
from itertools import islice
from random import Random
from time import monotonic
from typing import Any

from plugin import deadline
from plugin.game import Game, Position
from plugin.search.congeners_guide import CongenersGuide
from plugin.search.control_guide import ControlGuide
from plugin.search.guide import AnyGuide, Guide, Result, share_of
from plugin.search.levels import LEVELS, STRONGEST
from plugin.search.tree import Edge, Node, Search

#: Moves of the line that is expected.
LINE_PLIES = 8
_GUIDES: dict[str, type[AnyGuide]] = {"control": ControlGuide, "congeners": CongenersGuide}


@dataclass(frozen=True)
class Effort:
    """How hard to think: `level` from 1 to 6, `seed` of what is drawn by lot.

    `visits` replaces those of the level; `seconds` ends the search early, None never.
    """

    level: int = STRONGEST
    seed: int = 0
    visits: int | None = None
    seconds: float | None = None


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
    """The best moves, best first; `choice` is the move to play, which is not always the first.

    `stopped` is `visits`, `seconds` or `proved`.
    """

    choice: Any
    best: list[Thought]
    visits: int
    stopped: str


def find_guide(game: Game[Any, Any]) -> AnyGuide:
    """Return the guide of a game: its own `guide`, one of ours, or one that knows the rules."""
    own: type[AnyGuide] | None = getattr(game, "guide", None)
    ours = _GUIDES.get(game.info.uid) if type(game).__module__.startswith("plugin.") else None
    return (own or ours or Guide)(game)


def think(game: Game[Any, Any], position: Position, effort: Effort) -> Thoughts:
    """Return what the search finds; the game must not be over.

    Without `seconds` the answer depends on the arguments alone.  Raises deadline.Overdue.
    """
    random, level = Random(effort.seed), LEVELS[effort.level]
    search = Search(game, find_guide(game), position, random)
    visits = effort.visits or level.visits
    until = monotonic() + effort.seconds if effort.seconds is not None else None
    search.run(visits, lambda: until is None or monotonic() < until or not search.root.visits)
    best = [tell_thought(search.root, edge) for edge in search.root.known]
    slips = random.random() < level.slip
    choice = draw_move(game, position, random) if slips else best[0].move
    stopped = "proved" if search.root.proved is not None else "seconds"
    stopped = "visits" if search.root.visits >= visits else stopped
    return Thoughts(choice, best, search.root.visits, stopped)


def draw_move(game: Game[Any, Any], position: Position, random: Random) -> Any:
    """Return a legal move, each with the same chance."""
    drawn = random.randrange(game.count(position))
    return next(islice(deadline.watched(game.moves(position)), drawn, None))


def tell_thought(node: Node, edge: Edge) -> Thought:
    """Return what is known of a move."""
    proved = edge.node.proved if edge.node else None
    expected = edge.expected if proved is None else share_of(proved, node.seat)
    return Thought(edge.move, edge.visits, expected, proved is not None, _follow_line(edge))


def _follow_line(edge: Edge) -> list[Any]:
    line, node = [edge.move], edge.node
    while node and len(line) < LINE_PLIES and node.known:
        best = node.known[0]
        line.append(best.move)
        node = best.node
    return line


def expect_result(thoughts: Thoughts, seat: int) -> Result:
    """Return the result that the best move brings, for seat 1."""
    return share_of(thoughts.best[0].expected, seat)
