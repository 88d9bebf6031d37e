"""Real requests with random damage: always an answer that can be read, or a refusal."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote_from_bytes

import pytest
from flask.testing import FlaskClient

from tests.conftest import posted, problem, sent
from tests.vectors import FORMS, LATER, contract, cut, game, in_form, tight, zipped

ROUNDS = 150
SEEDS = range(16)
GAMES = (game(), game(""), game("size-9"))
PLAYERS = [{"name": "A", "userid": "1"}, {"name": "B", "is_ai": True}]

#: Pieces of text that mean something somewhere.
WORDS = [
    *[b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\0", b"\n", b"\xff", b"\xed\xa0\x80"],
    *[b"null", b"true", b"1e999", b"-0", b"1.0", b"NaN", b"9" * 400, b'"a":1,', b'"a1",1', b"[]"],
    *[b"\\ud800", b"\\u0000", b"gz:", b"p1:", b"size-6", b"resign", b"20240909", b"lastmove"],
    *[b"[" * 80, b'{"":' * 80, b"\xef\xbb\xbf", "é".encode(), b" ", b"x", b"0", b"e5", b"E5", b"Z"],
]
#: Values that a field may not expect.
VALUES: list[Any] = [
    *[
        None,
        True,
        False,
        0,
        1,
        2,
        3,
        -1,
        1.0,
        1.5,
        10**15,
        "",
        "1",
        "a1",
        "i1x",
        "resign",
        "#board",
    ],
    *[[], {}, [[]], [None], {"a": 1}, [1, 2], ["size-5"], "size-9", "20240909", LATER, "é", "<b>"],
    *[[["a1", 1]], [["a1", 3]], {"dataType": "Map", "value": []}, [{"type": "eog"}], "x" * 5000],
]


def requests(pick: random.Random) -> tuple[str, dict[str, Any]]:
    """Return an operation and the fields of a sound request to it."""
    one = pick.choice(GAMES)
    ply = min(pick.randrange(len(one["moves"]) + 1), pick.choice((3, 12, 400)))
    move = (one["moves"] + ["a1"])[ply]
    finished = contract()["finished"][0]
    last = in_form(finished["final_state"], pick.choice(FORMS))
    on_state: dict[str, dict[str, Any]] = {
        "move": {"move": move, "timestamp": LATER, "expected_ply": ply, "auto": "forced"},
        "moves": {"limit": 5, "offset": 1, "prefix": "a"},
        "validate": {"move": move},
        "click": {"move": "", "row": 3, "col": 2, "piece": "A"},
        "render": {"plies": [0, -1], "display": "hide-control", "perspective": 2},
        "end": {"how": "resign", "player": 1, "timestamp": LATER},
        "at": {"ply": ply // 2, "include": ["render", "moves", "chat", "text", "prompt"]},
        "history": {"players": ["A", "B"]},
        "same": {"move": move, "other": "a1"},
        "verify": {},
        "convert": {"form": pick.choice(FORMS), "normalise": True},
    }
    alone: dict[str, dict[str, Any]] = {
        "new": {"variants": ["size-9"], "form": "full", "timestamp": LATER},
        "replay": {"record": copy.deepcopy(finished["record_full"]), "form": "compact"},
        "record": {"state": last, "gameid": "1", "players": PLAYERS, "event": "E", "unrated": True},
    }
    operation = pick.choice([*on_state, *on_state, *alone])
    if operation in alone:
        return operation, alone[operation]
    fields = {"state": in_form(cut(one, ply), pick.choice(FORMS)), **on_state[operation]}
    if operation != "verify":
        fields["verify"] = pick.random() < 0.3
    return operation, fields


def bytes_damaged(pick: random.Random, data: bytes) -> bytes:
    """Return bytes with one to three random changes."""
    for _ in range(pick.randint(1, 3)):
        at = pick.randrange(len(data) + 1)
        end = min(len(data), at + pick.choice((1, 1, 2, 8, 100)))
        match pick.randrange(5):
            case 0 if at < len(data):
                data = data[:at] + bytes([data[at] ^ 1 << pick.randrange(8)]) + data[at + 1 :]
            case 1:
                data = data[:at] + data[end:]
            case 2:
                data = data[:end] + data[at:]
            case 3:
                data = data[:at] + pick.choice(WORDS) + data[end:]
            case _:
                data = data[:at] + pick.choice(WORDS) + data[at:]
    return data


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every member of every object and array within a value."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def fields_damaged(pick: random.Random, fields: Any) -> None:
    """Change one to three random members."""
    for _ in range(pick.randint(1, 3)):
        inside, key = pick.choice(list(places(fields)) or [(fields, "extra")])
        match pick.randrange(4):
            case 0 if key in inside or isinstance(inside, list):
                del inside[key]
            case 1 if isinstance(inside, list):
                inside.insert(key, copy.deepcopy(inside[key]))
            case 2 if isinstance(inside, list):
                pick.shuffle(inside)
            case _:
                inside[key] = copy.deepcopy(pick.choice(VALUES))


def damaged(pick: random.Random, fields: dict[str, Any]) -> bytes:
    """Return a body made of damaged fields, damaged in its text, or with a state so damaged."""
    state = fields.get("state")
    way = pick.randrange(4)
    if way == 0:
        return bytes_damaged(pick, tight(fields).encode())
    if way == 1 and isinstance(state, dict):
        fields = copy.deepcopy(fields)
        fields_damaged(pick, fields["state"]["stack"][-2:])
    elif way == 2 and isinstance(state, str):
        text = bytes_damaged(pick, state.encode())
        fields = fields | {"state": text.decode(errors="replace")}
    elif way == 3 and isinstance(state, dict):
        fields = fields | {"state": zipped(bytes_damaged(pick, tight(state).encode()))}
    else:
        fields = copy.deepcopy(fields)
        fields_damaged(pick, fields)
    return tight(fields).encode()


@pytest.mark.parametrize("seed", SEEDS)
def test_damaged_requests_are_refused_or_answered(seed: int, client: FlaskClient) -> None:
    pick = random.Random(seed)
    for _ in range(ROUNDS):
        operation, fields = requests(pick)
        body = damaged(pick, fields)
        response = posted(client, operation, body)
        assert response.status_code < 500, (operation, body)
        answer = json.loads(response.data.decode(), parse_constant=pytest.fail)
        if response.status_code != 200:
            problem(response, answer["code"])
        elif "state" in answer:
            stands(client, answer["state"])


def stands(client: FlaskClient, wire: Any) -> None:
    """Assert that a state of ours is read, and can be turned into every form if it verifies."""
    assert sent(client, "moves", {"state": wire}).status_code == 200, wire
    if not json.loads(sent(client, "verify", {"state": wire}).data).get("ok"):
        return
    for form in FORMS:
        turned = sent(client, "convert", {"state": wire, "form": form, "normalise": True})
        assert turned.status_code == 200, wire
        verdict = sent(client, "verify", {"state": json.loads(turned.data)["state"]})
        assert json.loads(verdict.data)["ok"], wire


@pytest.mark.parametrize("seed", range(4))
def test_sound_requests_are_answered(seed: int, client: FlaskClient) -> None:
    """So that the damage above is done to something whole."""
    pick = random.Random(seed)
    for _ in range(40):
        operation, fields = requests(pick)
        response = sent(client, operation, fields)
        assert response.status_code in (200, 409), response.text
        if response.status_code == 409:
            code = json.loads(response.data)["code"]
            assert code in ("game-over", "stale-ply")


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
