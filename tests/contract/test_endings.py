"""Endings as the reference engine recorded them; settling; forced moves."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests import naive
from tests.conftest import Post, sent
from tests.tools.games import recorded
from tests.tools.vectors import FORMS, contract, cut, endings, game, in_form, tight

ENDED = endings()
ended = pytest.mark.parametrize("name", ENDED)

THREW = {name: one for name, one in contract()["endings"].items() if one["threw"]}
TWICE = {name: ENDED[name] for name in ("resign_twice", "resign_after_end")}
ONCE = {name: one for name, one in ENDED.items() if name not in TWICE}

once = pytest.mark.parametrize("name", ONCE)


def seat_of(one: dict[str, Any]) -> dict[str, int]:
    """Return the seat of an ending, as a field of `end`, if it has one."""
    player = one["results"][0].get("player")
    return {} if player is None else {"player": player}


@once
@pytest.mark.parametrize("form", FORMS)
def test_an_ending_gives_the_recorded_state(name: str, form: str, post: Post) -> None:
    one = ONCE[name]
    *earlier, last = one["state"]["stack"]
    before = one["state"] | {"gameover": False, "winner": [], "stack": earlier}
    view = post(
        "end",
        state=in_form(before, form),
        how=one["lastmove"],
        timestamp=last["_timestamp"],
        **seat_of(one),
    )
    for field in ("gameover", "winner", "currplayer", "lastmove", "results"):
        assert view[field] == one[field]
    assert (view["to_move"], view["ply"]) == (None, one["stack_length"] - 1)
    assert post("moves", state=view["state"])["moves"] == one["legal_after"]
    turned = post("convert", state=view["state"], form="full-string")
    assert turned["state"] == tight(one["state"])


@ended
@pytest.mark.parametrize("form", FORMS)
def test_a_recorded_ending_loads_and_tells_the_same(name: str, form: str, post: Post) -> None:
    one = ENDED[name]
    wire = in_form(one["state"], form)
    assert post("verify", state=wire)["ok"]
    view = post("at", state=wire, ply=-1, include=["sidebar"])
    for field in ("gameover", "winner", "currplayer", "lastmove", "results"):
        assert view[field] == one[field]
    assert view["sidebar"]["scores"][0]["name"] == one["sidebarScores"][0]["name"]
    assert view["sidebar"]["scores"][0]["scores"] == one["sidebarScores"][0]["scores"]
    assert post("render", state=wire)["render"] == one["render"]["ok"]
    told = post("history", state=wire, players=["Alice", "Bob"])
    assert told["chat"][-2:] == one["chatLog_last"]["ok"]
    played = [move for moves in one["moveHistory"]["ok"] for move in moves]
    assert [ply["move"] for ply in told["plies"][1:]] == played
    assert told["plies"][-1]["gameover"]


@ended
@pytest.mark.parametrize("form", FORMS)
def test_after_an_ending_nothing_is_played(name: str, form: str, post: Post, refused: Post) -> None:
    wire = in_form(ENDED[name]["state"], form)
    last = ENDED[name]["stack_length"] - 1
    for operation, fields in (
        ("move", {"move": "a1"}),
        ("move", {"move": "<nonsense>"}),
        ("move", {"move": "a1", "player": 1, "expected_ply": last}),
        ("end", {"how": "draw"}),
        ("end", {"how": "resign", "player": 1}),
        ("end", {"how": "repetition"}),
    ):
        body = refused(operation, "game-over", state=wire, **fields)
        assert (body["ply"], body["to_move"]) == (last, None)
    for operation, fields in (
        ("validate", {"move": "a1"}),
        ("validate", {"move": ""}),
        ("click", {"row": 0, "col": 0, "move": "as it was"}),
        ("click", {"row": -1, "col": 99}),
    ):
        verdict = post(operation, state=wire, **fields)
        assert (verdict["valid"], verdict["complete"], verdict["code"]) == (False, -1, "game-over")
        assert verdict["move"] == (fields["move"] if operation == "validate" else "")
    assert post("same", state=wire, move="a1", other="a1")["same"] is False
    assert refused("move", "stale-ply", state=wire, move="a1", expected_ply=0)["ply"] == last


@ended
def test_an_ended_game_becomes_compact_and_comes_back(name: str, post: Post) -> None:
    text = tight(ENDED[name]["state"])
    packed = post("convert", state=text, form="compact")["state"]
    assert post("convert", state=packed, form="full-string")["state"] == text


@pytest.mark.parametrize("name", TWICE)
def test_of_several_endings_the_last_one_counts(name: str, post: Post) -> None:
    one = TWICE[name]
    stack = one["state"]["stack"]
    for form in FORMS:
        wire = in_form(one["state"], form)
        plies = post("history", state=wire)["plies"]
        assert [ply["gameover"] for ply in plies[-3:]] == [False, True, True]
        assert plies[-1]["player"] == one["results"][0]["player"]
        back = post("at", state=wire, ply=len(stack) - 3)
        assert (back["gameover"], back["to_move"]) == (False, stack[-3]["currplayer"])
        assert post("verify", state=back["state"])["ok"]
    assert post("verify", state=post("at", state=wire, ply=len(stack) - 2)["state"])["ok"]


@pytest.mark.parametrize("form", FORMS)
def test_many_endings_after_each_other_are_read_again(form: str, post: Post) -> None:
    once = ENDED["resign_twice"]["state"]
    stack = [*once["stack"], *[once["stack"][-1]] * 40]
    wire = in_form(once | {"stack": stack}, form)
    assert post("verify", state=wire)["ok"]
    assert post("history", state=wire)["plies"][-1]["gameover"]


@pytest.mark.parametrize("name", THREW)
def test_an_ending_that_the_reference_engine_throws_at_is_refused(
    name: str, refused: Post, client: FlaskClient
) -> None:
    one = THREW[name]
    where = refused("moves", "invalid-state", state=one["state"])["where"]
    assert where == "/gameover"
    before = one["state"] | {"gameover": False}
    body = refused("end", "invalid-request", state=before, how="resign", player=3)
    assert list(body["errors"]) == ["player"]
    assert sent(client, "moves", {"state": before}).status_code == 200


def test_settling_goes_by_territory_and_not_by_empty_cells(post: Post, refused: Post) -> None:
    winners = []
    for one in recorded("control"):
        for ply in range(1, len(one["moves"]), 41):
            state = in_form(cut(one, ply), "full-string")
            first, second = post("at", state=state, ply=-1)["territory"]
            view = post("end", state=state, how="settle")
            seat = view["currplayer"]
            expected = 3 - seat if first == second else 1 if first > second else 2
            assert view["winner"] == [expected]
            assert view["results"] == [
                {"type": "eog", "reason": "agreement"},
                {"type": "winners", "players": [expected]},
            ]
            winners.append(expected)
    assert {1, 2} == set(winners)
    start = post("new")["state"]
    assert refused("end", "not-settleable", state=start, how="settle")["to_move"] == 1


def test_a_stored_settling_that_names_another_winner_is_refused(refused: Post) -> None:
    state = cut(game(), 21)
    wrong = 2 if settled(state) == 1 else 1
    results = [{"type": "eog", "reason": "agreement"}, {"type": "winners", "players": [wrong]}]
    last = state["stack"][-1]
    state["stack"].append(last | {"lastmove": "settle", "_results": results})
    state |= {"gameover": True, "winner": [wrong]}
    assert refused("moves", "invalid-state", state=state)["where"] == "/stack/22/_results"


def settled(state: dict[str, Any]) -> int:
    """Return who wins by settling, by C7 and C8 alone."""
    last = state["stack"][-1]
    stones = dict(last["board"]["value"])
    return naive.Control(5, stones, last["currplayer"]).settled()


def test_a_stored_resignation_needs_a_seat(refused: Post) -> None:
    one = ENDED["resign1"]
    for player in (None, 0, 3, 1.0, "1", True, [1]):
        results = [{"type": "resigned", "player": player}, *one["results"][1:]]
        stack = [*one["state"]["stack"][:-1], one["state"]["stack"][-1] | {"_results": results}]
        body = refused("moves", "invalid-state", state=one["state"] | {"stack": stack})
        assert body["where"] == f"/stack/{len(stack) - 1}/_results"
