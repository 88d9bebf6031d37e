"""Legal sequences to a depth, as the slow rules counted them once (`fixtures/counts`)."""

from collections.abc import Iterator
from typing import Any

import pytest

from plyhost.games import counting, registry
from tests.tools import ROOT

COUNTS = ROOT / "fixtures" / "counts"


def counted(uid: str) -> Iterator[tuple[int, int, int, list[str]]]:
    for line in (COUNTS / f"{uid}.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            side, depth, count, *moves = line.split()
            yield int(side), int(depth), int(count), moves


def reached(game: Any, side: int, moves: list[str]) -> Any:
    position = game.start(side)
    for text in moves:
        position = game.play(position, game.read(position, text))
    return position


@pytest.mark.parametrize("uid", sorted(registry.load_games()))
def test_counts_agree(uid: str) -> None:
    game = registry.find_game(uid)
    seen = 0
    for side, depth, count, moves in counted(uid):
        position = reached(game, side, moves)
        parts = counting.count_by_first_move(game, position, depth) if count < 50_000 else {}
        assert counting.count_sequences(game, position, depth) == count, (side, depth, moves, parts)
        assert not parts or sum(parts.values()) == count
        seen += 1
    assert seen > 50
