"""Clicks, and texts whole and partial, are judged as the reference engine judged them."""

import pytest

from tests.conftest import Post
from tests.tools.vectors import contract, cut, game, in_form


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
