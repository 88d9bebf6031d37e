"""`suggest`: what is asked for is answered, within the time and by as many as may think at once."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from plyhost import limits
from plyhost.errors import Busy
from plyhost.games.registry import find_game, load_games
from plyhost.search.suggestion import Question, decode_question, encode_question
from plyhost.search.thinking import Effort
from plyhost.states.forms import parse_state
from plyhost.web.app import create_app
from plyhost.web.config import Settings
from plyhost.web.gates.thinker_pool import ThinkerPool
from tests.conftest import problem, sent
from tests.contract.test_every_game import call, views

UIDS = sorted(load_games())


def app(**settings: Any) -> Flask:
    return create_app(Settings(log_level="error", **settings))


def state(uid: str = "control", ply: int = 5) -> str:
    found: str = views(uid)[ply]["state"]
    return found


def suggest(client: FlaskClient, uid: str = "control", **fields: Any) -> dict[str, Any]:
    response = sent(client, "suggest", {"state": state(uid)} | fields, uid)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.get_json()
    return answer


@pytest.mark.parametrize("uid", UIDS)
def test_over_the_wire_and_at_home_the_answer_is_the_same(uid: str, client: FlaskClient) -> None:
    fields = {"visits": 30, "seed": 7, "limit": 3, "level": 4}
    told = suggest(client, uid, **fields)
    assert told == call(uid, "suggest", state=state(uid), **fields)
    assert (told["visits"], told["stopped"], told["level"], told["ply"]) == (30, "visits", 4, 5)
    assert told["move"] == told["moves"][0]["move"]
    assert told["analysis"] is None
    assert len(told["moves"]) <= 3
    assert told["to_move"] == views(uid)[5]["to_move"]


@pytest.mark.parametrize("uid", UIDS)
def test_every_line_can_be_played_and_visits_add_up(uid: str) -> None:
    told = call(uid, "suggest", state=state(uid), visits=200, limit=100)
    assert sum(one["visits"] for one in told["moves"]) == 200
    for one in told["moves"]:
        assert one["line"][0] == one["move"]
        assert 0 <= one["expected"] <= 1
        at = state(uid)
        for move in one["line"]:
            at = call(uid, "move", state=at, move=move)["state"]


@pytest.mark.parametrize("uid", UIDS)
def test_a_move_asked_about_is_analysed_in_canonical_notation(uid: str) -> None:
    move = call(uid, "moves", state=state(uid))["moves"][-1]
    told = call(uid, "suggest", state=state(uid), visits=20, move=f" {move.upper()} ")
    assert told["analysis"]["move"] == told["analysis"]["line"][0] == move
    assert told["analysis"]["visits"] == 20


@pytest.mark.parametrize("uid", UIDS)
def test_it_plays_every_ply_of_a_game_and_no_more(uid: str, client: FlaskClient) -> None:
    at = call(uid, "new", variants=["size-5"], form="compact")["state"]
    for ply in range(200):
        told = call(uid, "suggest", state=at, visits=2, seed=ply, expected_ply=ply)
        view = call(uid, "move", state=at, move=told["move"])
        at = view["state"]
        if view["gameover"]:
            break
    assert view["gameover"]
    problem(sent(client, "suggest", {"state": at}, uid), "game-over")


def test_what_stands_in_the_way_is_told_in_the_usual_order(client: FlaskClient) -> None:
    def refused(code: str, **fields: Any) -> dict[str, Any]:
        told = {"state": state()} | fields
        return problem(sent(client, "suggest", told), code)

    refused("invalid-state", state="p1:control:size-5:20240909::xx")
    refused("stale-ply", expected_ply=4, move="z9")
    assert refused("illegal-move", move="z9")["reason"] == "off-board"
    assert "seconds" in refused("invalid-request", visits=5, seconds=1)["errors"]


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("level", (1, 6), (0, 7, 1.5, "6", True, None)),
        ("seed", (0, limits.LARGEST_SEED), (-1, limits.LARGEST_SEED + 1, "0")),
        ("visits", (1,), (0, limits.SUGGESTED_VISITS + 1, 2.0, "9")),
        ("seconds", (0.01, 1), (0, 0.0099, limits.SUGGESTED_SECONDS + 1, "1", True, None)),
        ("limit", (1, limits.SUGGESTED_MOVES), (0, limits.SUGGESTED_MOVES + 1)),
    ],
)
def test_fields_are_taken_up_to_their_bounds(
    field: str, good: tuple[Any, ...], bad: tuple[Any, ...], client: FlaskClient
) -> None:
    few: dict[str, Any] = {} if field in ("visits", "seconds") else {"visits": 3}
    for value in good:
        suggest(client, **(few | {field: value}))
    for value in bad:
        told = sent(client, "suggest", {"state": state(), field: value})
        assert field in problem(told, "invalid-request")["errors"]


def test_seconds_end_it_and_the_request_time_does_so_first() -> None:
    short = app(request_seconds=1.0).test_client()
    began = time.monotonic()
    told = suggest(short, level=6, seconds=60)
    assert told["stopped"] == "seconds"
    assert told["visits"] < limits.SUGGESTED_VISITS
    asked = {"state": state(), "visits": limits.SUGGESTED_VISITS}
    problem(sent(short, "suggest", asked), "timed-out")
    assert time.monotonic() - began < 20


def test_a_setting_turns_it_off() -> None:
    problem(sent(app(thinkers=0).test_client(), "suggest", {"state": state()}), "not-offered")


@pytest.fixture
def busy() -> Iterator[tuple[ThinkerPool, list[Any]]]:
    """Yield a thinker that thinks until its process is ended, and what then comes of it."""
    thinkers, found = ThinkerPool(1), list[Any]()

    def ask() -> None:
        try:
            found.append(ask_long(thinkers))
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    while not thinkers.processes:
        time.sleep(0.01)
    yield thinkers, found
    kill_all(thinkers)
    thread.join()


def ask_long(thinkers: ThinkerPool, visits: int = 10**9) -> dict[str, Any]:
    game = find_game("control")
    return thinkers.suggest(game, game.start(9), Question(Effort(visits=visits)))


def kill_all(thinkers: ThinkerPool) -> None:
    for process in list(thinkers.processes):
        process.kill()


def test_who_comes_while_all_think_is_told_when_to_ask_again(
    busy: tuple[ThinkerPool, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyhost.web.service.ThinkerPool", lambda most: busy[0])
    client = app().test_client()
    told = sent(client, "suggest", {"state": state(), "visits": 1})
    assert problem(told, "busy")["retry_after"] == int(told.headers["Retry-After"]) == 1
    sent(client, "moves", {"state": state()}).get_json()["count"]


def test_a_killed_process_costs_one_answer_and_not_the_next(
    busy: tuple[ThinkerPool, list[Any]],
) -> None:
    thinkers, found = busy
    kill_all(thinkers)
    while not found:
        time.sleep(0.01)
    assert [type(one) for one in found] == [Busy]
    assert ask_long(thinkers, 2)["visits"] == 2
    assert len(thinkers.processes) == 1


def test_a_process_that_died_while_it_waited_costs_one_answer_too() -> None:
    thinkers = ThinkerPool(1)
    assert ask_long(thinkers, 2)["visits"] == 2
    kill_all(thinkers)
    with pytest.raises(Busy):
        ask_long(thinkers, 2)
    assert ask_long(thinkers, 2)["visits"] == 2


def test_processes_end_with_what_began_them() -> None:
    thinkers = ThinkerPool(2)
    ask_long(thinkers, 1)
    (process,) = thinkers.processes
    assert process.poll() is None
    del thinkers
    assert process.wait() < 0


def test_a_process_ends_with_its_input() -> None:
    command = [sys.executable, "-m", "plyhost.search.thinker_process"]
    assert subprocess.run(command, input=b"", check=False).returncode == 0


@pytest.mark.parametrize("uid", UIDS)
def test_a_question_on_a_line_is_the_same_question(uid: str) -> None:
    game = find_game(uid)
    for view in views(uid)[:6]:
        position = parse_state(game, view["state"]).last.position
        question = Question(Effort(3, 9, 20, 0.5, 0.75, True), 7, "a1")
        line = encode_question(game, position, question, 2.5)
        assert b"\n" not in line
        assert decode_question(line) == (game, position, question, 2.5)
