"""One game, one verdict: what is told of games in every form, and of what is no game."""

import copy
from typing import Any, cast

import orjson
import pytest

from plyhost import limits
from plyhost.contract import records
from plyhost.contract.record_reading import parse_game_record
from plyhost.errors import StateError
from plyhost.games import registry
from plyhost.replay.judgement.fixture_writer import dump_fixture
from plyhost.replay.judgement.judging import judge_item, judge_item_with_steps
from plyhost.replay.judgement.quick_records import is_record_sound
from plyhost.replay.judgement.verdicts import LONGEST_TOLD, Verdict
from plyhost.replay.reading.line_spans import Item, Place
from tests.tools import replay_faults, vectors
from tests.tools.replay_faults import KINDS, RECORDS, InRecord
from tests.tools.replay_games import FORMS, played

HERE = Place(0, ":", 1)
STAMP = "2026-01-01T00:00:00.000Z"


def verdict_on(line: Any) -> Verdict:
    data = line if isinstance(line, bytes) else orjson.dumps(line)
    return judge_item(Item(HERE, data))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("uid", sorted(registry.load_games()))
def test_a_sound_game_is_good_in_every_form(uid: str, form: str) -> None:
    one = played(21, uid)
    for verdict in (
        verdict_on(one.line(form)),
        judge_item_with_steps(Item(HERE, one.line(form)))[0],
    ):
        assert verdict.ok, verdict
        assert (verdict.game, verdict.plies_ok) == (uid, one.steps[-1].ply)
        assert verdict.form == ("record" if form == "told" else form)
        assert verdict.id == (one.name if form in RECORDS else "")
        assert (verdict.code, verdict.field, verdict.kind) == (None, None, "good")


def test_a_text_may_stand_bare() -> None:
    one = played(4)
    for form in ("compact", "full-gz", "full-string"):
        text = one.wire(form)
        assert verdict_on(text.encode()).form == ("full" if form == "full-string" else form)
        assert verdict_on(text.encode()).ok


def test_a_game_that_still_runs_is_good_as_a_state() -> None:
    running = vectors.cut(vectors.game(), 30)
    for form in vectors.FORMS:
        verdict = verdict_on(vectors.in_form(running, form))
        assert (verdict.ok, verdict.plies_ok) == (True, 30)


def test_an_answer_of_the_contract_is_judged_by_what_it_carries() -> None:
    one = played(6)
    assert verdict_on({"record": one.record()}).ok
    assert verdict_on({"contract": 1, "game": "control", "state": one.wire("compact")}).ok
    assert verdict_on({"state": one.wire("full"), "record": None, "id": None}).ok


UNREADABLE: list[Any] = [
    b"",
    b"{",
    b'{"header": {}, "moves": }',
    b"nothing",
    b"\xff\xfe",
    b"12",
    b"[]",
    b"null",
    b'"',
    b'"nothing"',
    b"p1:control",
    b"{}",
    {"header": None, "moves": None},
    {"game": "control"},
    {"header": {}, "moves": []},
    {"header": {"game": {"name": "Control"}}, "moves": []},
    {"header": {"game": 5}, "moves": []},
    {"record": 5},
    {"record": []},
    {"state": 5},
    {"state": "nothing"},
    {"renders": []},
    b'{"a": "' + b"\xff" + b'"}',
    b'{"header": {"game": {"name": "Control"}}, "moves": [["\xff"]]}',
    b"[" * 9999,
    b'{"header": ' + b"[" * 9999,
]


@pytest.mark.parametrize("line", UNREADABLE, ids=str)
def test_what_is_no_game_is_unreadable(line: Any) -> None:
    verdict = verdict_on(line)
    assert (verdict.ok, verdict.code, verdict.kind) == (False, "unreadable", "unreadable")
    assert verdict.message


def test_a_text_that_holds_a_broken_state_is_no_state() -> None:
    for line in ("{", '{"game": "control"}', "gz:", "gz:AAAA", "p1:control::20240909::"):
        verdict = verdict_on(line)
        assert (verdict.code, verdict.kind) == ("invalid-state", "different")


@pytest.mark.parametrize("name", ["chess", "", None, 5, "Control "])
def test_a_game_that_is_not_here_is_named(name: Any) -> None:
    record, state = played(8, "control").record(), played(8, "control").wire("full")
    record["header"]["game"]["name"] = name
    lines = [record, orjson.dumps(orjson.loads(orjson.dumps(state)) | {"game": name})]
    if isinstance(name, str):
        lines.append(f"p1:{name}::20240909::AAAA".encode())
    for line in lines:
        verdict = verdict_on(line)
        assert (verdict.code, verdict.field, verdict.kind) == (
            "unknown-game",
            "game",
            "passed_over",
        )


def test_an_engine_that_is_not_known_is_unsupported() -> None:
    one = played(9, "control")
    state = orjson.loads(orjson.dumps(one.wire("full")))
    state["stack"][3]["_version"] = "20200101"
    compact = one.wire("compact").replace(":20240909:", ":20200101:")
    record = one.record()
    record["header"]["version"] = "20200101"
    for line in (state, orjson.dumps(state).decode(), record):
        assert verdict_on(line).code == "unsupported-engine"
    assert verdict_on(state).ply == 3
    # The header is sealed as well, so an engine put in later is damage first.
    assert verdict_on(compact).code in ("unsupported-engine", "invalid-state")
    assert verdict_on("p2" + one.wire("compact")[2:]).code == "unsupported-engine"


def test_a_state_over_the_limit_is_refused() -> None:
    state = vectors.cut(vectors.game(), 5) | {"note": "x" * limits.STATE_BYTES}
    for line in (state, orjson.dumps(state).decode(), vectors.zipped(orjson.dumps(state))):
        verdict = verdict_on(line)
        assert (verdict.code, verdict.ok) == ("invalid-state", False)


def test_json_that_readers_take_differently_is_no_sound_state() -> None:
    text = vectors.tight(vectors.cut(vectors.game(), 5))
    for line in (text.replace('"numplayers":2', '"numplayers":2,"numplayers":2'),):
        assert verdict_on(line.encode()).code == "invalid-state"


def test_a_number_may_name_a_game() -> None:
    record = played(3).record()
    record["header"]["site"]["gameid"] = 17
    assert verdict_on(record).id == "17"
    record["header"]["site"] = None
    assert verdict_on(record).id == ""


def test_a_crash_is_a_verdict() -> None:
    verdict = judge_item(Item(HERE, cast("bytes", [5])))
    assert (verdict.ok, verdict.code, verdict.kind) == (False, "internal", "failed")
    assert "AttributeError" in str(verdict.message)
    assert judge_item_with_steps(Item(HERE, cast("bytes", [5])))[0] == verdict


def test_what_is_told_is_cut_when_it_is_long() -> None:
    one = played(5, "control", "size-5")
    state = orjson.loads(orjson.dumps(one.wire("full")))
    state["stack"][2]["_results"] = ["x" * 50] * 200
    verdict = verdict_on(state)
    assert isinstance(verdict.found, str)
    assert len(verdict.found) == LONGEST_TOLD + 1


def test_a_difference_in_a_state_is_named_with_its_move() -> None:
    one = played(5, "control", "size-5", "natural")
    texts = [step.text for step in one.steps]
    for ply, field, value in (
        (7, "scores", [0, 0]),
        (8, "_results", []),
        (9, "board", {"dataType": "Map", "value": []}),
    ):
        state = orjson.loads(orjson.dumps(one.wire("full")))
        state["stack"][ply][field] = value
        verdict = verdict_on(state)
        assert (verdict.ply, verdict.move, verdict.field) == (ply, texts[ply], field)
    state = orjson.loads(orjson.dumps(one.wire("full")))
    for field, wrong in (("winner", [9]), ("gameover", False)):
        verdict = verdict_on(state | {field: wrong})
        assert (verdict.ply, verdict.move) == (one.steps[-1].ply, texts[-1])
        assert (verdict.field, verdict.expected, verdict.found) == (field, state[field], wrong)
    swapped = [replay_faults.plant(one, "compact", "moves_swapped", seed) for seed in range(60)]
    told = [verdict for fault in swapped if (verdict := verdict_on(fault.line)).reason]
    assert told
    assert all(one.move in texts and one.field == "move" for one in told)


# --- fixtures -------------------------------------------------------------------------------


def golden(seed: int = 12, uid: str = "control") -> dict[str, Any]:
    """Return a fixture as `--write` writes it."""
    verdict, entry, steps = judge_item_with_steps(Item(HERE, played(seed, uid).line("record")))
    assert entry is not None
    found: dict[str, Any] = orjson.loads(dump_fixture(verdict, entry, steps))
    return found


@pytest.mark.parametrize("uid", sorted(registry.load_games()))
def test_a_written_fixture_holds_a_game_in_full_and_comes_out(uid: str) -> None:
    line = golden(12, uid)
    assert list(line) == ["id", "game", "engine", "record", "state", "compact", "renders", "legal"]
    assert line["id"] == f"{uid}-12"
    displays = [one.uid for one in registry.find_game(uid).info.displays]
    assert [one["display"] for one in line["renders"]] == ["", "", "", *displays]
    assert verdict_on(line).ok


def test_parts_of_a_fixture_must_be_one_game() -> None:
    line = golden()
    for name, other in (
        ("state", golden(13)["state"]),
        ("compact", golden(13)["compact"]),
        ("compact", golden(14, "congeners")["compact"]),
        ("state", vectors.cut(vectors.game(), 3)),
    ):
        verdict = verdict_on(line | {name: other})
        assert (verdict.ok, verdict.code, verdict.field) == (False, "differs", name)


def test_a_part_that_is_broken_is_named() -> None:
    line = golden()
    line["state"]["stack"][4]["scores"] = [0, 99]
    verdict = verdict_on(line)
    assert (verdict.ply, verdict.field, verdict.found) == (4, "scores", [0, 99])
    assert verdict.where == "state: /stack/4/scores"
    line = golden()
    line["record"]["header"]["players"][0]["score"] += 1
    assert verdict_on(line).where == "record: scores"


def test_drawings_of_a_fixture_must_come_out() -> None:
    line = golden()
    drawing = line["renders"][2]
    for key, value in (("pieces", "-"), ("board", {}), ("more", 1)):
        wrong = copy.deepcopy(line)
        wrong["renders"][2]["render"][key] = value
        verdict = verdict_on(wrong)
        assert (verdict.ply, verdict.field) == (drawing["ply"], "render")
        assert verdict.where == f"renders/2/{key}"
        assert verdict.found == value
    for ply in (99_999, -2, "x"):
        line["renders"][2]["ply"] = ply
        assert verdict_on(line).code == "unreadable"
    line["renders"][2]["ply"] = -1
    assert verdict_on(line).ok
    line["renders"] = {}
    assert verdict_on(line).code == "unreadable"


# --- the quick way --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [kind for kind in KINDS if hasattr(InRecord, kind)])
def test_the_quick_way_says_what_the_slow_one_does(kind: str) -> None:
    for seed in range(40):
        one = played(seed)
        record = orjson.loads(replay_faults.plant(one, "record", kind, seed).line)
        try:
            source = parse_game_record(one.game, record, STAMP)
        except StateError:
            continue
        slow, _ = records.play_source(one.game, source)
        assert is_record_sound(one.game, source) == (slow["ok"] and one.how != "repetition")
