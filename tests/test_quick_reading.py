"""States that engines write are told at a glance: none of them needs the slow, exact reader."""

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as some

from plyhost.errors import InvalidState
from plyhost.states import strict_json
from plyhost.states.full import entry
from tests.tools.games import recorded
from tests.tools.replay_games import followed, played
from tests.tools.vectors import tight


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


TEXTS = some.text('a,: "{}[]\\', max_size=6)
INNER = some.recursive(
    some.none() | some.booleans() | some.integers(-9, 9) | TEXTS,
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(
    pairs=some.lists(some.tuples(TEXTS, INNER), max_size=4),
    separators=some.sampled_from([(",", ":"), (", ", ": "), (",", ": "), (" ,", ": ")]),
)
def test_an_entry_with_blanks_is_read_as_exactly(
    pairs: list[tuple[str, Any]], separators: tuple[str, str]
) -> None:
    members = [
        json.dumps(key) + separators[1] + json.dumps(value, separators=separators)
        for key, value in pairs
    ]
    raw = ("{" + separators[0].join(members) + "}").encode()
    try:
        exact = strict_json.parse_strict_json(raw)
    except strict_json.Ambiguous:
        with pytest.raises(InvalidState):
            entry.parse_entry(raw, 0)
    else:
        assert entry.parse_entry(raw, 0) == exact
