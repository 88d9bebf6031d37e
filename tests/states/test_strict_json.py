"""JSON is read quickly, and no otherwise than by the slow reader, which defines what is read."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from plyhost import limits
from plyhost.states import strict_json
from plyhost.states.full import entry
from tests.states.test_damage_json import BROKEN, DOUBTFUL, PLAIN
from tests.tools.games import recorded
from tests.tools.replay_games import followed, played
from tests.tools.vectors import tight

read_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode

TEXTS = [
    *[b'""', b'"a"', b'"\xc3\xa9"', b'"\\u00e9"', b'"a, b: c"', b'"[{"', b'"1e5"', b'"\\/"'],
    *[b'"9007199254740993"', b'"d4xe5,e7"', b'"\\ud83d\\ude00"', b'"\\ud800x"', b'"\xed\xa0\x80"'],
]
NUMBERS = [
    *[b"0", b"1", b"-1", b"-0", b"1.0", b"0.10", b"1e2", b"1E+5", b"1e16", b"1e308", b"1e309"],
    *[b"9007199254740991", b"9007199254740992", b"-9007199254740993", b"123456789012345678901"],
    *[b"0.1234567890123456789", b"1e-400", b"00", b"1."],
]
WORDS = [b"null", b"true", b"false", b"NaN", b"nul"]
#: Keys of which some are one key in two spellings, or two that differ in a blank.
KEYS = [b'""', b'"a"', b'"\\u0061"', b'"b"', b'"x,y"', b'"x, y"', b'"\xc3\xa9"', b'"\\u00e9"']
SEPARATORS = [(b",", b":"), (b", ", b": "), (b",", b": "), (b" ,", b":"), (b",\n ", b" : ")]


def arrays(inner: Any) -> Any:
    """Return a strategy for arrays of JSON texts."""
    return some.builds(
        lambda found, between: b"[" + between[0].join(found) + b"]",
        some.lists(inner, max_size=4),
        some.sampled_from(SEPARATORS),
    )


def objects(inner: Any) -> Any:
    """Return a strategy for objects of JSON texts, in some of which a key stands twice."""
    return some.builds(
        lambda pairs, between: (
            b"{" + between[0].join(key + between[1] + value for key, value in pairs) + b"}"
        ),
        some.lists(some.tuples(some.sampled_from(KEYS), inner), max_size=4),
        some.sampled_from(SEPARATORS),
    )


PLAIN_JSON = some.sampled_from([*TEXTS, *NUMBERS, *WORDS])
JSON = some.recursive(PLAIN_JSON, lambda inner: arrays(inner) | objects(inner), max_leaves=8)


def strictly(data: bytes, around: int = 0) -> Any:
    """Return what the slow reader makes of a text, told apart by types; None for a refusal."""
    try:
        return [repr(strict_json.parse_strict_json(data, around))]
    except strict_json.Ambiguous:
        return None


def quickly(data: bytes, around: int = 0) -> Any:
    """Return the same of the reader that tries quickly first."""
    try:
        return [repr(strict_json.read_json(data, around=around))]
    except strict_json.Ambiguous:
        return None


@settings(max_examples=1000)
@given(data=JSON)
def test_a_value_is_read_as_slowly(data: bytes) -> None:
    assert quickly(data) == strictly(data)


@pytest.mark.parametrize("around", ["%s", "[0,%s]", '{"a":%s}', '{"a": 1, "b": [2, %s]}'])
@pytest.mark.parametrize("text", [*DOUBTFUL, *BROKEN, *PLAIN], ids=lambda text: repr(text[:12]))
def test_odd_values_are_read_as_slowly(text: bytes, around: str) -> None:
    data = around.encode().replace(b"%s", text)
    assert quickly(data) == strictly(data)
    assert (quickly(data) is not None) == (text in PLAIN)


@pytest.mark.parametrize("around", [0, 1, 2])
@pytest.mark.parametrize("less", [0, 1, 2, 3])
def test_levels_are_counted_with_those_around(around: int, less: int) -> None:
    deep = limits.JSON_DEPTH - less
    for data in (
        b"[" * deep + b"]" * deep,
        b'{"a":' * deep + b"0" + b"}" * deep,
        b'["],[",' * deep + b"0" + b"]" * deep,
        b"[[],[]," * (deep - 1) + b"[]" + b"]" * (deep - 1),
    ):
        for crowd in (data, data.replace(b"0", b"[0]"), b"[" + data + b",[]" * 99 + b"]"):
            assert quickly(crowd, around) == strictly(crowd, around)
        assert (quickly(data, around) is not None) == (deep + around <= limits.JSON_DEPTH)


@settings(max_examples=1000)
@given(data=objects(JSON) | JSON)
def test_members_are_told_apart_as_slowly(data: bytes) -> None:
    """What is in them is for others to read, and may be refused there."""
    whole, members = strictly(data), split(data)
    if not isinstance(members, dict):
        assert members == whole
        return
    assert whole is None or data.startswith(b"{")
    found = {key: quickly(bytes(raw)) for key, raw in members.items()}
    if whole is None:
        assert None in found.values()
    else:
        read: Any = {key: strict_json.read_json(bytes(raw)) for key, raw in members.items()}
        assert [repr(read)] == whole


def split(data: bytes) -> Any:
    """Return the members of an object; of others what `quickly` does."""
    try:
        return strict_json.read_json(data, read_members)
    except strict_json.Misfit as error:
        return [repr(error.value)]
    except strict_json.Ambiguous:
        return None


@given(data=objects(JSON))
def test_the_way_to_what_is_wrong_is_told(data: bytes) -> None:
    for begin, end, way in ((b'{"x":[0,', b"]}", ("x", "1")), (b"", b"", ())):
        whole = begin + data + end
        if strictly(whole) is None:
            with pytest.raises(strict_json.Ambiguous) as caught:
                strict_json.read_json(whole)
            assert caught.value.path[: len(way)] in (way, ())


@pytest.mark.parametrize("one", recorded("control"), ids=lambda one: "-".join(one["variants"]))
def test_recorded_states_of_control_are_clean(one: dict[str, object]) -> None:
    assert strict_json.is_clean_json(tight(one["final_state"]).encode())


@pytest.mark.parametrize("number", range(len(recorded("congeners"))))
def test_recorded_games_of_congeners_are_clean(number: int) -> None:
    one = recorded("congeners")[number]
    steps = followed("congeners", one["variants"], one["moves"])
    assert strict_json.is_clean_json(orjson.dumps([[step.text, step.results] for step in steps]))


@pytest.mark.parametrize("seed", range(60))
def test_played_games_are_clean(seed: int) -> None:
    assert strict_json.is_clean_json(played(seed).line("full"))


@pytest.mark.parametrize("number", [b"1e5", b"1.5E5", b"12345678901234567"])
@pytest.mark.parametrize("around", [b"[%s]", b'["d4xe5,e7",%s]', b'{"a":%s,"e":1}'])
def test_numbers_in_doubt_are_never_taken_as_clean(number: bytes, around: bytes) -> None:
    assert not strict_json.is_clean_json(around % number)


@pytest.mark.parametrize("text", ["b1,b2/e3,e4", "d4-e5,e7", "d4xe5,e7", "e5x"])
def test_a_move_to_row_e_is_not_in_doubt(text: str) -> None:
    assert strict_json.is_clean_json(orjson.dumps({"lastmove": text}))


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_stored_entries_are_read_quickly(
    separators: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(data: bytes, around: int = 0) -> Any:
        pytest.fail("it was read slowly")

    monkeypatch.setattr(strict_json, "parse_strict_json", slowly)
    for one in recorded("control"):
        for index, stored in enumerate(one["final_state"]["stack"]):
            raw = json.dumps(stored, separators=(separators[0], separators[1])).encode()
            assert entry.parse_entry(raw, index) == stored
