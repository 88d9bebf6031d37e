"""One suite over every game at hand: what holds for all of them, through the contract."""

import random
from functools import cache
from itertools import pairwise
from typing import Any

import orjson
import pytest

from plyhost.board.hexes import Board
from plyhost.contract import operations
from plyhost.games import registry
from plyhost.games.game import AnyGame
from plyhost.schemas.requests import REQUESTS
from plyhost.states import forms
from plyhost.states.forms import FORMS
from tests.tools.games import recorded

UIDS = sorted(registry.load_games())
STAMP = "2026-01-01T00:00:00.000Z"


def call(uid: str, operation: str, **fields: Any) -> dict[str, Any]:
    """Call an operation as a request would; the answer goes through JSON, as over the wire."""
    loaded = REQUESTS[operation].load(fields)
    answer = operations.OPERATIONS[operation](registry.find_game(uid), loaded)
    found: dict[str, Any] = orjson.loads(orjson.dumps(answer))
    return found


def variants(uid: str) -> list[list[str]]:
    uids = [variant.uid for variant in registry.find_game(uid).info.variants]
    return [[] if one.startswith("#") else [one] for one in uids]


@cache
def views(uid: str, number: int = 0, form: str = "compact") -> list[dict[str, Any]]:
    """Return the view at every ply of a recorded game."""
    game = recorded(uid)[number]
    shown = [call(uid, "new", variants=game["variants"], form=form, timestamp=STAMP)]
    for ply, move in enumerate(game["moves"]):
        stamp = f"2026-01-{1 + ply // 24:02}T{ply % 24:02}:00:00.000Z"
        shown.append(call(uid, "move", state=shown[-1]["state"], move=move, timestamp=stamp))
    return shown


def sampled(uid: str) -> list[dict[str, Any]]:
    shown = views(uid)
    return [*shown[:4], *shown[4:-2:9], *shown[-2:]]


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("form", FORMS)
def test_a_state_in_any_form_leads_back_to_itself(uid: str, form: str) -> None:
    for view in sampled(uid):
        there = call(uid, "convert", state=view["state"], form=form)
        again = call(uid, "at", state=there["state"], ply=-1)
        assert again["state"] == there["state"]
        assert _same_view(again, view)
        back = call(uid, "convert", state=there["state"], form="compact")
        assert back["state"] == view["state"]


def _same_view(one: dict[str, Any], other: dict[str, Any]) -> bool:
    apart = {"state", "form", "applied"}
    return {k: v for k, v in one.items() if k not in apart} == {
        k: v for k, v in other.items() if k not in apart
    }


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("form", FORMS)
def test_a_move_gives_the_same_view_whatever_the_form(uid: str, form: str) -> None:
    shown = views(uid)
    for before, after in list(pairwise(shown))[::7]:
        state = call(uid, "convert", state=before["state"], form=form)["state"]
        stamp = after["timestamp"]
        moved = call(uid, "move", state=state, move=after["lastmove"], timestamp=stamp)
        assert moved["form"] == form
        assert _same_view(moved, after)
        full = call(uid, "convert", state=moved["state"], form="full-string")["state"]
        assert full == call(uid, "convert", state=after["state"], form="full-string")["state"]


@pytest.mark.parametrize("uid", UIDS)
def test_an_earlier_ply_is_not_over_and_looks_as_it_did(uid: str) -> None:
    shown = views(uid)
    last = shown[-1]
    assert last["gameover"]
    for ply in range(0, last["ply"], 5):
        then = call(uid, "at", state=last["state"], ply=ply)
        assert not then["gameover"]
        assert _same_view(then, shown[ply])
        assert then["state"] == shown[ply]["state"]


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("form", FORMS)
def test_a_finished_state_stays_finished(uid: str, form: str) -> None:
    state = call(uid, "convert", state=views(uid)[-1]["state"], form=form)["state"]
    loaded = forms.parse_state(registry.find_game(uid), state)
    assert loaded.last.is_over
    assert call(uid, "moves", state=state)["count"] == 0
    assert call(uid, "validate", state=state, move="")["code"] == "game-over"


@pytest.mark.parametrize("uid", UIDS)
def test_listing_counting_judging_and_making_agree(uid: str) -> None:
    pick = random.Random(uid)
    for view in sampled(uid)[1:-1]:
        listed = call(uid, "moves", state=view["state"], limit=120_000)
        assert listed["count"] == len(listed["moves"]) == len(set(listed["moves"]))
        for text in pick.sample(listed["moves"], min(6, listed["count"])):
            verdict = call(uid, "validate", state=view["state"], move=text)
            assert (verdict["valid"], verdict["complete"], verdict["move"]) == (True, 1, text)
            assert call(uid, "move", state=view["state"], move=text)["lastmove"] == text
            wide = f" {text.upper()}\t"
            assert call(uid, "same", state=view["state"], move=text, other=wide)["same"]


@pytest.mark.parametrize("uid", UIDS)
def test_an_unpacked_move_is_allowed_where_its_text_is_legal_and_can_be_undone(uid: str) -> None:
    game, pick = registry.find_game(uid), random.Random(uid)
    for view in sampled(uid):
        position = forms.parse_state(game, view["state"]).last.position
        legal = set(game.moves(position))
        moves = {_unpacked(game, position.board, pick.randbytes(5)) for _ in range(2000)} - {None}
        moves |= set(pick.sample(sorted(legal, key=str), min(60, len(legal))))
        for move in moves:
            assert game.allows(position, move) == (move in legal), (view["ply"], move)
        for move in moves & legal:
            after = game.play(position, move)
            assert game.undo(after, move, view["ply"] + 1) == position


def _unpacked(game: AnyGame, on: Board, data: bytes) -> Any:
    try:
        return game.unpack(on, data, 0)[0]
    except ValueError:
        return None


@pytest.mark.parametrize("uid", UIDS)
def test_pages_of_a_listing_and_prefixes_add_up(uid: str) -> None:
    view = views(uid)[3]
    whole = call(uid, "moves", state=view["state"], limit=120_000)["moves"]
    pages = [
        call(uid, "moves", state=view["state"], limit=7, offset=at)
        for at in range(0, len(whole), 7)
    ]
    assert [text for page in pages for text in page["moves"]] == whole
    assert [page["truncated"] for page in pages] == [True] * (len(pages) - 1) + [False]
    for prefix in {text[:1] for text in whole} | {text[:3] for text in whole}:
        found = call(uid, "moves", state=view["state"], prefix=prefix.upper(), limit=120_000)
        assert found["moves"] == [text for text in whole if text.startswith(prefix)]


@pytest.mark.parametrize("uid", UIDS)
def test_a_whole_game_is_played_by_clicks_and_buttons_alone(uid: str) -> None:
    for number in (0, 20):
        game = recorded(uid)[number]
        view = call(uid, "new", variants=game["variants"], include=["buttons"])
        for move in game["moves"]:
            text = _clicked(uid, view, move)
            view = call(uid, "move", state=view["state"], move=text, include=["buttons"])
            assert view["lastmove"] == move
        assert view["winner"] == game["winner"]


def _clicked(uid: str, view: dict[str, Any], move: str) -> str:
    """Return the text that clicks on a move's cells, or its button, lead to."""
    if move in [button["move"] for button in view["buttons"]]:
        return move
    board = forms.parse_state(registry.find_game(uid), view["state"]).last.position.board
    text = ""
    for name in move.replace("/", ",").replace("-", ",").replace("x", ",").split(","):
        if name:
            cell = board.cell(name)
            assert cell is not None
            verdict = call(uid, "click", state=view["state"], move=text, **board.points[cell])
            assert verdict["valid"], verdict
            text = verdict["move"]
    assert verdict["complete"] == 1
    return text


@pytest.mark.parametrize("uid", UIDS)
def test_what_is_drawn_of_a_ply_is_what_was_drawn_then(uid: str) -> None:
    shown = views(uid)
    last = shown[-1]["state"]
    for display in ["", *(one.uid for one in registry.find_game(uid).info.displays), "no-such"]:
        low, high = 2, min(9, len(shown) - 1)
        many = call(uid, "render", state=last, plies=[low, high], display=display)["renders"]
        for ply, render in zip(range(low, high + 1), many, strict=True):
            one = call(uid, "render", state=last, ply=ply, display=display)["render"]
            then = call(uid, "render", state=shown[ply]["state"], display=display)["render"]
            assert render == one == then
    with_move = call(uid, "render", state=shown[2]["state"], move=shown[3]["lastmove"])["render"]
    assert with_move == call(uid, "render", state=shown[3]["state"])["render"]


@pytest.mark.parametrize("uid", UIDS)
def test_perspective_turns_the_picture_and_nothing_else(uid: str) -> None:
    state = views(uid)[6]["state"]
    plain, one, two = (
        call(uid, "render", state=state, perspective=seat)["render"] for seat in (0, 1, 2)
    )
    assert plain == one
    assert two.pop("board") == plain.pop("board") | {"rotate": 180}
    assert two == plain


@pytest.mark.parametrize("uid", UIDS)
def test_the_history_tells_every_ply(uid: str) -> None:
    shown = views(uid)
    past = call(uid, "history", state=shown[-1]["state"], players=["Ann", "<Bob>"])
    assert len(past["plies"]) == len(shown)
    for told, view in zip(past["plies"], shown, strict=True):
        pairs = {"move": "lastmove", "ply": "ply", "results": "results", "scores": "scores"}
        assert {key: told[key] for key in pairs} == {key: view[name] for key, name in pairs.items()}
    assert [told["player"] for told in past["plies"][1:]] == [
        1 + ply % 2 for ply in range(len(shown) - 1)
    ]
    assert len(past["chat"]) == len(shown) - 1
    assert past["chat"][1][1].startswith("<Bob> ")


ENDINGS = [
    ("resign", 1, [2]),
    ("resign", 2, [1]),
    ("timeout", 1, [2]),
    ("timeout", 2, [1]),
    ("draw", None, [1, 2]),
    ("abandoned", None, []),
    ("settle", None, None),
]


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("how", "seat", "winner"), ENDINGS)
def test_every_ending_is_kept_verified_recorded_and_replayed(
    uid: str, form: str, how: str, seat: int | None, winner: list[int] | None
) -> None:
    before = call(uid, "convert", state=views(uid)[20]["state"], form=form)["state"]
    fields = {} if seat is None else {"player": seat}
    view = call(uid, "end", state=before, how=how, expected_ply=20, **fields)
    assert (view["lastmove"], view["ply"], view["to_move"]) == (how, 21, None)
    assert winner is None or view["winner"] == winner
    assert view["currplayer"] == views(uid)[20]["currplayer"]
    again = call(uid, "at", state=view["state"], ply=-1)
    assert {**again, "timestamp": ""} == {**view, "timestamp": ""}
    assert call(uid, "verify", state=view["state"])["plies_ok"] == 21
    players = [{"name": "Ann"}, {"name": "Bob"}]
    record = call(uid, "record", state=view["state"], gameid="g", players=players)["record"]
    replayed = call(uid, "replay", record=record)
    assert replayed["ok"], replayed
    assert replayed["view"]["winner"] == view["winner"]


@pytest.mark.parametrize("uid", UIDS)
def test_every_variant_starts_and_its_name_is_told(uid: str) -> None:
    info = registry.find_game(uid).info
    for chosen, variant in zip(variants(uid), info.variants, strict=True):
        view = call(uid, "new", variants=chosen, include=["moves", "text", "prompt", "sidebar"])
        assert view["variant_names"] == [variant.name]
        assert view["moves_count"] > 0
        assert len(view["text"].splitlines()) > 2 * variant.side - 1
        assert view["prompt"]["complete"] == -1
    assert call(uid, "new", variants=["#board"])["variants"] == []


@pytest.mark.parametrize("uid", UIDS)
def test_what_is_forced_is_made_when_asked_for(uid: str) -> None:
    forced = 0
    for shown in (views(uid, number) for number in range(4)):
        for before, after in pairwise(shown):
            made = call(uid, "move", state=before["state"], move=after["lastmove"], auto="forced")
            (chosen, *others), ply = made["applied"], after["ply"]
            assert (chosen["move"], chosen["auto"]) == (after["lastmove"], False)
            assert {one["timestamp"] for one in others} <= {chosen["timestamp"]}
            assert [one["ply"] for one in others] == list(range(ply + 1, made["ply"] + 1))
            assert [one["player"] for one in others] == [1 + (one["ply"] - 1) % 2 for one in others]
            assert made["applied"][-1]["results"] == made["results"]
            state = after["state"]
            for one in others:
                assert one["auto"]
                listed = call(uid, "moves", state=state)
                assert listed["moves"] == [one["move"]]
                state = call(uid, "move", state=state, move=one["move"])["state"]
                forced += 1
            if not made["gameover"]:
                assert call(uid, "moves", state=made["state"])["count"] > 1
    assert forced > 0


@pytest.mark.parametrize("uid", UIDS)
def test_the_same_request_gives_the_same_bytes(uid: str) -> None:
    before, after = views(uid)[5:7]
    fields = {
        "state": before["state"],
        "move": after["lastmove"],
        "timestamp": STAMP.replace("-01T", "-09T"),
    }
    assert call(uid, "move", **fields) == call(uid, "move", **fields)


@pytest.mark.parametrize("uid", UIDS)
def test_the_clock_never_runs_backwards(uid: str) -> None:
    view = call(uid, "new", timestamp="2999-01-01T00:00:00.000Z")
    first = call(uid, "moves", state=view["state"])["moves"][0]
    moved = call(uid, "move", state=view["state"], move=first)
    assert moved["timestamp"] == view["timestamp"]
