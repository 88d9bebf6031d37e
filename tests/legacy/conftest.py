"""The interface of 2018 as tests ask it, each answer held against its published schema."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from werkzeug.test import TestResponse

from plyhost.contract import operations
from plyhost.games import registry
from plyhost.games.game import AnyGame
from plyhost.legacy.state_string import parse_legacy_state
from plyhost.web import legacy_routes
from plyhost.web.app import create_app

Answer = dict[str, Any]
Ask = Callable[..., Answer]
Refuse = Callable[..., str]
#: A game's uid and every answer of one game of it, the last one over.
Finished = tuple[str, list[Answer]]

GAMES = list(registry.load_games())
USERS = ["u-7f3a", "Zoë <b>"]
TOLD = {"event": "Cup", "round": "2", "site": "Here", "gameid": "g1"}
LONGEST_PLAYOUT = 300

PUBLISHED = Path(__file__).parents[2] / "schemas"
NAMES = ("request", "response", "report")
DOCUMENTS = {
    name: json.loads((PUBLISHED / f"2018-{name}.schema.json").read_text()) for name in NAMES
}
STORE = Registry().with_resources(
    (document["$id"], Resource.from_contents(document)) for document in DOCUMENTS.values()
)


def validator(name: str, part: str = "") -> Draft202012Validator:
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
def client() -> FlaskClient:
    app = create_app()
    if "/ap/<uid>" not in {rule.rule for rule in app.url_map.iter_rules()}:
        app.register_blueprint(legacy_routes.make_legacy_blueprint())
    return app.test_client()


@pytest.fixture
def ask(client: FlaskClient) -> Ask:
    """Post a request of the published form; hold the answer against its published schema."""

    def post(uid: str, mode: str, **fields: Any) -> Answer:
        body = {"mode": mode, **fields}
        REQUEST.validate(body)
        response = client.post(f"/ap/{uid}", json=body)
        assert response.status_code == 200, response.text
        ANSWER[mode].validate(response.get_json())
        validator("response").validate(response.get_json())
        answer: Answer = response.get_json()
        return answer

    return post


@pytest.fixture
def refuse(client: FlaskClient) -> Refuse:
    """Post something bad; return the message of the 400."""

    def post(uid: str, body: Any, **sent: Any) -> str:
        sent = sent or {"json": body}
        response = client.post(f"/ap/{uid}", **sent)
        assert response.status_code == 400, response.text
        return refusal(response)

    return post


def refusal(response: TestResponse) -> str:
    assert response.mimetype == "application/json"
    REFUSAL.validate(response.get_json())
    validator("response").validate(response.get_json())
    for trace in ("Traceback", 'File "', ".py", "Error", "Exception", " object at 0x"):
        assert trace not in response.text
    message: str = response.get_json()["message"]
    assert "<" not in message
    assert len(message) < 3000
    return message


def moved(state: str, player: str, move: str) -> Answer:
    return {"mode": "move", "state": state, "player": player, "move": move}


def inner(state: str) -> str:
    return parse_legacy_state(state)[1]


def some_moves(game: AnyGame, state: str) -> list[str]:
    found = operations.answer_legal_moves(
        game, {"state": inner(state), "offset": 0, "limit": 150, "prefix": ""}
    )
    moves: list[str] = found["moves"]
    return moves


def play(
    ask: Ask, uid: str, variants: Sequence[str] = (), seed: int = 1, longest: int = LONGEST_PLAYOUT
) -> list[Answer]:
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
def finished(request: pytest.FixtureRequest, client: FlaskClient) -> Finished:
    def post(uid: str, mode: str, **fields: Any) -> Answer:
        answer: Answer = client.post(f"/ap/{uid}", json={"mode": mode, **fields}).get_json()
        return answer

    return request.param, play(post, request.param, seed=3)
