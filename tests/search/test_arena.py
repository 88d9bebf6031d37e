"""The arena: matches come out the same again, and their records can be replayed."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from plyhost.arena.__main__ import run_arena
from plyhost.arena.elo import bound_share, estimate_score
from plyhost.arena.findings import print_findings
from plyhost.arena.match import LONGEST, Match, play_match_game, play_matches
from plyhost.games.registry import find_game
from tests.contract.test_every_game import call


def arena(*arguments: str) -> list[dict[str, Any]]:
    done = CliRunner().invoke(run_arena, [*arguments, "--cores", "1"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("uid", ["control", "congeners"])
def test_records_of_a_match_replay_and_it_comes_out_the_same_again(
    uid: str, tmp_path: Path
) -> None:
    records = tmp_path / "records.jsonl"
    call_of = (uid, "--variant", "size-5", "--a", "visits=4", "--b", "random", "--games", "4")
    told = arena(*call_of, "--records", str(records))
    assert told == arena(*call_of)
    *games, summary = told
    assert [game["a_seat"] for game in games] == [1, 2, 1, 2]
    assert summary["score"] == sum(game["score"] for game in games) / 4
    for line, game in zip(records.read_text().splitlines(), games, strict=True):
        record = json.loads(line)
        assert [one["name"] for one in record["header"]["players"]] == (
            ["visits=4", "random"] if game["a_seat"] == 1 else ["random", "visits=4"]
        )
        verdict = call(uid, "replay", record=record)
        assert verdict["ok"]
        assert verdict["view"]["winner"] == game["winner"]


def test_cores_and_seeds_change_what_they_should() -> None:
    match = Match("control", ("size-5",), "random", "random", opening=3)

    def moves(match: Match, cores: int) -> list[Any]:
        return [game["record"]["moves"] for game in play_matches(match, 4, cores)]

    found = moves(match, 1)
    assert found == moves(match, 2)
    assert found[0][0] == found[1][0]
    assert found[0][1][0] == found[1][1][0]
    assert found[1][0] != found[2][0]
    assert found != moves(match._replace(seed=1), 1)


def test_a_game_that_goes_round_is_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("congeners")
    monkeypatch.setattr(type(game), "play", lambda self, position, move: position)
    monkeypatch.setattr(type(game), "winners", lambda self, position: None)
    monkeypatch.setattr("plyhost.arena.match.make_game_record", lambda *told: None)
    told = play_match_game(Match("congeners", (), "random", "random"), 0)
    assert (told["end"], told["plies"], told["winner"], told["score"]) == (
        "repetition",
        2,
        [1, 2],
        0.5,
    )
    assert LONGEST <= 1000


def test_elo_and_its_interval_are_those_of_the_books() -> None:
    told = estimate_score([1.0] * 75 + [0.0] * 25)
    assert (told["score"], told["elo"]) == (0.75, 191)
    assert bound_share(0.75, 100) == pytest.approx((0.6569, 0.8245), abs=1e-4)
    assert estimate_score([1.0] * 5)["elo"] is None
    assert estimate_score([1.0] * 5)["interval"] == [0.5655, 1.0]
    assert estimate_score([0.5, 1.0, 0.0])["score"] == 0.5


@pytest.mark.parametrize(
    "wrong",
    [
        ("chess", "--a", "random", "--b", "random"),
        ("control", "--a", "level=9", "--b", "random"),
        ("control", "--a", "random", "--b", "?"),
        ("control", "--variant", "size-4", "--a", "random", "--b", "random"),
        ("control", "--a", "random", "--b", "random", "--games", "0"),
    ],
)
def test_a_match_that_cannot_be_played_is_a_wrong_call(wrong: tuple[str, ...]) -> None:
    done = CliRunner().invoke(run_arena, wrong)
    assert done.exit_code == 2
    assert "Error" in done.output


@pytest.mark.parametrize("uid", ["control", "congeners"])
def test_findings_are_counted_from_the_records(uid: str, tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    names = ("--a", "random", "--b", "random", "--games", "20")
    games = arena(uid, "--variant", "size-5", *names, "--records", str(records))[:-1]
    done = CliRunner().invoke(print_findings, [str(records)], catch_exceptions=False)
    found = json.loads(done.stdout)
    assert found["games"] == 20
    assert found["first_seat_wins"]["share"] == sum(one["winner"] == [1] for one in games) / 20
    plies = [one["plies"] for one in games]
    assert (found["plies"]["least"], found["plies"]["most"]) == (min(plies), max(plies))
    if uid == "control":
        told = found["agreed_end_names_the_winner"]
        assert told["50%"]["share"] <= told["95%"]["share"] <= 1
    else:
        assert found["chooser_says_play_second"]["of"] == 20
        assert sum(found["decided_by"].values()) == 20


def test_a_record_that_does_not_come_out_is_not_counted(tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    arena("control", "--a", "random", "--b", "random", "--games", "1", "--records", str(records))
    record = json.loads(records.read_text())
    record["moves"] = record["moves"][:-1]
    records.write_text(json.dumps(record))
    with pytest.raises(ValueError, match="does not come out"):
        CliRunner().invoke(print_findings, [str(records)], catch_exceptions=False)
