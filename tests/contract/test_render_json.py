"""Render JSON: its shape, and that what is drawn is the position."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from plyhost.board.bits import scan_cells
from plyhost.games import registry
from plyhost.states import forms
from tests.contract.test_every_game import UIDS, call, sampled, views
from tests.tools import ROOT

SCHEMA = json.loads((ROOT / "schemas" / "render.schema.json").read_text())
SHAPE = Draft202012Validator(SCHEMA)


def displays(uid: str) -> list[str]:
    return ["", *(display.uid for display in registry.find_game(uid).info.displays)]


def drawn(render: dict[str, Any]) -> dict[tuple[int, int], str]:
    """Return the letter of every cell that holds one, by row and column."""
    width = render["board"]["minWidth"]
    stones: dict[tuple[int, int], str] = {}
    for row, line in enumerate(render["pieces"].split("\n")):
        length = 2 * width - 1 - abs(row - width + 1)
        letters = ["-"] * length if line == "_" else line.split(",")
        assert len(letters) == length
        stones |= {(row, col): one for col, one in enumerate(letters) if one != "-"}
    return stones


@pytest.mark.parametrize("uid", UIDS)
def test_every_ply_in_every_display_has_the_shape_and_shows_the_position(uid: str) -> None:
    for view in sampled(uid):
        position = forms.parse_state(registry.find_game(uid), view["state"]).last.position
        ought = {
            tuple(position.board.points[cell].values()): letter
            for letter, cells in zip("AB", position.stones, strict=True)
            for cell in scan_cells(cells)
        }
        for display in displays(uid):
            render = call(uid, "render", state=view["state"], display=display)["render"]
            SHAPE.validate(render)
            assert drawn(render) == ought


@pytest.mark.parametrize("uid", UIDS)
def test_every_begun_move_that_can_be_drawn_has_the_shape(uid: str) -> None:
    seen = 0
    for view, after in zip(views(uid)[:12], views(uid)[1:], strict=False):
        move = after["lastmove"]
        for length in range(len(move) + 1):
            fields = {"state": view["state"], "move": move[:length]}
            verdict = call(uid, "validate", **fields)
            if verdict["valid"]:
                SHAPE.validate(call(uid, "render", **fields)["render"])
                seen += verdict["canrender"]
    assert seen > 10


@pytest.mark.parametrize("uid", UIDS)
def test_targets_are_cells_of_the_board(uid: str) -> None:
    for view in sampled(uid):
        board = forms.parse_state(registry.find_game(uid), view["state"]).last.position.board
        for display in displays(uid):
            render = call(uid, "render", state=view["state"], display=display)["render"]
            for mark in render.get("annotations", []):
                assert all(board.has(**point) for point in mark["targets"])


def test_no_player_is_named_in_a_render() -> None:
    for uid in UIDS:
        for view in sampled(uid):
            render = json.dumps(call(uid, "render", state=view["state"])["render"])
            assert "player" not in render.lower()
