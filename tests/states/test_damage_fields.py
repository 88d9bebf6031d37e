"""A damaged state is refused with its place: each field of an entry, a header, a board."""

import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.conftest import Post, problem, sent
from tests.tools.damage import DEPTHS, GAME, LAST, ON_STATE, judged, refuses
from tests.tools.vectors import FULL_FORMS, cut, in_form, tight

#: Those that look at the whole history without being asked to.
ON_HISTORY = ("at", "history", "convert")
GONE = object()

NO_TEXTS = [GONE, None, 1, True, [], {}, ["20240909"]]
NO_STAMPS = [
    "",
    "2026-11-29",
    "2026-11-29T22:57:21Z",
    "2026-11-29T22:57:21.65Z",
    "2026-11-29T22:57:21.6550Z",
    "2026-11-29T22:57:21.655",
    "2026-11-29T22:57:21.655z",
    "2026-11-29 22:57:21.655Z",
    "2026-11-29t22:57:21.655Z",
    "2026-11-29T22:57:21,655Z",
    "2026-11-29T22:57:21.6+00",
    "2026-02-30T22:57:21.655Z",
    "2026-13-01T22:57:21.655Z",
    "2026-11-29T24:00:00.000Z",
    "2026-11-29T22:57:60.000Z",
    "0000-11-29T22:57:21.655Z",
    "2026-W48-7T22:57:21.655Z",
    "٢٠٢٦-11-29T22:57:21.655Z",
    "-026-11-29T22:57:21.655Z",
    " 2026-11-29T22:57:21.65Z",
]
NO_PAIRS = [GONE, None, 1, "", {}, [], ["a1"], ["a1", 1, 1], "a1", {"a1": 1}]
NO_CELLS = [None, 1, True, "", "A1", "a0", "a01", "a6", "j1", "z9", "a1 ", "a1x", ["a1"], "\uff411"]
NO_VALUES = [None, 0, 3, -1, 1.0, 1.5, "1", True, [1]]

ENTRY: dict[str, list[Any]] = {
    "_version": [*NO_TEXTS, "", "20240910", "20240909 ", "2024", "control"],
    "_results": [GONE, None, 1, "", {}, [], [{}], [None], [[]], "[]"],
    "_timestamp": [*NO_TEXTS, 0, 1764457041655, *NO_STAMPS],
    "currplayer": [GONE, None, 0, 3, -1, 1.0, 2.0, "1", "2", True, [1], {}],
    "lastmove": [GONE, None, 1, True, [], {}, "", "zz", "j1", "a0", "a1x1", "resign", "pass", " "],
    "board": [GONE, None, 1, "", [], {}, {"dataType": "Map"}, {"value": []}, [["a1", 1]]],
    "scores": [GONE, None, 1, "", {}, [], [0], [-1, -1], [0, 0, 0], ["0", "0"], [None, None]],
}
HEADER: dict[str, list[Any]] = {
    "game": [*NO_TEXTS, "", "Control", "control ", "congeners", "<b>"],
    "numplayers": [GONE, None, 0, 1, 3, -2, 2.0, "2", True, [2]],
    "variants": [
        *[GONE, None, 1, "size-5", {}, {"0": "size-5"}, [1], [None], [["size-5"]]],
        *[["size-6"], ["size-1000000"], ["size-0"], ["SIZE-5"], ["size-5 "], [""], ["#size-5"]],
        *[["size-5", "size-9"], ["size-5", "size-5"], ["#board", "#board"], ["size-5", "#board"]],
    ],
    "gameover": [GONE, None, 0, 1, "false", "", [], True],
    "winner": [GONE, None, 1, "", {}, [1], [2], [1, 2], [True], [1.0], ["1"], [None], [[]]],
    "stack": [GONE, None, 1, "", {}, [], [None], [1], [[]], [{}], {"0": {}}],
}


def damaged(place: dict[str, Any], key: str, value: Any) -> bool:
    """Put a value, or none, into a place; tell whether that made a difference."""
    if value is GONE:
        return place.pop(key, GONE) is not GONE
    if key in place and tight(place[key]) == tight(value):
        return False
    place[key] = value
    return True


def entry_damages(depth: int) -> Iterator[tuple[str, Any]]:
    """Yield each field's bad values for an entry at a depth."""
    for field, values in ENTRY.items():
        for value in values:
            if depth or value is not GONE or field != "lastmove":
                yield field, value


@pytest.mark.parametrize("depth", DEPTHS)
def test_each_field_of_an_entry_is_named_when_it_is_wrong(depth: int, client: FlaskClient) -> None:
    sound = cut(GAME, LAST)
    for number, (field, value) in enumerate(entry_damages(depth)):
        state = copy.deepcopy(sound)
        if not damaged(state["stack"][depth], field, value):
            continue
        wire = in_form(state, FULL_FORMS[number % 3])
        verdict = judged(client, wire)
        where = verdict["where"]
        assert where.startswith(f"/stack/{depth}/"), (field, value, where)
        assert where.split("/")[3] == field or field == "lastmove", (field, value, where)
        assert (verdict["ply"], verdict["plies_ok"]) == (depth, max(depth - 1, 0))
        named = refuses(client, "move", wire, verify=True)
        assert (named["where"], named["code"]) == (where, verdict["code"])
        for operation in ON_HISTORY:
            assert refuses(client, operation, wire)["where"] == where


@pytest.mark.parametrize("form", FULL_FORMS)
def test_a_damaged_last_entry_is_refused_by_every_operation(form: str, client: FlaskClient) -> None:
    sound = cut(GAME, LAST)
    for number, (field, value) in enumerate(entry_damages(LAST)):
        state = copy.deepcopy(sound)
        assert damaged(state["stack"][LAST], field, value)
        operation = list(ON_STATE)[number % len(ON_STATE)]
        where = refuses(client, operation, in_form(state, form))["where"]
        assert where.startswith(f"/stack/{LAST}/")


@pytest.mark.parametrize("form", FULL_FORMS)
def test_each_field_of_the_header_is_named_when_it_is_wrong(form: str, client: FlaskClient) -> None:
    for field, values in HEADER.items():
        for value in values:
            state = cut(GAME, LAST)
            if not damaged(state, field, value):
                continue
            wire = in_form(state, form)
            for operation in ("move", "moves", "convert"):
                assert refuses(client, operation, wire)["where"].startswith(f"/{field}")
            assert judged(client, wire)["where"].startswith(f"/{field}")


@pytest.mark.parametrize("wire", [None, 1, True, [], [[]], 1.5])
def test_what_is_no_object_and_no_text_is_no_state(wire: Any, refused: Post) -> None:
    body = refused("moves", "invalid-request", state=wire)
    assert list(body["errors"]) == ["state"]


@pytest.mark.parametrize(
    "wire", ["", " ", "null", "[]", "1", '"{}"', "{", "{}x", "\ufeff{}", "gz", "p1", "p1:::::", ":"]
)
def test_other_texts_are_refused_as_states(wire: str, client: FlaskClient) -> None:
    problem(sent(client, "moves", {"state": wire}), "invalid-state")
    assert not judged(client, wire)["ok"]


def _put(value: Any, *at: Any) -> None:
    """Put a value in the place of the fourth pair of a Map, or of one of its two members."""
    *member, pairs = at
    place, key = (pairs[3], *member) if member else (pairs, 3)
    place[key] = value


def board_damages() -> Iterator[tuple[str, Callable[[list[Any]], Any]]]:
    """Yield what can be wrong with a Map, with the place within it that has to be named."""
    for wrong in NO_PAIRS[1:]:
        yield "/value/3", partial(_put, wrong)
    for wrong in NO_CELLS:
        yield "/value/3/0", partial(_put, wrong, 0)
    for wrong in NO_VALUES:
        yield "/value/3", partial(_put, wrong, 1)
    yield "/value/4/0", lambda pairs: pairs.insert(4, list(pairs[1]))
    yield "/value/4/0", lambda pairs: pairs.insert(4, [pairs[1][0], 3 - pairs[1][1]])
    yield "", lambda pairs: pairs.pop()
    yield "", lambda pairs: pairs.append(["a3", 1])
    yield "", lambda pairs: pairs.clear()
    yield "", lambda pairs: pairs[0].__setitem__(1, 3 - pairs[0][1])


@pytest.mark.parametrize("depth", DEPTHS[1:])
def test_each_flaw_of_a_map_is_named(depth: int, client: FlaskClient) -> None:
    for number, (place, damage) in enumerate(board_damages()):
        state = cut(GAME, LAST)
        damage(state["stack"][depth]["board"]["value"])
        wire = in_form(state, FULL_FORMS[number % 3])
        where = judged(client, wire)["where"]
        assert where.startswith(f"/stack/{depth}/board{place}"), where
        assert refuses(client, "move", wire, verify=True)["where"] == where
        if depth >= LAST - 1:
            assert refuses(client, "moves", wire)["where"].startswith("/stack/")


@pytest.mark.parametrize(
    "value", ["resign", "timeout", "draw", "abandoned", "settle", "repetition", "a1", "i4", "i4x"]
)
@pytest.mark.parametrize("depth", DEPTHS[1:])
def test_another_last_move_is_found_out(depth: int, value: str, client: FlaskClient) -> None:
    state = cut(GAME, LAST)
    state["stack"][depth]["lastmove"] = value
    wire = in_form(state, "full-string")
    assert judged(client, wire)["where"].startswith(f"/stack/{depth}/")
    if depth == LAST:
        refuses(client, "moves", wire)


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_missing_doubled_or_swapped_entry_is_found_out(depth: int, client: FlaskClient) -> None:
    for damage in ("missing", "doubled", "swapped", "null"):
        state = cut(GAME, LAST)
        stack = state["stack"]
        if damage == "missing":
            del stack[depth]
        elif damage == "doubled":
            stack.insert(depth, stack[depth])
        elif damage == "swapped":
            stack[depth], stack[depth - 1] = stack[depth - 1], stack[depth]
        else:
            stack[depth] = None
        if damage == "missing" and depth == LAST:
            continue
        for form in FULL_FORMS:
            assert judged(client, in_form(state, form))["where"].startswith("/stack/")


@pytest.mark.parametrize("form", FULL_FORMS)
def test_a_finished_state_stays_finished(form: str, client: FlaskClient) -> None:
    last = len(GAME["moves"])
    for gameover, winner in ((False, []), (False, [2]), (True, []), (True, [1]), (True, [1, 2])):
        state = cut(GAME, last) | {"gameover": gameover, "winner": winner}
        assert refuses(client, "moves", in_form(state, form))["where"] in ("/gameover", "/winner")
    state = cut(GAME, last)
    state["stack"].append(copy.deepcopy(state["stack"][-1]) | {"lastmove": "a1", "currplayer": 1})
    assert refuses(client, "moves", in_form(state, form))["where"] == f"/stack/{last + 1}/lastmove"
