"""Logs: JSON lines with the identity of each request, bounded, and without secrets."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import requests
from flask.testing import FlaskClient

from plyhost.web.app import create_app
from plyhost.web.config import Settings
from plyhost.web.gates import access
from plyhost.web.serving import logs
from tests.tools.serving import free_port, started

KEY, SECRET = "ply_a-long-key-of-a-site", "a secret of thirty-two characters"
HASH = access.hash_caller_key(KEY)
TRACE = "0af7651916cd43dd8448eb211c80319c"

Line = dict[str, Any]


def lines(text: str) -> list[Line]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def client() -> FlaskClient:
    return create_app(Settings()).test_client()


def test_every_request_has_a_line(client: FlaskClient, capsys: pytest.CaptureFixture[str]) -> None:
    answer = client.post("/v1/games/control/move", json={"state": "x", "move": "a1"})
    (line,) = lines(capsys.readouterr().out)
    assert line["request_id"] == answer.headers["X-Request-Id"]
    assert line["event"] == "request"
    assert (line["method"], line["path"]) == ("POST", "/v1/games/control/move")
    assert (line["status"], line["code"], line["key"]) == (422, "invalid-state", "")
    assert line["ms"] > 0
    assert line["level"] == "info"
    assert line["timestamp"].endswith("Z")


def test_what_is_asked_all_the_time_is_not_logged(
    client: FlaskClient, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in ("/healthz", "/readyz", "/metrics"):
        assert client.get(path).status_code == 200
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"X-Request-Id": "abc-123"}, "abc-123"),
        ({"X-Request-Id": "a" * 128}, "a" * 128),
        ({"X-Request-Id": "a" * 129}, None),
        ({"X-Request-Id": "a b"}, None),
        ({"X-Request-Id": "<b>"}, None),
        ({"X-Request-Id": ""}, None),
        ({"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}, TRACE),
        ({"traceparent": f"00-{'0' * 32}-b7ad6b7169203331-01"}, None),
        ({"traceparent": f"00-{TRACE}-{'0' * 16}-01"}, None),
        ({"traceparent": f"00-{TRACE}"}, None),
        ({"X-Request-Id": "own", "traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}, "own"),
        ({"X-Request-Id": "\n", "traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}, TRACE),
    ],
)
def test_an_identity_that_comes_with_a_request_is_kept_if_it_is_sound(
    client: FlaskClient, headers: dict[str, str], expected: str | None
) -> None:
    sent = {f"HTTP_{name.upper().replace('-', '_')}": text for name, text in headers.items()}
    found = client.get("/v1", environ_overrides=sent).headers["X-Request-Id"]
    assert found == expected or (expected is None and len(found) == 32 and found not in headers)


def test_what_broke_is_found_by_the_identity_in_its_problem(
    capsys: pytest.CaptureFixture[str],
) -> None:
    app = create_app(Settings())
    app.add_url_rule("/broken", view_func=lambda: dict[str, str]()["x" * 10_000])
    problem = app.test_client().get("/broken").get_json()
    broke, line = lines(capsys.readouterr().out)
    assert broke["request_id"] == line["request_id"] == problem["request_id"]
    assert (broke["event"], broke["level"], line["status"]) == ("broke", "error", 500)
    assert "KeyError" in broke["exception"]
    assert "x" * logs.LONGEST_TEXT not in broke["exception"]


def test_no_text_of_a_request_is_logged_beyond_a_bound(
    client: FlaskClient, capsys: pytest.CaptureFixture[str]
) -> None:
    client.post("/" + "p" * 8000, json={"move": "m" * 4000}, headers={"User-Agent": "u" * 4000})
    (text,) = capsys.readouterr().out.splitlines()
    assert len(text) < 2 * logs.LONGEST_TEXT + 300
    assert "mmm" not in text


def test_secrets_are_masked_wherever_they_turn_up(capsys: pytest.CaptureFixture[str]) -> None:
    log = logs.make_logger("info", ["hunter22", "short"])
    log.warning("lost", why="redis://:hunter22@host", other="short")
    try:
        raise ValueError("the password is hunter22")
    except ValueError as error:
        log.error("broke", exc_info=error)
    assert "hunter22" not in (text := capsys.readouterr().out)
    assert "***" in text


def test_a_line_that_cannot_be_written_does_not_break_a_request(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open(os.devnull) as unwritable:
        monkeypatch.setattr("sys.stdout", unwritable)
        assert client.get("/v1").status_code == 200


def test_less_is_logged_when_less_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    create_app(Settings(log_level="warning")).test_client().get("/v1")
    assert capsys.readouterr().out == ""
    create_app(Settings(log_level="debug")).test_client().get("/healthz")
    assert lines(capsys.readouterr().out)[-1]["path"] == "/healthz"


def test_a_service_logs_json_alone_and_no_secret(tmp_path: Path) -> None:
    password = "hunter-forty-two"
    env = {
        "PLYHOST_API_KEYS": f"site:{HASH}",
        "PLYHOST_REDIS_URL": f"redis://:{password}@127.0.0.1:{free_port()}/0",
        "PLYHOST_PICTURE_SECRET": SECRET,
        "PLYHOST_LOG_LEVEL": "debug",
    }
    with (tmp_path / "log").open("wb") as file, started(env=os.environ | env, log=file) as (url, _):
        headers = {"Authorization": f"Bearer {KEY}"}
        assert requests.get(f"{url}/v1?secret={KEY}", headers=headers, timeout=20).ok
        signed = access.sign_address(SECRET, "/v1/games/control/picture.svg?moves=a1", 2**40)
        assert requests.get(url + signed, timeout=20).ok
        requests.get(f"{url}/v1", headers={"Authorization": "Bearer wrong-key"}, timeout=20)
    text = (tmp_path / "log").read_text()
    found = lines(text)
    assert {"site", ""} <= {line["key"] for line in found if line["event"] == "request"}
    assert any(line["event"] == "redis is away" for line in found)
    assert any("Listening" in line["event"] for line in found)
    assert all({"event", "level", "timestamp"} <= line.keys() for line in found)
    for secret in (password, SECRET, KEY, HASH, "wrong-key", signed.rpartition("=")[2]):
        assert secret not in text, secret


def test_other_libraries_log_in_the_same_shape() -> None:
    code = (
        "import logging, logging.config; from plyhost.web.serving import logs;"
        "logging.config.dictConfig(logs.make_logging_config('info', ['hunter22']));"
        "logging.getLogger('elsewhere').warning('said %s', 'hunter22')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    (line,) = lines(done.stdout)
    assert (line["event"], line["level"]) == ("said ***", "warning")
