"""The game report of the 2018 contract, from the states that a site has kept."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from plyhost.contract import operations, records
from plyhost.deadline import yield_until_deadline
from plyhost.errors import InvalidState, NotOver
from plyhost.games.game import AnyGame
from plyhost.legacy.state_string import parse_legacy_state
from plyhost.states import forms
from plyhost.states.forms import State
from plyhost.states.steps import Step


def make_legacy_report(game: AnyGame, request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the report of a finished game; `request` is a `schemas.requests_2018.Archive`.

    The last of its states must be finished and is checked from the start on; others must be
    earlier ones of that game, in order.  Raises NotOver, InvalidState or UnsupportedEngine.
    """
    kept = [parse_legacy_state(text) for text in request["states"]]
    players, wire = kept[-1]
    state, steps = operations.check_requested_state(game, {"state": wire})
    if not state.last.is_over:
        raise NotOver(state.last.ply, state.last.position.seat)
    _check_kept_states(state, steps, players, kept[:-1])
    return _format_legacy_record(state, steps, players, request)


def _check_kept_states(
    state: State, steps: Sequence[Step], players: list[str], kept: Sequence[tuple[list[str], str]]
) -> None:
    """Check that each kept state, with the steps that are missing, gives the next one."""
    chain = [forms.parse_state(state.game, wire) for _, wire in yield_until_deadline(kept, 1)]
    for index, (earlier, later) in enumerate(yield_until_deadline(pairwise((*chain, state)), 1)):
        where = f"states.{index}"
        ply, until = earlier.last.ply, later.last.ply
        if not ply < until <= state.last.ply:
            raise InvalidState(where, "does not come in the order of the game")
        is_part = kept[index][0] == players and earlier.last == steps[ply]
        missing = steps[ply + 1 : until + 1]
        if not is_part or forms.dump_state(earlier.with_steps(missing)) != forms.dump_state(later):
            raise InvalidState(where, "is not of the game that ends with the last one")


def _format_legacy_record(
    state: State, steps: Sequence[Step], players: list[str], request: Mapping[str, Any]
) -> dict[str, Any]:
    """Return `plyhost.contract.records.make_game_record`, told in the words of 2018."""
    named = [
        {"name": user, "is_ai": False, **known, "userid": user}
        for user, known in zip(players, request["players"], strict=True)
    ]
    about = {"site": request["site"]}
    if request["event"] and request["round"]:
        about |= {"event": request["event"], "round": request["round"]}
    record = records.make_game_record(state, steps, {**about, "gameid": "", "players": named})
    header = record["header"]
    header.pop("version", None)
    header["site"] = {"name": request["site"]}
    if "gameid" in request:
        header["site"]["gameid"] = request["gameid"]
    colours = state.game.colours(state.last.position)
    for player, colour in zip(header["players"], colours, strict=True):
        player["pieces"] = str(colour)
    moves = [[{"move": text} for text in both] for both in record["moves"]]
    return {"header": header, "moves": moves}
