"""Figures for Prometheus: they add up over workers, outlive them, and stay few."""

import os
import signal
from pathlib import Path

import pytest
import requests
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from plyhost.web.app import create_app
from plyhost.web.config import Settings
from plyhost.web.gates import access
from tests.tools.redis_server import wait_until
from tests.tools.serving import listening, started, workers

KEY = "ply_a-long-key-of-a-site"
Figures = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def figures(page: str) -> Figures:
    """Return every sample of a page by its name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


def asked(found: Figures, **labels: str) -> float:
    """Return how many requests were counted with labels."""
    return sum(
        value
        for (name, given), value in found.items()
        if name == "plyhost_requests_total" and labels.items() <= dict(given).items()
    )


@pytest.fixture
def client() -> FlaskClient:
    return create_app(Settings(api_keys=(("site", access.hash_caller_key(KEY)),))).test_client()


def test_requests_are_counted_by_operation_game_code_and_key(client: FlaskClient) -> None:
    headers = {"Authorization": f"Bearer {KEY}"}
    state = client.post("/v1/games/control/new", json={}, headers=headers).get_json()["state"]
    path = "/v1/games/control/move"
    client.post(path, json={"state": state, "move": "a1"}, headers=headers)
    client.post(path, json={"state": state, "move": "zz"}, headers=headers)
    client.post(path, json={"state": state, "move": "a1"})
    client.get("/v1/games/congeners", headers=headers)
    found = figures(client.get("/metrics", headers=headers).text)
    for labels, number in (
        (("move", "control", "ok", "site"), 1),
        (("move", "control", "illegal-move", "site"), 1),
        (("move", "control", "unauthorized", ""), 1),
        (("new", "control", "ok", "site"), 1),
        (("/v1/games/<uid>", "congeners", "ok", "site"), 1),
    ):
        names = ("operation", "game", "code", "key")
        assert asked(found, **dict(zip(names, labels, strict=True))) == number
    assert asked(found) == 5
    moves = (("game", "control"), ("operation", "move"))
    assert found["plyhost_request_seconds_count", moves] == 3
    engine = found["plyhost_engine_seconds_total", moves]
    assert 0 < engine < found["plyhost_request_seconds_sum", moves]


def test_no_text_of_a_request_becomes_a_label(client: FlaskClient) -> None:
    for path in ("/nothing", "/v1/games/nogame", "/v1/games/nogame/move", "/docs/x", "/schemas/x"):
        client.get(path)
        client.post(path, json={})
        client.open(path, method="PURGE")
    page = client.get("/metrics", headers={"Authorization": f"Bearer {KEY}"}).text
    labels = {value for _, given in figures(page) for _, value in given}
    assert not any("nogame" in label or "/nothing" in label for label in labels)
    assert "other" in labels


def test_the_page_is_text_whatever_is_accepted() -> None:
    client = create_app(Settings()).test_client()
    for accept in ("text/plain", "application/openmetrics-text;q=0.9,*/*;q=0.1", ""):
        answer = client.get("/metrics", headers={"Accept": accept})
        assert answer.status_code == 200
        assert answer.mimetype == "text/plain"


def test_figures_add_up_over_workers_and_outlive_them_and_their_files_do_not_pile_up() -> None:
    env = os.environ | {"PLYHOST_LOG_LEVEL": "warning"}
    with started("--workers", "2", env=env) as (url, process):
        wait_until(lambda: listening(url) == 2)
        victim = workers(process)[0]
        folder = folder_of(victim)
        for _ in range(20):
            assert requests.get(f"{url}/v1", timeout=20).status_code == 200
        os.kill(victim, signal.SIGKILL)
        wait_until(lambda: victim not in workers(process) and listening(url) == 2, 40)
        for _ in range(20):
            assert requests.get(f"{url}/v1", timeout=20).status_code == 200
        for _ in range(8):
            found = figures(requests.get(f"{url}/metrics", timeout=20).text)
            assert asked(found, operation="/v1") == 40
        assert len(list(folder.glob("counter_*.db"))) <= 2
    assert not folder.exists()


def folder_of(worker: int) -> Path:
    """Return where a worker keeps its figures, beside the lock that it holds."""
    held = [file.readlink() for file in Path(f"/proc/{worker}/fd").iterdir()]
    (folder,) = {file.parent for file in held if file.suffix == ".lock"}
    return folder
