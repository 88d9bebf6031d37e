"""Headers that were made to be slow to read, and names that a page in a browser may be led by."""

import time
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyhost import limits
from plyhost.web.app import create_app
from plyhost.web.config import Settings
from plyhost.web.gates import access
from tests.conftest import long, problem

KEY = "ply_one-and-a-long-one"
MOST = limits.HEADERS_BYTES
#: Processor seconds that one request may take beyond those of a plain one; the worst takes 0.003.
PATIENCE = 0.05
NAMES = [
    *("Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cache-Control"),
    *("Content-Encoding", "Content-Length", "Content-Type", "Cookie", "Expect", "Host"),
    *("Idempotency-Key", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range"),
    *("If-Unmodified-Since", "Origin", "Range", "Traceparent", "User-Agent", "X-Forwarded-For"),
    *("X-Forwarded-Proto", "X-Request-Id"),
]
PATHS = [
    "/v1",
    "/docs/swagger-ui.css",
    "/docs/errors",
    "/playground",
    "/v1/games/control/picture.svg?moves=a1",
    "/v1/games/control/render",
]


def slow_values(size: int) -> list[str]:
    """Return values of a size on which patterns go back and forth."""
    pieces = ["a/b,", ",", '"', ";a=b", ";", '\\"', "=", "0-1,", "1", "a.", 'W/"a",', "%41", " "]
    pieces += [" ,\t", "a/b;a*0*='%41", ":", "&a=b", "(", "Mon, ", "/", "1.2.3.4,"]
    long = [(piece * (size // len(piece) + 1))[:size].strip() or "x" for piece in pieces]
    return [*long, "a/" + " " * (size - 3) + "b", 'a/b;q="' + " " * (size - 8) + "b"]


@pytest.fixture(scope="module")
def site() -> FlaskClient:
    settings = Settings(
        api_keys=(("site", access.hash_caller_key(KEY)),),
        trusted_proxies=("127.0.0.1",),
        rate_limit="off",
        log_level="error",
    )
    return create_app(settings).test_client()


def cost(site: FlaskClient, path: str, headers: dict[str, Any]) -> float:
    """Return the processor seconds of one request; its answer must be a sound one."""
    method = "POST" if path.endswith("/render") else "GET"
    began = time.process_time()
    answer = site.open(path, method=method, headers={"Authorization": f"Bearer {KEY}"} | headers)
    assert answer.status_code < 500
    return time.process_time() - began


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("size", [MOST, *long(250, limits.HEADER_CHARACTERS - 2)])
def test_no_header_takes_long_to_read(site: FlaskClient, path: str, size: int) -> None:
    cost(site, path, {})
    for name in NAMES:
        for value in slow_values(size):
            tried = (cost(site, path, {name: value}) for _ in range(3))
            assert any(spent < PATIENCE for spent in tried), (name, value[:20])


def test_a_header_that_is_needed_is_refused_when_it_is_too_long(site: FlaskClient) -> None:
    for name in ("Accept", "Authorization", "Content-Type", "Content-Encoding"):
        headers = {name: "x" * (limits.HEADER_CHARACTERS + 1)}
        told = problem(site.get("/v1", headers=headers), "headers-too-large")
        assert name in told["detail"]


def test_a_header_that_can_be_spared_is_passed_over_when_it_is_too_long(site: FlaskClient) -> None:
    headers = {"Authorization": f"Bearer {KEY}"}
    path = "/v1/games/control/picture.svg?moves=a1"
    tag = site.get(path, headers=headers).headers["ETag"]
    assert site.get(path, headers=headers | {"If-None-Match": tag}).status_code == 304
    many = {"If-None-Match": '"x",' * 100 + tag}
    assert site.get(path, headers=headers | many).status_code == 200


def test_blanks_in_an_accept_mean_nothing(site: FlaskClient) -> None:
    headers = {"Authorization": f"Bearer {KEY}", "Accept": "text/html ,\tapplication/json ; q=0.5"}
    assert site.get("/v1", headers=headers).status_code == 200


# --- names ---------------------------------------------------------------------------------------


def asked(host: str, **settings: Any) -> Any:
    return create_app(Settings(**settings)).test_client().get("/v1", headers={"Host": host})


@pytest.mark.parametrize(
    "host",
    [
        *(
            "localhost",
            "LOCALHOST:8000",
            "localhost.",
            "a.localhost:1",
            "127.0.0.1",
            "127.9.9.9:80",
        ),
        *("[::1]", "[::1]:8000"),
    ],
)
def test_without_keys_this_machines_own_names_are_answered(host: str) -> None:
    assert asked(host).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *(
            "evil.example",
            "evil.example:8000",
            "localhost.evil.example",
            "notlocalhost",
            "10.0.0.1",
        ),
        *("127.0.0.1.evil.example", "[::2]:80", "0.0.0.0", "localhost@evil.example", "x" * 9000),
    ],
)
def test_without_keys_no_other_name_is_answered(host: str) -> None:
    told = problem(asked(host), "misdirected")
    assert "PLYHOST_HOSTS" in told["detail"]


def test_further_names_are_answered_where_they_are_set_or_someone_else_may_call() -> None:
    assert asked("Games.example:80", hosts=("games.example",)).status_code == 200
    assert asked("any.example", hosts=("*",)).status_code == 200
    assert asked("any.example", allow_anonymous=True).status_code == 200
    assert asked("any.example", api_keys=(("a", access.hash_caller_key(KEY)),)).status_code == 401
