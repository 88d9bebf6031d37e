"""Who a caller is without a key: what proxies tell of it, and what it cannot make up."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from plyhost.web.app import create_app
from plyhost.web.config import Settings
from plyhost.web.gates import access
from plyhost.web.gates.callers import LONGEST_CHAIN, name_neighbourhood, read_address
from tests.conftest import problem

KEY = "ply_one-and-a-long-one"
KEYS = (("site", access.hash_caller_key(KEY)),)
PICTURE = "/v1/games/control/picture.svg?moves=a1"
PROXY = {"REMOTE_ADDR": "10.0.0.1"}


@pytest.mark.parametrize(
    ("text", "address"),
    [
        *(("1.2.3.4", "1.2.3.4"), (" 1.2.3.4 ", "1.2.3.4"), ("1.2.3.4:5555", "1.2.3.4")),
        *(("2001:db8::1", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1")),
        *(("[2001:db8::1]:443", "2001:db8::1"), ("", "None"), ("unknown", "None"), ("a:1", "None")),
        *(("1.2.3.4, 5.6.7.8", "None"), ("1" * 99, "None"), ("[::1", "::1")),
    ],
)
def test_an_address_is_read_with_a_port_and_brackets(text: str, address: str) -> None:
    assert str(read_address(text)) == address


def test_all_ways_to_write_an_address_are_one_caller() -> None:
    assert name_neighbourhood("1.2.3.4:5") == name_neighbourhood("::ffff:1.2.3.4") == "1.2.3.4"
    assert name_neighbourhood("[2001:db8::1]:80") == name_neighbourhood("2001:db8::2")


def counted(site: FlaskClient, told: str) -> int:
    """Return the status of a request that a proxy passes on with what it tells of the caller."""
    headers = {"X-Forwarded-For": told}
    return site.get("/v1", headers=headers, environ_overrides=PROXY).status_code


@pytest.mark.parametrize(
    "others",
    [
        ["192.0.2.7:1", "192.0.2.7:2", "[192.0.2.7]:3"],
        ["9.9.9.9, 192.0.2.7", "x, 192.0.2.7", ",,,192.0.2.7", "192.0.2.7, 10.0.0.9"],
        ["9.9.9.9," * 2000 + "192.0.2.7"],
        ["192.0.2.7:1, 10.0.0.9:2, 10.0.0.8"],
    ],
)
def test_no_way_to_tell_an_address_is_a_count_of_its_own(others: list[str]) -> None:
    site = create_app(Settings(rate_limit="1/hour", trusted_proxies=("10.0.0.0/8",))).test_client()
    assert counted(site, "192.0.2.7") == 200
    assert [counted(site, told) for told in others] == [429] * len(others)


@pytest.mark.parametrize("told", ["nonsense", "x:1", "10.0.0.9," * LONGEST_CHAIN * 2, "1" * 300])
def test_a_chain_that_names_no_caller_is_counted_for_its_proxy(told: str) -> None:
    site = create_app(Settings(rate_limit="1/hour", trusted_proxies=("10.0.0.0/8",))).test_client()
    first = site.get("/v1", environ_overrides=PROXY | {"REMOTE_ADDR": "10.0.0.9"}).status_code
    assert first == 200
    site.get("/v1", environ_overrides=PROXY)
    assert counted(site, told) == 429


# --- what is asked without a key -----------------------------------------------------------------


def test_by_default_pictures_in_the_open_have_a_rate_and_keys_have_none() -> None:
    site = create_app(Settings(api_keys=KEYS, public_pictures=True)).test_client()
    codes = [site.get(PICTURE).status_code for _ in range(130)]
    assert set(codes) == {200, 429}
    assert problem(site.get(PICTURE), "rate-limited")["limit"] == "600 per 1 minute"
    bearer = {"Authorization": f"Bearer {KEY}"}
    assert {site.get(PICTURE, headers=bearer).status_code for _ in range(130)} == {200}
    assert site.get("/healthz").status_code == 200


def test_by_default_guesses_of_keys_are_slowed_down() -> None:
    site = create_app(Settings(api_keys=KEYS)).test_client()
    guess = {"Authorization": "Bearer guess"}
    codes = [site.get("/v1", headers=guess).status_code for _ in range(610)]
    assert set(codes[:590]) == {401}
    assert codes[-1] == 429
    assert site.get("/v1", headers={"Authorization": f"Bearer {KEY}"}).status_code == 200


def test_an_idempotency_key_without_a_key_belongs_to_its_address() -> None:
    site = create_app(Settings(allow_anonymous=True)).test_client()
    path = "/v1/games/control/new"

    def sent(address: str, body: Any) -> Any:
        headers = {"Idempotency-Key": "one"}
        where = {"REMOTE_ADDR": address}
        return site.post(path, json=body, headers=headers, environ_overrides=where)

    assert sent("192.0.2.1", {}).status_code == 200
    assert sent("192.0.2.2", {"form": "full"}).status_code == 200
    assert "Idempotency-Replayed" not in sent("192.0.2.3", {}).headers
    assert sent("192.0.2.1", {}).headers["Idempotency-Replayed"] == "true"
    problem(sent("192.0.2.1", {"form": "full"}), "idempotency-mismatch")


# --- bodies --------------------------------------------------------------------------------------


class Unread:
    """A body that no one may ask for."""

    def read(self, size: int = -1) -> bytes:
        raise AssertionError("the body was read")


@pytest.mark.parametrize(
    ("path", "method"),
    [
        *(("/docs", "POST"), ("/docs/", "POST"), ("/healthz", "POST"), ("/schemas/x", "POST")),
        *(("/playground", "POST"), ("/openapi.json", "PUT"), ("/", "POST"), ("/none", "POST")),
        *(("/v1/games/control/new", "POST"), ("/v1/games/control/new", "PUT")),
        *(("/v1/games/control/new", "OPTIONS"), ("/ap/control", "POST"), (PICTURE, "POST")),
    ],
)
def test_without_a_key_no_body_is_read(path: str, method: str) -> None:
    site = create_app(Settings(api_keys=KEYS, log_level="error")).test_client()
    environ = {"wsgi.input": Unread(), "CONTENT_LENGTH": "1000", "wsgi.input_terminated": True}
    headers = {"Idempotency-Key": "one", "Content-Type": "application/json"}
    answer = site.open(path, method=method, headers=headers, environ_overrides=environ)
    assert answer.status_code < 500


def test_a_body_that_is_cut_short_is_refused_and_one_too_large_is_not_read() -> None:
    site = create_app(Settings(log_level="error")).test_client()
    path, environ = "/v1/games/control/new", {"wsgi.input_terminated": True}
    cut = site.post(
        path,
        data=b"{}",
        content_type="application/json",
        environ_overrides=environ | {"CONTENT_LENGTH": "100"},
    )
    problem(cut, "not-json")
    large = environ | {"wsgi.input": Unread(), "CONTENT_LENGTH": str(5 * 1024 * 1024)}
    answer = site.post(path, content_type="application/json", environ_overrides=large)
    problem(answer, "too-large")
