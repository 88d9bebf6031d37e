"""Control against the slow rules, and the facts that follow from the rules."""

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyhost.board.bits import scan_cells
from plyhost.games.control.rules import GAME, ControlPosition, count_territory
from plyhost.games.game import Illegal, Unsettled
from tests import naive
from tests.conftest import long
from tests.tools.games import recorded, side_of

SIDES = range(2, 10)
GAMES = {2: 80, 3: 60, 4: 40, 5: 24, 6: 14, 7: 10, 8: 6, 9: 4}


def played(side: int, seed: int) -> Iterator[tuple[ControlPosition, naive.Control]]:
    """Yield the positions of a random game, in the engine's terms and in the slow one's."""
    pick = random.Random(seed)
    fast, slow = GAME.start(side), naive.Control.start(side)
    while True:
        yield fast, slow
        legal = slow.legal()
        if not legal:
            return
        text = pick.choice(legal)
        fast, slow = GAME.play(fast, GAME.read(fast, text)), slow.after(text)


def texts(position: ControlPosition) -> list[str]:
    return [GAME.text(position, move) for move in GAME.moves(position)]


@pytest.mark.parametrize("side", [*range(2, 6), *long(6, 7, 8, 9)])
def test_the_slow_rules_agree_at_every_ply(side: int) -> None:
    for seed in range(GAMES[side]):
        for fast, slow in played(side, seed):
            assert texts(fast) == slow.legal()
            assert GAME.count(fast) == len(slow.legal())
            assert GAME.scores(fast) == list(slow.scores())
            assert count_territory(fast) == list(slow.territory())
            winner = slow.winner()
            assert GAME.winners(fast) == (None if winner is None else [winner])
            for seat, cells in enumerate(fast.control, 1):
                held = {fast.board.labels[cell] for cell in scan_cells(cells)}
                assert held == {c for c in naive.cells(side) if slow.controller(c) == seat}
            if slow.stones:
                assert GAME.settled(fast) == [slow.settled()]


@pytest.mark.parametrize("side", SIDES)
def test_harmony_never_falls_and_rises_with_each_capture(side: int) -> None:
    """So no position can come back (see the facts under C8)."""
    before = None
    for fast, slow in played(side, 1000 + side):
        now = slow.harmony()
        if before is not None:
            stones, harmony = before
            captured = len(slow.stones) < stones
            assert now >= harmony + captured
        before = len(slow.stones), now
        assert fast.stones[0].bit_count() + fast.stones[1].bit_count() == len(slow.stones)


@pytest.mark.parametrize("side", SIDES)
def test_at_a_natural_end_the_winner_controls_every_empty_cell(side: int) -> None:
    *_, (last, _) = played(side, 2000 + side)
    (winner,) = GAME.winners(last) or []
    empty = last.board.mask & ~(last.stones[0] | last.stones[1])
    held = last.control
    assert held[winner - 1] & empty == empty
    assert not held[2 - winner] & empty
    assert GAME.settled(last) == [winner]


@pytest.mark.parametrize("side", SIDES)
def test_undo_and_restore_lead_back_to_every_position(side: int) -> None:
    positions = [fast for fast, _ in played(side, 3000 + side)]
    for ply, (before, after) in enumerate(pairwise(positions), 1):
        (move,) = (m for m in GAME.moves(before) if GAME.play(before, m) == after)
        assert GAME.undo(after, move, ply) == before
        assert GAME.restore(after.board, after.stones, after.seat, {}) == after
        packed = GAME.pack(before, move)
        assert GAME.unpack(after.board, b"??" + packed, 2) == (move, 2 + len(packed))


def mapped(position: ControlPosition, table: list[int]) -> ControlPosition:
    one, two = (position.board.mapped(cells, table) for cells in position.stones)
    return GAME.restore(position.board, (one, two), position.seat, {})


@settings(max_examples=60)
@given(st.integers(2, 9), st.integers(0, 10**6), st.floats(0, 1))
def test_the_twelve_symmetries_carry_everything_over(side: int, seed: int, share: float) -> None:
    positions = [fast for fast, _ in played(side, seed)]
    position = positions[int(share * (len(positions) - 1))]
    for table in position.board.symmetries:
        turned = mapped(position, table)
        assert turned.legal == position.board.mapped(position.legal, table)
        assert GAME.scores(turned) == GAME.scores(position)
        assert count_territory(turned) == count_territory(position)
        assert GAME.winners(turned) == GAME.winners(position)


@settings(max_examples=60)
@given(st.integers(2, 9), st.integers(0, 10**6), st.floats(0, 1))
def test_swapped_colours_swap_everything(side: int, seed: int, share: float) -> None:
    positions = [fast for fast, _ in played(side, seed)]
    position = positions[int(share * (len(positions) - 1))]
    swapped = GAME.restore(position.board, position.stones[::-1], 3 - position.seat, {})
    assert swapped.legal == position.legal
    assert GAME.scores(swapped) == GAME.scores(position)[::-1]
    assert count_territory(swapped) == count_territory(position)[::-1]
    winner = GAME.winners(position)
    assert GAME.winners(swapped) == (None if winner is None else [3 - winner[0]])


def test_recorded_games_agree_on_moves_scores_and_winner() -> None:
    for game in recorded("control"):
        position, wanted = (
            GAME.start(side_of("control", game)),
            {p["ply"]: p for p in game["positions"]},
        )
        for ply, text in enumerate([*game["moves"], None]):
            if ply in wanted:
                assert sorted(texts(position)) == wanted[ply]["legal"]
                assert GAME.scores(position) == wanted[ply]["scores"]
                assert position.seat == wanted[ply]["currplayer"]
            if text is not None:
                position = GAME.play(position, GAME.read(position, text))
        assert GAME.winners(position) == game["winner"]


REASONS = [
    ("", "malformed"),
    ("x", "malformed"),
    ("a0", "malformed"),
    ("a01", "malformed"),
    ("a1xx", "malformed"),
    ("д4", "malformed"),
    ("\u212a2", "malformed"),  # the Kelvin sign, which lowers to a plain k
    ("j1", "off-board"),
    ("a6", "off-board"),
    ("a99999999999999999999", "off-board"),
]


@pytest.mark.parametrize(("text", "reason"), REASONS)
def test_what_is_no_cell_is_refused(text: str, reason: str) -> None:
    with pytest.raises(Illegal) as refused:
        GAME.read(GAME.start(5), text)
    assert refused.value.reason == reason


def reason(moves: str, text: str, side: int = 5) -> str:
    position = GAME.start(side)
    for move in moves.split():
        position = GAME.play(position, GAME.read(position, move))
    with pytest.raises(Illegal) as refused:
        GAME.read(position, text)
    return refused.value.reason


def test_each_rule_has_its_reason() -> None:
    assert reason("", "e5") == "first-move-edge"
    assert reason("", "e5x") == "first-move-edge"
    assert reason("a1 i5", "a1") == "occupied"
    assert reason("a1 i5", "a1x") == "occupied"
    assert reason("a1 i5", "b2x") == "not-a-capture"
    assert reason("", "a1x") == "not-a-capture"
    assert reason("a1", "a2") == "controlled-by-opponent"
    assert reason("a1 i5", "i5") == "not-controlled"
    assert reason("a1 i5", "i5x") == "not-controlled"
    assert set(GAME.reasons) == {
        "malformed", "off-board", "first-move-edge", "occupied", "not-a-capture",
        "controlled-by-opponent", "not-controlled",
    }  # fmt: skip


def test_input_may_have_white_space_and_capitals() -> None:
    position = GAME.start(5)
    for text in ("A1", " a 1\t", "a\u30001", "\ufeffa1"):
        assert GAME.read(position, text) == position.board.cell("a1")


def test_a_stored_text_is_read_as_its_engine_wrote_it() -> None:
    """Abstract Play's engine took an x on an empty cell and stored it so."""
    position = GAME.play(GAME.start(5), GAME.start(5).board.cell("i1") or 0)
    assert GAME.read(position, "a1x", "20240909") == position.board.cell("a1")
    for text in ("A1", "a 1", "a1xx"):
        with pytest.raises(Illegal):
            GAME.read(position, text, "20240909")


def test_a_text_is_judged_as_far_as_it_goes() -> None:
    start = GAME.start(5)
    assert GAME.advise(start, "").complete == -1
    assert GAME.advise(start, "c").text == "c"
    assert GAME.advise(start, "c").autocomplete is None
    assert GAME.advise(start, " A1 ").complete == 1
    with pytest.raises(Illegal):
        GAME.advise(start, "z")


def test_settling_needs_a_stone_and_a_tie_goes_to_the_one_not_to_move() -> None:
    start = GAME.start(5)
    with pytest.raises(Unsettled):
        GAME.settled(start)
    one, two = 1 << start.board.cell("a1"), 1 << start.board.cell("i5")  # type: ignore[operator]
    for seat in (1, 2):
        tied = GAME.restore(start.board, (one, two), seat, {})
        assert count_territory(tied)[0] == count_territory(tied)[1]
        assert GAME.settled(tied) == [3 - seat]


def test_undoing_what_cannot_have_been_played_is_an_error() -> None:
    position = GAME.play(GAME.start(5), GAME.start(5).board.cell("a1") or 0)
    enemy = GAME.restore(position.board, position.stones, 1, {})
    with pytest.raises(ValueError, match="holds"):
        GAME.undo(enemy, position.board.cell("a1") or 0, 1)
    for data in (b"", b"\xff"):
        with pytest.raises(ValueError, match="no cell"):
            GAME.unpack(position.board, data, 0)
