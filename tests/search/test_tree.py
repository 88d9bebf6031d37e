"""The search: what it is told is true, it proves what is so, and it finds the same each time."""

import os
import subprocess
import sys
from functools import cache
from random import Random
from typing import Any

import pytest

from plyhost.games.congeners.rules import GAME as CONGENERS
from plyhost.games.control.rules import GAME as CONTROL
from plyhost.games.game import AnyGame
from plyhost.search.congeners_guide import CongenersGuide, draw_setups, rate_turns
from plyhost.search.control_guide import measure_lead, rate_cells
from plyhost.search.guide import Guide, result_of, share_of
from plyhost.search.levels import LEVELS
from plyhost.search.players import parse_player, play_greedy
from plyhost.search.thinking import Effort, draw_move, find_guide, think_of_move, think_of_position
from plyhost.search.tree import Search

GAMES: dict[str, AnyGame] = {"control": CONTROL, "congeners": CONGENERS}


def positions(game: AnyGame, side: int, seed: int, most: int = 200) -> list[Any]:
    """Return the positions of a game by lot, its end left out."""
    random, found = Random(seed), [game.start(side)]
    while len(found) < most:
        position = found[-1]
        after = game.play(position, draw_move(game, position, random))
        if game.winners(after) is not None:
            break
        found.append(after)
    return found


@pytest.mark.parametrize("side", [2, 5])
@pytest.mark.parametrize("seed", range(4))
def test_what_a_cell_of_control_brings_is_what_it_brings_when_played(side: int, seed: int) -> None:
    for position in positions(CONTROL, side, seed):
        rated = dict(rate_cells(position))
        assert set(rated) == set(CONTROL.moves(position))
        for cell, lead in rated.items():
            assert measure_lead(CONTROL.play(position, cell), position.seat) == lead


@pytest.mark.parametrize("seed", range(4))
def test_what_a_turn_of_congeners_promises_is_what_is_expected_after_it(seed: int) -> None:
    guide = CongenersGuide(CONGENERS)
    for position in positions(CONGENERS, 5, seed)[1:]:
        guide.aim(position)
        rated = dict(rate_turns(position))
        assert set(rated) == {move for move in CONGENERS.moves(position) if move[0] != "p"}
        for turn, share in rated.items():
            result = guide.estimate_result(CONGENERS.play(position, turn))
            assert share_of(result, position.seat) == pytest.approx(share)


def test_setups_by_lot_are_legal_and_none_twice() -> None:
    start = CONGENERS.start(5)
    drawn = draw_setups(start.board, Random(1))
    assert len(set(drawn)) == len(drawn)
    assert set(drawn) <= set(CONGENERS.moves(start))


@cache
def solved(position: Any) -> float:
    """Return the result of best play in Control, by trying everything."""
    winners = CONTROL.winners(position)
    if winners is not None:
        return result_of(winners)
    moves = CONTROL.moves(position)
    results = (solved(CONTROL.play(position, move)) for move in moves)
    return max(results) if position.seat == 1 else min(results)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_what_is_proved_is_so(seed: int, plain: bool) -> None:
    for position in positions(CONTROL, 3, seed)[8::3]:
        search = Search(CONTROL, find_guide(CONTROL, plain), position, Random(seed))
        search.run(100_000)
        assert search.root.proved == solved(position)
        best = search.root.known[0].node
        assert best
        assert solved(best.position) == solved(position)


def test_all_that_is_proved_below_is_so_too() -> None:
    position = positions(CONTROL, 3, 7)[10]
    search = Search(CONTROL, find_guide(CONTROL), position, Random(7))
    search.run(2000)
    nodes, proved = [search.root], 0
    for node in nodes:
        nodes += [edge.node for edge in node.known if edge.node]
        if node.proved is not None:
            assert node.proved == solved(node.position)
            proved += 1
    assert proved > 10


@pytest.mark.parametrize("uid", GAMES)
@pytest.mark.parametrize("player", ["level=1", "level=2", "visits=3", "visits=2,plain", "greedy"])
def test_players_make_legal_moves_up_to_the_end(uid: str, player: str) -> None:
    game, random, play = GAMES[uid], Random(player), parse_player(player)
    position, plies = game.start(4 if player == "greedy" else 5), 0
    while game.winners(position) is None and plies < 300:
        move = play(game, position, random)
        assert game.allows(position, move), move
        position, plies = game.play(position, move), plies + 1
    assert plies > 10


@pytest.mark.parametrize("uid", GAMES)
def test_a_few_visits_beat_moves_by_lot(uid: str) -> None:
    game, random = GAMES[uid], Random(1)
    for seat in (1, 2, 1, 2):
        position = game.start(5)
        while (winners := game.winners(position)) is None:
            if position.seat == seat:
                effort = Effort(seed=random.getrandbits(32), visits=40)
                move = think_of_position(game, position, effort).choice
            else:
                move = draw_move(game, position, random)
            position = game.play(position, move)
        assert winners == [seat]


def test_the_greedy_player_takes_what_brings_most_at_once() -> None:
    for position in positions(CONTROL, 5, 3)[1::7]:
        taken = play_greedy(CONTROL, position, Random(1))
        leads = dict(rate_cells(position))
        assert leads[taken] == max(leads.values())


@pytest.mark.parametrize("uid", GAMES)
def test_the_same_question_has_the_same_answer(uid: str) -> None:
    game = GAMES[uid]
    for position in positions(game, 5, 2)[::12]:
        effort = Effort(seed=5, visits=60)
        assert think_of_position(game, position, effort) == think_of_position(
            game, position, effort
        )


def test_the_answer_hangs_on_no_hash_seed() -> None:
    code = (
        "from plyhost.games.registry import find_game\n"
        "from plyhost.search.suggestion import *\n"
        "for uid in ('control', 'congeners'):\n"
        "    game = find_game(uid)\n"
        "    for plain in (False, True):\n"
        "        question = Question(Effort(seed=3, visits=30, plain=plain))\n"
        "        print(suggest_move(game, game.start(3), question))\n"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1]
    assert told[0].count(b"\n") == 4


def test_one_visit_and_no_seconds_still_find_a_move() -> None:
    for game in GAMES.values():
        thoughts = think_of_position(game, game.start(5), Effort(visits=1))
        assert (thoughts.visits, thoughts.stopped) == (1, "visits")
        thoughts = think_of_position(game, game.start(5), Effort(level=6, seconds=0.0))
        assert (thoughts.visits, thoughts.stopped) == (1, "seconds")


def test_a_move_is_judged_by_what_follows() -> None:
    for position in positions(CONTROL, 3, 2)[8:]:
        for move in CONTROL.moves(position):
            thought = think_of_move(CONTROL, position, move, Effort(visits=100_000))
            after = CONTROL.play(position, move)
            assert thought.proved
            assert thought.expected == share_of(solved(after), position.seat)
            assert thought.line[0] == move


def test_the_three_lowest_levels_slip_and_no_other() -> None:
    assert [level for level, what in LEVELS.items() if what.slip] == [1, 2, 3]
    position = CONTROL.start(5)
    for level in LEVELS:
        thoughts = [
            think_of_position(CONTROL, position, Effort(level, seed, 4)) for seed in range(40)
        ]
        slips = sum(one.choice != one.best[0].move for one in thoughts)
        assert (slips > 0) == (level < 4)


def test_a_game_of_others_is_played_by_its_rules_or_by_the_guide_that_it_names() -> None:
    class Named(Guide[Any, Any]):
        """A guide that prefers the last move."""

    class Other(type(CONTROL)):  # type: ignore[misc]
        """A game that is none of ours."""

    assert type(find_guide(Other())) is Guide
    Other.guide = Named
    assert type(find_guide(Other())) is Named
    assert think_of_position(Other(), Other().start(3), Effort(visits=9)).visits == 9


@pytest.mark.parametrize(
    "text", ["", "level", "level=0", "level=7", "level=x", "visits=0", "seconds=no", "best", "x=1"]
)
def test_a_player_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_player(text)
