"""The soak, two minutes of it; and that it would find what it is there to find."""

import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from functools import cache
from http.client import IncompleteRead, RemoteDisconnected
from typing import Any, cast

import orjson
import pytest
import requests
from urllib3.exceptions import ConnectTimeoutError, ProtocolError

from plyhost.states import clock
from tests.tools import ROOT
from tests.tools.redis_server import RedisServer, wait_until
from tests.tools.serving import free_port, running, wait_for
from tests.tools.soak import judge, promises
from tests.tools.soak.asking import Asked
from tests.tools.soak.callers import Callers
from tests.tools.soak.cases import Case, cases
from tests.tools.soak.faults import IN_ORDER, Faults
from tests.tools.soak.feed import feed
from tests.tools.soak.health import Health
from tests.tools.soak.judge import Answer
from tests.tools.soak.report import lines
from tests.tools.soak.run import Run
from tests.tools.soak.tally import Tally
from tests.tools.soak.twins import Board
from tests.web.test_metrics import Figures

MINUTES, CALLERS, SEED = 1.5, 4, 20
GAMES = (3, 4, 5)
KILLED = "a worker killed"
#: With these two, sets of texts have other orders.
HASH_SEEDS = ("1", "2")


@pytest.mark.long
def test_a_soak_of_two_minutes_keeps_every_promise() -> None:
    outcome = Run(MINUTES, CALLERS, SEED)()
    assert not outcome.tally.broken, "\n".join(lines(outcome))


# The judge


@cache
def some() -> list[Case]:
    return [case for seed in GAMES for case in cases(seed)]


def one(operation: str, is_clocked: bool = False) -> Case:
    """Return a case of an operation that is answered with 200."""
    return next(
        case
        for case in some()
        if (case.operation, case.asked.is_clocked) == (operation, is_clocked)
        and case.answer.status == 200
    )


def judged(case: Case, **changed: Any) -> str:
    return judge.fault(case.asked, case.answer, replace(case.answer, **changed))


def test_right_answers_pass() -> None:
    assert not any(judged(case) for case in some())
    assert not any(judged(case, is_replayed=True) for case in some())


def test_any_other_byte_status_or_header_is_found() -> None:
    for case in some():
        assert "status" in judged(case, status=case.answer.status + 1)
        assert judged(case, headers=("Content-Type: text/csv", *case.answer.headers[1:]))
        for at in (0, len(case.answer.body) // 2, -1) if not case.asked.is_clocked else ():
            body = bytearray(case.answer.body)
            body[at] ^= 1
            assert judged(case, body=bytes(body))


def test_an_engine_that_breaks_is_found() -> None:
    assert judge.unsound(Asked("/v1"), Answer(500, ("Content-Type: ",), b""))


def test_a_clock_may_go_on_and_nothing_else() -> None:
    case = one("new", is_clocked=True)
    found = orjson.loads(case.answer.body)
    later = clock.format_stamp(clock.parse_stamp(found["timestamp"]) + 5000)
    moved = case.answer.body.replace(found["timestamp"].encode(), later.encode())
    assert moved != case.answer.body
    assert not judged(case, body=moved)
    for name in ("timestamp", "state", "ply", "to_move"):
        less = {key: value for key, value in found.items() if key != name}
        assert judged(case, body=orjson.dumps(less))
    for name, wrong in (("ply", 1), ("timestamp", "2000-01-01T00:00:00.000Z"), ("state", "p1:")):
        assert judged(case, body=orjson.dumps(found | {name: wrong}))


def test_another_move_inside_a_state_is_found() -> None:
    case, asked = one("end", is_clocked=True), one("new", is_clocked=True)
    found, other = (orjson.loads(each.answer.body) for each in (case, asked))
    assert judged(case, body=orjson.dumps(found | {"state": other["state"]}))


def test_an_engine_that_lists_other_moves_than_the_rules_is_found() -> None:
    case = next(case for case in some() if case.asked.legal)
    assert case.asked.legal is not None
    other = replace(case.asked, legal=case.asked.legal[1:])
    assert "legal moves" in judge.fault(other, case.answer, case.answer)
    assert "legal moves" in judge.unsound(other, case.answer)


@pytest.mark.long
def test_answers_do_not_hang_on_the_process_that_gives_them() -> None:
    told = f"from tests.tools.soak.cases import cases; print([c.answer for c in cases({GAMES[0]}) "
    told += "if not c.asked.is_clocked])"
    texts = {
        subprocess.run(
            [sys.executable, "-c", told],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in HASH_SEEDS
    }
    assert len(texts) == 1


# Twins, figures, memory, mixture


def test_twins_with_two_answers_are_found() -> None:
    case = one("new", is_clocked=True)
    other = replace(case.answer, body=b"{}")
    for first, second, is_one in (
        (case.answer, replace(case.answer, is_replayed=True), True),
        (replace(case.answer, is_replayed=True), case.answer, True),
        (case.answer, case.answer, False),
        (case.answer, replace(other, is_replayed=True), False),
    ):
        board = Board("run", Tally())
        twins = board.new(case)
        assert board.waited() is twins
        assert board.answered(twins, first)
        assert board.answered(twins, second) == is_one


@pytest.mark.parametrize(("counted", "is_right"), [(9, False), (10, True), (12, True), (13, False)])
def test_figures_that_miss_an_answer_or_invent_one_are_found(counted: int, is_right: bool) -> None:
    tally = Tally()
    tally.sent["move", "control"], tally.answered["move", "control"] = 12, 10
    labels = (("code", "ok"), ("game", "control"), ("key", ""), ("operation", "move"))
    figures: Figures = {("plyhost_requests_total", labels): float(counted)}
    assert (not list(promises.figures_fit(figures, tally))) == is_right


@pytest.mark.parametrize(("end", "is_flat"), [(90, True), (110, True), (111, False), (0, False)])
def test_memory_that_grows_or_was_not_seen_is_found(end: float, is_flat: bool) -> None:
    found = promises.memory_flat({"elder": 100.0}, {"elder": end}, 1.1)
    assert (not list(found)) == is_flat


def test_a_run_that_tried_too_little_is_found() -> None:
    assert len(list(promises.mixture_whole(Tally()))) > len(promises.SEEN)


# Lost requests


def losing(error: Exception, kind: str) -> Tally:
    """Return what is noted of an error that a caller meets during a fault."""
    tally = Tally()
    faults = Faults(Health("", cast(Any, None), tally), cast(RedisServer, None), SEED)
    faults._kind = kind
    faults._spans.append([time.monotonic(), float("inf")])
    if kind == KILLED:
        faults.kills.append(time.monotonic())
    callers = Callers("", cast(Any, None), faults, tally, SEED)
    callers._missed(one("move"), requests.ConnectionError(error), time.monotonic())
    return tally


@pytest.mark.parametrize("kind", [KILLED, *IN_ORDER, "Redis full"])
@pytest.mark.parametrize(
    ("error", "is_closed"),
    [
        (ProtocolError("aborted", RemoteDisconnected("closed")), True),
        (ProtocolError("aborted", ConnectionResetError(104, "reset")), True),
        (ProtocolError("broken", IncompleteRead(b"half of an answer")), False),
        (ConnectTimeoutError("refused"), False),
    ],
)
def test_only_a_killed_worker_may_lose_what_it_has_in_hand(
    error: Exception, is_closed: bool, kind: str
) -> None:
    is_allowed = kind == KILLED or (kind in IN_ORDER and is_closed)
    assert (not losing(error, kind).broken) == is_allowed


# A service that breaks its promises


@pytest.mark.long
def test_wrong_and_lost_answers_of_a_real_service_are_found_and_told() -> None:
    tally, port = Tally(), free_port()
    url = f"http://127.0.0.1:{port}"
    told = (
        "from plyhost.web.serving.server import run_server;"
        f"run_server('127.0.0.1', {port}, 1, 'tests.tools.soak.planted:create')"
    )
    planted = [sys.executable, "-c", told]
    with running(planted, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        wait_for(url, process)
        faults = Faults(Health(url, process, tally), cast(RedisServer, None), SEED)
        with feed(SEED) as made:
            callers = Callers(url, made, faults, tally, SEED)
            with callers.calling(2):
                wait_until(lambda: tally.facts["lost outside of a killed worker"] > 0, 60)
        process.terminate()
        process.wait(20)
    assert tally.facts["wrong answers"] > 2
    assert Counter(promise.split()[0] for promise in tally.broken)["lost"] > 0
    wrong = next(promise for promise in tally.broken if promise.startswith("wrong"))
    assert wrong.count("asked: ") == wrong.count("given: ") == wrong.count("right: ") == 1
