"""The interface of 2018 as tests ask it, each answer held against its published schema."""

import json
import random
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

import plyhost.schemas
from plyhost.contract import operations
from plyhost.games import registry
from plyhost.legacy import legacy_http
from plyhost.legacy.state_string import parse_legacy_state
from plyhost.web.app import create_app

GAMES = list(registry.load_games())
USERS = ["u-7f3a", "Zoë <b>"]
TOLD = {"event": "Cup", "round": "2", "site": "Here", "gameid": "g1"}
LONGEST_PLAYOUT = 300

PUBLISHED = Path(plyhost.schemas.__file__).parent / "published"
NAMES = ("request", "response", "report")
DOCUMENTS = {
    name: json.loads((PUBLISHED / f"2018-{name}.schema.json").read_text()) for name in NAMES
}
STORE = Registry().with_resources(
    (document["$id"], Resource.from_contents(document)) for document in DOCUMENTS.values()
)


def validator(name, part=""):
    where = {"$ref": DOCUMENTS[name]["$id"] + part}
    return Draft202012Validator(where, registry=STORE)


REQUEST = validator("request")
REFUSAL = validator("response", "#/$defs/refusal")
ANSWER = {
    "ping": validator("response", "#/$defs/ping"),
    "metadata": validator("response", "#/$defs/metadata"),
    "init": validator("response", "#/$defs/turn"),
    "move": validator("response", "#/$defs/turn"),
    "archive": validator("report"),
}


@pytest.fixture(scope="module")
def client():
    app = create_app()
    if "/ap/<uid>" not in {rule.rule for rule in app.url_map.iter_rules()}:
        app.register_blueprint(legacy_http.make_legacy_blueprint())
    return app.test_client()


@pytest.fixture
def ask(client):
    """Post a request of the published form; hold the answer against its published schema."""

    def post(uid, mode, **fields):
        body = {"mode": mode, **fields}
        REQUEST.validate(body)
        response = client.post(f"/ap/{uid}", json=body)
        assert response.status_code == 200, response.text
        ANSWER[mode].validate(response.json)
        validator("response").validate(response.json)
        return response.json

    return post


@pytest.fixture
def refuse(client):
    """Post something bad; return the message of the 400."""

    def post(uid, body, **sent):
        sent = sent or {"json": body}
        response = client.post(f"/ap/{uid}", **sent)
        assert response.status_code == 400, response.text
        return refusal(response)

    return post


def refusal(response):
    assert response.mimetype == "application/json"
    REFUSAL.validate(response.json)
    validator("response").validate(response.json)
    for trace in ("Traceback", 'File "', ".py", "Error", "Exception", " object at 0x"):
        assert trace not in response.text
    message = response.json["message"]
    assert "<" not in message
    assert len(message) < 3000
    return message


def moved(state, player, move):
    return {"mode": "move", "state": state, "player": player, "move": move}


def inner(state):
    return parse_legacy_state(state)[1]


def some_moves(game, state):
    found = operations.answer_legal_moves(
        game, {"state": inner(state), "offset": 0, "limit": 150, "prefix": ""}
    )
    return found["moves"]


def play(ask, uid, variants=(), seed=1, longest=LONGEST_PLAYOUT):
    """Play a game to its end, by resignation if it takes too long; return every answer."""
    game, chance = registry.find_game(uid), random.Random(seed)
    turns = [ask(uid, "init", players=USERS, variants=list(variants))]
    while turns[-1]["whoseturn"]:
        (player,) = turns[-1]["whoseturn"]
        state = turns[-1]["state"]
        move = chance.choice(some_moves(game, state)) if len(turns) <= longest else "resign"
        turns.append(ask(uid, "move", player=player, state=state, move=move))
    return turns


@pytest.fixture(scope="module", params=GAMES)
def finished(request, client):
    """A game's uid and every answer of one game of it, the last one over."""

    def post(uid, mode, **fields):
        return client.post(f"/ap/{uid}", json={"mode": mode, **fields}).json

    return request.param, play(post, request.param, seed=3)
