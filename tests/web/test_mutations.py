"""Real requests with random damage: always an answer that can be read, or a refusal."""

import json
import random
from itertools import islice
from urllib.parse import quote_from_bytes

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.conftest import long, problem, sent
from tests.tools import forging, reaching, sound
from tests.tools.judging import Judge
from tests.tools.mutate import KINDS, Found, tried
from tests.tools.request_damage import bytes_damaged
from tests.tools.vectors import cut, game, in_form

ROUNDS = 400


@pytest.fixture(scope="session")
def judge(app: Flask) -> Judge:
    return Judge(app.test_client())


@pytest.mark.parametrize("seed", [0, *long(*range(1, 7))])
def test_damaged_requests_are_refused_or_answered(seed: int, judge: Judge) -> None:
    """Every kind of damage is done, and some of it is accepted, so that there is much to judge."""
    met = list(islice(tried(judge, random.Random(seed)), ROUNDS))
    assert [one for one in met if isinstance(one, Found)] == []
    answered = [one for one in met if not isinstance(one, Found)]
    assert {kind for kind, *_ in answered} == KINDS.keys()
    accepted = {kind for kind, _, status, _ in answered if status == 200}
    assert accepted >= {"boards", "forged", "spliced", "old texts", "entries"}


@pytest.mark.parametrize("seed", range(4))
def test_sound_requests_are_answered(seed: int, client: FlaskClient) -> None:
    """So that the damage above is done to something whole."""
    pick = random.Random(seed)
    for _ in range(40):
        asked = sound.request(pick)
        response = sent(client, asked.operation, asked.fields, asked.uid)
        assert response.status_code in (200, 409), response.text
        if response.status_code == 409:
            code = json.loads(response.data)["code"]
            assert code in ("game-over", "stale-ply", "not-settleable")


@pytest.mark.parametrize("uid", sound.UIDS)
def test_the_slow_rules_bear_out_sound_states_and_no_others(uid: str) -> None:
    """So that the judge's last instance can tell."""
    state = sound.final(uid, sound.GAMES[uid][0])
    assert reaching.unreached(state) == ""
    for ply in (1, len(state["stack"]) // 2):
        stack = [*state["stack"][:ply], *state["stack"][ply + 2 :]]
        assert reaching.unreached(state | {"stack": stack})
        entry = state["stack"][ply] | {"lastmove": "a1-a2,i9"}
        stack = [*state["stack"][:ply], entry, *state["stack"][ply + 1 :]]
        assert "is not legal" in reaching.unreached(state | {"stack": stack})
        entry = state["stack"][ply] | {"board": {"dataType": "Map", "value": [["a1", 1]]}}
        stack = [*state["stack"][:ply], entry, *state["stack"][ply + 1 :]]
        assert "the board is another" in reaching.unreached(state | {"stack": stack})
    assert "the winner is" in reaching.unreached(state | {"winner": [1, 2]})
    assert "the winner is" in reaching.unreached(state | {"gameover": False, "winner": []})


@pytest.mark.parametrize("uid", sound.UIDS)
def test_a_forger_takes_a_state_apart_and_seals_it_again(uid: str) -> None:
    pick = random.Random(uid)
    for _ in range(20):
        number, ply, _ = sound.chosen(pick, uid)
        text = sound.wire(pick, uid, "compact", number, ply)
        assert forging.opened(text).text() == text


@pytest.mark.parametrize("seed", range(4))
def test_damaged_queries_of_pictures_break_nothing(seed: int, client: FlaskClient) -> None:
    pick = random.Random(seed)
    one = game()
    texts = {
        "moves": " ".join(one["moves"][:6]),
        "variants": "size-5",
        "state": in_form(cut(one, 6), "compact"),
        "width": "300",
        "display": "vertex-style",
        "perspective": "2",
    }
    for _ in range(60):
        names = [pick.choice(["moves", "state"]), *pick.sample(sorted(texts), pick.randrange(4))]
        query = []
        for name in names:
            value = texts[name].encode()
            if pick.random() < 0.4:
                value = bytes_damaged(pick, value)
            query.append(f"{name}={quote_from_bytes(value)}")
        path = f"/v1/games/control/{pick.choice(['picture', 'film'])}.svg?{'&'.join(query)}"
        response = client.get(path)
        assert response.status_code < 500, path
        if response.status_code == 200:
            assert response.text.startswith("<svg")
        else:
            problem(response, json.loads(response.data)["code"])


@pytest.mark.parametrize("seed", range(4))
def test_damaged_headers_and_addresses_break_nothing(seed: int, client: FlaskClient) -> None:
    pick = random.Random(seed)
    names = [
        "Accept",
        "Content-Type",
        "Content-Encoding",
        "Host",
        "Range",
        "If-None-Match",
        "Cookie",
    ]
    values = ["application/json", "*/*;q=0.5", "gzip", "bytes=0-5", '"x"', "a=b", "x.example:80"]
    paths = ["/v1/games/control/new", "/v1/games", "/v1", "/docs/", "/openapi.json", "/healthz"]
    for _ in range(150):
        path = bytes_damaged(pick, pick.choice(paths).encode()).decode("latin-1")
        path = "/" + path.replace("\n", "").replace("\r", "").replace("\0", "%00").lstrip("/")
        value = bytes_damaged(pick, pick.choice(values).encode()).decode("latin-1")
        value = "".join(letter for letter in value if letter not in "\r\n")
        method = pick.choice(["GET", "POST", "PUT", "OPTIONS"])
        headers = {pick.choice(names): value}
        response = client.open(path, method=method, data=b"{}", headers=headers)
        assert response.status_code < 500, (method, path, headers)
        response.close()
