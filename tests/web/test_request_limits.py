"""Requests: each limit and each field at its limit and past it, of other types, in crowds."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from plyhost import limits
from plyhost.contract.operations import OPERATIONS
from plyhost.schemas.requests import REQUESTS
from tests.conftest import Post, posted, problem, sent
from tests.tools.damage import GAME, NEXT, state_at
from tests.tools.vectors import FULL_FORMS, cut, in_form, read


def test_a_body_of_just_the_longest_size_is_read(client: FlaskClient) -> None:
    for size, status in ((limits.BODY_BYTES, 200), (limits.BODY_BYTES + 1, 413)):
        response = posted(client, "new", b"{}" + b" " * (size - 2))
        assert response.status_code == status


def test_an_address_of_just_the_longest_size_is_read(client: FlaskClient) -> None:
    for size, status in ((limits.URI_BYTES, 200), (limits.URI_BYTES + 1, 414)):
        assert client.get("/v1?" + "a" * (size - len("/v1?"))).status_code == status
    assert client.get("/" + "a" * limits.URI_BYTES).status_code == 414


#: A field with a value at its limit, and one that is just past it.
EDGES: list[tuple[str, str, Any, Any]] = [
    ("move", "move", " " * (limits.MOVE_CHARACTERS - len(NEXT)) + NEXT, " " * 3997 + f"{NEXT}    "),
    ("move", "player", 1, 3),
    ("move", "player", 1, 0),
    ("move", "expected_ply", 20, limits.LAST_PLY + 1),
    ("move", "expected_ply", 20, -1),
    ("move", "timestamp", "9999-12-31T23:59:59.999Z", "10000-01-01T00:00:00.000Z"),
    ("moves", "limit", limits.LISTED_MOVES, limits.LISTED_MOVES + 1),
    ("moves", "limit", 0, -1),
    ("moves", "offset", 10**9, 10**9 + 1),
    ("moves", "offset", 0, -1),
    ("moves", "prefix", " " * limits.MOVE_CHARACTERS, " " * (limits.MOVE_CHARACTERS + 1)),
    ("validate", "move", "é" * limits.MOVE_CHARACTERS, "é" * (limits.MOVE_CHARACTERS + 1)),
    ("click", "row", 10**6, 10**6 + 1),
    ("click", "col", -(10**6), -(10**6) - 1),
    ("click", "piece", "p" * limits.NAME_CHARACTERS, "p" * (limits.NAME_CHARACTERS + 1)),
    ("render", "display", "d" * limits.NAME_CHARACTERS, "d" * (limits.NAME_CHARACTERS + 1)),
    ("render", "perspective", 2, 3),
    ("render", "plies", [0, -1], [0, 1, 2]),
    ("render", "plies", [20, -1], [20, 19]),
    ("render", "plies", [3, 3], [-1, 3]),
    ("render", "ply", -1, -2),
    ("at", "ply", 20, 21),
    ("at", "include", ["text"] * 16, ["text"] * 17),
    ("at", "include", ["chat", "moves"], ["chat", "board"]),
    ("history", "players", ["a" * limits.NAME_CHARACTERS, ""], ["a", "b", "c"]),
    ("history", "players", ["", ""], ["a" * (limits.NAME_CHARACTERS + 1), ""]),
    ("new", "variants", ["#"] * 16, ["#"] * 17),
    ("new", "form", "compact", "full "),
    ("replay", "moves", ["a1"] * limits.REPLAYED_MOVES, ["a1"] * (limits.REPLAYED_MOVES + 1)),
    ("replay", "variants", ["size-5"], "size-5"),
]
NEEDED: dict[str, dict[str, Any]] = {
    "move": {"move": NEXT},
    "click": {"row": 0, "col": 0},
    "at": {"ply": 0},
    "replay": {"moves": []},
}


@pytest.mark.parametrize(("operation", "field", "fine", "wrong"), EDGES, ids=repr)
def test_a_field_is_taken_at_its_limit_and_refused_past_it(
    operation: str, field: str, fine: Any, wrong: Any, post: Post, refused: Post
) -> None:
    fields = NEEDED.get(operation, {})
    if "state" in REQUESTS[operation].fields:
        fields = fields | {"state": state_at()}
    post(operation, **fields | {field: fine})
    body = refused(operation, "invalid-request", **fields | {field: wrong})
    assert {name.split(".")[0] for name in body["errors"]} == {field}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_field_of_another_type_is_refused(operation: str, refused: Post) -> None:
    for name, field in REQUESTS[operation].fields.items():
        if name == "state":
            continue
        key = field.data_key or name
        kinds: list[Any] = [None, 1, 1.0, 1.5, True, "1", "true", [], [1], {}, {"a": 1}, [[]]]
        fine = {
            "Whole": (int,),
            "Amount": (int, float),
            "Truth": (bool,),
            "Few": (list,),
            "Dict": (dict,),
            "PlanField": (dict,),
        }.get(type(field).__name__, (str,))
        for value in kinds:
            if type(value) in fine or (value is None and field.allow_none):
                continue
            body = refused(operation, "invalid-request", **{key: value})
            assert key in {one.split(".")[0] for one in body["errors"]}, (key, value)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_unknown_and_missing_fields_are_named(operation: str, refused: Post) -> None:
    needed = {
        field.data_key or name
        for name, field in REQUESTS[operation].fields.items()
        if field.required
    }
    body = refused(operation, "invalid-request", nonsense=1, State={})
    assert body["errors"].keys() >= {"nonsense", "State"} | needed


def test_what_excludes_each_other_is_refused(refused: Post) -> None:
    for operation, fields, field in (
        ("render", {"ply": 1, "move": "a1"}, "move"),
        ("render", {"ply": 1, "plies": [0, 1]}, "plies"),
        ("end", {"how": "resign"}, "player"),
        ("end", {"how": "draw", "player": 1}, "player"),
        ("end", {"how": "surrender"}, "how"),
    ):
        body = refused(operation, "invalid-request", state=state_at(), **fields)
        assert list(body["errors"]) == [field]
    assert list(refused("replay", "invalid-request")["errors"]) == ["record"]
    both = refused("replay", "invalid-request", record={}, moves=[])
    assert list(both["errors"]) == ["record"]
    named = refused("replay", "invalid-request", record={}, variants=[])
    assert list(named["errors"]) == ["variants"]


#: Bodies with a crowd of something at the `@`: of entries that are alike, or of numbered keys.
CROWDS = [
    ('{"state":"x",@}', "keys"),
    ('{"state":"x","include":[@]}', "1"),
    ('{"state":"","gameid":"","players":[@]}', "{}"),
    ('{"state":"","gameid":"","players":[{},{@}]}', "keys"),
    ('{"state":"x","plies":[@]}', "[]"),
    ('{"moves":[@]}', "1"),
    ('{"variants":[@]}', "1"),
    ('{"state":{@,"0":1}}', "keys"),
    ('{"record":{@}}', "keys"),
    ('{"record":{"header":{"game":{"name":"control"},"players":[{},{}]},"moves":[@]}}', '"a1"'),
]


def crowded(template: str, entry: str) -> bytes:
    keys = (f'"{number}":1' for number in range(200_000))
    return template.replace("@", ",".join(keys if entry == "keys" else [entry] * 700_000)).encode()


@pytest.mark.parametrize(("template", "entry"), CROWDS)
@pytest.mark.parametrize("operation", ["move", "render", "record", "replay", "new"])
def test_crowds_are_refused_in_few_words(
    template: str, entry: str, operation: str, client: FlaskClient
) -> None:
    response = posted(client, operation, crowded(template, entry))
    assert response.status_code in (400, 422)
    problem(response, read(response.data)["code"])
    assert len(response.data) < 10_000


@pytest.mark.parametrize("form", FULL_FORMS)
def test_a_game_of_the_most_plies_takes_no_move_and_can_be_ended(
    form: str, client: FlaskClient
) -> None:
    one = cut(GAME, 4)
    first, *rest = one["stack"]
    for plies, move, end in (
        (limits.PLIES - 2, 200, 200),
        (limits.PLIES, 413, 200),
        (limits.LAST_PLY - 2, 413, 200),
        (limits.LAST_PLY, 413, 413),
    ):
        long = one | {"stack": [first, *[{}] * (plies - 4), *rest]}
        wire = in_form(long, form)
        for operation, fields, status in (
            ("move", {"move": GAME["moves"][4]}, move),
            ("end", {"how": "draw"}, end),
        ):
            response = sent(client, operation, {"state": wire, **fields})
            assert response.status_code == status, response.text[:300]
            if status == 413:
                assert problem(response, "too-large")["limit"] in (limits.PLIES, limits.LAST_PLY)
            else:
                after = sent(client, "moves", {"state": read(response.data)["state"]})
                assert after.status_code == 200


def test_every_limit_is_shown(client: FlaskClient) -> None:
    shown = read(client.get("/v1").data)["limits"]
    assert shown.items() >= limits.list_limits().items()
    assert all(value > 0 for value in shown.values())
