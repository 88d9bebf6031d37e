"""Threads that ask for the same thing at the same time, for the first time, get the same thing."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from plyhost.board import hexes
from plyhost.contract import picture_requests
from plyhost.games import registry
from plyhost.games.congeners.turns import Turns, find_creatures
from plyhost.pictures import layout
from tests.tools.congeners_games import varied

THREADS = 4
ROUNDS = 30


@pytest.fixture(autouse=True)
def _in_haste() -> Iterator[None]:
    """Let threads take turns as often as can be."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(work: Callable[[], Any]) -> list[Any]:
    """Return what a work gives in each of several threads that begin together."""
    start = Barrier(THREADS)

    def begun(_: int) -> Any:
        start.wait()
        return work()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begun, range(THREADS)))


def test_positions_on_boards_that_are_made_at_the_same_time_are_equal() -> None:
    control = registry.find_game("control")
    for _ in range(ROUNDS):
        hexes.get_board.cache_clear()
        assert len(set(at_once(lambda: control.start(9)))) == 1


def test_a_film_is_drawn_while_others_are() -> None:
    asked = {"moves": ["a1", "g7", "c1"], "palette": "light", "display": "", "perspective": 0}
    for _ in range(ROUNDS):
        layout.make_board_layout.cache_clear()
        films = at_once(
            lambda: picture_requests.make_game_film(registry.find_game("control"), asked).body
        )
        assert len(set(films)) == 1


def _looked_through(turns: Turns) -> tuple[bool, list[Any]]:
    return turns.has_any(), list(turns)


@pytest.mark.long
def test_turns_are_listed_and_looked_for_while_others_do_so() -> None:
    for position in varied():
        board, sides = position.board, position.sides
        own, others = (find_creatures(board, stones) for stones in sides)
        whole = list(Turns(board, own, others))
        shared = Turns(board, own, others)
        for found, listed in at_once(partial(_looked_through, shared)):
            assert found == bool(whole)
            assert listed == whole
