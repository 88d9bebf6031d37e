"""Idempotency-Key: one request, one answer, however often it is sent."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from plyhost import deadline, limits
from plyhost.errors import IdempotencyInProgress
from plyhost.web.app import create_app
from plyhost.web.config import Settings
from plyhost.web.gates import access, idempotency
from plyhost.web.gates.idempotency import Claim, Kept, Ledger
from plyhost.web.memory.store import Embedded, Store
from tests.conftest import problem

NEW = "/v1/games/control/new"
MOST = limits.IDEMPOTENCY_KEY_CHARACTERS
KEY, OTHER = "ply_one-and-a-long-one", "ply_another-and-a-long-one"
KEYS = (("site", access.hash_caller_key(KEY)), ("other", access.hash_caller_key(OTHER)))


@pytest.fixture(scope="module")
def site() -> Flask:
    return create_app(Settings(request_seconds=0.3))


@pytest.fixture
def client(site: Flask) -> FlaskClient:
    return site.test_client()


def sent(
    client: FlaskClient, key: str, path: str = NEW, body: Any = None, **headers: str
) -> TestResponse:
    return client.post(path, json=body or {}, headers={"Idempotency-Key": key, **headers})


def is_replayed(answer: TestResponse) -> bool:
    return answer.headers.get("Idempotency-Replayed") == "true"


def test_the_same_request_is_given_the_first_answer(client: FlaskClient) -> None:
    first, again = sent(client, "one"), sent(client, "one")
    assert (first.status_code, is_replayed(first)) == (200, False)
    assert (again.status_code, is_replayed(again)) == (200, True)
    assert again.data == first.data
    assert again.content_type == first.content_type
    assert "Idempotency-Replayed" not in client.post(NEW, json={}).headers
    assert not is_replayed(sent(client, "another"))


def test_large_answers_come_back_whole(client: FlaskClient) -> None:
    state = client.post("/v1/games/congeners/new", json={}).get_json()["state"]
    path, body = "/v1/games/congeners/moves", {"state": state, "limit": limits.LISTED_MOVES}
    first, again = (sent(client, "large", path, body) for _ in range(2))
    assert len(first.data) > 100_000
    assert is_replayed(again)
    assert again.data == first.data


@pytest.mark.parametrize(
    ("path", "body", "headers"),
    [
        (NEW, {"form": "compact"}, {}),
        ("/v1/games/congeners/new", {}, {}),
        (NEW + "?x=1", {}, {}),
        (NEW, {}, {"Accept": "application/json"}),
    ],
)
def test_another_request_with_the_same_key_is_refused(
    client: FlaskClient, path: str, body: dict[str, str], headers: dict[str, str]
) -> None:
    sent(client, "taken")
    problem(sent(client, "taken", path, body, **headers), "idempotency-mismatch")
    assert is_replayed(sent(client, "taken"))


def test_what_the_engine_refuses_is_kept(client: FlaskClient) -> None:
    state = client.post(NEW, json={"form": "compact"}).get_json()["state"]
    game = "/v1/games/control"
    for path, body, status in (
        (f"{game}/move", {"state": state, "move": "g7"}, 422),
        (f"{game}/end", {"state": state, "how": "settle"}, 409),
        (NEW, {"form": "none"}, 422),
    ):
        first, again = (sent(client, f"{path} {status}", path, body) for _ in range(2))
        assert first.status_code == again.status_code == status
        assert again.data == first.data
        assert is_replayed(again)
        assert again.content_type == "application/problem+json"


def test_failures_are_not_kept(client: FlaskClient) -> None:
    for path, kind, status in (
        ("/v1/games/nogame/new", "application/json", 404),
        (NEW, "text/plain", 415),
        ("/ap/control", "application/json", 400),
    ):
        for _ in range(2):
            answer = client.post(
                path, data=b"{}", content_type=kind, headers={"Idempotency-Key": f"{path}{kind}"}
            )
            assert (answer.status_code, is_replayed(answer)) == (status, False)


def test_the_2018_contract_has_it_too(client: FlaskClient) -> None:
    first, again = (sent(client, "old", "/ap/control", {"mode": "ping"}) for _ in range(2))
    assert is_replayed(again)
    assert again.data == first.data


def test_what_is_only_read_is_not_concerned(client: FlaskClient) -> None:
    for _ in range(2):
        assert not is_replayed(client.get("/v1", headers={"Idempotency-Key": "read"}))


def test_a_key_is_text_of_a_bounded_length(client: FlaskClient) -> None:
    assert sent(client, "k" * MOST).status_code == 200
    for wrong in ("k" * (MOST + 1), "", "caf\xe9", "a\tb"):
        body = problem(sent(client, wrong), "invalid-request")
        assert list(body["errors"]) == ["Idempotency-Key"]


def test_callers_do_not_meet_each_others_keys() -> None:
    client = create_app(Settings(api_keys=KEYS)).test_client()
    first = sent(client, "same", Authorization=f"Bearer {KEY}")
    other = sent(client, "same", body={"form": "compact"}, Authorization=f"Bearer {OTHER}")
    assert (first.status_code, other.status_code) == (200, 200)
    assert not is_replayed(other)
    assert is_replayed(sent(client, "same", Authorization=f"Bearer {KEY}"))


def test_twins_at_once_are_worked_out_once(site: Flask) -> None:
    barrier = Barrier(12)

    def twin(_: int) -> TestResponse:
        client = site.test_client()
        barrier.wait()
        return sent(client, "twins")

    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(twin, range(12)))
    assert len({answer.data for answer in answers}) == 1
    assert sorted(map(is_replayed, answers)) == [False] + [True] * 11


def claimed(ledger: Ledger, *parts: bytes) -> Claim:
    found = ledger.begin("", "key", *parts)
    assert isinstance(found, Claim)
    return found


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    clock = deadline.start_deadline(0.1)
    yield Ledger(Store(10**6), 60)
    deadline.stop_deadline(clock)


def test_a_twin_waits_as_long_as_the_request_may_take_and_no_longer(ledger: Ledger) -> None:
    claim = claimed(ledger)
    with pytest.raises(IdempotencyInProgress):
        ledger.begin("", "key")
    ledger.end(claim, 200, "text/plain", b"done")
    assert isinstance(ledger.begin("", "key"), Kept)


def test_a_claim_that_came_to_nothing_is_free_again(ledger: Ledger) -> None:
    for status in (500, 503, 429, 401, 404, 400, 413):
        ledger.end(claimed(ledger), status, "", b"")
    ledger.end(claimed(ledger), 200, "", b"")
    assert isinstance(ledger.begin("", "key"), Kept)


def test_the_mark_of_a_worker_that_died_is_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idempotency, "SILENCE", 0.1)
    store = Store(10**6)
    died = claimed(Ledger(store, 60))
    heir = Ledger(store, 60)
    taken = claimed(heir)
    assert taken.mark != died.mark
    Ledger(store, 60).end(died, 200, "", b"late")
    heir.end(taken, 200, "", b"done")
    assert isinstance(found := heir.begin("", "key"), Kept)
    assert found.answer in (b"late", b"done")


def test_the_mark_of_a_worker_that_works_is_renewed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idempotency, "SILENCE", 2)
    ledger = Ledger(Store(10**6), 60)
    claim = claimed(ledger)
    _, until = ledger.store.embedded._held[claim.name]
    ledger.renew()
    _, later = ledger.store.embedded._held[claim.name]
    assert later > until
    ledger.end(claim, 500, "", b"")
    ledger.renew()
    assert ledger.store.get(claim.name) is None


def test_what_is_no_answer_counts_as_absent() -> None:
    ledger = Ledger(Store(10**6), 60)
    claim = claimed(ledger)
    ledger.end(claim, 200, "", b"")
    for garbage in (b"", b"\xc1", b"\x93\x01\x02\x03", b"\xff" * 99):
        ledger.store.embedded.put(claim.name, garbage, 60)
        assert isinstance(ledger.begin("", "key"), Claim)
        ledger.store.embedded.put(claim.name, garbage, 60)


def test_answers_are_kept_for_a_bounded_time_and_in_bounded_memory() -> None:
    short = Ledger(Store(10**6), 0)
    short.end(claimed(short), 200, "", b"")
    claimed(short)
    small = Ledger(Store(10_000), 60)
    for number in range(1000):
        claim = small.begin("", str(number))
        assert isinstance(claim, Claim)
        small.end(claim, 200, "", bytes(100))
    assert small.store.embedded.size <= 10_000
    assert isinstance(small.begin("", "999"), Kept)
    assert isinstance(small.begin("", "0"), Claim)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 400)), max_size=60))
def test_a_memory_never_holds_more_than_it_may(puts: list[tuple[int, int]]) -> None:
    memory = Embedded(1000)
    for key, size in puts:
        memory.put(str(key), bytes(size), 60)
        assert memory.size <= 1000
        assert memory.get(str(key)) == bytes(size)
        assert memory.size == sum(len(memory.get(str(one)) or b"") + 201 for one in held(memory))


def held(memory: Embedded) -> list[int]:
    return [key for key in range(6) if memory.get(str(key)) is not None]
