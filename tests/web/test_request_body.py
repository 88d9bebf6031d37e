"""Bodies are read quickly, and no otherwise than as plain JSON and by their schemas."""

import json
from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from marshmallow import ValidationError, missing
from marshmallow.fields import Field

from plyhost import limits
from plyhost.errors import InvalidRequest, InvalidState, NotJson
from plyhost.games.registry import find_game
from plyhost.schemas import field_types
from plyhost.schemas.requests import REQUESTS, RequestSchema, load_request
from plyhost.states import forms, strict_json
from plyhost.web import request_body
from tests.tools.vectors import FORMS, cut, in_form, tight
from tests.tools.vectors import game as recorded

STATE = tight(cut(recorded(), 3))
#: Values of every type, with those at and beyond the edges of the fields' ranges.
VALUES: list[Any] = [
    *[None, True, False, -1, 0, 1, 2, 3, 1.0, 0.5, 10**9, 10**9 + 1, -(10**6), -(10**6) - 1],
    *[2**53 - 1, limits.LAST_PLY, limits.LAST_PLY + 1, limits.LISTED_MOVES + 1],
    *["", "a1", "full", "forced", "resign", "settle", "é", "1", "render", "\U0001f600"],
    *["2026-01-31T09:30:00.000Z", "2026-02-30T09:30:00.000Z", "2026-01-31T09:30:00Z"],
    *["x" * length for length in (200, 201, 4000, 4001)],
    *[[], ["a"], ["a", "b"], [1, 2], [-1, 0], [True, 1], ["render", "moves"], ["x"], [["a"]]],
    *[[None], ["x"] * 16, ["x"] * 17, ["x" * 200, "y"], ["x" * 201, "y"], {}, {"a": 1}],
]
#: An object for a state is taken apart at once, and judged as a state.
FIELDS = [
    (name, key) for name, schema in REQUESTS.items() for key in schema.fields if key != "state"
]


def typed() -> list[tuple[str, str, Field[Any]]]:
    """Return the fields that have a type, by operation and name."""
    return [
        (operation, name, field)
        for operation, schema in REQUESTS.items()
        for name, field in schema.fields.items()
        if field_types.find_value_type(field) is not None
    ]


def sound(schema: RequestSchema) -> dict[str, Any]:
    """Return the least that a request needs."""
    least: dict[str, Any] = {"state": STATE, "move": "a1", "other": "b1", "row": 0, "col": 0}
    least |= {"how": "draw", "ply": 0, "form": "full", "gameid": "1", "moves": []}
    least["plan"] = {"b1": {"move": "a1"}}
    least["players"] = [{"name": "A"}, {"name": "B"}]
    wanted = {key for key, field in schema.fields.items() if field.required}
    # Of these groups one must be given, though no field of them is needed by itself.
    wanted |= {"moves"} if "record" in schema.fields else set()
    wanted |= {"row", "col"} if "cell" in schema.fields else set()
    wanted |= {"gameid"} if "gameid" in schema.fields else set()
    return {key: value for key, value in least.items() if key in wanted}


def outcome(work: Any) -> Any:
    """Return what a reading gives, or what it refuses."""
    try:
        return work()
    except InvalidRequest as error:
        return error.beside, str(error)


@pytest.mark.parametrize(("operation", "key"), FIELDS)
def test_a_field_is_judged_as_by_its_schema(operation: str, key: str) -> None:
    schema = REQUESTS[operation]
    for value in VALUES:
        body = sound(schema) | {schema.fields[key].data_key or key: value}
        read = outcome(
            lambda body=body: request_body.read_request_body(schema, json.dumps(body).encode())
        )
        assert read == outcome(lambda body=body: load_request(schema, body)), value


@pytest.mark.parametrize("operation", REQUESTS)
def test_missing_and_unknown_fields_are_told_as_by_the_schema(operation: str) -> None:
    schema = REQUESTS[operation]
    whole = sound(schema)
    for body in [
        *({k: v for k, v in whole.items() if k != gone} for gone in whole),
        whole | {"x": 1},
    ]:
        read = outcome(lambda body=body: request_body.read_request_body(schema, orjson.dumps(body)))
        assert read == outcome(lambda body=body: load_request(schema, body)), body


def test_most_fields_have_a_type() -> None:
    """Or nothing would be quick."""
    assert len(typed()) > 50
    assert {operation for operation, name, _ in typed() if name == "include"} >= {"move", "end"}


JSONS = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False) | some.text(),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(), inner, max_size=2),
    max_leaves=6,
)


@given(value=JSONS | some.sampled_from(VALUES), one=some.sampled_from(typed()))
def test_what_a_type_lets_through_its_field_does_unchanged(value: Any, one: Any) -> None:
    *_, field = one
    text = json.dumps(value).encode()
    try:
        read = msgspec.json.decode(text, type=field_types.find_value_type(field))
    except (msgspec.ValidationError, msgspec.DecodeError):
        return
    try:
        kept = field.deserialize(value)
    except ValidationError as error:
        pytest.fail(f"{value!r} is refused: {error}")
    assert (kept, type(kept)) == (read, type(read))


@pytest.mark.parametrize(("operation", "key", "field"), typed())
def test_what_a_field_keeps_its_type_lets_through(
    operation: str, key: str, field: Field[Any]
) -> None:
    """Or the whole body would be read slowly."""
    kept = 0
    default = field.load_default() if callable(field.load_default) else field.load_default
    for value in [*VALUES, *[default] * (default is not missing)]:
        if type(value) is not float and outcome(lambda v=value: _deserialized(field, v)) == value:
            text = json.dumps(value)
            assert msgspec.json.decode(text, type=field_types.find_value_type(field)) == value
            kept += 1
    assert kept


def _deserialized(field: Field[Any], value: Any) -> Any:
    try:
        return field.deserialize(value)
    except ValidationError:
        return KeyError


@pytest.mark.parametrize("operation", REQUESTS)
def test_a_sound_request_is_read_quickly(operation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = REQUESTS[operation]
    more: dict[str, Any] = {"timestamp": "2026-01-31T09:30:00.000Z", "include": ["render"]}
    more |= {"expected_ply": 3, "auto": "pass", "verify": True, "display": "x", "perspective": 2}
    fields = sound(schema) | {key: value for key, value in more.items() if key in schema.fields}

    def slowly(data: bytes, around: int = 0) -> Any:
        pytest.fail("it was read slowly")

    monkeypatch.setattr(strict_json, "parse_strict_json", slowly)
    assert request_body.read_request_body(
        schema, json.dumps(fields, separators=(",", ":")).encode()
    )
    assert request_body.read_request_body(schema, json.dumps(fields).encode())


@pytest.mark.parametrize("form", FORMS)
def test_states_of_every_form_are_kept_apart_from_what_surrounds_them(form: str) -> None:
    wire = in_form(cut(recorded(), 5), form)
    for fields in ('"move":"a1"', ' "move" : "a1" ', '"move":"a1","verify":true,"auto":"none"'):
        body = f'{{"state":{json.dumps(wire)},{fields}}}'.encode()
        asked = request_body.read_request_body(REQUESTS["move"], body)
        assert forms.parse_state(find_game("control"), asked["state"]).last.ply == 5
        assert asked["move"] == "a1"


#: Texts for a state: of each form, one that ends early, odd ones, and one that looks like a body.
TEXTS = {
    **{form: in_form(cut(recorded(), 3), form) for form in FORMS if form != "full"},
    "empty": "",
    "one letter": "x",
    "ends of a list and an object": "]}",
    "quote": '"',
    "backslash": "\\",
    "two backslashes": "\\\\",
    "quote and ends": 'a"]}',
    "body": '{"state":"x"}',
    "another member": '","move":"a1',
    "beyond ASCII": "é",
    "beyond 16 bits": "\U0001f600",
}
#: Members that hold another such key, or one that only looks like it.
OTHERS: list[Any] = [
    {"players": [{"name": "A", "state": "x"}, {"name": "B"}]},
    {"players": [{"name": '"state":"x"'}, {"name": ']}"'}]},
    {"record": {"state": "x"}},
    {"record": {"header": [{"state": ""}], "moves": []}},
    {"move": "state"},
    {"move": ']}"'},
    {"move": '"state":"'},
    {"variants": ["state", '{"state":"x"}']},
    {"include": ["render"], "display": '"state":"x"]}"'},
    {},
]


@pytest.mark.parametrize("other", OTHERS, ids=lambda other: json.dumps(other)[:40])
@pytest.mark.parametrize("operation", REQUESTS)
def test_a_text_is_the_state_only_where_it_is(operation: str, other: Any) -> None:
    schema = REQUESTS[operation]
    least = {key: value for key, value in sound(schema).items() if key not in other}
    for text in TEXTS.values():
        state = {"state": text} if "state" in schema.fields else {}
        for fields in (least | state | other, other | least | state, state | least | other):
            for separators in ((",", ":"), (", ", ": ")):
                body = json.dumps(fields, separators=separators, ensure_ascii=False).encode()
                read = outcome(lambda body=body: request_body.read_request_body(schema, body))
                assert read == outcome(lambda f=fields: load_request(schema, f)), body


@pytest.mark.parametrize("twice", ['"state":"x"', '"st\\u0061te":"x"', '"state":{}', '"state":0'])
@pytest.mark.parametrize("name", TEXTS)
def test_no_second_state_is_taken(name: str, twice: str) -> None:
    text = TEXTS[name]
    state = f'"state":{json.dumps(text)}'
    for fields in (f'{state},{twice},"move":"a1"', f'{twice},"move":"a1",{state}'):
        with pytest.raises((NotJson, InvalidState)):
            request_body.read_request_body(REQUESTS["move"], f"{{{fields}}}".encode())


NAMES = some.sampled_from(sorted({key for _, key in FIELDS} | {"state", "x"}))
#: Values in which the names of fields come again, and states.
INNER = some.recursive(
    some.sampled_from([*VALUES, *TEXTS.values()]),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=500)
@given(
    operation=some.sampled_from(sorted(REQUESTS)),
    more=some.dictionaries(NAMES, INNER, max_size=4),
    text=some.sampled_from([*TEXTS.values()]),
    is_tight=some.booleans(),
    is_last=some.booleans(),
)
def test_any_body_is_read_as_slowly(
    operation: str, more: dict[str, Any], text: str, is_tight: bool, is_last: bool
) -> None:
    schema = REQUESTS[operation]
    least = sound(schema) | ({"state": text} if "state" in schema.fields else {})
    fields = {**more, **least} if is_last else least | more
    separators = (",", ":") if is_tight else (", ", ": ")
    body = json.dumps(fields, separators=separators, ensure_ascii=not is_tight).encode()
    read, slow = (outcome(work) for work in (_read(schema, body), _slow(schema, fields)))
    for found in (read, slow):
        if isinstance(found, dict) and not isinstance(found.get("state"), str):
            found.pop("state", None)
    assert read == slow


def _read(schema: RequestSchema, body: bytes) -> Any:
    return lambda: request_body.read_request_body(schema, body)


def _slow(schema: RequestSchema, fields: dict[str, Any]) -> Any:
    return lambda: load_request(schema, fields)
