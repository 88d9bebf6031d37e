"""Tiny boards of Control are solved rightly, and agreed ends counted from that."""

import json
from random import Random

import pytest
from click.testing import CliRunner

from plyhost.arena.solved import (
    find_canonical_key,
    find_solved_agreement,
    is_quiet,
    list_reachable_positions,
    play_by_lot,
    print_solved_agreement,
    solve_position,
)
from plyhost.games.control.rules import GAME, ControlPosition


def wins(position: ControlPosition) -> bool:
    """Tell by the plainest search whether the seat to move wins."""
    return any(not wins(GAME.play(position, move)) for move in GAME.moves(position))


def test_every_position_of_the_smallest_board_has_its_winner() -> None:
    positions = list_reachable_positions(2)
    assert len(positions) == 223
    for position in positions:
        assert (solve_position(position, {}) == position.seat) == wins(position)


@pytest.mark.parametrize("side", [2, 3, 5])
def test_symmetric_positions_share_a_key_and_others_do_not(side: int) -> None:
    position = play_by_lot(side, Random(side))[-2]
    board, other = position.board, 3 - position.seat
    for turn in board.symmetries:
        one, two = (board.mapped(stones, turn) for stones in position.stones)
        turned = GAME.restore(board, (one, two), position.seat, {})
        assert find_canonical_key(turned) == find_canonical_key(position)
    passed = GAME.restore(board, position.stones, other, {})
    assert find_canonical_key(passed) != find_canonical_key(position)


def test_the_shares_of_all_positions_are_those_of_a_plain_count() -> None:
    found = find_solved_agreement(2, 5, 0)
    settled = [one for one in list_reachable_positions(2) if any(one.stones)]
    right = [GAME.settled(one) == [one.seat if wins(one) else 3 - one.seat] for one in settled]
    assert found["of_all"]["of"] == len(right)
    assert found["of_all"]["share"] == round(sum(right) / len(right), 3)


def test_a_full_board_without_captures_is_quiet_and_the_first_ply_is_not() -> None:
    assert not is_quiet(GAME.start(3))
    ends = [play_by_lot(3, Random(seed))[-1] for seed in range(30)]
    assert any(map(is_quiet, ends))


def test_the_command_prints_one_object() -> None:
    call = ["--side", "2", "--games", "3"]
    done = CliRunner().invoke(print_solved_agreement, call, catch_exceptions=False)
    assert json.loads(done.stdout)["side"] == 2


@pytest.mark.long
def test_the_second_seat_wins_on_side_3() -> None:
    assert solve_position(GAME.start(3), {}) == 2
