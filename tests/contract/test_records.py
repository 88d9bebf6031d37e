"""Records of finished games, and going back in a game, as the reference engine recorded them."""

import pytest

from plyhost import limits
from tests.conftest import Post
from tests.tools.vectors import (
    FORMS,
    FULL_FORMS,
    contract,
    cut,
    endings,
    game,
    in_form,
    opened,
    tight,
)

ENDED = endings()
ended = pytest.mark.parametrize("name", ENDED)

ALICE = {"name": "Alice", "userid": "aaaaaaaa-0000-0000-0000-000000000001"}
BOB = {"name": "Bob", "userid": "bbbbbbbb-0000-0000-0000-000000000002", "is_ai": True}
SITE = {
    "gameid": "11111111-2222-3333-4444-555555555555",
    "event": "Spring Cup",
    "round": "2",
    "date-start": "2026-01-02T03:04:05.678Z",
    "date-end": "2026-01-03T03:04:05.678Z",
    "players": [ALICE, BOB],
    "unrated": True,
}


@ended
def test_the_record_of_an_ended_game_is_the_recorded_one(name: str, post: Post) -> None:
    one = ENDED[name]
    expected = one["record"]["ok"]
    made = post(
        "record",
        state=tight(one["state"]),
        timestamp=expected["header"]["date-generated"],
        **SITE,
    )["record"]
    assert made["moves"] == expected["moves"]
    assert made["header"] == expected["header"]


@pytest.mark.parametrize("number", range(len(contract()["finished"])))
@pytest.mark.parametrize("kind", ["record_full", "record_min"])
def test_a_finished_game_has_the_recorded_record_and_its_replay_agrees(
    number: int, kind: str, post: Post
) -> None:
    one = contract()["finished"][number]
    expected = one[kind]
    header = expected["header"]
    site = SITE
    if kind == "record_min":
        players = [{"name": "Alice", "userid": "u1"}, {"name": "Bob", "userid": "u2"}]
        site = {"gameid": "g1", "players": players}
    state = tight(one["final_state"])
    made = post("record", state=state, timestamp=header["date-generated"], **site)["record"]
    assert made == expected
    verdict = post("replay", record=expected)
    assert (verdict["ok"], verdict["plies_ok"]) == (True, len(one["moves"]))
    assert verdict["view"]["winner"] == one["winner"]
    moves = post("replay", moves=one["moves"], variants=one["variants"])
    assert moves["view"]["results"] == one["results"]


def test_a_record_that_claims_something_else_is_named(post: Post) -> None:
    one = contract()["finished"][0]["record_full"]
    header, moves = one["header"], one["moves"]
    players = header["players"]
    swapped = [players[0] | {"result": 0}, players[1] | {"result": 1}]
    scored = [players[0] | {"score": 1}, players[1]]
    for record, field, ply in (
        (one | {"header": header | {"players": swapped}}, "winner", 77),
        (one | {"header": header | {"players": scored}}, "scores", 77),
        (one | {"moves": moves[:-1]}, "moves", 77),
        (one | {"moves": [*moves, ["a1"]]}, "moves", 78),
        (one | {"moves": [["e5"], *moves]}, "move", 1),
    ):
        verdict = post("replay", record=record)
        assert (verdict["ok"], verdict["field"], verdict["ply"]) == (False, field, ply)
        assert post("verify", state=verdict["view"]["state"])["ok"]


@pytest.mark.parametrize("form", FORMS)
def test_going_back_is_what_undo_and_load_give(form: str, post: Post) -> None:
    undo = contract()["undo"]
    state = post("replay", moves=undo["moves"], variants=undo["variants"], form=form)
    wire = state["view"]["state"]
    steps = {step["op"]: step for step in undo["steps"]}
    for op, ply in (("start", 7), ("load", 6), ("undo+load", 5), ("load(0)", 0)):
        view = post("at", state=wire, ply=ply, include=["moves"])
        step = steps[op]
        for field in ("currplayer", "scores", "lastmove", "results", "gameover", "winner"):
            assert view[field] == step[field], (op, field)
        full = post("convert", state=view["state"], form="full")["state"]
        assert full["stack"][-1]["board"]["value"] == step["board"]
        assert len(full["stack"]) == ply + 1
    assert view["moves_count"] == 24
    made = post("move", state=post("at", state=wire, ply=3)["state"], move="i1")
    assert made["ply"] == 4


def test_going_back_past_either_end_is_refused(post: Post, refused: Post) -> None:
    wire = in_form(cut(game(), 7), "full-string")
    for ply in (8, 99, limits.LAST_PLY):
        assert list(refused("at", "invalid-request", state=wire, ply=ply)["errors"]) == ["ply"]
        refused("render", "invalid-request", state=wire, ply=ply)
        refused("render", "invalid-request", state=wire, plies=[0, ply])
    for wrong in (-2, -99, 1.5, "1", True, None, limits.LAST_PLY + 1):
        refused("at", "invalid-request", state=wire, ply=wrong)
    assert post("at", state=wire, ply=-1)["ply"] == 7
    assert len(post("render", state=wire, plies=[0, -1])["renders"]) == 8


def test_every_earlier_state_is_the_one_that_was(post: Post) -> None:
    one = game()
    last = len(one["moves"])
    for form in FULL_FORMS:
        wire = in_form(one["final_state"], form)
        for ply in (0, 1, last - 1, last):
            assert opened(post("at", state=wire, ply=ply)["state"]) == cut(one, ply)
    compact = in_form(one["final_state"], "compact")
    for ply in range(last + 1):
        earlier = post("at", state=compact, ply=ply)
        assert earlier["gameover"] == (ply == last)
        assert earlier["state"] == in_form(cut(one, ply), "compact")


def test_the_finished_game_before_its_end_goes_on(post: Post) -> None:
    one = game()
    last = len(one["moves"])
    before = post("at", state=in_form(one["final_state"], "full"), ply=last - 1)
    assert before["winner"] == []
    made = post("move", state=before["state"], move=one["moves"][-1])
    assert (made["gameover"], made["winner"]) == (True, one["final_state"]["winner"])
