"""Many calls in one: each is answered as it would be alone, whatever becomes of the others."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from plyhost import limits
from plyhost.schemas import examples
from plyhost.schemas.requests import REQUESTS
from plyhost.web.app import create_app
from plyhost.web.config import Settings
from tests.conftest import Answer, problem, sent
from tests.contract.test_every_game import UIDS
from tests.tools.vectors import cut, game, read, tight

Calls = list[dict[str, Any]]


def batch(client: FlaskClient, calls: Any) -> list[Answer]:
    body = tight({"calls": calls}).encode()
    answer = client.post("/v1/batch", data=body, content_type="application/json")
    assert answer.status_code == 200, answer.text
    found: list[Answer] = read(answer.data)["answers"]
    return found


@pytest.mark.parametrize("uid", UIDS)
def test_each_call_is_answered_as_it_would_be_alone(uid: str, client: FlaskClient) -> None:
    stamp = {"timestamp": examples.EXAMPLE_MOMENT}
    bodies = examples.make_example_bodies(uid)
    calls: Calls = [
        {"game": uid, "operation": name, "body": body | (stamp if name in ("move", "end") else {})}
        for name, body in bodies.items()
        if name not in ("record", "replay", "suggest")
    ]
    state = bodies["move"]["state"]
    calls += [
        {"game": uid, "operation": "move", "body": {"state": state, "move": "<b>"}},
        {"game": uid, "operation": "move", "body": {"state": "x", "move": "a1"}},
        {"game": uid, "operation": "move", "body": {}},
        {"game": uid, "operation": "render", "body": {"state": state, "ply": 99}},
    ]
    found = batch(client, calls)
    assert len(found) == len(calls)
    for call, entry in zip(calls, found, strict=True):
        alone = sent(client, call["operation"], call["body"], uid)
        told = "answer" if alone.status_code == 200 else "problem"
        assert entry == {"status": alone.status_code, told: read(alone.data)}, call["operation"]


def test_full_states_and_unknown_games_are_for_their_own_call(client: FlaskClient) -> None:
    state = cut(game(), 20)
    move = {"state": state, "move": game()["moves"][20]}
    calls: Calls = [
        {"game": "chess", "operation": "new", "body": {}},
        {"game": "control", "operation": "move", "body": move},
        {"game": "congeners", "operation": "view", "body": {"state": state}},
    ]
    found = batch(client, calls)
    assert [entry["status"] for entry in found] == [404, 200, 422]
    assert found[1]["answer"]["ply"] == 21


@pytest.mark.parametrize(
    "calls",
    [
        [],
        [{"game": "control", "operation": "new", "body": {}}] * (limits.BATCHED_CALLS + 1),
        [{"game": "control", "operation": "batch", "body": {}}],
        [{"game": "control", "operation": "new"}],
        [{"game": "control", "operation": "new", "body": []}],
        [{"game": "control", "operation": "new", "body": {}, "more": 1}],
        [{"game": 5, "operation": "new", "body": {}}],
        [None],
        {},
        None,
    ],
)
def test_what_is_no_batch_is_refused_whole(calls: Any, client: FlaskClient) -> None:
    body = tight({"calls": calls}).encode()
    problem(client.post("/v1/batch", data=body, content_type="application/json"), "invalid-request")


def test_a_body_that_readers_may_disagree_on_is_refused_whole(client: FlaskClient) -> None:
    for inner in ('{"variants":[],"variants":[]}', '{"a":1e999}', '{"a":"\\ud800"}', "{"):
        text = f'{{"calls":[{{"game":"control","operation":"new","body":{inner}}}]}}'
        answer = client.post("/v1/batch", data=text, content_type="application/json")
        problem(answer, "not-json")
    problem(
        client.post("/v1/batch", data="{}", content_type="text/plain"), "unsupported-media-type"
    )


def test_a_batch_weighs_what_its_calls_weigh() -> None:
    client = create_app(Settings(log_level="error", rate_limit="20/hour")).test_client()
    verify = {"state": examples.make_example_bodies("control")["verify"]["state"]}
    calls: Calls = [{"game": "control", "operation": "verify", "body": verify}] * 5
    found = batch(client, calls)
    assert [entry["status"] for entry in found] == [200, 200, 200, 200, 429]
    assert found[4]["problem"]["weight"] == 5


def test_a_key_answers_a_batch_once(client: FlaskClient) -> None:
    calls = {"calls": [{"game": "control", "operation": "new", "body": {}}]}
    answers = [
        client.post("/v1/batch", json=calls, headers={"Idempotency-Key": "batch-1"})
        for _ in range(2)
    ]
    assert answers[0].data == answers[1].data
    assert answers[1].headers["Idempotency-Replayed"] == "true"


def test_every_operation_can_be_batched() -> None:
    assert set(examples.make_example_bodies("control")) == set(REQUESTS)
