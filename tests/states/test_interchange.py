"""Control's states are the reference engine's, byte for byte, and go round through every form."""

import json
import random
from datetime import datetime, timedelta
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

from plyhost.games import registry
from plyhost.states import conversion, forms, steps
from plyhost.states.clock import format_stamp
from plyhost.states.compact import varints
from tests.conftest import Post, posted
from tests.tools.games import recorded
from tests.tools.vectors import (
    FORMS,
    FULL_FORMS,
    cut,
    game,
    in_form,
    opened,
    tight,
    turns,
    zipped,
)

GAMES = recorded("control")
NAMES = [f"{'-'.join(one['variants']) or 'size-7'}-{n}" for n, one in enumerate(GAMES)]
DISPLAYS = {"default": "", "hide-control": "hide-control", "vertex-style": "vertex-style"}

each_game = pytest.mark.parametrize("one", GAMES, ids=NAMES)


def moved(client: FlaskClient, **fields: Any) -> dict[str, Any]:
    """Return the answer of `move`; a long game is long to read with the library's own reader."""
    answer: dict[str, Any] = orjson.loads(posted(client, "move", orjson.dumps(fields)).data)
    return answer


@each_game
def test_moves_with_the_recorded_times_give_the_recorded_state(
    one: dict[str, Any], post: Post, client: FlaskClient
) -> None:
    stack = one["final_state"]["stack"]
    form = FORMS[len(stack) % (4 if len(stack) < 100 else 2)]
    state = post("new", variants=one["variants"], form=form, timestamp=stack[0]["_timestamp"])
    for text, entry in zip(one["moves"], stack[1:], strict=True):
        time = entry["_timestamp"]
        state = moved(client, state=state["state"], move=text, timestamp=time)
        assert state["results"] == entry["_results"]
        assert state["scores"] == entry["scores"]
        assert (state["currplayer"], state["lastmove"]) == (entry["currplayer"], text)
    assert state["winner"] == one["final_state"]["winner"]
    assert (state["gameover"], state["to_move"]) == (True, None)
    ended = post("convert", state=state["state"], form="full-string")["state"]
    assert ended == tight(one["final_state"])


@each_game
def test_recorded_positions_have_their_moves_scores_and_pictures(
    one: dict[str, Any], post: Post
) -> None:
    for position in one["positions"]:
        state = in_form(cut(one, position["ply"]), "full-string")
        listed = post("moves", state=state)
        assert sorted(listed["moves"]) == position["legal"]
        assert (listed["count"], listed["truncated"]) == (len(position["legal"]), False)
        view = post("convert", state=state, form="compact")
        shown = post("at", state=view["state"], ply=-1)
        assert shown["currplayer"] == position["currplayer"]
        assert shown["scores"] == position["scores"]
        assert shown["results"] == position["results"]
        for name, display in DISPLAYS.items():
            drawn = post("render", state=state, display=display)["render"]
            assert drawn == position["render"][name]


@each_game
def test_each_recorded_state_verifies_and_is_stored_unchanged(
    one: dict[str, Any], post: Post
) -> None:
    final = one["final_state"]
    plies = len(final["stack"]) - 1
    for form in FULL_FORMS:
        wire = in_form(final, form)
        assert post("verify", state=wire)["plies_ok"] == plies
        assert opened(post("at", state=wire, ply=plies)["state"]) == final


@pytest.mark.parametrize("variant", ["size-5", "", "size-9"])
@pytest.mark.parametrize("source", FORMS)
@pytest.mark.parametrize("target", FORMS)
def test_every_form_becomes_every_other(variant: str, source: str, target: str, post: Post) -> None:
    one = game(variant)
    last = len(one["moves"])
    for ply in (0, 1, 2, last // 2, last - 1, last):
        state = cut(one, ply)
        turned = post("convert", state=in_form(state, source), form=target)
        assert turned["form"] == target
        assert turned["dropped"] == []
        back = post("convert", state=turned["state"], form="full-string")
        assert back["state"] == tight(state)
        assert turned["state"] == in_form(state, target) or target == "full-gz"


@pytest.mark.parametrize("form", FORMS)
def test_the_default_board_may_be_stored_by_its_own_uid(form: str, post: Post) -> None:
    one = game("")
    state = cut(one, 9) | {"variants": ["#board"]}
    made = post("move", state=in_form(state, form), move=one["moves"][9], verify=True)
    assert (made["variants"], made["variant_names"]) == (["#board"], ["Size 7 board"])
    turned = post("convert", state=made["state"], form="full")["state"]
    assert turned["variants"] == ["#board"]
    assert turned["stack"][:-1] == state["stack"]


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_comes_in_the_form_that_was_sent(form: str, post: Post) -> None:
    one = game()
    made = post("move", state=in_form(cut(one, 30), form), move=one["moves"][30])
    assert made["form"] == form
    again = post("move", state=made["state"], move=one["moves"][31])
    assert again["ply"] == 32


def test_the_same_request_gives_the_same_bytes(post: Post) -> None:
    one = game()
    for form in FORMS:
        wire = in_form(cut(one, 12), form)
        time = "2027-03-04T05:06:07.008Z"
        first, second = (
            post("move", state=wire, move=one["moves"][12], timestamp=time) for _ in range(2)
        )
        assert first == second


def redrawn(one: dict[str, Any], seed: int) -> list[str]:
    """Return a game's timestamps, drawn anew with gaps from a second to ten days."""
    pick = random.Random(seed)
    moment = datetime(2026, 1, 1)
    stamps = []
    for _ in one["final_state"]["stack"]:
        stamps.append(moment.isoformat(timespec="milliseconds") + "Z")
        moment += timedelta(milliseconds=round(10 ** pick.uniform(3, 8.94)))
    return stamps


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("number", [0, 1])
def test_a_compact_state_of_side_9_stays_below_3_kilobytes(number: int, seed: int) -> None:
    one = game("size-9", number)
    control = registry.find_game("control")
    first, *times = redrawn(one, seed)
    state = forms.start_state(control, one["variants"], "compact", first)
    for text, time in zip(one["moves"], times, strict=True):
        move = control.read(state.last.position, text)
        state = state.with_steps([steps.make_move_step(control, state.last, move, time)])
        assert len(forms.dump_state(state)) <= 3000
    assert [step.timestamp for step in state.walk()] == [first, *times]


def test_gaps_of_every_size_and_sign_come_back() -> None:
    one = game()
    control = registry.find_game("control")
    state = cut(one, 12)
    gaps = [0, 1, -1, 63, 64, -64, -65, 8191, 8192, 10**9, -(10**10), 10**13]
    moment = 0
    for entry, gap in zip(state["stack"], [0, *gaps], strict=True):
        moment += gap
        entry["_timestamp"] = format_stamp(moment)
    loaded = forms.parse_state(control, tight(state))
    packed = forms.dump_state(conversion.convert_state(loaded, "compact").state)
    steps = list(forms.parse_state(control, packed).walk())
    assert [step.timestamp for step in steps] == [one["_timestamp"] for one in state["stack"]]
    for number in [0, 127, 128, 16383, 16384, 2**62]:
        assert varints.VarintReader(varints.encode_varint(number)).read_varint() == number
    for number in range(-300, 300):
        assert varints.decode_zigzag(varints.encode_zigzag(number)) == number


def test_white_space_and_the_order_of_keys_do_not_matter(post: Post) -> None:
    one = game()
    state = cut(one, 20)
    spread = f" \r\n\t{json.dumps(state, indent=3)}\n"
    listed = post("moves", state=tight(state))
    for wire in (spread, zipped(spread)):
        assert post("moves", state=wire, verify=True) == listed
    made = post("convert", state=spread, form="full-string")
    assert made["state"] == tight(state)
    turned = {key: state[key] for key in reversed(state)}
    turned["stack"] = [dict(reversed(entry.items())) for entry in state["stack"]]
    assert post("moves", state=turned, verify=True) == listed
    made = post("move", state=turned, move=one["moves"][20], timestamp="2027-01-01T00:00:00.000Z")
    assert opened(made["state"])["stack"][:-1] == turned["stack"]
    assert list(made["state"]) == list(state)


def test_unknown_keys_at_the_top_are_dropped_and_those_of_entries_kept(post: Post) -> None:
    one = game()
    state = cut(one, 6)
    for entry in state["stack"]:
        entry["site"] = {"note": "<kept>", "n": [1, 2.5, None]}
    state = {"before": 1, **state, "after": [{}]}
    made = post("move", state=state, move=one["moves"][6], verify=True)
    assert {"before", "after"}.isdisjoint(made["state"])
    assert made["state"]["stack"][:-1] == state["stack"]
    assert "site" not in made["state"]["stack"][-1]


def test_the_map_of_a_stored_state_may_stand_in_any_order(post: Post) -> None:
    one = game()
    pick = random.Random(3)
    state = cut(one, 40)
    for entry in state["stack"]:
        pick.shuffle(entry["board"]["value"])
    assert post("verify", state=state)["ok"]
    made = post("move", state=state, move=one["moves"][40])
    before, after = (made["state"]["stack"][ply]["board"]["value"] for ply in (40, 41))
    assert after[:-1] == before == state["stack"][40]["board"]["value"]


def test_what_compact_cannot_keep_is_refused_with_its_place_or_dropped_by_name(
    post: Post, refused: Post
) -> None:
    one = game()
    state = cut(one, 12)
    state["stack"][5]["board"]["value"].reverse()
    assert refused("convert", "not-convertible", state=state, form="compact")["where"] == (
        "/stack/5/board/value"
    )
    state = cut(one, 12)
    state["stack"][7]["extra"] = 1
    assert refused("convert", "not-convertible", state=state, form="compact")["where"] == "/stack/7"
    for form in FORMS:
        turned = post("convert", state=state, form=form, normalise=True)
        assert turned["dropped_count"] == len(turned["dropped"]) == 1
        assert turned["dropped"][0]["where"] == "/stack/7"
        back = post("convert", state=turned["state"], form="full-string")["state"]
        assert back == tight(cut(one, 12))


def test_a_loose_stored_placement_stays_as_it_is(post: Post, refused: Post) -> None:
    loose = next(turn for turn in turns() if turn["note"].endswith("an empty cell"))
    state = post("replay", moves=loose["moves_so_far"], variants=loose["variants"], form="full")
    state = post("move", state=state["view"]["state"], move=loose["move"][:-1])["state"]
    last = state["stack"][-1]
    last["lastmove"] = loose["lastmove"]
    assert last["_results"] == loose["results"]
    assert last["scores"] == loose["scores"]
    assert post("verify", state=state)["ok"]
    after = post("moves", state=state)["moves"][0]
    made = post("move", state=state, move=after)
    assert [entry["lastmove"] for entry in made["state"]["stack"][-2:]] == ["i1x", after]
    where = f"/stack/{len(loose['moves_so_far']) + 1}/lastmove"
    problem = refused("convert", "not-convertible", state=made["state"], form="compact")
    assert problem["where"] == where
    turned = post("convert", state=made["state"], form="compact", normalise=True)
    assert [one["where"] for one in turned["dropped"]] == [where]
    plies = post("history", state=turned["state"])["plies"]
    assert [ply["move"] for ply in plies[-2:]] == ["i1", after]
