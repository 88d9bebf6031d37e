"""The command line: the same contract on files and pipes."""

import json
from pathlib import Path
from typing import Any

import pytest

from plyhost.schemas.requests import REQUESTS
from plyhost.states import forms
from tests.tools.commands import run
from tests.tools.games import recorded

STAMP = "2026-01-01T00:00:00.000Z"


def out(*arguments: str, given: str | bytes = "") -> str:
    done = run(*arguments, given=given)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


@pytest.fixture(scope="module")
def saved() -> str:
    return json.dumps(recorded("control")[0]["final_state"])


@pytest.mark.parametrize("form", forms.FORMS)
def test_commands_join_by_pipes_in_every_form(form: str) -> None:
    state = out("new", "control", "--variant", "size-5", "--form", form, "--timestamp", STAMP)
    for bare in ([], ["--bare"]):
        moved = out("move", "-", "A1", "--timestamp", STAMP, *bare, given=state)
        assert out("moves", "--prefix", "a", given=moved).split() == ["a3", "a4", "a5"]
        assert json.loads(out("render", given=moved))["pieces"].endswith("A,-,-,-,-")
        assert json.loads(out("verify", given=moved))["plies_ok"] == 1


def test_a_view_carries_what_is_included() -> None:
    view = json.loads(out("new", "control", "--include", "text", "--include", "moves"))
    assert view["moves_count"] == 36
    assert "Player 1 is to move." in view["text"]


def test_convert_leads_through_every_form_and_back(saved: str, tmp_path: Path) -> None:
    state = saved
    for form in ("compact", "full-gz", "full", "compact", "full-string"):
        state = out("convert", "--form", form, given=state)
    assert json.loads(state) == json.loads(saved)
    assert state.strip() == json.dumps(json.loads(saved), separators=(",", ":"))


def test_convert_tells_what_normalising_drops(saved: str) -> None:
    loose = json.loads(saved)
    loose["stack"][3]["board"]["value"].reverse()
    text = json.dumps(loose)
    refused = run("convert", "--form", "compact", given=text)
    assert refused.returncode == 1
    assert json.loads(refused.stderr)["where"] == "/stack/3/board/value"
    told = run("convert", "--form", "compact", "--normalise", given=text)
    assert told.returncode == 0
    assert b"dropped /stack/3/board/value" in told.stderr


def test_verify_ends_with_one_when_something_is_wrong(saved: str) -> None:
    damaged = json.loads(saved)
    damaged["stack"][5]["scores"] = [0, 0]
    done = run("verify", given=json.dumps(damaged))
    verdict: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == 1
    assert (verdict["ok"], verdict["ply"], verdict["field"]) == (False, 5, "scores")


def test_count_tells_legal_sequences_and_splits_them() -> None:
    assert out("count", "2", "--variant", "size-5").strip() == "1350"
    *parts, total = out("count", "2", "--variant", "size-5", "--split").split("\n")[:-1]
    assert len(parts) == 24
    assert sum(int(part.split()[1]) for part in parts) == int(total)


def test_count_takes_a_state(saved: str) -> None:
    assert out("count", "1", "-", given=saved).strip() == "0"


BAD = [
    (("new", "chess"), "", "unknown-game"),
    (("new", "control", "--variant", "size-6"), "", "unknown-variant"),
    (("new", "control", "--timestamp", "now"), "", "invalid-request"),
    (("moves",), "p1:control:::", "invalid-state"),
    (("moves",), "p9:control::::", "invalid-state"),
    (("moves",), "gz:zzz", "invalid-state"),
    (("verify",), '{"game": "chess"}', "unknown-game"),
    (("count", "2", "--game", "chess"), "", "unknown-game"),
    (("count", "2", "-"), "nothing", "invalid-state"),
]


@pytest.mark.parametrize(("arguments", "given", "code"), BAD)
def test_bad_input_is_a_problem_and_ends_with_one(
    arguments: tuple[str, ...], given: str, code: str
) -> None:
    done = run(*arguments, given=given)
    assert (done.returncode, done.stdout) == (1, b"")
    assert json.loads(done.stderr)["code"] == code


def test_an_illegal_move_says_why() -> None:
    done = run("move", "-", "g7", given=out("new", "control"))
    assert done.returncode == 1
    assert json.loads(done.stderr)["reason"] == "first-move-edge"


CALLS = [
    (("move",), ""),
    (("moves", "no-such-file"), ""),
    (("moves", "--colour"), ""),
    (("convert", "-"), "{}"),
    (("convert", "--form", "mine"), "{}"),
    (("count", "99"), ""),
    (("moves",), b"\xff\xfe"),
    (("moves",), '{"a": '),
    (("moves",), '"half'),
    (("moves",), '{"a": 1, "a": 2}'),
    (("moves",), "x" * (4 * 1024 * 1024 + 1)),
    (("serve", "--port", "0"), ""),
]


@pytest.mark.parametrize(("arguments", "given"), CALLS)
def test_a_wrong_call_or_unreadable_input_ends_with_two(
    arguments: tuple[str, ...], given: str | bytes
) -> None:
    done = run(*arguments, given=given)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr


def test_every_operation_has_a_command() -> None:
    listed = {
        line.split()[0]
        for line in out("--help").splitlines()
        if line[:2] == "  " and line[2:3].strip()
    }
    # `at` is `render --ply`, `same` is for sites, and `replay` takes whole archives.
    assert set(REQUESTS) - {"at", "same"} <= listed


def test_a_game_is_played_by_commands_alone() -> None:
    state = out("new", "control", "--variant", "size-5", "--form", "compact", "--bare")
    for seed in range(4):
        picked = out("random", "--seed", str(seed), given=state).strip()
        assert picked == out("random", "--seed", str(seed), given=state).strip()
        assert json.loads(out("validate", "-", picked, given=state))["complete"] == 1
        clicked = json.loads(out("click", "-", picked.rstrip("x"), given=state))
        assert clicked["move"] == picked
        assert clicked["targets"]
        state = out("move", "-", picked, "--bare", given=state)
    assert json.loads(out("view", "--include", "targets", given=state))["ply"] == 4
    assert len(json.loads(out("history", given=state))["plies"]) == 5
    assert run("record", given=state).returncode == 1
    assert len(json.loads(out("record", "--running", given=state))["moves"]) == 2
    over = out("end", "-", "resign", "--player", "1", "--bare", given=state)
    record = json.loads(out("record", "--name", "Ann", "--name", "Ben", given=over))
    assert [player["result"] for player in record["header"]["players"]] == [0, 1]
    assert record["header"]["players"][1]["name"] == "Ben"
    assert run("validate", "-", "zz", given=over).returncode == 1
    assert "control: size-5 #board size-9" in out("games")
