"""Bodies that callers make to cost the most: they are refused at little cost, and let go."""

import os
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import requests
from flask.testing import FlaskClient

from plyhost import limits
from plyhost.contract.operations import OPERATIONS
from plyhost.web.app import create_app
from plyhost.web.config import Settings
from tests.conftest import long, posted, problem, sent
from tests.tools import forging
from tests.tools.serving import started, workers
from tests.tools.vectors import LATER, cut, game, in_form, tight, zipped

GAME = game()
#: What each operation wants beside a state.
BESIDE: dict[str, dict[str, Any]] = {
    "move": {"move": "a1"},
    "validate": {"move": "a1"},
    "click": {"row": 1, "col": 1},
    "end": {"how": "draw"},
    "at": {"ply": 0},
    "same": {"move": "a1", "other": "a1"},
    "record": {"gameid": "x", "players": [{"name": "a"}, {"name": "b"}]},
    "convert": {"form": "compact"},
}
ON_STATES = [name for name in OPERATIONS if name not in ("new", "replay")]
DEEP = [limits.JSON_DEPTH, 70, 254, 256, 900, 5000]


def nested(depth: int, shape: str) -> str:
    return "[" * depth + "]" * depth if shape == "list" else '{"a":' * depth + "1" + "}" * depth


# --- depth ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", ON_STATES)
@pytest.mark.parametrize("field", ["winner", "variants", "game", "gameover", "junk"])
def test_nothing_in_a_header_nests_too_deep(
    operation: str, field: str, client: FlaskClient
) -> None:
    state = cut(GAME, 20) | {field: "@"}
    beside = tight(BESIDE.get(operation, {}))[1:-1]
    for depth in DEEP:
        for shape in ("list", "object"):
            text = tight(state).replace('"@"', nested(depth, shape))
            for wire in (text, tight(text), tight(zipped(text))):
                body = f'{{"state":{wire}{"," if beside else ""}{beside}}}'
                answer = posted(client, operation, body.encode())
                if operation == "verify" and answer.status_code == 200:
                    assert not answer.get_json()["ok"]
                else:
                    assert answer.status_code in (400, 422), (depth, shape, answer.text[:200])


@pytest.mark.parametrize("field", ["_results", "board", "junk", "lastmove"])
@pytest.mark.parametrize("index", [0, 20, *long(5, 19)])
def test_nothing_in_an_entry_nests_too_deep(field: str, index: int, client: FlaskClient) -> None:
    state = cut(GAME, 20)
    state["stack"][index][field] = "@"
    for depth in DEEP:
        text = tight(state).replace('"@"', nested(depth, "list"))
        for operation in ON_STATES:
            beside = tight(BESIDE.get(operation, {}))[1:-1]
            body = f'{{"state":{text}{"," if beside else ""}{beside}}}'
            assert posted(client, operation, body.encode()).status_code < 500
        verdict = posted(client, "verify", f'{{"state":{text}}}'.encode())
        assert verdict.status_code != 200 or not verdict.get_json()["ok"]


# --- compact states ------------------------------------------------------------------------------


def compact(ply: int = 20) -> forging.Compact:
    return forging.opened(in_form(cut(GAME, ply), "compact"))


def refused(client: FlaskClient, state: forging.Compact, why: str) -> None:
    for operation in ("move", "moves", "end"):
        fields = {"state": state.text(), **BESIDE.get(operation, {})}
        assert why in problem(sent(client, operation, fields), "invalid-state")["detail"]


def test_times_are_as_many_as_the_plies_and_each_as_short_as_can_be(client: FlaskClient) -> None:
    state = compact()
    assert sent(client, "moves", {"state": state.text()}).status_code == 200
    first, rest = state.times[:1], state.times[1:]
    longer = bytes((first[0] | 0x80, 0)) if first[0] < 0x80 else first
    for times, why in (
        (state.times + b"\0", "more or fewer"),
        (state.times[:-1], "more or fewer"),
        (b"\x01" * 65535, "more or fewer"),
        (state.times[:-1] + b"\x81", "more or fewer"),
        (b"\x80\0" * len(state.times), "longer than it needs"),
        (b"\x80" * 3000 + state.times, "longer than it needs"),
        (b"\x80\0" + b"\x01" * 19, "longer than it needs"),
    ):
        refused(client, replace(state, times=times), why)
    if longer != first:
        refused(client, replace(state, times=longer + rest), "longer than it needs")


def test_there_are_no_more_stones_than_moves_can_have_placed(client: FlaskClient) -> None:
    few, many = compact(3), compact(40)
    assert sum(map(bytes_to_stones, many.stones)) > 3
    refused(client, replace(few, stones=many.stones), "more stones")
    made, after, *rest = many.numbers
    refused(client, replace(many, moves=many.moves[: made - 1]), "counts do not agree")
    refused(client, replace(many, numbers=(made + 9, after + 9, *rest)), "counts do not agree")


def bytes_to_stones(cells: bytes) -> int:
    return int.from_bytes(cells, "little").bit_count()


# --- the 2018 contract ---------------------------------------------------------------------------


def asked_2018(client: FlaskClient, body: dict[str, Any]) -> tuple[int, float]:
    """Return the status of an answer and the processor seconds that it took."""
    data = tight(body).encode()
    assert len(data) <= limits.BODY_BYTES
    began = time.process_time()
    answer = client.post("/ap/control", data=data, content_type="application/json")
    return answer.status_code, time.process_time() - began


@pytest.mark.parametrize("entry", [0, "a", {}, []])
@pytest.mark.parametrize(
    ("mode", "field"),
    [("init", "players"), ("init", "variants"), ("archive", "states"), ("archive", "players")],
)
def test_crowds_in_the_2018_contract_are_counted_before_they_are_looked_at(
    client: FlaskClient, mode: str, field: str, entry: Any
) -> None:
    # As many as are read at all, at less than what reading that many takes twice.
    most = limits.JSON_OBJECTS - 10 if entry == {} else limits.JSON_ARRAYS - 10
    sound = {"players": ["a", "b"], "states": ["x"]} if mode == "init" else {"states": ["x"]}
    body = {"mode": mode, **sound, field: [entry] * most}
    status, seconds = asked_2018(client, body)
    assert status == 400
    _, reading = asked_2018(client, {"mode": "none", field: [entry] * most})
    assert seconds < 3 * reading + 0.2


def test_the_2018_contract_weighs_what_the_first_one_does() -> None:
    def left(body: dict[str, Any]) -> int:
        """Return how many more calls there is room for after one."""
        site = create_app(Settings(rate_limit="8/hour")).test_client()
        site.post("/ap/control", json=body)
        calls = [site.post("/ap/control", json={"mode": "ping"}).status_code for _ in range(9)]
        assert calls == sorted(calls)
        return calls.count(200)

    assert left({"mode": "ping"}) == 7
    assert left({"mode": "init", "players": ["a", "b"]}) == 7
    assert left({"mode": "archive", "states": ["x"]}) == 3
    assert left({"mode": ["archive"]}) == 7


def test_a_2018_report_is_given_up_in_time() -> None:
    site = create_app(Settings(request_seconds=0.05, log_level="error")).test_client()
    body = {"mode": "init", "players": ["a", "b"]}
    state = create_app(Settings(log_level="error")).test_client().post("/ap/control", json=body)
    kept = [state.get_json()["state"]] * 2000
    answer = site.post("/ap/control", json={"mode": "archive", "states": kept})
    assert answer.status_code in (400, 503)


# --- what is left behind -------------------------------------------------------------------------

Make = Callable[[int, int], dict[str, Any]]
LARGE = limits.BODY_BYTES - 2000


def filled(number: int, size: int = LARGE, letter: str = "x") -> str:
    """Return a large text that no other number has."""
    return f"{number}{letter * (size - 20)}"


def header(number: int) -> dict[str, Any]:
    return {"game": {"name": "Congeners", "variants": [f"#{filled(number)}"]}, "players": [{}, {}]}


def setups(number: int) -> list[list[str]]:
    return [["a1,b1/e5,e6" + " " * (LARGE + number % 100)]]


#: Bodies that are refused, or at least that no one needs again, each with a number of its own.
LEFT: dict[str, Callable[[int], tuple[str, dict[str, Any]]]] = {
    "variants": lambda n: ("new", {"variants": [f"#{filled(n, 190)}"] * 16}),
    "record": lambda n: ("replay", {"record": {"header": header(n), "moves": []}}),
    "record of many variants": lambda n: (
        "replay",
        {
            "record": {
                "header": header(n)
                | {"game": {"name": "congeners", "variants": [f"#{n}"] * 400_000}}
            }
        },
    ),
    "record moves": lambda n: (
        "replay",
        {"record": {"header": header(n) | {"game": {"name": "congeners"}}, "moves": setups(n)}},
    ),
    "moves": lambda n: ("replay", {"moves": ["a1,b1/e5,e6".ljust(3900 + n)] * 1000}),
    "state": lambda n: ("verify", {"state": filled(n)}),
    "state of colons": lambda n: ("moves", {"state": f"p1:{n}{':' * LARGE}"}),
    "state of variants": lambda n: (
        "moves",
        {"state": f"p1:congeners:{n}{'+' * LARGE}:20261130::A"},
    ),
    "gz": lambda n: (
        "moves",
        {"state": "gz:" + b64encode(filled(n, LARGE // 2).encode()).decode()},
    ),
    "object": lambda n: ("moves", {"state": {"junk": filled(n), "stack": []}}),
    "winner": lambda n: ("moves", {"state": cut(GAME, 5) | {"winner": [filled(n)]}}),
    "field": lambda n: ("moves", {filled(n): 1}),
    "player": lambda n: ("new", {"players": [filled(n), "b"]}),
    "prefix": lambda n: ("moves", {"state": "x", "prefix": filled(n)}),
}


class Worker:
    """A real service of one worker."""

    def __init__(self, url: str, pid: int) -> None:
        self.url, self.pid, self.session = url, pid, requests.Session()

    def send(self, path: str, body: dict[str, Any]) -> int:
        return self.session.post(self.url + path, json=body, timeout=60).status_code

    def megabytes(self) -> int:
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) // 1024


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with started(env=os.environ | {"PLYHOST_LOG_LEVEL": "error"}) as (url, process):
        (pid,) = workers(process)
        yield Worker(url, pid)


@pytest.mark.long
@pytest.mark.parametrize("name", LEFT)
def test_a_worker_lets_go_of_what_it_refused(name: str, worker: Worker) -> None:
    held = []
    for number in range(12):
        operation, body = LEFT[name](number)
        assert worker.send(f"/v1/games/congeners/{operation}", body) < 500
        held.append(worker.megabytes())
    # Of a hundred million bytes that were sent none are kept; the first ones make room for others.
    assert min(held[-4:]) - min(held[2:6]) < 20, held


def test_a_worker_lets_go_of_what_the_2018_contract_refused(worker: Worker) -> None:
    held = []
    for number in range(8):
        for body in (
            {"mode": "init", "players": [filled(number), "b"]},
            {"mode": "init", "players": ["a", "b"], "variants": [f"#{filled(number)}"]},
            {"mode": "move", "player": "a", "move": "a1", "state": filled(number)},
            {"mode": "archive", "states": [filled(number)]},
            {"mode": filled(number)},
        ):
            assert worker.send("/ap/congeners", body) == 400
        held.append(worker.megabytes())
    assert min(held[-3:]) - min(held[1:4]) < 20, held


def test_remembered_boards_have_short_names(client: FlaskClient) -> None:
    from plyhost.games import variants

    before = variants._find_sound_variant.cache_info().currsize
    for number in range(5):
        fields = {"variants": [f"#{number}"], "timestamp": LATER}
        assert sent(client, "new", fields, "congeners").status_code == 200
    assert variants._find_sound_variant.cache_info().currsize <= before + 1
