"""Congeners: the end, the comparison of both players, shapes."""

from typing import Any

import pytest

from plyhost.board.hexes import get_board
from plyhost.games.congeners.polyhex import compute_shape, format_canonical_shape
from plyhost.games.congeners.rules import GAME, CongenersPosition
from plyhost.games.congeners.turns import Turns
from plyhost.games.game import Unsettled
from tests.tools.congeners_games import reached, varied

# --- ends and scores ------------------------------------------------------------------------


def test_nothing_is_decided_before_the_choice() -> None:
    for position in (GAME.start(5), reached(5, ["b1,b2/g3,g4"])):
        assert GAME.winners(position) is None
        assert GAME.scores(position) == [0, 0]
        assert GAME.shown(position)["black"] is None
        with pytest.raises(Unsettled):
            GAME.settled(position)
    assert GAME.shown(position)["scoring"] == {
        "sizes": [
            {
                "size": 2,
                "black": [{"shape": "0,0 0,1", "creatures": 1, "points": 0, "mark": None}],
                "white": [{"shape": "0,0 0,1", "creatures": 1, "points": 0, "mark": None}],
            }
        ],
        "decided_by": "draw",
        "at": None,
    }


def placed(black: str, white: str, holder: int = 1) -> CongenersPosition:
    on = get_board(6)
    stones = [sum(1 << (on.cell(name) or 0) for name in each.split()) for each in (black, white)]
    return CongenersPosition(on, (stones[0], stones[1]), 1, holder)


@pytest.mark.parametrize(
    ("black", "white", "decided_by", "at", "winner"),
    [
        # A hook and its mirror image are one shape: 2 * 4 * 4 against nothing (G7).
        ("a1 a2 a3 b4 f1 f2 f3 e3", "k1 k2 k3 k4 k5", "score", (4, 1, 32, 0), [1]),
        # The larger shape goes before many points of smaller ones (G8).
        ("a1 a2 a4 a5", "k1 k3 k5 i1 i3 i5 g1 g3 g5", "score", (2, 1, 8, 0), [1]),
        ("a1 a3", "k1 k3 k5", "score", (1, 1, 2, 3), [2]),
        # Equal scores: creature sizes decide (G9), a missing creature counting 0.
        ("a1 a3 c1 c2", "k1 k3", "creatures", (None, 1, 2, 1), [1]),
        ("a1", "k1 k2 k4", "creatures", (None, 1, 1, 2), [2]),
        ("a1 a3", "k1 k3", "draw", None, [1, 2]),
    ],
)
def test_comparison(black: str, white: str, decided_by: str, at: Any, winner: list[int]) -> None:
    position = placed(black, white)
    scoring = GAME.shown(position)["scoring"]
    assert scoring["decided_by"] == decided_by
    assert scoring["at"] == (at and dict(zip(("size", "place", "black", "white"), at, strict=True)))
    assert GAME.settled(position) == winner
    assert GAME.scores(position) == (list(at[2:]) if at else [0, 0])
    other = placed(black, white, holder=2)
    assert GAME.settled(other) == sorted(3 - seat for seat in winner)
    assert GAME.scores(other) == GAME.scores(position)[::-1]


def test_larger_size_decides_first_although_each_has_its_own_largest() -> None:
    # White's pairs are its largest that score, but Black scores with threes.
    position = placed("a1 a2 a3 c1 c2 c3", "k1 k2 i1 i2 g1 g2 e1 e2 g5 g6 i5 i6 k5 k6")
    assert GAME.settled(position) == [1]


def test_told_in_words() -> None:
    position = placed("a1 a2 a4 a5", "k1 k3 k5")
    lines = ["Black's creatures: 2 of size 2.", "White's creatures: 3 of size 1."]
    assert GAME.explain(position) == lines
    assert GAME.say_lead(position) == "Black leads in creatures of size 2, 8 to 0"
    assert GAME.say_lead(placed("a1", "k1")) == "scores and creatures are equal"
    assert GAME.explain(GAME.start(5)) == []


def test_end_stops_at_the_first_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    every = Turns.__iter__

    def counted(turns: Turns) -> Any:
        nonlocal asked
        for each in every(turns):
            asked += 1
            yield each

    monkeypatch.setattr(Turns, "__iter__", counted)
    positions = [position for position in varied() if position.black]
    for position in positions:
        GAME.winners(position)
    assert asked <= len(positions)


# --- shapes ---------------------------------------------------------------------------------


def test_numbers_of_free_polyhexes() -> None:
    shapes, numbers = {format_canonical_shape([(0, 0)])}, []
    for _ in range(7):
        numbers.append(len(shapes))
        shapes = {format_canonical_shape(cells) for known in shapes for cells in grown(known)}
    assert numbers == [1, 1, 3, 7, 22, 82, 333]


def grown(known: str) -> list[set[tuple[int, int]]]:
    cells = {(int(row), int(across)) for row, across in (c.split(",") for c in known.split())}
    steps = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))
    near = {(row + down, across + on) for row, across in cells for down, on in steps}
    return [cells | {cell} for cell in near - cells]


def test_shape_does_not_depend_on_the_place() -> None:
    on = get_board(5)
    for table in on.symmetries:
        for name in ("e5", "d3", "a1", "i1"):
            cell = on.cell(name) or 0
            body = 1 << cell | sum(1 << ray[0] for ray in on.rays[cell][:3] if ray)
            assert compute_shape(on, on.mapped(body, table)) == compute_shape(on, body)
    assert compute_shape(on, 1 << (on.cell("c2") or 0)) == "0,0"
