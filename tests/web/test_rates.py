"""How much a caller may ask: up to the limit and not once more, each by itself."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from plyhost.contract.operations import OPERATIONS
from plyhost.games import registry
from plyhost.web.app import create_app
from plyhost.web.config import Settings
from plyhost.web.gates import access, rates
from tests.conftest import problem

KEY, OTHER = "ply_one-and-a-long-one", "ply_another-and-a-long-one"
KEYS = (("site", access.hash_caller_key(KEY)), ("other", access.hash_caller_key(OTHER)))


def client(rate: str, **settings: Any) -> FlaskClient:
    return create_app(Settings(rate_limit=rate, **settings)).test_client()


def asked(site: FlaskClient, address: str = "192.0.2.1", key: str = "") -> TestResponse:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return site.get("/v1", headers=headers, environ_overrides={"REMOTE_ADDR": address})


def listed(site: FlaskClient, uid: str) -> TestResponse:
    state = site.post(f"/v1/games/{uid}/new", json={"form": "compact"}).get_json()["state"]
    return site.post(f"/v1/games/{uid}/moves", json={"state": state, "limit": 1})


def test_the_limit_is_reached_and_not_passed() -> None:
    site = client("5/minute")
    assert [asked(site).status_code for _ in range(5)] == [200] * 5
    refused = asked(site)
    body = problem(refused, "rate-limited")
    assert body["limit"] == "5 per 1 minute"
    assert body["weight"] == 1
    assert 1 <= int(refused.headers["Retry-After"]) <= 61
    assert body["retry_after"] == int(refused.headers["Retry-After"])
    assert "5 per 1 minute" in body["detail"]


def test_each_address_is_counted_by_itself_and_a_network_of_64_bits_as_one() -> None:
    site = client("1/minute")
    for address in ("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1"):
        assert asked(site, address).status_code == 200
        assert asked(site, address).status_code == 429
    assert asked(site, "2001:db8::ffff").status_code == 429
    assert asked(site, "::ffff:192.0.2.2").status_code == 429
    assert asked(site, "no address").status_code == 200


def test_each_key_is_counted_by_itself_wherever_it_calls_from() -> None:
    site = client("1/minute", api_keys=KEYS)
    assert asked(site, "192.0.2.1", KEY).status_code == 200
    assert asked(site, "192.0.2.2", KEY).status_code == 429
    assert asked(site, "192.0.2.1", OTHER).status_code == 200
    assert asked(site, "192.0.2.1").status_code == 401


def test_who_guesses_keys_is_slowed_down() -> None:
    site = client("3/minute", api_keys=KEYS)
    codes = [asked(site, key=f"guess {number}").status_code for number in range(5)]
    assert codes == [401, 401, 401, 429, 429]


def test_health_and_documents_are_not_counted() -> None:
    site = client("1/minute")
    assert asked(site).status_code == 200
    for path in ("/healthz", "/readyz", "/openapi.json", "/docs/errors"):
        assert site.get(path, environ_overrides={"REMOTE_ADDR": "192.0.2.1"}).status_code == 200


def test_all_calls_count_to_one_limit_each_by_its_weight() -> None:
    dear, cheap = rates.weigh_request("moves", "congeners"), rates.weigh_request("moves", "control")
    assert dear > cheap > rates.weigh_request("move", "congeners") == 1
    for uid, weight in (("control", cheap), ("congeners", dear)):
        assert listed(client(f"{weight + 1}/minute"), uid).status_code == 200
        assert listed(client(f"{weight}/hour;{weight * 9}/day"), uid).status_code == 429


def test_no_call_weighs_more_than_a_whole_limit() -> None:
    site = client("2/minute")
    state = client("off").post("/v1/games/congeners/new", json={}).get_json()["state"]
    path = "/v1/games/congeners/moves"
    assert site.post(path, json={"state": state}).status_code == 200
    assert problem(site.post(path, json={"state": state}), "rate-limited")["weight"] == 2


def test_several_limits_hold_at_once() -> None:
    site = client("2/second;3/minute")
    found = [asked(site) for _ in range(3)]
    assert problem(found[2], "rate-limited")["limit"] == "2 per 1 second"


@pytest.mark.parametrize("settings", [{}, {"api_keys": KEYS}])
def test_without_a_limit_nothing_is_counted(settings: dict[str, Any]) -> None:
    site = create_app(Settings(**settings)).test_client()
    assert {asked(site, key=KEY).status_code for _ in range(700)} == {200}


def test_weights_are_of_operations_and_games_that_there_are() -> None:
    for name in rates.WEIGHTS:
        operation, _, uid = name.partition(" ")
        assert operation in OPERATIONS or operation.endswith(
            (".svg", ".png", ".webp", ".gif", ".apng")
        )
        assert uid in registry.load_games() or not uid
