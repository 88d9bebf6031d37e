"""What the first implementations got wrong, faults of ours, and requests refused over HTTP."""

import json
from itertools import pairwise
from typing import Any, NoReturn

import pytest
from flask.testing import FlaskClient

from plyhost import limits
from plyhost.games import registry
from plyhost.legacy.modes import MODES, Refused, answer_legacy_request
from plyhost.states import forms
from tests.legacy.conftest import ANSWER, GAMES, USERS, Ask, Finished, Refuse, inner, moved, refusal

# What the first implementations got wrong


def test_a_finished_game_reloads_as_finished(refuse: Refuse, finished: Finished) -> None:
    uid, turns = finished
    state = turns[-1]["state"]
    assert forms.parse_state(registry.find_game(uid), inner(state)).last.is_over
    for player in USERS:
        for move in ("d4", "resign", "pass"):
            assert "ended" in refuse(uid, moved(state, player, move))


def test_whoseturn_is_empty_when_the_game_is_over(finished: Finished) -> None:
    _, turns = finished
    assert turns[-1]["whoseturn"] == []
    assert all(len(turn["whoseturn"]) == 1 for turn in turns[:-1])


@pytest.mark.parametrize("uid", GAMES)
def test_version_is_no_string(ask: Ask, uid: str) -> None:
    assert type(ask(uid, "metadata")["version"]) is int
    assert not ANSWER["metadata"].is_valid({**ask(uid, "metadata"), "version": "1.0.0"})


@pytest.mark.parametrize("uid", GAMES)
def test_renderrep_is_no_string(ask: Ask, uid: str) -> None:
    turn = ask(uid, "init", players=USERS)
    assert isinstance(turn["renderrep"], dict)
    drawn = json.dumps(turn["renderrep"])
    assert not ANSWER["init"].is_valid({**turn, "renderrep": drawn})


@pytest.mark.parametrize("uid", GAMES)
def test_user_ids_stay_what_they_are(ask: Ask, uid: str) -> None:
    users = ["007", " 7 "]
    assert ask(uid, "init", players=users)["whoseturn"] == ["007"]


@pytest.mark.parametrize("uid", GAMES)
def test_archive_is_there(ask: Ask, uid: str) -> None:
    over = ask(uid, **moved(ask(uid, "init", players=USERS)["state"], USERS[0], "resign"))
    assert ask(uid, "archive", states=[over["state"]])["moves"] == [[{"move": "resign"}]]


@pytest.mark.parametrize("uid", GAMES)
def test_refusals_show_nothing_of_the_inside(ask: Ask, refuse: Refuse, uid: str) -> None:
    state = ask(uid, "init", players=USERS)["state"]
    for bad in ("", "zz9", "d4x", "<script>", "é", "K4", "d4" * 1000, "\x00"):
        assert refuse(uid, moved(state, USERS[0], bad))
    for bad in ("", "{}", "[]", "null", "1", "p1:", "gz:", "\x00", '{"a":1,"a":2}', "[" * 5000):
        assert refuse(uid, moved(bad, USERS[0], "d4"))
        assert refuse(uid, {"mode": "archive", "states": [bad]})


def test_a_fault_of_ours_shows_nothing_of_the_inside(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(game: Any, request: Any) -> NoReturn:
        raise RuntimeError("secret of the inside")

    monkeypatch.setitem(MODES, "ping", fault)
    response = client.post(f"/ap/{GAMES[0]}", json={"mode": "ping"})
    assert response.status_code == 500
    assert "secret" not in response.text
    assert "Traceback" not in response.text


# Over HTTP


def test_a_refusal_tells_what_was_asked(client: FlaskClient) -> None:
    body = {"mode": "init", "players": ["a", "<b>&"], "variants": ["<i>"]}
    response = client.post(f"/ap/{GAMES[0]}", json=body)
    assert "&lt;i&gt;" in refusal(response)
    assert "<" not in response.get_json()["request"]
    assert json.loads(response.get_json()["request"]) == body


@pytest.mark.parametrize(
    "sent",
    [
        {"data": b"", "content_type": "application/json"},
        {"data": b"{", "content_type": "application/json"},
        {"data": b'{"mode":"ping","mode":"ping"}', "content_type": "application/json"},
        {"data": b'{"mode":"\xff"}', "content_type": "application/json"},
        {"data": b'{"mode":"\\ud800"}', "content_type": "application/json"},
        {"data": b'{"mode":1e999}', "content_type": "application/json"},
        {"data": b"[" * 100_000, "content_type": "application/json"},
        {"data": b'{"mode":"ping"}', "content_type": "text/<b>"},
        {"data": b'{"mode":"ping"}'},
        {"data": b'{"mode":"ping"}', "content_type": "text/plain"},
        {"data": {"mode": "init"}},
        {"data": b"\xff", "content_type": "application/x-www-form-urlencoded"},
        {"data": b"a&" * 50, "content_type": "application/x-www-form-urlencoded"},
        {"data": {"mode": "ping"}, "content_type": "multipart/form-data"},
        {"json": {"mode": "ping"}, "headers": {"Content-Encoding": "gzip"}},
        {"data": b" " * (limits.BODY_BYTES + 1), "content_type": "application/json"},
        {"data": b" " * (limits.BODY_BYTES + 2), "content_type": "application/json"},
    ],
)
def test_an_unreadable_body_is_refused(refuse: Refuse, sent: dict[str, Any]) -> None:
    assert refuse(GAMES[0], None, **sent)


def test_an_unknown_game_is_refused(refuse: Refuse) -> None:
    assert refuse("ch<ess", {"mode": "ping"}) == (
        f"There is no game ch&lt;ess here, but these: {', '.join(GAMES)}."
    )


def test_a_long_body_is_not_sent_back_whole(client: FlaskClient) -> None:
    body = {"mode": "move", "player": "a", "move": "d4", "state": "x" * 1_000_000}
    response = client.post(f"/ap/{GAMES[0]}", json=body)
    refusal(response)
    assert len(response.data) < 10_000


def test_the_core_needs_no_transport() -> None:
    with pytest.raises(Refused, match="must be an object"):
        answer_legacy_request(GAMES[0], None)
    turns = [answer_legacy_request(GAMES[0], {"mode": "init", "players": USERS})]
    turns.append(answer_legacy_request(GAMES[0], moved(turns[0]["state"], USERS[1], "resign")))
    assert [turn["whoseturn"] for turn in turns] == [USERS[:1], []]
    assert all(one["state"] != other["state"] for one, other in pairwise(turns))
