"""The published schemas are strict, and take and refuse what the code does."""

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from plyhost import limits
from plyhost.legacy.modes import MODES
from plyhost.schemas.requests_2018 import REQUESTS
from tests.legacy.conftest import ANSWER, DOCUMENTS, GAMES, NAMES, REQUEST, TOLD, Answer, Refuse


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_strict(name: str) -> None:
    document = DOCUMENTS[name]
    Draft202012Validator.check_schema(document)
    assert document["$id"] == f"/schemas/2018-{name}.schema.json"

    def objects(value: Any) -> Iterator[Answer]:
        if isinstance(value, dict):
            if "properties" in value and value.get("type") == "object":
                yield value
            value = list(value.values())
        for one in value if isinstance(value, list) else ():
            yield from objects(one)

    found = list(objects(document))
    assert found
    # Requests may carry further members, answers may not.
    strict = None if name == "request" else False
    assert all(one.get("additionalProperties") is strict for one in found)


def test_published_limits_are_ours() -> None:
    parts = DOCUMENTS["request"]["$defs"]
    assert parts["user"]["maxLength"] == limits.NAME_CHARACTERS
    assert parts["state"]["maxLength"] == limits.STATE_BYTES
    assert parts["move"]["properties"]["move"]["maxLength"] == limits.MOVE_CHARACTERS
    assert parts["archive"]["properties"]["states"]["maxItems"] == limits.PLIES + 1
    assert {f"#/$defs/{mode}" for mode in REQUESTS} == {
        one["$ref"] for one in DOCUMENTS["request"]["oneOf"]
    }
    assert set(REQUESTS) == set(MODES) == set(ANSWER)


INIT = {"mode": "init", "players": ["a", "b"]}
MOVE = {"mode": "move", "player": "a", "move": "d4", "state": "{}"}
ARCHIVE = {"mode": "archive", "states": ["{}"]}
WELL_FORMED = [
    # Further members are passed over.
    {"mode": "ping", "state": "x"},
    {**INIT, "<img>": 1},
    {**MOVE, "expected_ply": 1},
    {**ARCHIVE, "players": [{}, {"userid": "b"}]},
    {"mode": "ping"},
    {"mode": "metadata"},
    INIT,
    {**INIT, "variants": ["size-5", "#board"]},
    MOVE,
    {**MOVE, "move": ""},
    ARCHIVE,
    {**ARCHIVE, **TOLD, "players": [{"name": "Ann"}, {"is_ai": True}]},
]
MALFORMED = [
    {},
    [],
    "ping",
    {"mode": 1},
    {"mode": "PING"},
    {"mode": "undo"},
    {"mode": "init"},
    {**INIT, "players": "ab"},
    {**INIT, "players": ["a"]},
    {**INIT, "players": ["a", "b", "c"]},
    {**INIT, "players": ["a", "a"]},
    {**INIT, "players": ["a", ""]},
    {**INIT, "players": ["a", 2]},
    {**INIT, "players": ["a", None]},
    {**INIT, "players": ["a", "b" * 201]},
    {**INIT, "variants": None},
    {**INIT, "variants": "size-5"},
    {**INIT, "variants": [5]},
    {**INIT, "variants": ["size-5"] * 17},
    {**MOVE, "player": 1},
    {**MOVE, "player": ""},
    {**MOVE, "move": None},
    {**MOVE, "move": "d" * 4001},
    {**MOVE, "state": {}},
    {key: MOVE[key] for key in ("mode", "player", "move")},
    {"mode": "archive"},
    {**ARCHIVE, "states": []},
    {**ARCHIVE, "states": "{}"},
    {**ARCHIVE, "states": [{}]},
    {**ARCHIVE, "round": 2},
    {**ARCHIVE, "round": "first"},
    {**ARCHIVE, "round": "1."},
    {**ARCHIVE, "players": [{}]},
    {**ARCHIVE, "players": [{}, {"is_ai": "yes"}]},
]


@pytest.mark.parametrize("body", WELL_FORMED)
def test_well_formed_requests_are_read(body: Any) -> None:
    REQUEST.validate(body)
    REQUESTS[body["mode"]].load(body)


@pytest.mark.parametrize("body", MALFORMED)
def test_malformed_requests_are_refused_by_code_and_schema_alike(refuse: Refuse, body: Any) -> None:
    assert not REQUEST.is_valid(body)
    assert refuse(GAMES[0], body)
