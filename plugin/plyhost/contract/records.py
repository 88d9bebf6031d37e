"""Game records, out and in: Abstract Play's report of a finished game, and its replay.

A record holds the moves in rounds of two and, in its header, each player's score and result.  The
seat of a resignation or time-out is nowhere else than in those results.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import orjson

from plyhost.contract.record_reading import Source, parse_game_record
from plyhost.errors import GameOver, IllegalMove, InvalidRequest, NotOver, StateError
from plyhost.games import variants
from plyhost.games.game import AnyGame, Unsettled
from plyhost.states import clock, forms
from plyhost.states.forms import State
from plyhost.states.steps import (
    ENDINGS,
    Step,
    count_equal_positions,
    is_repetition_claimable,
    make_ending_step,
    make_first_step,
    make_text_step,
)

Verdict = dict[str, Any]

VERDICT_FIELDS = (
    "ply",
    "move",
    "field",
    "code",
    "reason",
    "expected",
    "found",
    "where",
    "message",
)


def make_pass_verdict(plies_ok: int) -> Verdict:
    """Return the verdict that everything came out as stored."""
    return {"ok": True, "plies_ok": plies_ok, **dict.fromkeys(VERDICT_FIELDS)}


def make_difference_verdict(plies_ok: int, **told: Any) -> Verdict:
    """Return the verdict of a first difference; what is not told is null."""
    return make_pass_verdict(plies_ok) | told | {"ok": False}


def make_fault_verdict(error: StateError, plies_ok: int) -> Verdict:
    """Return the verdict that a state is broken, with the place."""
    place = {"where": error.beside["where"], "message": error.detail, "code": error.code}
    return make_difference_verdict(plies_ok, **error.trace, **place)


def make_game_record(
    state: State, steps: Sequence[Step], site: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the record of a finished game; `site` is a `RecordRequest`."""
    info, texts = state.game.info, [step.text for step in steps[1:]]
    header: dict[str, Any] = {
        "game": {"name": info.name, "variants": variants.list_variant_names(info, state.variants)}
    }
    header |= {key: site[key] for key in ("event", "round") if key in site}
    header |= _name_record_engine(state, steps)
    header |= {
        "site": {"name": site["site"], "gameid": site["gameid"]},
        "date-start": site.get("date-start", state.stack.started()),
        "date-end": site.get("date-end", state.last.timestamp),
        "date-generated": site.get("timestamp") or clock.get_current_stamp(),
        "players": _list_record_players(state, site["players"]),
    }
    if site.get("unrated"):
        header["unrated"] = True
    return {"header": header, "moves": [texts[at : at + 2] for at in range(0, len(texts), 2)]}


def _name_record_engine(state: State, steps: Sequence[Step]) -> dict[str, str]:
    """Return the engine's version, which a record names when its texts or rules are not ours."""
    version, text = state.game.info.version, state.game.text
    for before, step in pairwise(steps):
        is_move = step.move is not None
        if step.version != version or (is_move and text(before.position, step.move) != step.text):
            return {"version": step.version}
    return {}


def _list_record_players(state: State, named: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    scores = state.game.scores(state.last.position)
    winner = state.last.winner or []
    return [
        {**player, "score": score, "result": int(seat in winner)}
        for seat, (player, score) in enumerate(zip(named, scores, strict=True), 1)
    ]


def parse_replay_request(game: AnyGame, request: Mapping[str, Any]) -> Source:
    """Return what a `replay` request asks for.

    Raises InvalidRequest, UnknownVariant or UnsupportedEngine.
    """
    started = request.get("timestamp") or clock.get_current_stamp()
    if "moves" in request:
        uids = variants.normalise_variant_uids(game.info, request.get("variants", []))
        return Source(uids, request["moves"], started)
    try:
        return parse_game_record(game, request["record"], started)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InvalidRequest({"record": [f"Is no game record: {error}."]}) from error


@dataclass
class Replayed:
    """The verdict, and the state that was reached."""

    verdict: Verdict
    state: State


def replay_to_state(game: AnyGame, source: Source, form: str) -> Replayed:
    """Play a source from the start up to its end or its first difference."""
    verdict, steps = play_source(game, source)
    state = forms.start_state(game, source.variants, form, source.started)
    if len(steps) > 1:
        state = state.with_steps(steps[1:])
    return Replayed(verdict, state)


def play_source(game: AnyGame, source: Source) -> tuple[Verdict, list[Step]]:
    """Return the verdict on a source, and the steps up to its end or its first difference.

    In a verdict `expected` is what the rules give, `found` what the source says.
    """
    side = variants.find_board_variant(game.info, source.variants).side
    steps = [make_first_step(game, side, source.started, source.version or game.info.version)]
    verdict = _play_source_moves(game, source, steps) or _find_false_claim(game, source, steps[-1])
    return verdict or make_pass_verdict(steps[-1].ply), steps


def _play_source_moves(game: AnyGame, source: Source, steps: list[Step]) -> Verdict | None:
    for text in source.moves:
        last = steps[-1]
        told = {"ply": last.ply + 1, "move": text}
        if last.is_over and text not in ENDINGS:
            why = GameOver(last.ply, None)
            told |= {"field": "moves", "code": why.code, "found": text}
            return make_difference_verdict(last.ply, **told, message=why.detail)
        try:
            step = _play_next_move(game, source, steps, text)
        except IllegalMove as error:
            reason = error.beside["reason"]
            told |= {"field": "move", "code": error.code, "reason": reason, "found": text}
            return make_difference_verdict(last.ply, **told, message=error.detail)
        steps.append(step)
        claimed = source.results.get(step.ply)
        if claimed is not None and not _is_same_result(claimed, step.results):
            told |= {"field": "results", "code": "differs", "found": claimed}
            return make_difference_verdict(last.ply, **told, expected=step.results)
    return None


def _play_next_move(game: AnyGame, source: Source, steps: Sequence[Step], text: str) -> Step:
    last = steps[-1]
    if text in ENDINGS:
        return _play_ending(game, source, steps, text)
    step = make_text_step(game, last, text, last.timestamp, source.version)
    if source.is_record and step.text != text:
        why = "{move} is written {written}."
        raise IllegalMove(text, last.ply, "malformed", why, {"move": text, "written": step.text})
    return step


def _play_ending(game: AnyGame, source: Source, steps: Sequence[Step], how: str) -> Step:
    """Return the step of an ending; it may follow another one, and the last one counts."""
    last = steps[-1]
    why = "{how} cannot be said here."
    refused = IllegalMove(how, last.ply, "malformed", why, {"how": how})
    if how == "repetition" and not is_repetition_claimable(game, count_step_repetitions(steps)):
        raise refused
    seat = source.loser or last.position.seat
    try:
        return make_ending_step(game, last, how, seat, last.timestamp, source.version)
    except Unsettled:
        raise refused from None


def count_step_repetitions(steps: Sequence[Step]) -> int:
    """Return how often the last position stood before."""
    stood = [step.position for step in steps if step.text not in ENDINGS]
    return count_equal_positions(stood[-1], stood[:-1])


def _is_same_result(claimed: Any, found: Any) -> bool:
    sort = orjson.OPT_SORT_KEYS
    return orjson.dumps(claimed, option=sort) == orjson.dumps(found, option=sort)


def is_claim_borne_out(claimed: Sequence[Any] | None, found: Sequence[Any]) -> bool:
    """Tell whether the end bears out what is claimed by seat; None claims nothing."""
    if claimed is None:
        return True
    return len(claimed) == len(found) and all(
        one is None or (one == other and not isinstance(one, bool))
        for one, other in zip(claimed, found, strict=True)
    )


def _find_false_claim(game: AnyGame, source: Source, last: Step) -> Verdict | None:
    """Return the first claim of a record's header that the end does not bear out."""
    if not source.is_record:
        return None
    if not last.is_over:
        why = NotOver(last.ply, last.position.seat)
        told = {"ply": last.ply + 1, "field": "moves", "code": why.code, "message": why.detail}
        return make_difference_verdict(last.ply, **told)
    for name, claimed, found in (
        ("winner", source.winner, last.winner or []),
        ("scores", source.scores, game.scores(last.position)),
    ):
        if not is_claim_borne_out(claimed, found):
            told = {"ply": last.ply, "move": last.text, "field": name, "code": "differs"}
            return make_difference_verdict(last.ply, **told, expected=found, found=claimed)
    return None
