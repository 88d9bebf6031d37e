"""The service as a site meets it: real processes, real sockets, whole games."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import requests

from tests.tools.games import recorded
from tests.tools.serving import serving


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving("--workers", "2") as address:
        yield address


class Site:
    """What a site does: keep one state a game, and send it with each move."""

    def __init__(self, url: str, uid: str) -> None:
        self.url = f"{url}/v1/games/{uid}"
        self.session = requests.Session()

    def call(self, operation: str, **fields: Any) -> dict[str, Any]:
        answer = self.session.post(f"{self.url}/{operation}", json=fields, timeout=20)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def play(self, game: dict[str, Any], form: str) -> dict[str, Any]:
        view = self.call("new", variants=game["variants"], form=form)
        for ply, move in enumerate(game["moves"]):
            seat = 1 + ply % 2
            view = self.call("move", state=view["state"], move=move, player=seat, expected_ply=ply)
        return view


@pytest.mark.parametrize("form", ["full", "full-string", "full-gz", "compact"])
def test_a_whole_game_of_control_is_played_over_http(url: str, form: str) -> None:
    game = recorded("control")[0]
    site = Site(url, "control")
    view = site.play(game, form)
    assert view["gameover"]
    assert view["winner"] == game["winner"]
    assert view["form"] == form
    assert site.call("verify", state=view["state"])["plies_ok"] == len(game["moves"])


def test_many_games_at_once_do_not_touch_each_other(url: str) -> None:
    games = recorded("control")[:8]
    with ThreadPoolExecutor(8) as pool:
        views = pool.map(lambda game: Site(url, "control").play(game, "compact"), games)
    assert [view["winner"] for view in views] == [game["winner"] for game in games]


def test_a_state_saved_by_the_reference_engine_is_taken_up(url: str) -> None:
    game = recorded("control")[0]
    stack = game["final_state"]["stack"][:41]
    saved = game["final_state"] | {"gameover": False, "winner": [], "stack": stack}
    site = Site(url, "control")
    view = site.call("move", state=json.dumps(saved), move=game["moves"][40], include=["render"])
    assert view["ply"] == 41
    assert view["scores"] == game["final_state"]["stack"][41]["scores"]


def test_a_body_in_chunks_is_read_and_bounded(url: str) -> None:
    def chunks(size: int) -> Iterator[bytes]:
        for _ in range(size):
            yield b" " * 65536
        yield b'{"variants": []}'

    headers = {"Content-Type": "application/json"}
    path = f"{url}/v1/games/control/new"
    assert requests.post(path, data=chunks(3), headers=headers, timeout=20).status_code == 200
    refused = requests.post(path, data=chunks(80), headers=headers, timeout=20)
    assert refused.status_code == 413
    assert refused.json()["code"] == "too-large"


def test_the_documents_are_served_from_here_alone(url: str) -> None:
    page = requests.get(f"{url}/docs/", timeout=10).text
    assert "swagger" in page
    loaded = re.findall(r"(?:src|href)=\"(.*?)\"", page)
    assert len(loaded) > 3
    assert not any(":" in address or address.startswith("//") for address in loaded)
    document = requests.get(f"{url}/openapi.json", timeout=10).json()
    assert "/v1/games/{game}/move" in document["paths"]
    errors = requests.get(f"{url}/docs/errors", timeout=10).text
    assert 'id="illegal-move"' in errors


def test_two_workers_answer_alike(url: str) -> None:
    fields = {"variants": ["size-9"], "timestamp": "2026-01-01T00:00:00.000Z"}
    path = f"{url}/v1/games/control/new"
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda _: requests.post(path, json=fields, timeout=20).text, range(64))
        )
    assert len(set(answers)) == 1
