"""Rules belong to an engine: a mended rule leaves running and archived games as they were."""

import random
import subprocess
from pathlib import Path
from typing import Any

import orjson
import pytest

from plyhost.contract import records
from plyhost.contract.operations import answer_render
from plyhost.contract.picture_steps import list_picture_steps, render_picture_step
from plyhost.contract.record_reading import parse_game_record
from plyhost.contract.view import render_state
from plyhost.errors import IllegalMove, UnsupportedEngine
from plyhost.games.game import AnyGame
from plyhost.states import forms
from plyhost.states.conversion import convert_state
from plyhost.states.forms import State
from plyhost.states.steps import (
    Step,
    make_ending_step,
    make_first_step,
    make_move_step,
    parse_next_move,
)
from tests.replay.test_replay_command import command, read_verdicts
from tests.tools import replay_games, site_games
from tests.tools.mended import GAME

OLD = GAME.rules("1")
STAMP = "2026-01-01T00:00:00.000Z"
SITE = {"site": "Test", "gameid": "g", "players": replay_games.PLAYERS, "timestamp": STAMP}


def played(game: AnyGame, seed: int = 1, most: int = 1000) -> list[Step]:
    """Return the steps of a seeded game by some rules, captures first."""
    pick, steps = random.Random(seed), [make_first_step(game, 5, STAMP, game.version)]
    while not steps[-1].is_over and len(steps) <= most:
        position = steps[-1].position
        moves = sorted(game.moves(position), key=lambda move: game.text(position, move)[-1] != "x")
        made = pick.choice(moves[:3])
        steps.append(make_move_step(game, steps[-1], made, STAMP))
    return steps


def stated(game: AnyGame, steps: list[Step], form: str) -> Any:
    state = forms.start_state(game, ["size-5"], "full", STAMP).with_steps(steps[1:])
    return forms.dump_state(convert_state(state, form).state)


def loaded(wire: Any) -> State:
    return forms.parse_state(GAME, orjson.loads(orjson.dumps(wire)))


def test_an_engine_has_its_rules_and_the_newest_is_the_game() -> None:
    assert (GAME.version, OLD.version) == ("2", "1")
    assert GAME.rules("2") is GAME.rules(None) is OLD.rules("2") is GAME
    assert OLD.rules("1") is OLD is not GAME
    fixed = GAME.fix_rules("2")
    assert fixed.rules("1") is fixed
    assert fixed.name_engine("1") == "2"


@pytest.mark.parametrize("form", forms.FORMS)
def test_archived_games_come_out_and_running_ones_go_on_as_they_began(form: str) -> None:
    steps = played(OLD)
    assert any(f"{step.text}"[-1:] == "x" for step in steps)
    assert [step.ply for step in forms.trace_state(GAME, stated(OLD, steps, form))][-1] > 10
    at = next(ply for ply, step in enumerate(steps) if f"{step.text}"[-1:] == "x") - 1
    running = loaded(stated(OLD, steps[: at + 1], form))
    assert running.game is OLD
    capture = f"{steps[at + 1].text}"
    made = parse_next_move(GAME, running.last, capture)
    step = make_move_step(GAME, running.last, made, STAMP)
    assert (step.text, step.version) == (capture, "1")
    after = loaded(forms.dump_state(running.with_steps([step])))
    assert after.last.position == steps[at + 1].position


@pytest.mark.parametrize("form", forms.FORMS)
def test_new_games_follow_the_new_rule(form: str) -> None:
    steps = played(GAME)
    assert {step.version for step in steps} == {"2"}
    assert not any(f"{step.text}"[-1:] == "x" for step in steps)
    assert list(forms.trace_state(GAME, stated(GAME, steps, form)))
    old = played(OLD)
    at = next(ply for ply, step in enumerate(old) if f"{step.text}"[-1:] == "x") - 1
    renamed = orjson.dumps(stated(OLD, old[: at + 1], "full")).replace(b'"1"', b'"2"')
    with pytest.raises(IllegalMove, match="illegal-move"):
        parse_next_move(GAME, loaded(orjson.loads(renamed)).last, f"{old[at + 1].text}")


def recorded(game: AnyGame, steps: list[Step]) -> dict[str, Any]:
    if not steps[-1].is_over:
        steps = [*steps, make_ending_step(game, steps[-1], "draw", None, STAMP)]
    state = forms.start_state(game, ["size-5"], "full", STAMP).with_steps(steps[1:])
    return records.make_game_record(state, steps, SITE)


def test_a_record_is_played_by_the_engine_that_it_names() -> None:
    record = recorded(OLD, played(OLD))
    assert record["header"]["version"] == "1"
    verdict, _ = records.play_source(GAME, parse_game_record(GAME, record, STAMP))
    assert verdict["ok"], verdict
    del record["header"]["version"]
    verdict, _ = records.play_source(GAME, parse_game_record(GAME, record, STAMP))
    assert (verdict["ok"], verdict["code"]) == (False, "illegal-move")


@pytest.mark.parametrize(
    ("beside", "within", "why"),
    [
        (1, None, "an engine's version is a text, as '2', and not 1"),
        (None, 20240909, "a text"),
        (1.0, None, "a text"),
        ("1", "2", "two engines are named that contradict each other, 2 and 1"),
        ("3", None, "engine 3 is not among 1, 2"),
    ],
)
def test_a_version_that_is_no_text_or_contradicts_another_is_told(
    beside: Any, within: Any, why: str
) -> None:
    record = recorded(GAME, played(GAME))
    record["header"]["version"] = beside
    record["header"]["game"]["version"] = within
    with pytest.raises(UnsupportedEngine) as refused:
        parse_game_record(GAME, record, STAMP)
    assert why in str(refused.value.params)


@pytest.mark.parametrize("form", forms.FORMS)
def test_every_drawing_is_that_of_the_engine_that_made_the_ply(form: str) -> None:
    for rules in (OLD, GAME):
        steps = played(rules)
        dotted = rules is OLD
        state = stated(rules, steps, form)
        asked = {"display": "", "perspective": 0, "state": orjson.loads(orjson.dumps(state))}
        drawn = [
            answer_render(GAME, asked)["render"],
            answer_render(GAME, asked | {"ply": 8})["render"],
            render_state(loaded(state), {}),
            *[render_picture_step(GAME, step, {}) for step in list_picture_steps(GAME, asked)[8:]],
        ]
        for render in drawn:
            assert ("dots" in {one["type"] for one in render["annotations"]}) is dotted


def test_a_written_fixture_of_an_older_engine_comes_out(tmp_path: Path) -> None:
    env = site_games.install(tmp_path / "site", "mended", "tests.tools.mended:GAME")
    path, written, report = (tmp_path / name for name in ("a.jsonl", "w.jsonl", "r.jsonl"))
    path.write_bytes(orjson.dumps(recorded(OLD, played(OLD))))
    subprocess.run(command(path, "--write", written), env=env, capture_output=True, check=True)
    renders = orjson.loads(written.read_bytes())["renders"]
    kinds = [{mark["type"] for mark in one["render"]["annotations"]} for one in renders]
    assert ["dots" in kind for kind in kinds] == [
        one["display"] != "hide-control" for one in renders
    ]
    asked = command(written, "--report", report)
    subprocess.run(asked, env=env, capture_output=True, check=True)
    assert [(one["ok"], one["engine"]) for one in read_verdicts(report)] == [(True, "1")]


def test_a_replay_names_the_engine_and_judges_by_another_on_purpose(tmp_path: Path) -> None:
    env = site_games.install(tmp_path / "site", "mended", "tests.tools.mended:GAME")
    old, new = played(OLD), played(GAME)
    games = [recorded(OLD, old), recorded(GAME, new)]
    games += [stated(OLD, old, form) for form in forms.FORMS]
    path, report = tmp_path / "a.jsonl", tmp_path / "r.jsonl"
    path.write_bytes(b"\n".join(map(orjson.dumps, games)))

    def judged(*arguments: str) -> list[tuple[bool, str]]:
        asked = command(path, "--report", report, *arguments)
        subprocess.run(asked, env=env, capture_output=True, check=False)
        return [(one["ok"], one["engine"]) for one in read_verdicts(report)]

    assert judged() == [(True, "1"), (True, "2"), *[(True, "1")] * 4]
    assert judged("--engine", "2") == [(False, "2"), (True, "2"), *[(False, "2")] * 4]
    assert {engine for _, engine in judged("--engine", "1")} == {"1"}
