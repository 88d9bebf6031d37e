"""Where a click may go next, and `view`, which saves a page its other calls."""

import random
import re
from typing import Any

import pytest

from plyhost.games import registry
from plyhost.games.game import AnyGame, Illegal
from plyhost.states import forms
from tests.conftest import Post
from tests.contract.test_every_game import UIDS, call, sampled, views
from tests.tools.games import LEAD, ROUND


def accepted(game: AnyGame, position: Any, text: str) -> dict[str, str]:
    """Return by cell the text after each click that the game takes, found by trying them all."""
    found = {}
    for cell in position.board.cells:
        after = game.click(position, text, cell)
        try:
            game.advise(position, after)
        except Illegal:
            continue
        found[position.board.labels[cell]] = after
    return found


def begun(uid: str) -> list[tuple[dict[str, Any], str]]:
    """Return views with a text to go on from, one of them where a bite is possible."""
    found = [(view, "") for view in [*sampled(uid)[:3], *sampled(uid)[3::3]]]
    if uid == "congeners":
        found.append((call(uid, "replay", moves=LEAD, variants=["size-5"])["view"], ROUND[0][:2]))
    return found


@pytest.mark.parametrize("uid", UIDS)
def test_targets_are_just_the_cells_whose_click_is_good(uid: str) -> None:
    game, choose = registry.find_game(uid), random.Random(uid)
    seen = set()
    for view, text in begun(uid):
        position = forms.parse_state(game, view["state"]).last.position
        for _ in range(6):
            targets = call(uid, "validate", state=view["state"], move=text, include=["targets"])
            told = {one["cell"]: one["does"] for one in targets["targets"]}
            found = {} if view["gameover"] else accepted(game, position, text)
            assert told.keys() == found.keys(), (view["ply"], text)
            for cell, does in told.items():
                is_there = cell in re.findall("[a-z][0-9]+", found[cell])
                assert (does == "take-back") != is_there, (text, cell)
            if not told:
                break
            fresh = [cell for cell in told if told[cell] not in seen and told[cell] != "take-back"]
            text = found[choose.choice(sorted(fresh or told))]
            seen |= set(told.values())
    kinds = {"control": {"place", "capture"}}
    assert seen == kinds.get(uid, {"pick", "move", "bite", "place", "take-back"})


@pytest.mark.parametrize("uid", UIDS)
def test_a_whole_move_is_made_by_targets_alone(uid: str) -> None:
    for view in sampled(uid)[:-1]:
        if call(uid, "view", state=view["state"], include=["buttons"])["buttons"]:
            continue
        text = ""
        for _ in range(5):
            asked = {"state": view["state"], "include": ["targets", "render"]}
            verdict = call(uid, "validate", move=text, **asked)
            if verdict["complete"] == 1:
                break
            back = ("take-back", "pick") if text else ()
            target = next(one for one in verdict["targets"] if one["does"] not in back)
            by_name = call(uid, "click", move=text, cell=target["cell"], **asked)
            place = {"row": target["row"], "col": target["col"]}
            assert by_name == call(uid, "click", move=text, **place, **asked)
            text = by_name["move"]
        assert verdict["complete"] == 1
        preview = call(uid, "render", state=view["state"], move=text)["render"]
        assert verdict["render"] == preview
        call(uid, "move", state=view["state"], move=text)


@pytest.mark.parametrize("uid", UIDS)
def test_a_view_is_that_of_the_last_ply_with_all_that_a_page_needs(uid: str) -> None:
    wanted = ["render", "targets", "history", "chat", "prompt"]
    for view in sampled(uid):
        state = view["state"]
        page = call(uid, "view", state=state, include=wanted, players=["Ann", "Ben"])
        assert page == call(uid, "at", state=state, ply=-1, include=wanted, players=["Ann", "Ben"])
        past = call(uid, "history", state=state, players=["Ann", "Ben"])
        assert (page["history"], page["chat"]) == (past["plies"], past["chat"])
        assert page["render"] == call(uid, "render", state=state)["render"]
        verdict = call(uid, "validate", state=state, move="", include=["targets"])
        assert page["targets"] == verdict["targets"]
        assert page["prompt"] == verdict
        alone = call(uid, "view", state=state, include=["prompt"])
        assert alone["prompt"] == call(uid, "validate", state=state, move="")


@pytest.mark.parametrize("uid", UIDS)
def test_a_click_after_the_end_empties_the_text(uid: str) -> None:
    over = views(uid)[-1]["state"]
    verdict = call(uid, "click", state=over, move="a1", cell="a2", include=["targets", "render"])
    assert (verdict["valid"], verdict["code"], verdict["move"]) == (False, "game-over", "")
    assert verdict["targets"] == []
    assert verdict["render"] == call(uid, "render", state=over)["render"]


def test_a_click_names_its_cell_once(post: Post, refused: Post) -> None:
    state = post("new")["state"]
    for cell in ("z9", "", "A1", "a1 ", "<b>"):
        verdict = post("click", state=state, move="g", cell=cell)
        assert (verdict["valid"], verdict["code"], verdict["move"]) == (False, "off-board", "g")
        assert verdict["params"] == {"cell": cell}
    for fields in ({}, {"row": 1}, {"cell": "a1", "row": 1}, {"cell": "a1", "row": 1, "col": 1}):
        refused("click", "invalid-request", state=state, **fields)
