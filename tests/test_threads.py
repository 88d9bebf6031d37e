"""Threads that ask for the same thing at the same time, for the first time, get the same thing."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from plyhost.board import hexes
from plyhost.contract import picture_requests
from plyhost.games import registry
from plyhost.games.congeners.turns import Turns
from plyhost.pictures import layout
from tests.congeners_games import varied

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


def test_a_board_is_one_board(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(ROUNDS):
        hexes.get_board.cache_clear()
        monkeypatch.setattr(hexes, "_boards", {})
        boards = at_once(lambda: hexes.get_board(9))
        assert len({id(one) for one in boards}) == 1


def test_a_film_is_drawn_while_others_are() -> None:
    asked = {"moves": ["a1", "g7", "c1"], "palette": "light", "display": "", "perspective": 0}
    for _ in range(ROUNDS):
        layout.make_board_layout.cache_clear()
        films = at_once(
            lambda: picture_requests.make_game_film(registry.find_game("control"), asked).body
        )
        assert len(set(films)) == 1


def test_turns_are_listed_and_looked_for_while_others_do_so() -> None:
    for position in varied():
        sides = position.board, *position.sides
        whole = list(Turns(*sides))
        shared = Turns(*sides)
        for found, listed in at_once(lambda shared=shared: (bool(shared), list(shared))):
            assert found == bool(whole)
            assert listed == whole
