"""A game of Congeners can go round for ever: nothing ends by itself, a draw can be claimed."""

from typing import Any

import pytest

from plyhost.errors import InvalidState, NotRepeated, StateError
from plyhost.games import registry
from plyhost.states import forms, steps
from plyhost.states.forms import FORMS
from tests.contract.test_every_game import call
from tests.tools.games import LEAD, ROUND, recorded


def going_round(form: str, plies: int) -> list[dict[str, Any]]:
    """Return the views of the endless game, the first after the way into it."""
    view = call("congeners", "new", variants=["size-5"], form=form)
    for move in LEAD:
        view = call("congeners", "move", state=view["state"], move=move)
    shown = [view]
    for ply in range(plies):
        view = call("congeners", "move", state=view["state"], move=ROUND[ply % len(ROUND)])
        shown.append(view)
    return shown


@pytest.mark.parametrize("form", FORMS)
def test_repetitions_are_counted_in_every_form(form: str) -> None:
    shown = going_round(form, 20)
    assert [view["repetitions"] for view in shown] == [ply // 8 for ply in range(21)]
    assert not any(view["gameover"] for view in shown)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "unloaded", [0, 1, forms.RECENT_STEPS - 1, forms.RECENT_STEPS, 2 * forms.RECENT_STEPS]
)
def test_repetitions_are_counted_over_what_is_known_and_what_is_stored(
    form: str, unloaded: int
) -> None:
    """Of the steps before the last, none, one or some were made without a state between them."""
    game, stamp = registry.find_game("congeners"), "2026-01-01T00:00:00.000Z"
    for ply, view in enumerate(going_round(form, 20)):
        state = forms.parse_state(game, view["state"])
        for later in range(unloaded):
            made = game.read(state.last.position, ROUND[(ply + later) % len(ROUND)])
            state = state.with_steps([steps.make_move_step(game, state.last, made, stamp)])
        assert forms.count_repetitions(state) == (ply + unloaded) // 8
        ended = state.with_steps([steps.make_ending_step(game, state.last, "draw", None, stamp)])
        assert forms.count_repetitions(ended) == (ply + unloaded) // 8
        assert (
            forms.count_repetitions(forms.parse_state(game, forms.dump_state(ended)))
            == (ply + unloaded) // 8
        )


@pytest.mark.parametrize("form", FORMS)
def test_a_draw_is_claimed_at_the_third_time_and_not_before(form: str) -> None:
    shown = going_round(form, 17)
    for view in (shown[0], shown[8], shown[15]):
        with pytest.raises(NotRepeated):
            call("congeners", "end", state=view["state"], how="repetition")
    for view in shown[16:]:
        ended = call("congeners", "end", state=view["state"], how="repetition")
        assert ended["winner"] == [1, 2]
        assert ended["results"] == [
            {"type": "eog", "reason": "repetition"},
            {"type": "winners", "players": [1, 2]},
        ]
        assert ended["repetitions"] == 2
        assert call("congeners", "verify", state=ended["state"])["ok"]


def test_a_stored_claim_that_does_not_hold_is_refused() -> None:
    shown = going_round("full", 16)
    ended = call("congeners", "end", state=shown[16]["state"], how="repetition")["state"]
    early = ended | {"stack": [*shown[8]["state"]["stack"], ended["stack"][-1]]}
    with pytest.raises(InvalidState):
        call("congeners", "moves", state=early)
    verdict = call("congeners", "verify", state=early)
    assert (verdict["ok"], verdict["ply"]) == (False, 16)


@pytest.mark.parametrize("form", FORMS)
def test_a_claim_that_does_not_hold_is_found_below_another_ending(form: str) -> None:
    """Only the last ending counts, yet the history is checked whole."""
    state = going_round("full", 9)[9]["state"]
    ended = call("congeners", "end", state=going_round("full", 16)[16]["state"], how="repetition")
    claim = ended["state"]["stack"][-1]
    claim = state["stack"][-1] | {name: claim[name] for name in ("lastmove", "_results")}
    early = ended["state"] | {"stack": [*state["stack"], claim]}
    twice = call("congeners", "end", state=state, how="draw")["state"]["stack"][-1]
    early["stack"].append(twice)
    assert not call("congeners", "verify", state=early)["ok"]
    for normalise in (False, True):
        with pytest.raises(StateError):
            call("congeners", "convert", state=early, form=form, normalise=normalise)


def test_a_record_of_a_claimed_draw_replays() -> None:
    ended = call(
        "congeners", "end", state=going_round("compact", 16)[16]["state"], how="repetition"
    )
    players = [{"name": "Ann"}, {"name": "Bob"}]
    record = call("congeners", "record", state=ended["state"], gameid="g", players=players)
    assert call("congeners", "replay", record=record["record"])["ok"]


def test_control_never_repeats() -> None:
    view = call("control", "new")
    for move in recorded("control")[15]["moves"][:60]:
        view = call("control", "move", state=view["state"], move=move)
        assert view["repetitions"] == 0
    with pytest.raises(NotRepeated):
        call("control", "end", state=view["state"], how="repetition")
