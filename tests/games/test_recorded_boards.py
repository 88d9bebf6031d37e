"""Variants, starts, the order of cells and `gameinfo` as the reference engine recorded them."""

from itertools import pairwise
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.conftest import Post
from tests.tools.vectors import FORMS, contract, opened, read


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
