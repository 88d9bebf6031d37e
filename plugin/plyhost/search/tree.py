"""Monte-Carlo tree search: UCT with first guesses, progressive widening, and proof.

A *visit* goes down from the root, by the moves that did best so far or were tried too rarely to
tell, to a place where it was never before; what is expected there is told to every place on the
way.  What is decided there is proved upwards as far as it goes.

With the same position, guide and random numbers, the same number of visits finds the same.
"""

from collections.abc import Callable
from math import log, sqrt
from random import Random
from typing import Any

from plyhost import deadline
from plyhost.games.game import AnyGame, Position, Seat
from plyhost.search.guide import AnyGuide, Rated, Result, result_of, share_of

#: Candidates that are kept when a place is first looked at: few, since most are never tried, and
#: they can be listed again.
KEPT = 10


class Edge:
    """A move from a place: what was guessed of it, and what it brought the seat that makes it."""

    __slots__ = ("guess", "move", "node", "total", "visits")
    node: "Node | None"

    def __init__(self, move: Any, guess: float) -> None:
        self.move, self.guess, self.node = move, guess, None
        self.visits, self.total = 0, 0.0

    @property
    def expected(self) -> float:
        """What is expected of the move."""
        return self.total / self.visits if self.visits else self.guess


class Node:
    """A position in the tree.

    `tried` are the moves under way, `decided` those whose outcome is proved, `waiting` some that
    are still to be tried, the best last; all that there are when it is `complete`.  `proved` is the
    result when it is.
    """

    __slots__ = ("complete", "decided", "position", "proved", "tried", "visits", "waiting")

    def __init__(self, position: Position, proved: Result | None) -> None:
        self.position, self.proved = position, proved
        self.visits, self.complete = 0, False
        self.tried: list[Edge] = []
        self.decided: list[Edge] = []
        self.waiting: list[Rated] = []

    @property
    def seat(self) -> Seat:
        """The seat to move."""
        return self.position.seat

    @property
    def known(self) -> list[Edge]:
        """The moves that were tried, the best first: proved wins, most visits, proved losses."""
        return sorted([*self.tried, *self.decided], key=self._rank_edge, reverse=True)

    def _rank_edge(self, edge: Edge) -> tuple[float, int, float]:
        proved = edge.node.proved if edge.node else None
        standing = 0.5 if proved is None else share_of(proved, self.seat)
        return standing, edge.visits, edge.expected


class Search:
    """A search from one position, which may be gone on with."""

    def __init__(self, game: AnyGame, guide: AnyGuide, position: Position, random: Random) -> None:
        self.game, self.guide, self.random = game, guide, random
        guide.aim(position)
        self.root = self._make_node(position)

    def run(self, visits: int, goes_on: Callable[[], bool] = lambda: True) -> None:
        """Make visits until there were so many, `goes_on` says no, or the root is proved.

        Raises deadline.Overdue when the request's time is over.
        """
        while self.root.visits < visits and self.root.proved is None and goes_on():
            deadline.check_deadline()
            self._visit()

    def _make_node(self, position: Position) -> Node:
        winners = self.game.winners(position)
        return Node(position, None if winners is None else result_of(winners))

    def _visit(self) -> None:
        node, path = self.root, []
        while node.proved is None:
            edge = self._choose_edge(node)
            path.append((node, edge))
            if edge.node is None:
                node = edge.node = self._make_node(self.game.play(node.position, edge.move))
                break
            node = edge.node
        result = node.proved
        if result is None:
            result = self.guide.foresee_result(node.position, self.random)
        self._tell_path(path, result)

    def _choose_edge(self, node: Node) -> Edge:
        """Return the move that did best, or was tried too rarely to tell."""
        if not node.tried or len(node.tried) < self.guide.limit_width(node.visits):
            self._try_another(node)
        trust, spread = self.guide.trust, self.guide.exploration * sqrt(log(node.visits + 1))
        best, most = node.tried[0], -1.0
        for edge in node.tried:
            visits = edge.visits
            worth = (edge.total + trust * edge.guess) / (visits + trust)
            worth += spread / sqrt(visits + 1)
            if worth > most:
                best, most = edge, worth
        return best

    def _try_another(self, node: Node) -> None:
        """Take the most promising move that waits, if there is one, among those that are tried."""
        if not node.waiting and not node.complete:
            self._list_waiting(node)
        if node.waiting:
            node.tried.append(Edge(*node.waiting.pop()))

    def _list_waiting(self, node: Node) -> None:
        known = {edge.move for edge in (*node.tried, *node.decided)}
        found, complete = self.guide.list_candidates(node.position, self.random)
        fresh = [rated for rated in found if rated[0] not in known]
        if not fresh and not complete:
            every = deadline.yield_until_deadline(self.game.moves(node.position))
            fresh, complete = [(move, 0.5) for move in every if move not in known], True
        fresh.sort(key=lambda rated: rated[1])
        keep = KEPT + 2 * len(known)
        node.waiting, node.complete = fresh[-keep:], complete and len(fresh) <= keep

    def _tell_path(self, path: list[tuple[Node, Edge]], result: Result) -> None:
        for node, edge in reversed(path):
            node.visits += 1
            edge.visits += 1
            edge.total += share_of(result, node.seat)
            if edge.node and edge.node.proved is not None:
                self._decide(node, edge, edge.node.proved)

    def _decide(self, node: Node, edge: Edge, proved: Result) -> None:
        """Note that a move's outcome is proved, and the node's with it where that follows."""
        node.tried.remove(edge)
        node.decided.append(edge)
        if proved == share_of(1.0, node.seat):
            node.proved = proved
            return
        if not node.tried and not node.waiting and not node.complete:
            self._list_waiting(node)
        if not node.tried and not node.waiting:
            nodes = [one.node for one in node.decided if one.node]
            results = [one.proved for one in nodes if one.proved is not None]
            node.proved = max(results) if node.seat == 1 else min(results)
