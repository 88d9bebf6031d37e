"""Game records, out and in: Abstract Play's report of a finished game, and its replay.

A record holds the moves in rounds of two and, in its header, each player's score and result.  The
seat of a resignation or time-out is nowhere else than in those results.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import orjson

from plyhost.contract.record_reading import NotRecord, Source, parse_game_record
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
    "read_as",
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
    """Return the record of a game, without results while it runs; `site` is a `RecordRequest`."""
    info, texts = state.game.info, [step.text for step in steps[1:]]
    header: dict[str, Any] = {
        "game": {"name": info.name, "variants": variants.list_variant_names(info, state.variants)}
    }
    header |= {key: site[key] for key in ("event", "round") if key in site}
    header |= _name_record_engine(state, steps)
    header |= {
        "site": {"name": site["site"], "gameid": site.get("gameid", site.get("uid"))},
        "date-start": site.get("date-start", state.stack.first_stamp()),
        "date-end": site.get("date-end", state.last.timestamp),
        "date-generated": site.get("timestamp") or clock.get_current_stamp(),
        "players": _list_record_players(state, site["players"]),
    }
    if site.get("unrated"):
        header["unrated"] = True
    # Asked for by the name that the reference's own caller uses, written by the record's.
    if site.get("pied"):
        header["pie-invoked"] = True
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
    winner = state.last.winner
    return [
        {**_name_record_player(player), "score": score}
        | ({} if winner is None else {"result": int(seat in winner)})
        for seat, (player, score) in enumerate(zip(named, scores, strict=True), 1)
    ]


def _name_record_player(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a player by the names of a record, which a request may say otherwise."""
    names = {"uid": "userid", "isai": "is_ai"}
    return {names.get(name, name): value for name, value in given.items()}


def parse_replay_request(game: AnyGame, request: Mapping[str, Any]) -> Source:
    """Return what a `replay` request asks for.

    Raises InvalidRequest, UnknownVariant or UnsupportedEngine.
    """
    started = request.get("timestamp") or clock.get_current_stamp()
    if "moves" in request:
        uids = variants.normalise_variant_uids(game.info, request.get("variants") or ())
        return Source(uids, request["moves"], started)
    try:
        return parse_game_record(game, request["record"], started)
    except NotRecord as error:
        place = "record" if error.where == "record" else f"record.{error.where}"
        raise InvalidRequest({place: [f"{error.why[0].upper()}{error.why[1:]}."]}) from error


@dataclass
class Replayed:
    """The verdict, and the state that was reached."""

    verdict: Verdict
    state: State


def replay_to_state(game: AnyGame, source: Source, form: str) -> Replayed:
    """Play a source from the start up to its end or its first difference."""
    verdict, steps = play_source(game, source)
    rules = game.rules(source.version)
    state = forms.start_state(rules, source.variants, form, source.started)
    if len(steps) > 1:
        state = state.with_steps(steps[1:])
    return Replayed(verdict, state)


def play_source(game: AnyGame, source: Source) -> tuple[Verdict, list[Step]]:
    """Return the verdict on a source, and the steps up to its end or its first difference.

    In a verdict `expected` is what the rules give, `found` what the source says.  `read_as` is the
    engine as which texts were read that are not canonical, where site and date told it.
    """
    game = game.rules(source.version)
    side = variants.find_board_variant(game.info, source.variants).side
    steps = [make_first_step(game, side, source.started, source.version or game.version)]
    verdict = _play_source_moves(game, source, steps) or _find_false_claim(game, source, steps[-1])
    told = {"read_as": source.read_as} if source.read_as else {}
    return (verdict or make_pass_verdict(steps[-1].ply)) | told, steps


def _play_source_moves(game: AnyGame, source: Source, steps: list[Step]) -> Verdict | None:
    for text in source.moves:
        last = steps[-1]
        told = {"ply": last.ply + 1, "move": text}
        if last.is_over and text not in ENDINGS:
            why = GameOver(last.ply, None)
            told |= {"field": "moves", "code": why.code, "found": text}
            return make_difference_verdict(last.ply, **told, message=why.detail)
        try:
            step = play_source_text(game, source, steps, text)
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


def play_source_text(game: AnyGame, source: Source, steps: Sequence[Step], text: str) -> Step:
    """Return the step of a move or an ending that follows some; raises IllegalMove."""
    if text in ENDINGS:
        return _play_ending(game, source, steps, text)
    try:
        return _play_source_move(game, source, steps[-1], text)
    except IllegalMove:
        step = _play_site_move(game, source, steps[-1], text)
        if step is None:
            raise
        return step


def _play_site_move(game: AnyGame, source: Source, last: Step, text: str) -> Step | None:
    """Return the step of a text as the site's engine read it; None where it is not known or not."""
    if source.site_version is None:
        return None
    try:
        step = make_text_step(game, last, text, last.timestamp, source.site_version)
    except IllegalMove:
        return None
    source.read_as = source.site_version
    return step


def _play_source_move(game: AnyGame, source: Source, last: Step, text: str) -> Step:
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


def _is_same_result(claimed: Any, found: Sequence[Any]) -> bool:
    """Tell whether a claim is what was found, which may leave out that the game ended and how."""
    sort = orjson.OPT_SORT_KEYS
    told = [one for one in found if one["type"] not in ("eog", "winners")]
    said = orjson.dumps(claimed, option=sort)
    return said in (orjson.dumps(found, option=sort), orjson.dumps(told, option=sort))


def is_claim_borne_out(claimed: Sequence[Any] | None, found: Sequence[Any]) -> bool:
    """Tell whether the end bears out what is claimed by seat; None claims nothing."""
    if claimed is None:
        return True
    return len(claimed) == len(found) and all(
        one is None or (one == other and not isinstance(one, bool))
        for one, other in zip(claimed, found, strict=True)
    )


def is_winner_borne_out(source: Source, found: Sequence[int]) -> bool:
    """Tell whether the end bears out who won; equal results may be a draw, whatever they are."""
    if source.is_even and list(found) == [1, 2]:
        return True
    return is_claim_borne_out(source.winner, found)


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
        is_true = is_winner_borne_out(source, found) if name == "winner" else None
        if not (is_claim_borne_out(claimed, found) if is_true is None else is_true):
            told = {"ply": last.ply, "move": last.text, "field": name, "code": "differs"}
            return make_difference_verdict(last.ply, **told, expected=found, found=claimed)
    return None
