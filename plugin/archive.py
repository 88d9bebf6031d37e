"""Game records, out and in: Abstract Play's report of a finished game, and its replay.

A record holds the moves in rounds of two and, in its header, each player's score and result.  The
seat of a resignation or time-out is nowhere else than in those results.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from plugin import clock, codec, history, variants
from plugin.codec import State
from plugin.errors import GameOver, IllegalMove, InvalidRequest, NotOver, StateError
from plugin.game import Illegal, Info, Unsettled
from plugin.history import BY_SEAT, ENDINGS, ENOUGH_REPETITIONS, AnyGame, Step

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


def passed(plies_ok: int) -> Verdict:
    """Return the verdict that everything came out as stored."""
    return {"ok": True, "plies_ok": plies_ok, **dict.fromkeys(VERDICT_FIELDS)}


def differs(plies_ok: int, **told: Any) -> Verdict:
    """Return the verdict of a first difference; what is not told is null."""
    return passed(plies_ok) | told | {"ok": False}


def failed(error: StateError, plies_ok: int) -> Verdict:
    """Return the verdict that a state is broken, with the place."""
    place = {"where": error.beside["where"], "message": error.detail, "code": error.code}
    return differs(plies_ok, **error.trace, **place)


def record(state: State, steps: Sequence[Step], site: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a finished game; `site` is a request of `schemas.v1.Record`."""
    info, texts = state.game.info, [step.text for step in steps[1:]]
    header: dict[str, Any] = {
        "game": {"name": info.name, "variants": variants.names(info, state.variants)}
    }
    header |= {key: site[key] for key in ("event", "round") if key in site}
    header |= {
        "site": {"name": site["site"], "gameid": site["gameid"]},
        "date-start": site.get("date-start", state.stack.started()),
        "date-end": site.get("date-end", state.last.timestamp),
        "date-generated": site.get("timestamp") or clock.now(),
        "players": _players(state, site["players"]),
    }
    if site.get("unrated"):
        header["unrated"] = True
    return {"header": header, "moves": [texts[at : at + 2] for at in range(0, len(texts), 2)]}


def _players(state: State, named: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    scores = state.game.scores(state.last.position)
    winner = state.last.winner or []
    return [
        {**player, "score": score, "result": int(seat in winner)}
        for seat, (player, score) in enumerate(zip(named, scores, strict=True), 1)
    ]


@dataclass
class Source:
    """A game to replay: `scores` and `winner` are None where nothing is claimed."""

    variants: list[str]
    moves: list[str]
    started: clock.Stamp
    is_record: bool = False
    scores: list[Any] | None = None
    winner: list[int] | None = None
    results: dict[int, Any] = field(default_factory=dict)


def source(game: AnyGame, request: Mapping[str, Any]) -> Source:
    """Return what a `replay` request asks for; raises InvalidRequest or UnknownVariant."""
    started = request.get("timestamp") or clock.now()
    if "moves" in request:
        uids = variants.chosen(game.info, request.get("variants", []))
        return Source(uids, request["moves"], started)
    try:
        return read_record(game, request["record"], started)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InvalidRequest({"record": [f"Is no game record: {error}."]}) from error


def read_record(game: AnyGame, found: Mapping[str, Any], started: clock.Stamp) -> Source:
    """Return the game of a record; raises ValueError (or a kin of it) when it is none."""
    header = found["header"]
    named = header["game"]["name"]
    if named not in (game.info.name, game.info.uid):
        raise ValueError("it is of another game")
    uids = _uids(game.info, header["game"].get("variants") or [])
    players = header["players"]
    if not isinstance(players, list) or len(players) != 2:
        raise ValueError("it needs two players")
    results = [player.get("result") for player in players]
    start = header.get("date-start")
    moves = list(_flat(found["moves"]))
    return Source(
        uids,
        [move for move, _ in moves],
        start if clock.is_stamp(start) else started,
        True,
        [player.get("score") for player in players],
        [seat for seat, result in enumerate(results, 1) if result],
        {ply: result for ply, (_, result) in enumerate(moves, 1) if result is not None},
    )


def _uids(info: Info, named: Sequence[Any]) -> list[str]:
    """Return variant uids, given as uids or as display names."""
    by_name = {variant.name: variant.uid for variant in info.variants}
    return variants.chosen(info, [by_name.get(name, name) for name in map(str, named)])


def _flat(rounds: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Yield each move with the result it claims: rounds hold texts, nulls or objects."""
    for moves in rounds:
        for one in moves if isinstance(moves, list) else [moves]:
            if isinstance(one, str):
                yield one, None
            elif one is not None:
                yield str(one["move"]), one.get("result")


@dataclass
class Replayed:
    """The verdict, and the state that was reached."""

    verdict: Verdict
    state: State


def replay(game: AnyGame, source: Source, form: str) -> Replayed:
    """Play a source from the start up to its end or its first difference."""
    state = codec.start(game, source.variants, form, source.started)
    steps = [state.last]
    verdict = _play(game, source, steps) or _claims(game, source, steps[-1])
    if len(steps) > 1:
        state = state.with_steps(steps[1:])
    return Replayed(verdict or passed(steps[-1].ply), state)


def _play(game: AnyGame, source: Source, steps: list[Step]) -> Verdict | None:
    for text in source.moves:
        last = steps[-1]
        told = {"ply": last.ply + 1, "move": text}
        if last.is_over:
            why = GameOver(last.ply, None)
            return differs(last.ply, **told, field="moves", code=why.code, message=why.detail)
        try:
            step = _next(game, source, steps, text)
        except IllegalMove as error:
            reason = error.beside["reason"]
            told |= {"field": "move", "code": error.code, "reason": reason}
            return differs(last.ply, **told, message=error.detail)
        steps.append(step)
        claimed = source.results.get(step.ply)
        if isinstance(claimed, list) and claimed != step.results:
            told |= {"field": "results", "code": "differs", "expected": claimed}
            return differs(last.ply, **told, found=step.results)
    return None


def _next(game: AnyGame, source: Source, steps: Sequence[Step], text: str) -> Step:
    last = steps[-1]
    if text in ENDINGS:
        return _ending(game, source, steps, text)
    try:
        made = game.read(last.position, text)
    except Illegal as error:
        why = game.reasons[error.reason]
        raise IllegalMove(text, last.ply, error.reason, why, error.params) from error
    return history.move(game, last, made, last.timestamp)


def _ending(game: AnyGame, source: Source, steps: Sequence[Step], how: str) -> Step:
    last = steps[-1]
    why = "{how} cannot be said here."
    refused = IllegalMove(how, last.ply, "malformed", why, {"how": how})
    seat = _loser(source) if how in BY_SEAT else None
    if how in BY_SEAT and seat is None:
        raise refused
    if how == "repetition" and _stood(steps) < ENOUGH_REPETITIONS:
        raise refused
    try:
        return history.ending(game, last, how, seat, last.timestamp)
    except Unsettled:
        raise refused from None


def _loser(source: Source) -> int | None:
    winner = source.winner or []
    return 3 - winner[0] if len(winner) == 1 else None


def _stood(steps: Sequence[Step]) -> int:
    return sum(step.position == steps[-1].position for step in steps[:-1])


def _claims(game: AnyGame, source: Source, last: Step) -> Verdict | None:
    """Return the first claim of a record's header that the end does not bear out."""
    if not source.is_record:
        return None
    if not last.is_over:
        why = NotOver(last.ply, last.position.seat)
        told = {"ply": last.ply + 1, "field": "moves", "code": why.code, "message": why.detail}
        return differs(last.ply, **told)
    scores = game.scores(last.position)
    for name, claimed, found in (
        ("winner", source.winner, last.winner),
        ("scores", source.scores, scores),
    ):
        if orjson.dumps(claimed) != orjson.dumps(found) and claimed != [None, None]:
            told = {"ply": last.ply, "move": last.text, "field": name, "code": "differs"}
            return differs(last.ply, **told, expected=claimed, found=found)
    return None
