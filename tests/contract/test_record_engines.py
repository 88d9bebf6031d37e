"""Records and states of old engines and in old notation: read as they were written, or refused."""

from dataclasses import replace
from typing import Any

import pytest

from plyhost.contract import records
from plyhost.errors import NotConvertible, UnsupportedEngine
from plyhost.games.control.rules import Control
from plyhost.games.game import AnyGame
from plyhost.states import conversion, forms
from plyhost.states.conversion import Conversion
from plyhost.states.full import full_state
from plyhost.states.steps import make_ending_step, make_first_step, make_move_step
from tests.contract.test_record_reading import (
    CONTROL,
    SITE,
    STAMP,
    Record,
    call,
    encoded,
    moves_of,
    replayed,
    sound,
)
from tests.tools import replay_games, vectors


def test_a_record_that_names_no_engine_is_canonical() -> None:
    record = sound()
    at = next(n for n, (one, _) in enumerate(record["moves"]) if one.endswith("x"))
    capture = record["moves"][at][0]
    for text in (capture[:-1], capture.upper(), f" {capture}"):
        record["moves"][at][0] = text
        verdict = replayed(record)
        assert (verdict["ply"], verdict["code"]) == (2 * at + 1, "illegal-move")
    record = sound()
    record["moves"][3][0] += "x"
    assert replayed(record)["read_as"] == "20240909"
    record["header"]["site"]["name"] = "Elsewhere"
    assert replayed(record)["reason"] == "not-a-capture"


def old_notation() -> tuple[dict[str, Any], Record]:
    """Return a state in which a placement was stored with an `x`, resigned, and its record."""
    turn = next(one for one in vectors.turns() if one["move"] == "i1x")
    moves = [*turn["moves_so_far"], "i1"]
    steps = replay_games.followed("control", turn["variants"], moves)
    steps[-1] = conversion.replace_step_text(steps[-1], "i1x")
    steps.append(make_ending_step(CONTROL, steps[-1], "resign", 1, STAMP))
    state = forms.start_state(CONTROL, turn["variants"], "full", steps[0].timestamp)
    wire = vectors.read(encoded(forms.dump_state(state.with_steps(steps[1:]))))
    return wire, call("control", "record", state=wire, **SITE)["record"]


def test_old_notation_is_kept_and_read_under_the_engine_that_the_record_names() -> None:
    wire, record = old_notation()
    assert call("control", "verify", state=wire)["ok"]
    assert record["header"]["version"] == "20240909"
    assert "i1x" in moves_of(record)
    answer = call("control", "replay", record=record, form="full")
    assert answer["ok"]
    assert "i1x" in str(vectors.read(encoded(answer["view"]["state"])))
    record["header"]["game"]["version"] = record["header"].pop("version")
    assert replayed(record)["ok"]
    del record["header"]["game"]["version"]
    assert replayed(record)["read_as"] == "20240909"
    for name, value in (("site", {"name": "Elsewhere"}), ("date-end", "2024-09-08T00:00:00.000Z")):
        changed = record | {"header": record["header"] | {name: value}}
        assert replayed(changed)["reason"] == "not-a-capture"


@pytest.mark.parametrize("version", ["20200101", 20240909, "", []])
def test_an_engine_that_is_not_known_is_said(version: Any) -> None:
    for place in ("header", "game"):
        record = sound()
        within = record["header"] if place == "header" else record["header"]["game"]
        within["version"] = version
        with pytest.raises(UnsupportedEngine):
            replayed(record)


class Old(Control):
    """Control as it would be with an engine before the present one."""

    info = replace(CONTROL.info, versions=("20230101", "20240909"))


OLD: AnyGame = Old()


def of_old_engine(old: int) -> forms.State:
    """Return a state whose first so many entries are of the old engine."""
    texts = vectors.game()["moves"][:20]
    steps = [make_first_step(OLD, 5, STAMP, OLD.info.versions[old < 1])]
    for ply, text in enumerate(texts, 1):
        version = OLD.info.versions[old <= ply]
        made = OLD.read(steps[-1].position, text, version)
        steps.append(make_move_step(OLD, steps[-1], made, STAMP, text, version))
    steps.append(
        make_ending_step(OLD, steps[-1], "draw", None, STAMP, OLD.info.versions[old <= 21])
    )
    first, *rest = steps
    stack = full_state.start_full_stack(OLD, first).with_steps(first, rest)
    return forms.State(OLD, "full", ["size-5"], stack, steps[-1])


@pytest.mark.parametrize("old", [0, 1, 7, 21, 22])
def test_old_engines_replay_under_the_version_that_each_entry_names(old: int) -> None:
    state = of_old_engine(old)
    wire = vectors.read(encoded(forms.dump_state(state)))
    assert [entry["_version"] for entry in wire["stack"]].count("20230101") == old
    assert [step.version for step in forms.trace_state(OLD, wire)] == [
        entry["_version"] for entry in wire["stack"]
    ]
    steps = list(state.walk())
    record = records.make_game_record(state, steps, {"site": "s", **SITE})
    assert record["header"].get("version") == ("20230101" if old > 1 else None)
    assert replayed(record, OLD)["ok"]
    if 0 < old < 22:
        with pytest.raises(NotConvertible, match="not-convertible"):
            conversion.convert_state(forms.parse_state(OLD, wire), "compact")
        return
    there: Conversion = conversion.convert_state(forms.parse_state(OLD, wire), "compact")
    packed = forms.dump_state(there.state)
    assert list(forms.trace_state(OLD, packed)) == steps
    back = conversion.convert_state(forms.parse_state(OLD, packed), "full").state
    assert vectors.read(encoded(forms.dump_state(back))) == wire
