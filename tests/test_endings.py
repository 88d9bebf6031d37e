"""What the reference engine says around a game: endings, records, undo, clicks, boards."""

from itertools import pairwise
from typing import Any

import pytest
from flask.testing import FlaskClient

from plugin import limits
from plugin.history import ENDINGS
from tests import naive
from tests.conftest import Post, sent
from tests.games import recorded
from tests.vectors import (
    FORMS,
    FULL_FORMS,
    LATER,
    contract,
    cut,
    game,
    in_form,
    opened,
    read,
    tight,
)

ENDED = {name: one for name, one in contract()["endings"].items() if not one["threw"]}
THREW = {name: one for name, one in contract()["endings"].items() if one["threw"]}
TWICE = {name: ENDED[name] for name in ("resign_twice", "resign_after_end")}
ONCE = {name: one for name, one in ENDED.items() if name not in TWICE}
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

once = pytest.mark.parametrize("name", ONCE)
ended = pytest.mark.parametrize("name", ENDED)


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
    assert [ply["notation"] for ply in told["plies"][1:]] == played
    assert told["plies"][-1]["gameover"]


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
        assert verdict["move"] == fields.get("move", "")
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
        assert plies[-1]["mover"] == one["results"][0]["player"]
        back = post("at", state=wire, ply=len(stack) - 3)
        assert (back["gameover"], back["to_move"]) == (False, stack[-3]["currplayer"])
        assert post("verify", state=back["state"])["ok"]
    assert post("verify", state=post("at", state=wire, ply=len(stack) - 2)["state"])["ok"]


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


@pytest.mark.parametrize("how", sorted({*ENDINGS} - {"repetition"}))
def test_every_ending_can_be_called_and_stored_in_every_form(how: str, post: Post) -> None:
    state = cut(game(), 21)
    for seat in (1, 2) if how in ("resign", "timeout") else (None,):
        fields = {} if seat is None else {"player": seat}
        for form in FORMS:
            view = post("end", state=in_form(state, form), how=how, expected_ply=21, **fields)
            assert view["lastmove"] == how
            assert view["currplayer"] == state["stack"][-1]["currplayer"]
            assert post("verify", state=view["state"])["plies_ok"] == 22
            again = post("at", state=view["state"], ply=-1)
            assert {**again, "timestamp": ""} == {**view, "timestamp": ""}


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


@pytest.mark.parametrize("one", recorded("control")[:15:2], ids=lambda one: one["policy"])
def test_forced_moves_are_made_as_far_as_they_are_forced(one: dict[str, Any], post: Post) -> None:
    last = len(one["moves"])
    counts = [
        post("moves", state=in_form(cut(one, ply), "compact"), limit=0)["count"]
        for ply in range(last - 8, last + 1)
    ]
    for number, ply in enumerate(range(last - 8, last)):
        wire = in_form(cut(one, ply), FORMS[ply % 4])
        move = one["moves"][ply]
        view = post("move", state=wire, move=move, auto="forced", timestamp=LATER)
        chain = next(n for n, count in enumerate(counts[number + 1 :]) if count != 1) + 1
        applied = view["applied"]
        assert [done["move"] for done in applied] == one["moves"][ply : ply + chain]
        assert [done["auto"] for done in applied] == [False] + [True] * (chain - 1)
        assert [done["ply"] for done in applied] == list(range(ply + 1, ply + chain + 1))
        assert [done["player"] for done in applied] == [1 + n % 2 for n in range(ply, ply + chain)]
        assert {done["timestamp"] for done in applied} == {LATER}
        assert (view["ply"], view["results"]) == (ply + chain, applied[-1]["results"])
        for auto in ("none", "pass"):
            assert len(post("move", state=wire, move=move, auto=auto)["applied"]) == 1


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
    for ply in (-2, -99, 1.5, "1", True, None, limits.LAST_PLY + 1):
        refused("at", "invalid-request", state=wire, ply=ply)
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


# --- clicks and texts -------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["at_start", "at_moves"])
def test_clicks_are_judged_as_recorded(place: str, post: Post, refused: Post) -> None:
    clicks = contract()["clicks"]
    moves = clicks["moves"] if place == "at_moves" else []
    wire = post("replay", moves=moves, variants=clicks["variants"])["view"]["state"]
    for click in clicks[place]:
        fields = {name: click[name] for name in ("move", "row", "col", "piece") if name in click}
        if not all(isinstance(click[name], int) for name in ("row", "col")):
            refused("click", "invalid-request", state=wire, **fields)
            continue
        verdict = post("click", state=wire, **fields)
        expected = click["result"]["ok"]
        assert (verdict["valid"], verdict["move"]) == (expected["valid"], expected["move"])
        assert verdict["complete"] == expected.get("complete", -1)
        if not verdict["valid"] and not on_board(click["row"], click["col"]):
            assert verdict["code"] == "off-board"


def on_board(row: int, col: int) -> bool:
    """Tell whether a row and column lie on the board of side 7."""
    return 0 <= row < 13 and 0 <= col < 13 - abs(row - 6)


def test_texts_are_judged_as_recorded(post: Post) -> None:
    validate = contract()["validate"]
    wire = post("replay", moves=validate["moves"])["view"]["state"]
    for text, expected in validate["all_cells"]:
        verdict = post("validate", state=wire, move=text)
        assert (verdict["valid"], verdict["complete"]) == (expected["valid"], expected["complete"])
        assert verdict["canrender"] == expected.get("canrender", False)
    start = post("new")["state"]
    for text, name in (("", "start_empty"), ("m1", "start_edge"), ("g7", "start_inner")):
        verdict = post("validate", state=start, move=text)
        assert verdict["valid"] == validate[name]["valid"]
        assert verdict["complete"] == validate[name]["complete"]


def test_a_partial_text_is_valid_if_and_only_if_a_turn_begins_with_it(post: Post) -> None:
    for ply in (0, 60, 145):
        wire = in_form(cut(game(""), ply), "full-string")
        legal = post("moves", state=wire)["moves"]
        for text in ["", *"abcdefghijklmnopz", "aa", "x", "-", "dx", "1"]:
            verdict = post("validate", state=wire, move=text)
            fitting = [turn for turn in legal if turn.startswith(text)]
            assert (verdict["valid"], verdict["complete"]) == (bool(fitting), -1), text
        for text in [*legal, *(turn.rstrip("x") for turn in legal)]:
            verdict = post("validate", state=wire, move=text)
            assert (verdict["valid"], verdict["complete"]) == (True, 1), text
            assert verdict["move"] in legal


def test_a_prefix_keeps_the_moves_that_begin_with_it(post: Post) -> None:
    wire = in_form(cut(game(""), 60), "compact")
    legal = post("moves", state=wire)["moves"]
    for text in {turn[:length] for turn in legal for length in range(1, 5)} | {"z", "é", "e1xx"}:
        fitting = [turn for turn in legal if turn.startswith(text)]
        listed = post("moves", state=wire, prefix=f" {text.upper()}\t")
        assert (listed["count"], listed["moves"]) == (len(fitting), fitting)
        page = post("moves", state=wire, prefix=text, offset=1, limit=2)
        assert (page["count"], page["moves"]) == (len(fitting), fitting[1:3])
        assert page["truncated"] == (len(fitting) > 3)


# --- boards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [one["given"] for one in contract()["getVariants"]], ids=str)
def test_variants_have_the_recorded_names_unless_we_are_stricter(
    given: list[str], post: Post, refused: Post
) -> None:
    one = next(one for one in contract()["getVariants"] if one["given"] == given)
    if len(given) > 1 or given == ["nonsense"]:
        problem = refused("new", "unknown-variant", variants=given)
        assert problem["where"] == f"/variants/{len(given) - 1}"
        return
    view = post("new", variants=given, form="full")
    assert view["variant_names"] == one["getVariants"]
    assert view["variants"] == [uid for uid in given if not uid.startswith("#")]
    stored = view["state"] | {"variants": one["state_variants"]}
    shown = post("at", state=stored, ply=0, include=["render"])
    assert shown["variant_names"] == one["getVariants"]
    assert shown["variants"] == shown["state"]["variants"] == one["state_variants"]
    width = shown["render"]["board"]["minWidth"]
    assert 3 * width * (width - 1) + 1 == one["cells"]


@pytest.mark.parametrize("given", [one["given"][0] for one in contract()["odd_variants"]])
def test_odd_variants_are_refused_new_and_stored(given: str, post: Post, refused: Post) -> None:
    refused("new", "unknown-variant", variants=[given])
    state = post("new", form="full")["state"] | {"variants": [given]}
    assert refused("moves", "invalid-state", state=state)["where"] == "/variants/0"


@pytest.mark.parametrize("side", ["5", "7", "9"])
def test_the_start_is_the_recorded_one(side: str, post: Post) -> None:
    one = contract()["start"][side]
    time = one["state"]["stack"][0]["_timestamp"]
    view = post("new", variants=one["state"]["variants"], timestamp=time, include=["moves"])
    assert view["state"] == one["serialized"]
    assert view["moves"] == one["legal_native"]
    for name, render in one["renders"].items():
        assert post("render", state=view["state"], display=name)["render"] == render
    assert post("history", state=view["state"])["chat"] == one["chatLog"]


@pytest.mark.parametrize("side", ["5", "7", "9"])
def test_moves_stand_in_the_recorded_order_of_cells(side: str, post: Post) -> None:
    one = contract()["listCells"][side]
    variants = contract()["start"][side]["state"]["variants"]
    edge = next(cell for cell in one["native"])
    wire = post("replay", moves=[edge], variants=variants)["view"]["state"]
    assert post("moves", state=wire)["moves"] == [cell for cell in one["native"] if far(cell, one)]
    start = post("new", variants=variants)["state"]
    for row, cells in enumerate(one["ordered"]):
        for col, cell in enumerate(cells):
            assert post("click", state=start, row=row, col=col)["move"] in ("", cell)


def far(cell: str, listed: dict[str, Any]) -> bool:
    """Tell whether a cell is not next to the first one, where seat 1 alone has control."""
    first, second = listed["ordered"][0][:2]
    below = listed["ordered"][1][:2]
    return cell not in (first, second, *below)


def test_a_captured_cell_leaves_the_map_and_a_new_one_comes_last(post: Post) -> None:
    one = contract()["order_after_capture"]
    for form in FORMS:
        view = post("replay", moves=one["moves"], variants=one["variants"], form=form)["view"]
        stack = post("convert", state=view["state"], form="full")["state"]["stack"]
        assert stack[-2]["board"]["value"] == one["before"]
        assert stack[-1]["board"]["value"] == one["after"]
    for earlier, later in pairwise(stack):
        before, after = earlier["board"]["value"], later["board"]["value"]
        kept = [pair for pair in before if pair in after]
        assert after[: len(kept)] == kept
        assert len(after) - len(kept) <= 1


def test_the_serialized_example_comes_out_letter_by_letter(post: Post) -> None:
    one = contract()["serialized_example"]
    stack = contract()["serialized_example"]["text"]
    times = [entry["_timestamp"] for entry in opened(stack)["stack"]]
    view = post("new", variants=one["variants"], timestamp=times[0])
    for text, time in zip(one["moves"], times[1:], strict=True):
        view = post("move", state=view["state"], move=text, timestamp=time)
    assert view["state"] == one["text"]


def test_gameinfo_says_what_the_reference_engine_says(client: FlaskClient) -> None:
    ours = read(client.get("/v1/games/control").data)
    theirs = contract()["gameinfo"]
    for field in ("name", "uid", "version", "dateAdded", "urls", "bggid", "playercounts"):
        assert ours[field] == theirs[field]
    for field in ("flags", "categories"):
        assert ours[field] == theirs[field]
    assert [one["uid"] for one in ours["variants"]] == [one["uid"] for one in theirs["variants"]]
    assert [one["uid"] for one in ours["displays"]] == [one["uid"] for one in theirs["displays"]]
    defaults = {one["uid"] for one in theirs["variants"] if one.get("default")}
    assert {one["uid"] for one in ours["variants"] if one["default"]} == defaults
    assert ours["people"][0] == theirs["people"][0]
    assert ours in read(client.get("/v1/games").data)["games"]
