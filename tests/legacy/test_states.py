"""State strings that are damaged, of another kind or game, or forged are refused."""

import json

import pytest

from plyhost.contract import operations
from plyhost.games import registry
from plyhost.legacy.modes import Refused, answer_legacy_request
from plyhost.legacy.state_string import format_legacy_state
from plyhost.states import forms
from tests.legacy.conftest import (
    GAMES,
    USERS,
    Ask,
    Finished,
    Refuse,
    inner,
    moved,
    play,
    some_moves,
)


@pytest.mark.parametrize("uid", GAMES)
def test_damage_to_a_state_is_refused(ask: Ask, uid: str) -> None:
    state = ask(uid, "init", players=USERS)["state"]
    (move, *_) = some_moves(registry.find_game(uid), state)
    state = ask(uid, "move", state=state, player=USERS[0], move=move)["state"]
    for at, mark in enumerate(state):
        for changed in ("", "0" if mark != "0" else "1", mark + "x", mark.swapcase()):
            damaged = state[:at] + changed + state[at + 1 :]
            if damaged != state:
                with pytest.raises(Refused):
                    answer_legacy_request(uid, moved(damaged, USERS[1], "resign"))


@pytest.mark.parametrize("uid", GAMES)
def test_a_state_of_another_kind_is_refused(ask: Ask, refuse: Refuse, uid: str) -> None:
    state = ask(uid, "init", players=USERS)["state"]
    parts = json.loads(state)
    for wrong in (
        inner(state),
        format_legacy_state(USERS, "p1:chess::1::AAAA"),
        format_legacy_state(["a", "a"], inner(state)),
        format_legacy_state(["a"], inner(state)),
        json.dumps({**parts, "players": USERS[::-1]}),
        json.dumps({**parts, "more": 1}),
        json.dumps({**parts, "state": {}}),
    ):
        assert refuse(uid, moved(wrong, USERS[0], "resign"))
    newer = json.dumps({**parts, "format": "ap2"})
    assert refuse(uid, moved(newer, USERS[0], "resign")) == "format: ap2 is not ap1"


@pytest.mark.parametrize("uid", GAMES)
def test_a_full_state_inside_is_kept(ask: Ask, refuse: Refuse, uid: str) -> None:
    game = registry.find_game(uid)
    state = operations.answer_new_game(game, {"variants": [], "form": "full-string"})["state"]
    states = [format_legacy_state(USERS, state)]
    for player, move in ((0, some_moves(game, states[0])[0]), (0, "resign")):
        turn = ask(uid, "move", state=states[-1], player=USERS[player], move=move)
        states.append(turn["state"])
    assert forms.parse_state(game, inner(states[-1])).form == "full-string"
    assert ask(uid, "archive", states=states)["moves"][0][1] == {"move": "resign"}
    zipped = format_legacy_state(USERS, forms.zip_state(state.encode()))
    assert "gzip" in refuse(uid, moved(zipped, USERS[0], "resign"))


@pytest.mark.parametrize("one", GAMES)
@pytest.mark.parametrize("other", GAMES)
def test_a_state_belongs_to_its_game(ask: Ask, refuse: Refuse, one: str, other: str) -> None:
    state = ask(one, "init", players=USERS)["state"]
    if one != other:
        assert refuse(other, moved(state, USERS[0], "resign"))


def test_archived_states_must_be_one_game_in_order(
    ask: Ask, refuse: Refuse, finished: Finished
) -> None:
    uid, turns = finished
    states = [turn["state"] for turn in turns]
    others = [turn["state"] for turn in play(ask, uid, seed=4, longest=6)]
    strangers = format_legacy_state(["x", "y"], inner(states[0]))
    for bad in (
        states[:-1],
        states[::-1],
        [states[1], states[0], states[-1]],
        [states[0], states[0], states[-1]],
        [states[-1], states[-1]],
        [others[3], states[-1]],
        [strangers, states[-1]],
        [states[0], others[3], states[-1]],
        [*states[:5], others[5][:-3], states[-1]],
    ):
        assert refuse(uid, {"mode": "archive", "states": bad})
    assert ask(uid, "archive", states=[*states[1:9:2], states[-1]])


def test_another_way_to_the_same_position_is_another_game(ask: Ask, refuse: Refuse) -> None:
    game, at = registry.find_game("control"), "2026-01-31T09:30:00.000Z"

    def after(*moves: str) -> str:
        fixed = {"timestamp": at, "auto": "none"}
        state = operations.answer_new_game(
            game, {"variants": ["size-5"], "form": "compact", **fixed}
        )["state"]
        for text in moves:
            state = operations.answer_move(game, {"state": state, "move": text, **fixed})["state"]
        return format_legacy_state(USERS, state)

    mine, other = after("a1", "i5", "a5", "i1"), after("a5", "i5", "a1", "i1")
    one, another = (forms.parse_state(game, inner(state)).last for state in (mine, other))
    assert one == another
    over = ask("control", "move", state=mine, player=USERS[0], move="resign")["state"]
    ask("control", "archive", states=[mine, over])
    why = refuse("control", {"mode": "archive", "states": [other, over]})
    assert why == "states.0: is not of the game that ends with the last one"


def test_a_forged_history_is_not_archived(ask: Ask, refuse: Refuse, finished: Finished) -> None:
    uid, turns = finished
    game = registry.find_game(uid)
    view = operations.answer_conversion(
        game, {"state": inner(turns[-1]["state"]), "form": "full-string", "normalise": False}
    )
    forged = json.loads(view["state"])
    forged["stack"][2]["lastmove"] = "a9"
    assert refuse(
        uid, {"mode": "archive", "states": [format_legacy_state(USERS, json.dumps(forged))]}
    )
