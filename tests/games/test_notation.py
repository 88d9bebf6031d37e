"""Odd and illegal notations: taken as the reference engine takes them but where we are stricter."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyhost.games import registry
from plyhost.games.game import Illegal
from tests.conftest import Post
from tests.tools.vectors import FORMS, cut, game, in_form, turns

#: What JavaScript's `\\s` matches.
SPACES = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
#: White space elsewhere, or what looks like nothing, but is not in `\\s`.
NO_SPACES = "\x1c\x1d\x1e\x1f\x85\u180e\u200b\u200c\u200d\u2060\u00ad\x00\x7f"
#: Recorded turns that the reference engine makes and we refuse, with our reason.
STRICTER = {
    "legal placement with x on an empty cell": "not-a-capture",
    "legal capture with xx": "malformed",
    "KELVIN SIGN lowercases to k": "malformed",
}
PLAYED = [turn for turn in turns() if not turn["gameover_before"]]
#: The engine says nothing to an empty text; it is no move to either.
MADE = [turn for turn in PLAYED if turn["accepted"] and turn["changed"]]
REFUSED = [turn for turn in PLAYED if not (turn["accepted"] and turn["changed"])]
OVER = [turn for turn in turns() if turn["gameover_before"]]


def name(turn: dict[str, Any]) -> str:
    return f"{turn['note'] or 'turn'} {turn['move'][:12]!r}"


def reached(post: Post, turn: dict[str, Any], form: str = "compact") -> Any:
    """Return the state on which a turn was tried."""
    played = post("replay", moves=turn["moves_so_far"], variants=turn["variants"], form=form)
    assert played["ok"]
    return played["view"]["state"]


@pytest.mark.parametrize("turn", [turn for turn in MADE if turn["note"] not in STRICTER], ids=name)
def test_what_the_engine_takes_is_taken_the_same(turn: dict[str, Any], post: Post) -> None:
    state = reached(post, turn)
    view = post("move", state=state, move=turn["move"])
    for field in ("lastmove", "results", "scores", "currplayer"):
        assert view[field] == turn[field]
    full = post("convert", state=view["state"], form="full")["state"]
    assert len(full["stack"][-1]["board"]["value"]) == turn["board_size"]
    verdict = post("validate", state=state, move=turn["move"])
    assert (verdict["valid"], verdict["complete"]) == (True, 1)
    assert verdict["move"] == turn["lastmove"]
    same = post("same", state=state, move=turn["move"], other=turn["lastmove"])
    assert (same["same"], same["moves"]) == (True, [turn["lastmove"]] * 2)


@pytest.mark.parametrize("turn", [turn for turn in MADE if turn["note"] in STRICTER], ids=name)
def test_where_we_are_stricter_the_reason_is_told(
    turn: dict[str, Any], post: Post, refused: Post
) -> None:
    state = reached(post, turn)
    reason = STRICTER[turn["note"]]
    body = refused("move", "illegal-move", state=state, move=turn["move"])
    assert (body["reason"], body["move"]) == (reason, turn["move"])
    assert post("validate", state=state, move=turn["move"])["code"] == reason


@pytest.mark.parametrize("turn", REFUSED, ids=name)
def test_what_the_engine_refuses_is_refused(
    turn: dict[str, Any], post: Post, refused: Post
) -> None:
    state = reached(post, turn)
    body = refused("move", "illegal-move", state=state, move=turn["move"])
    assert body["ply"] == len(turn["moves_so_far"])
    verdict = post("validate", state=state, move=turn["move"])
    if not turn["move"].strip() or turn["note"] == "letter only":
        assert (verdict["valid"], verdict["complete"]) == (True, -1)
    else:
        assert (verdict["valid"], verdict["complete"]) == (False, -1)
        assert verdict["code"] == body["reason"]
        assert verdict["move"] == turn["move"]
        assert verdict["message"] == body["detail"]
    assert post("same", state=state, move=turn["move"], other=turn["move"])["same"] is False


@pytest.mark.parametrize("turn", OVER, ids=name)
def test_after_the_end_no_text_is_read(turn: dict[str, Any], post: Post, refused: Post) -> None:
    state = reached(post, turn)
    refused("move", "game-over", state=state, move=turn["move"])
    assert post("validate", state=state, move=turn["move"])["code"] == "game-over"


@pytest.mark.parametrize("turn", MADE, ids=name)
def test_a_stored_turn_is_read_by_the_rules_of_its_engine(
    turn: dict[str, Any], post: Post, refused: Post
) -> None:
    """What the engine stored loads, but for a move on no cell of the board."""
    state = reached(post, turn, "full")
    place = turn["results"][0]["where"]
    on_board = place.rstrip("x") == place
    legal = place + ("x" if turn["results"][0]["type"] == "capture" else "")
    made = post("move", state=state, move=legal if on_board else turn["move"][:3])["state"]
    made["stack"][-1] |= {"lastmove": turn["lastmove"], "_results": turn["results"]}
    ply = len(turn["moves_so_far"]) + 1
    if on_board:
        assert post("verify", state=made)["plies_ok"] == ply
        assert post("at", state=made, ply=-1)["lastmove"] == turn["lastmove"]
    else:
        body = refused("moves", "invalid-state", state=made)
        assert body["where"] == f"/stack/{ply}/lastmove"


@pytest.mark.parametrize("text", ["A1", " a1", "a1 ", "a1\n", "a01", "a1X", "\uff411"])
def test_stored_texts_are_not_cleaned(text: str, post: Post, refused: Post) -> None:
    state = post("move", state=post("new", form="full")["state"], move="a1")["state"]
    state["stack"][1]["lastmove"] = text
    body = refused("moves", "invalid-state", state=state)
    assert body["where"] == "/stack/1/lastmove"


def test_a_stored_capture_needs_its_x(post: Post, refused: Post) -> None:
    one = game("size-5")
    ply = next(n for n, move in enumerate(one["moves"], 1) if move.endswith("x"))
    state = cut(one, ply)
    state["stack"][ply]["lastmove"] = one["moves"][ply - 1][:-1]
    assert refused("moves", "invalid-state", state=state)["where"] == f"/stack/{ply}/lastmove"
    made = post("move", state=cut(one, ply - 1), move=one["moves"][ply - 1][:-1])
    assert made["lastmove"] == one["moves"][ply - 1]


def test_white_space_anywhere_is_removed_and_nothing_else(post: Post, refused: Post) -> None:
    state = in_form(cut(game(), 20), "compact")
    text = game()["moves"][20]
    expected = post("validate", state=state, move=text)
    for space in SPACES:
        for spaced in (space + text, text + space, space.join(text), space * 3 + text):
            assert post("validate", state=state, move=spaced) == expected
    for other in NO_SPACES:
        for spaced in (other + text, text + other, other.join(text)):
            body = refused("move", "illegal-move", state=state, move=spaced)
            assert body["reason"] == "malformed"


def test_letters_that_look_alike_or_lower_to_ascii_are_refused(refused: Post) -> None:
    state = in_form(cut(game(), 20), "compact")
    text = game()["moves"][20]
    letter, rest = text[0], text[1:]
    alike = {chr(code) for code in range(0x80, 0x1_F000) if chr(code).lower() == letter}
    alike |= {chr(ord(letter) + 0xFEE0), chr(ord(letter.upper()) + 0xFEE0), f"{letter}\u0301"}
    alike |= {chr(0x1D41A + ord(letter) - 97), chr(0x24D0 + ord(letter) - 97)}
    digits = {chr(code + int(rest[0])) for code in (0xFF10, 0x660, 0x966, 0x1D7CE, 0x2080)}
    for other in [*(one + rest for one in alike), *(letter + one + rest[1:] for one in digits)]:
        body = refused("move", "illegal-move", state=state, move=other)
        assert body["reason"] == "malformed"
    for other in ("K4", "i\u0307", "\u017f1"):
        body = refused("move", "illegal-move", state=state, move=other.replace("K", "\u212a"))
        assert body["reason"] == "malformed"


CONTROL = registry.find_game("control")
POSITION = CONTROL.start(5)
TEXTS = {CONTROL.text(POSITION, move) for move in CONTROL.moves(POSITION)}


@settings(max_examples=300)
@given(st.text(max_size=8) | st.text("abcdefghi0123456789xX ", max_size=6))
def test_any_text_is_a_legal_turn_or_has_a_reason(text: str) -> None:
    kept = "".join(letter for letter in text if letter not in SPACES)
    if kept.isascii() and kept.lower() in TEXTS:
        assert CONTROL.text(POSITION, CONTROL.read(POSITION, text)) == kept.lower()
    else:
        with pytest.raises(Illegal) as caught:
            CONTROL.read(POSITION, text)
        said = CONTROL.reasons[caught.value.reason]
        assert said.format_map(caught.value.params)


@pytest.mark.parametrize("form", FORMS)
def test_an_illegal_move_changes_nothing(form: str, post: Post, refused: Post) -> None:
    state = in_form(cut(game(), 20), form)
    before = post("moves", state=state)
    for text in ("", "zz", "e5xx", "resign", "a1x"):
        refused("move", "illegal-move", state=state, move=text)
    assert post("moves", state=state) == before
