"""What a page draws comes with the answer that it needs anyway: the board as SVG, the move made."""

import pytest

from plyhost.contract.picture_requests import SVG, make_answer_picture
from plyhost.errors import IllegalMove, InvalidRequest, NotYourTurn, StalePly
from plyhost.games.registry import find_game
from tests.contract.test_every_game import UIDS, call, sampled
from tests.tools.games import recorded

LOOK = {"palette": "dark", "labels": False, "perspective": 2}
PAGE = ["svg", "targets", "buttons", "prompt"]
THEN = "2030-01-01T00:00:00.000Z"


def drawn(uid: str, **asked: object) -> str:
    """Return what `render` draws."""
    request = {"display": "", **asked}
    return make_answer_picture(find_game(uid), call(uid, "render", **asked), request, SVG).drawn


@pytest.mark.parametrize("uid", UIDS)
def test_a_view_and_a_verdict_carry_the_very_picture_that_render_draws(uid: str) -> None:
    state = sampled(uid)[2]["state"]
    picture = drawn(uid, state=state, **LOOK)
    view = call(uid, "view", state=state, include=["svg"], **LOOK)
    assert view["svg"] == picture
    legal = call(uid, "moves", state=state)["moves"][0]
    verdict = call(uid, "validate", state=state, move=legal, include=["svg"], **LOOK)
    assert verdict["svg"] == drawn(uid, state=state, move=legal, **LOOK)
    refused = call(uid, "validate", state=state, move="?", include=["svg"], **LOOK)
    assert refused["svg"] == picture


def test_colours_that_cannot_be_used_are_refused() -> None:
    state = sampled("control")[2]["state"]
    with pytest.raises(InvalidRequest):
        call("control", "view", state=state, include=["svg"], colours=["cell:nothing"])


@pytest.mark.parametrize("uid", UIDS)
def test_a_whole_game_is_clicked_with_one_request_a_click(uid: str) -> None:
    game = next(one for one in recorded(uid) if one["variants"] == ["size-5"])
    view = call(uid, "new", variants=["size-5"], include=PAGE, timestamp=THEN)
    for move in game["moves"]:
        asked = {"include": PAGE, "expected_ply": view["ply"], "timestamp": THEN}
        by_move = call(uid, "move", state=view["state"], move=move, **asked)
        words = {one["move"] for one in view["buttons"]}
        text, targets = "", view["targets"]
        while move not in words:
            asked |= {"state": view["state"], "move": text, "make": True}
            # Which click leads on to this move is found by trying each.
            answers = [
                call(uid, "click", cell=one["cell"], **asked)
                for one in targets
                if one["does"] != "take-back"
            ]
            verdict = next(one for one in answers if move.startswith(one["move"]))
            text, targets = verdict["move"], verdict.get("targets", [])
            if verdict["complete"] != 1:
                assert verdict["view"] is None
                assert verdict["svg"].startswith("<svg")
                assert "buttons" not in verdict
                if verdict["complete"] == 0 and text == move:
                    break
                continue
            assert verdict["view"] == by_move
            assert "svg" not in verdict
            break
        view = by_move
    assert view["gameover"]


def test_nothing_is_made_of_a_click_on_a_position_that_is_past_or_another_players() -> None:
    view = sampled("control")[2]
    cell = call("control", "view", state=view["state"], include=["targets"])["targets"][0]["cell"]
    asked = {"state": view["state"], "cell": cell}
    with pytest.raises(StalePly):
        call("control", "click", expected_ply=view["ply"] + 1, **asked)
    with pytest.raises(NotYourTurn):
        call("control", "click", make=True, player=3 - view["to_move"], **asked)
    assert "view" not in call("control", "click", **asked)
    over = sampled("control")[-1]
    assert over["gameover"]
    again = call("control", "click", state=over["state"], cell="a1", make=True)
    assert (again["valid"], again["view"]) == (False, None)


def test_a_refused_click_makes_nothing() -> None:
    state = call("control", "replay", moves=["a1"], variants=["size-5"])["view"]["state"]
    verdict = call("control", "click", state=state, cell="a1", make=True, include=["svg"])
    assert (verdict["valid"], verdict["view"], verdict["move"]) == (False, None, "")
    with pytest.raises(IllegalMove):
        call("control", "move", state=state, move="a1")
