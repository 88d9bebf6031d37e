"""Monte-Carlo tree search: UCT with RAVE where a game has it, progressive widening, and proof.

A *visit* goes down from the root, by the moves that did best so far or were tried too rarely to
tell, to a place where it was never before; what a quick game from there brings is told to every
place on the way.  What is decided there is proved upwards as far as it goes.

With the same position, guide and random numbers, the same number of visits finds the same.
"""

from collections.abc import Callable
from math import log, sqrt
from random import Random
from typing import Any

from plyhost import deadline
from plyhost.games.game import AnyGame, Position, Seat
from plyhost.search.guide import AnyGuide, Played, Result, result_of, share_of


class Edge:
    """A move from a place: what it brought the seat to move, and what it brought later (RAVE)."""

    __slots__ = ("later", "later_total", "move", "node", "total", "visits")

    def __init__(self, move: Any, share: float, trust: float) -> None:
        self.move, self.node = move, None
        self.visits, self.total = 0, 0.0
        self.later, self.later_total = trust, trust * share

    node: "Node | None"

    @property
    def promise(self) -> float:
        """What is expected of the move before it was tried."""
        return self.later_total / self.later

    @property
    def expected(self) -> float:
        """What is expected of the move, for the seat that makes it."""
        return self.total / self.visits if self.visits else self.promise


class Node:
    """A position in the tree.

    `tried` are the moves under way, `waiting` those still to be tried, `decided` those whose
    outcome is proved; `proved` is the result when it is.
    """

    __slots__ = ("complete", "decided", "edges", "position", "proved", "tried", "visits", "waiting")

    def __init__(self, position: Position, proved: Result | None) -> None:
        self.position, self.proved = position, proved
        self.visits, self.complete = 0, False
        self.edges: dict[Any, Edge] | None = None
        self.tried: list[Edge] = []
        self.waiting: list[Edge] = []
        self.decided: list[Edge] = []

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
        played: Played = (set(), set())
        if node.proved is None:
            result, played = self.guide.play_out(node.position, self.random)
        else:
            result = node.proved
        node.visits += 1
        self._tell_path(path, result, played)

    def _choose_edge(self, node: Node) -> Edge:
        if node.edges is None:
            self._expand(node)
        if len(node.tried) + len(node.decided) < self.guide.limit_width(node.visits):
            self._open_edge(node)
        while not node.tried:
            self._open_edge(node)
        bias, exploration = self.guide.rave_bias or 0.0, self.guide.exploration
        spread, best, most = exploration * sqrt(log(node.visits + 1)), node.tried[0], -1.0
        for edge in node.tried:
            visits, later = edge.visits, edge.later
            weight = later / (later + visits + later * visits * bias)
            own = edge.total / visits if visits else 0.0
            worth = (1 - weight) * own + weight * edge.later_total / later
            worth += spread / sqrt(visits + 1)
            if worth > most:
                best, most = edge, worth
        return best

    def _expand(self, node: Node) -> None:
        found = self.guide.list_candidates(node.position, self.random)
        trust = self.guide.trust
        node.edges = {move: Edge(move, share, trust) for move, share in found.moves}
        node.complete, node.waiting = found.complete, list(node.edges.values())

    def _open_edge(self, node: Node) -> None:
        """Take the most promising move that waits, if there is one, among those to be tried."""
        if not node.waiting and not node.complete and not node.tried:
            self._complete(node)
        if node.waiting:
            best = max(node.waiting, key=lambda edge: edge.promise)
            node.waiting.remove(best)
            node.tried.append(best)

    def _complete(self, node: Node) -> None:
        """Add the moves that were no candidates: all candidates are decided."""
        edges = node.edges or {}
        for move in deadline.yield_until_deadline(self.game.moves(node.position)):
            if move not in edges:
                edges[move] = Edge(move, 0.5, self.guide.trust)
                node.waiting.append(edges[move])
        node.complete = True

    def _tell_path(self, path: list[tuple[Node, Edge]], result: Result, played: Played) -> None:
        for node, edge in reversed(path):
            share = share_of(result, node.seat)
            node.visits += 1
            edge.visits += 1
            edge.total += share
            if self.guide.rave_bias is not None:
                mine = played[node.seat - 1]
                mine.add(edge.move)
                self._tell_later(node, mine, share)
            if edge.node and edge.node.proved is not None:
                self._decide(node, edge, edge.node.proved)

    def _tell_later(self, node: Node, moves: set[Any], share: float) -> None:
        edges = node.edges or {}
        for move in moves:
            if move in edges:
                edge = edges[move]
                edge.later += 1
                edge.later_total += share

    def _decide(self, node: Node, edge: Edge, proved: Result) -> None:
        """Note that a move's outcome is proved, and the node's with it where that follows."""
        if edge in node.tried:
            node.tried.remove(edge)
            node.decided.append(edge)
        won = share_of(1.0, node.seat)
        if proved == won:
            node.proved = proved
        elif not node.tried and not node.waiting and node.complete:
            results = [one.node.proved for one in node.decided if one.node]
            shares = [share_of(one, node.seat) for one in results if one is not None]
            node.proved = share_of(max(shares), node.seat)
