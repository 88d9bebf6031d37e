"""What the slow rules say of a whole state: whether they reach it."""

from collections import Counter
from functools import cache, cached_property
from typing import Any

from plyhost.states.steps import BY_SEAT, ENDINGS
from tests import naive
from tests.tools import replay_naive
from tests.tools.stepping import State, Stones, size, stones_of


class Node:
    """A position of the slow rules, and those that were gone on to from it."""

    def __init__(self, position: Any) -> None:
        self.position = position
        self.after: dict[str, Node | None] = {}

    @cached_property
    def legal(self) -> frozenset[str]:
        return frozenset(self.position.legal())

    @cached_property
    def stones(self) -> Stones:
        return stones_of(self.position)

    @cached_property
    def scores(self) -> list[int]:
        return replay_naive.scores_of(self.position)

    @cached_property
    def recurring(self) -> Any:
        """What is equal when a position comes back."""
        return frozenset(self.stones.items()), self.position.seat

    def then(self, text: str) -> "Node | None":
        """Return where a move leads, None if it is not legal."""
        if text not in self.after:
            self.after[text] = Node(self.position.after(text)) if text in self.legal else None
        return self.after[text]


@cache
def root(uid: str, side: int) -> Node:
    return Node(replay_naive.start(uid, side))


def unreached(state: State) -> str:
    """Return why the rules do not reach a canonical full state, empty if they do."""
    node, over = root(state["game"], size(state)), None
    stood = Counter[Any]()
    for ply, entry in enumerate(state["stack"]):
        text = entry.get("lastmove")
        if text in ENDINGS:
            over = _ended(node, entry, stood)
            if over is None:
                return f"ply {ply}: {text} is too early"
        elif ply:
            after = None if over is not None else node.then(text)
            if after is None:
                return f"ply {ply}: {text} is not legal"
            node = after
        if text not in ENDINGS:
            stood[node.recurring] += 1
        if why := _differs(node, entry):
            return f"ply {ply}: {why}"
    winner = over if over is not None else _won(node.position)
    if (state["gameover"], state["winner"]) != (winner is not None, winner or []):
        return f"the winner is {winner}"
    return ""


def _won(position: Any) -> list[int] | None:
    if isinstance(position, naive.Control):
        won = position.winner()
        return None if won is None else [won]
    found: list[int] | None = position.outcome()
    return found


def _ended(node: Node, entry: State, stood: Counter[Any]) -> list[int] | None:
    """Return the winners of an ending, None if there cannot be one."""
    how, position = entry["lastmove"], node.position
    if how in BY_SEAT:
        return [3 - entry["_results"][0]["player"]]
    if how == "settle":
        if not replay_naive.can_settle(position):
            return None
        is_control = isinstance(position, naive.Control)
        return [position.settled()] if is_control else replay_naive.ahead(position)
    if how == "repetition" and stood[node.recurring] < 3:
        return None
    return [] if how == "abandoned" else [1, 2]


def _differs(node: Node, entry: State) -> str:
    position = node.position
    if dict(entry["board"]["value"]) != node.stones:
        return "the board is another"
    if entry["currplayer"] != position.seat:
        return "the seat is another"
    if entry["scores"] != node.scores:
        return "the scores are others"
    if entry.get("black") != getattr(position, "black_seat", None):
        return "Black is another's"
    return ""
