"""Records as real archives hold them: every name of a board, fewer claims, older states."""

import copy
import json
from base64 import b64encode
from gzip import compress
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyhost.replay.judgement.judging import judge_item
from plyhost.replay.reading.line_spans import Item, Place
from plyhost.states import forms
from tests.conftest import Post
from tests.contract.test_record_reading import ended, replayed, sound
from tests.tools.games import VECTORS
from tests.tools.vectors import cut, game, in_form

NAMES: dict[str, dict[str, str]] = json.loads((VECTORS / "control_names.json").read_text())
SIDES = {"size-5": ["size-5"], "#board": [], "size-9": ["size-9"], "default": []}
NAMED = [(name, uid) for names in NAMES.values() for uid, name in names.items()]
CELLS = [("61", "size-5"), ("127", "#board"), ("217", "size-9")]
KEYS = [(f"variants.control.{uid}.name", uid) for uid in ("size-5", "#board", "size-9")]
UIDS = [(uid, uid) for uid in ("size-5", "#board", "size-9")]


@pytest.mark.parametrize(("name", "uid"), [*NAMED, *CELLS, *KEYS, *UIDS])
def test_a_board_is_known_by_every_name_it_was_given(name: str, uid: str, post: Post) -> None:
    header: dict[str, Any] = {
        "game": {"name": "Control", "variants": [name]},
        "players": [{}, {}],
    }
    answer = post("replay", record={"header": header, "moves": []})
    assert answer["view"]["variants"] == SIDES[uid]
    if name.isdigit():
        header["game"]["variants"] = [int(name)]
        view = post("replay", record={"header": header, "moves": []})["view"]
        assert view["variants"] == SIDES[uid]


def test_a_name_that_is_none_is_refused_with_the_choices(refused: Post) -> None:
    for name in ("Petit plateau", "size-6", "62", "", "<b>", None):
        header = {"game": {"name": "Control", "variants": [name]}, "players": [{}, {}]}
        body = refused("replay", "unknown-variant", record={"header": header, "moves": []})
        assert body["choices"] == ["size-5", "#board", "size-9"]


def told_shortly(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record whose results leave out that the game ended and who won."""
    for one in (one for moves in record["moves"] for one in moves if one and one["result"]):
        events = one["result"]
        one["result"] = [event for event in events if event["type"] not in ("eog", "winners")]
    return record


@pytest.mark.parametrize("uid", ["control", "congeners"])
@pytest.mark.parametrize("how", ["natural", "resign", "draw", "timeout", "abandoned"])
def test_a_result_may_leave_out_the_end(uid: str, how: str) -> None:
    record = told_shortly(ended(uid, how, 3).told())
    assert replayed(record)["ok"]
    first = next(one for moves in record["moves"] for one in moves if one)
    first["result"] = [{"type": "pass"}]
    assert replayed(record)["field"] == "results"


FAULTS: list[tuple[str, Any, str]] = [
    ("header", [], "header"),
    ("header", "x", "header"),
    ("moves", 5, "moves"),
    ("moves", [["d1", None, {"move": 1}]], "moves.0"),
    ("moves", [["d1"], [{"move": "g5", "result": 1}]], "moves.1"),
    ("game", [], "header.game"),
    ("game", {"name": []}, "header.game.name"),
    ("game", {"name": "Control", "variants": "size-5"}, "header.game.variants"),
    ("players", {}, "header.players"),
    ("players", [1, {}], "header.players.0"),
]


@pytest.mark.parametrize(("field", "value", "place"), FAULTS)
def test_a_fault_is_named_by_its_field_in_plain_words(
    field: str, value: Any, place: str, refused: Post
) -> None:
    record = sound()
    (record if field in record else record["header"])[field] = value
    errors = refused("replay", "invalid-request", record=record)["errors"]
    assert list(errors) == [f"record.{place}"]
    assert "object has no" not in str(errors)
    item = Item(Place(0, ":", 1), json.dumps(record).encode())
    # An archive holds many games; there a game that is not here is told as such.
    told = "no game" if place == "header.game.name" else place
    assert told in (judge_item(item).message or "")


def test_an_older_gzip_has_no_mark_and_is_answered_with_one(post: Post, refused: Post) -> None:
    text = in_form(cut(game(), 20), "full-string")
    old = b64encode(compress(text.encode())).decode()
    assert old.startswith("H4sI")
    view = post("view", state=old)
    assert view["form"] == "full-gz"
    assert view["state"].startswith(forms.GZIP_MARK)
    again = post("convert", state=old, form="full-string")["state"]
    assert again == text
    assert post("move", state=old, move=game()["moves"][20])["ply"] == 21
    for wrong in (old[:-8], "H4sI", f"H4sI{old}", f"{old[:40]}!{old[41:]}"):
        refused("view", "invalid-state", state=wrong)
    item = Item(Place(0, ":", 1), json.dumps(old).encode())
    assert judge_item(item).ok


def test_names_of_the_reference_are_taken_where_they_are_meant(post: Post, refused: Post) -> None:
    assert post("new", variants=None, display=None, include=["render"])["variants"] == []
    over = post("end", state=post("new")["state"], how="resign", player=2)["state"]
    ours = {"gameid": "g", "players": [{"name": "A", "userid": "1"}, {"name": "B", "is_ai": True}]}
    theirs = {"uid": "g", "players": [{"name": "A", "uid": "1"}, {"name": "B", "isai": True}]}
    stamp = {"timestamp": "2026-01-01T00:00:00.000Z", "pied": True}
    records = [post("record", state=over, **named, **stamp)["record"] for named in (ours, theirs)]
    assert records[0] == records[1]
    assert records[0]["header"]["pie-invoked"] is True
    for wrong in ({"gameid": "g", "uid": "g"}, {}):
        refused("record", "invalid-request", state=over, players=ours["players"], **wrong)
    both = copy.deepcopy(ours)
    both["players"] = [{"name": "A", "uid": "1", "userid": "1"}, {"name": "B"}]
    refused("record", "invalid-request", state=over, **both)


def test_a_picture_is_known_by_a_weak_tag_too_and_may_show_an_ending(client: FlaskClient) -> None:
    path = "/v1/games/control/picture.svg?moves=a1 e5 resign&variants=size-5"
    answer = client.get(path)
    assert answer.status_code == 200
    assert "resign" in answer.text
    tag = answer.headers["ETag"]
    for sent in (tag, f"W/{tag}", f'"x", W/{tag}', "*"):
        assert client.get(path, headers={"If-None-Match": sent}).status_code == 304
    assert client.get(path, headers={"If-None-Match": 'W/"x"'}).status_code == 200
    for wrong in ("resign;a1", "a1 settled", "draw draw"):
        assert client.get(
            "/v1/games/control/film.svg", query_string={"moves": wrong}
        ).status_code in (
            409,
            422,
        )
    for how in ("resign", "timeout", "draw", "abandoned", "settle"):
        moved = {"moves": f"a1 {how}"}
        assert client.get("/v1/games/control/film.svg", query_string=moved).status_code == 200
