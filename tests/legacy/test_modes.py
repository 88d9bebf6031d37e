"""Each mode, whole games that are archived and replayed, and who may move."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from plyhost.contract import operations, record_reading, records
from plyhost.games import registry
from plyhost.games.game import AnyGame
from plyhost.legacy import about
from plyhost.legacy.state_string import parse_legacy_state
from plyhost.states import clock, forms
from plyhost.states.steps import Step
from tests.legacy.conftest import (
    GAMES,
    TOLD,
    USERS,
    Answer,
    Ask,
    Finished,
    Refuse,
    inner,
    moved,
    play,
    some_moves,
)

# The modes


@pytest.mark.parametrize("uid", GAMES)
def test_ping_changes_with_the_engine(ask: Ask, uid: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = ask(uid, "ping")
    assert before == ask(uid, "ping")
    assert before["state"] == ask(uid, "metadata")["state"]
    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", lambda path: b"another engine")
        registry.compute_engine_token.cache_clear()
        assert ask(uid, "ping") != before
    registry.compute_engine_token.cache_clear()
    assert ask(uid, "ping") == before


@pytest.mark.parametrize("uid", GAMES)
@pytest.mark.parametrize("mode", ["ping", "metadata"])
def test_a_form_is_read_as_json_is(client: FlaskClient, ask: Ask, uid: str, mode: str) -> None:
    response = client.post(f"/ap/{uid}", data={"mode": mode})
    assert response.request.mimetype == "application/x-www-form-urlencoded"
    assert response.status_code == 200
    assert response.json == ask(uid, mode)


@pytest.mark.parametrize("uid", GAMES)
def test_metadata_is_what_init_takes(ask: Ask, uid: str) -> None:
    told = ask(uid, "metadata")
    info = registry.find_game(uid).info
    assert told["playercounts"] == [2]
    assert told["description"].startswith(info.description + "\n\n--\n\n")
    assert len(told["description"].encode()) < 65535
    assert info.version in told["changelog"]
    for offered, variant in zip(told["variants"], info.variants, strict=True):
        boards = {
            json.dumps(ask(uid, "init", players=USERS, variants=[name])["renderrep"])
            for name in (offered["name"], variant.name)
        }
        assert len(boards) == 1
        assert offered["note"].startswith(variant.name)


@pytest.mark.parametrize(
    ("versions", "number"),
    [(("20240909",), 20240909), (("0",), 1), (("1.0", "1.1"), 2), (("x",), 1), (("²",), 1)],
)
def test_version_is_a_number_from_one(versions: tuple[str, ...], number: int) -> None:
    info = registry.find_game(GAMES[0]).info
    assert about.number_engine_version(replace(info, versions=versions)) == number
    assert type(about.number_engine_version(info)) is int


@pytest.mark.parametrize("uid", GAMES)
def test_init_begins_with_the_first_player(ask: Ask, uid: str) -> None:
    turn = ask(uid, "init", players=USERS)
    assert turn["whoseturn"] == USERS[:1]
    assert turn["chat"] == ""
    assert parse_legacy_state(turn["state"])[0] == USERS


def test_a_game_is_that_of_contract_version_1(finished: Finished) -> None:
    uid, turns = finished
    game = registry.find_game(uid)
    final = forms.parse_state(game, inner(turns[-1]["state"]))
    steps = list(final.walk())
    assert len(steps) == len(turns)
    for step, turn in zip(steps, turns, strict=True):
        view = operations.answer_at_ply(
            game, {"state": inner(turn["state"]), "ply": -1, "include": ["render"]}
        )
        assert view["ply"] == step.ply
        assert turn["renderrep"] == view["render"]
        assert turn["whoseturn"] == ([] if step.is_over else [USERS[step.position.seat - 1]])
        assert json.loads(turn["state"])["state"].startswith("p1:")
        assert len(turn["state"]) < 4000
    shown = [line.replace("Zoë &lt;b&gt;", "Player 2") for line in chat_of(turns)]
    log = operations.answer_history(game, {"state": inner(turns[-1]["state"])})["chat"]
    assert [line.replace(USERS[0], "Player 1") for line in shown] == [
        "\n".join(lines[1:]) for lines in log
    ]


def chat_of(turns: list[Answer]) -> list[str]:
    return [turn["chat"] for turn in turns[1:]]


@pytest.mark.parametrize("uid", GAMES)
@pytest.mark.parametrize("kept", ["last", "all"])
def test_a_whole_game_is_archived_and_its_report_replayed(ask: Ask, uid: str, kept: str) -> None:
    game = registry.find_game(uid)
    for seed, variant in enumerate(game.info.variants):
        turns = play(ask, uid, [variant.uid], seed, longest=120)
        states = [turn["state"] for turn in turns]
        report = ask(uid, "archive", states=states if kept == "all" else states[-1:])
        header = report["header"]
        steps = list(forms.parse_state(game, inner(states[-1])).walk())
        assert header["game"] == {"name": game.info.name, "variants": [variant.name]}
        assert not {"event", "round"} & set(header)
        assert header["site"] == {"name": "Abstract Play"}
        assert [one["userid"] for one in header["players"]] == USERS
        assert [one["name"] for one in header["players"]] == USERS
        assert [one["pieces"] for one in header["players"]] == [
            str(colour) for colour in game.colours(steps[-1].position)
        ]
        assert header["date-start"] == steps[0].timestamp
        assert header["date-end"] == steps[-1].timestamp
        assert [one["move"] for both in report["moves"] for one in both] == [
            step.text for step in steps[1:]
        ]
        assert_replays(game, report, steps[-1])


def assert_replays(game: AnyGame, report: Answer, last: Step) -> None:
    source = record_reading.parse_game_record(game, report, clock.get_current_stamp())
    replayed = records.replay_to_state(game, source, "compact")
    assert replayed.verdict == records.make_pass_verdict(last.ply)
    assert replayed.state.last.position == last.position
    assert replayed.state.last.winner == last.winner
    request = {"record": report, "form": "compact"}
    assert operations.answer_replay(game, request)["ok"]


def test_a_report_carries_what_the_site_knows(ask: Ask, finished: Finished) -> None:
    uid, turns = finished
    players = [{"name": "Ann"}, {"is_ai": True}]
    report = ask(uid, "archive", states=[turns[-1]["state"]], players=players, **TOLD)
    header = report["header"]
    assert (header["event"], header["round"]) == ("Cup", "2")
    assert header["site"] == {"name": "Here", "gameid": "g1"}
    assert [one["name"] for one in header["players"]] == ["Ann", USERS[1]]
    assert [one["is_ai"] for one in header["players"]] == [False, True]
    assert [one["userid"] for one in header["players"]] == USERS


# Moves


@pytest.mark.parametrize("uid", GAMES)
def test_only_the_player_on_move_may_move(ask: Ask, refuse: Refuse, uid: str) -> None:
    game = registry.find_game(uid)
    state = ask(uid, "init", players=USERS)["state"]
    (move, *_) = some_moves(game, state)
    shown = "Zoë &lt;b&gt;"
    assert refuse(uid, moved(state, USERS[1], move)) == f"{USERS[0]} is to move, not {shown}."
    assert refuse(uid, moved(state, "x<y", move)) == "x&lt;y does not play in this game."
    after = ask(uid, "move", state=state, player=USERS[0], move=move)
    assert after["whoseturn"] == [USERS[1]]
    assert refuse(uid, moved(after["state"], USERS[0], move))


@pytest.mark.parametrize("uid", GAMES)
@pytest.mark.parametrize("word", ["resign", "timeout", " Resign "])
@pytest.mark.parametrize("loser", [0, 1])
def test_either_player_may_give_up_on_any_turn(ask: Ask, uid: str, word: str, loser: int) -> None:
    state = ask(uid, "init", players=USERS)["state"]
    over = ask(uid, "move", state=state, player=USERS[loser], move=word)
    assert over["whoseturn"] == []
    assert len(over["chat"].splitlines()) == 3
    report = ask(uid, "archive", states=[state, over["state"]])
    results = [one["result"] for one in report["header"]["players"]]
    assert results == ([0, 1] if loser == 0 else [1, 0])
    last = forms.parse_state(registry.find_game(uid), inner(over["state"])).last
    assert_replays(registry.find_game(uid), report, last)


@pytest.mark.parametrize("uid", GAMES)
def test_one_player_cannot_agree_for_two(ask: Ask, refuse: Refuse, uid: str) -> None:
    state = ask(uid, "init", players=USERS)["state"]
    for word in ("draw", "abandoned", "settle"):
        assert "more than one player" in refuse(uid, moved(state, USERS[0], word))
    assert "for the first time" in refuse(uid, moved(state, USERS[1], "repetition"))
