"""The operations of contract version 1: checked request in, answer out, no transport.

Each function takes the game and a request that `schemas.v1` has let through, and returns the
answer as an object.  Refusals are raised as `plugin.errors`.  When several apply, the state comes
first, then `stale-ply`, `game-over`, `not-your-turn`, and the move last.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any

from plugin import archive, chat, clock, codec, deadline, history, limits, render, variants
from plugin import convert as conversion
from plugin.clock import Stamp
from plugin.codec import State
from plugin.errors import (
    GameOver,
    InvalidRequest,
    NotOver,
    NotRepeated,
    NotSettleable,
    NotYourTurn,
    StalePly,
    StateError,
    TooLarge,
)
from plugin.game import Illegal, Unsettled, clean
from plugin.history import AnyGame, Step
from plugin.view import Answer, listing, picture, refusal, verdict, view

Request = Mapping[str, Any]


def new(game: AnyGame, request: Request) -> Answer:
    """Return the view of a game before its first move; raises UnknownVariant."""
    uids = variants.chosen(game.info, request["variants"])
    at = request.get("timestamp") or clock.now()
    return view(codec.start(game, uids, request["form"], at), request)


def loaded(game: AnyGame, request: Request) -> State:
    """Return the state of a request, its whole history checked if that is asked for."""
    if request.get("verify"):
        return checked(game, request)[0]
    return codec.load(game, request["state"])


def checked(game: AnyGame, request: Request) -> tuple[State, list[Step]]:
    """Return the state of a request with all its steps, each checked."""
    with _first_fault_named(game, request):
        state = codec.load(game, request["state"])
        return state, list(state.walk())


@contextmanager
def _first_fault_named(game: AnyGame, request: Request) -> Iterator[None]:
    """Have a broken history refused for what is wrong first: loading looks at its end first."""
    try:
        yield
    except StateError:
        for _ in codec.trace(game, request["state"]):
            pass
        raise


def move(game: AnyGame, request: Request) -> Answer:
    """Make a move, and those it forces as far as `auto` asks; all or nothing."""
    state = loaded(game, request)
    at = _moment(state, request)
    _must_run(state, request)
    _must_have_room(state, limits.PLIES)
    steps = [_made(state, request["move"], at)]
    steps += _forced(game, steps[0], request["auto"], at)
    shown = view(state.with_steps(steps), request)
    shown["applied"] = _applied(state.last, steps)
    return shown


def _moment(state: State, request: Request) -> Stamp:
    """Return the time of a new entry: the given one, or the clock's raised to the last entry's."""
    last = state.last.timestamp
    given: Stamp | None = request.get("timestamp")
    if given is None:
        return max(clock.now(), last)
    if given < last:
        raise InvalidRequest({"timestamp": [f"Must not be earlier than the last entry, {last}."]})
    return given


def _must_run(state: State, request: Request) -> None:
    last, is_over = state.last, state.last.is_over
    to_move = None if is_over else last.position.seat
    if request.get("expected_ply", last.ply) != last.ply:
        raise StalePly(last.ply, to_move, expected=request["expected_ply"])
    if is_over:
        raise GameOver(last.ply, None)
    if request.get("player", to_move) != to_move and "move" in request:
        raise NotYourTurn(last.ply, to_move, player=request["player"])


def _must_have_room(state: State, limit: int) -> None:
    if state.last.ply >= limit:
        raise TooLarge({"limit": limit}, what="The number of plies", limit=limit)


def _made(state: State, text: str, at: Stamp) -> Step:
    game, last = state.game, state.last
    return history.move(game, last, history.read(game, last, text), at)


def _forced(game: AnyGame, step: Step, auto: str, at: Stamp) -> list[Step]:
    """Return the steps that follow because there is no choice; `auto` says which are wanted."""
    steps: list[Step] = []
    while auto != "none" and not step.is_over and step.ply < limits.PLIES:
        choices = list(islice(game.moves(step.position), 2))
        if len(choices) != 1:
            break
        if auto == "pass" and game.text(step.position, choices[0]) != "pass":
            break
        step = history.move(game, step, choices[0], at)
        steps.append(step)
    return steps


def _applied(before: Step, steps: list[Step]) -> list[Answer]:
    befores = [before, *steps]
    return [
        {
            "ply": step.ply,
            "player": earlier.position.seat,
            "move": step.text,
            "results": step.results,
            "timestamp": step.timestamp,
            "auto": step is not steps[0],
        }
        for earlier, step in zip(befores, steps, strict=False)
    ]


def moves(game: AnyGame, request: Request) -> Answer:
    """List the legal moves in the contract's order."""
    state = loaded(game, request)
    try:
        prefix = clean(request["prefix"])
    except Illegal:
        return {"count": 0, "moves": [], "truncated": False}
    return listing(state, request["offset"], request["limit"], prefix)


def validate(game: AnyGame, request: Request) -> Answer:
    """Judge any text as a move."""
    return verdict(loaded(game, request), request["move"])


def click(game: AnyGame, request: Request) -> Answer:
    """Judge the text after a click; when it is not valid the text stays as it was."""
    state = loaded(game, request)
    text, row, col = request["move"], request["row"], request["col"]
    position = state.last.position
    if state.last.is_over:
        return verdict(state, text)
    if not position.board.has(row, col):
        return refusal(text, "off-board", game.reasons["off-board"], {"cell": f"({row}, {col})"})
    after = verdict(state, game.click(position, text, position.board.at(row, col)))
    return after if after["valid"] else after | {"move": text}


def draw(game: AnyGame, request: Request) -> Answer:
    """Draw the last position, that of a `ply`, those of `plies`, or a `move` not made."""
    if "plies" in request:
        state, steps = checked(game, request)
        low, high = (_index(state, ply, "plies") for ply in request["plies"])
        if high < low:
            raise InvalidRequest({"plies": ["Must not run backwards."]})
        if high - low >= limits.RENDERED_PLIES:
            raise InvalidRequest({"plies": [f"At most {limits.RENDERED_PLIES} at once."]})
        return {"renders": [_drawn(game, step, request) for step in steps[low : high + 1]]}
    if "ply" in request:
        state, steps = checked(game, request)
        return {"render": _drawn(game, steps[_index(state, request["ply"], "ply")], request)}
    state = loaded(game, request)
    if "move" in request:
        return {"render": _previewed(state, request)}
    return {"render": picture(state, request)}


def _index(state: State, ply: int, field: str) -> int:
    last = state.last.ply
    if ply > last:
        raise InvalidRequest({field: [f"The last ply is {last}."]})
    return last if ply < 0 else ply


def _drawn(game: AnyGame, step: Step, request: Request) -> Answer:
    deadline.check()
    display, perspective = request["display"], request["perspective"]
    return render.draw(game, step.position, step.results, display, perspective)


def _previewed(state: State, request: Request) -> Answer:
    game, last, text = state.game, state.last, request["move"]
    if last.is_over:
        raise GameOver(last.ply, None)
    try:
        advice = game.advise(last.position, text)
        if advice.complete >= 0:
            step = _made(state, advice.text, last.timestamp)
            return _drawn(game, step, request)
        stones, marks = game.sketch(last.position, advice.text)
    except Illegal as illegal:
        raise history.refusal(game, last, text, illegal) from illegal
    display, perspective = request["display"], request["perspective"]
    return render.compose(game, last.position, stones, marks, display, perspective)


def end(game: AnyGame, request: Request) -> Answer:
    """End the game by resignation, time, agreement, abandonment or a claimed repetition."""
    how = request["how"]
    state = checked(game, request)[0] if how == "repetition" else loaded(game, request)
    at = _moment(state, request)
    _must_run(state, request)
    _must_have_room(state, limits.LAST_PLY)
    last, to_move = state.last, state.last.position.seat
    if how == "repetition":
        stood = codec.repetitions(state)
        if stood < history.ENOUGH_REPETITIONS:
            raise NotRepeated(last.ply, to_move, repetitions=stood)
    try:
        step = history.ending(game, last, how, request.get("player"), at)
    except Unsettled as early:
        raise NotSettleable(last.ply, to_move) from early
    return view(state.with_steps([step]), request)


def at(game: AnyGame, request: Request) -> Answer:
    """Return the view at a ply, with the state as it was then."""
    state, steps = checked(game, request)
    ply = _index(state, request["ply"], "ply")
    return view(codec.cut(state, steps[: ply + 1]), request)


def past(game: AnyGame, request: Request) -> Answer:
    """Return every ply and the chat log."""
    _, steps = checked(game, request)
    movers = [None, *map(chat.mover, steps, steps[1:])]
    plies = [_told(game, step, mover) for step, mover in zip(steps, movers, strict=True)]
    return {"plies": plies, "chat": chat.log(steps, request.get("players", chat.DEFAULT_NAMES))}


def _told(game: AnyGame, step: Step, mover: int | None) -> Answer:
    return {
        "ply": step.ply,
        "mover": mover,
        "notation": step.text,
        "results": step.results,
        "timestamp": step.timestamp,
        "currplayer": step.position.seat,
        "gameover": step.is_over,
        "scores": game.scores(step.position),
    }


def same(game: AnyGame, request: Request) -> Answer:
    """Tell whether two texts are legal here and mean one move."""
    state = loaded(game, request)
    texts = [_canonical(state, request[field]) for field in ("move", "other")]
    legal = [text is not None for text in texts]
    return {"same": all(legal) and texts[0] == texts[1], "legal": legal, "moves": texts}


def _canonical(state: State, text: str) -> str | None:
    position = state.last.position
    try:
        made = state.game.read(position, text)
    except Illegal:
        return None
    return None if state.last.is_over else state.game.text(position, made)


def record(game: AnyGame, request: Request) -> Answer:
    """Return the game record of a finished game."""
    state, steps = checked(game, request)
    if not state.last.is_over:
        raise NotOver(state.last.ply, state.last.position.seat)
    return {"record": archive.record(state, steps, request)}


def replay(game: AnyGame, request: Request) -> Answer:
    """Play a record, or moves, from the start; the verdict, and the view that was reached."""
    source = archive.source(game, request)
    replayed = archive.replay(game, source, request["form"])
    return replayed.verdict | {"view": view(replayed.state, request)}


def verify(game: AnyGame, request: Request) -> Answer:
    """Return the verdict on a state's whole history, the first thing wrong from the start on."""
    plies_ok = 0
    try:
        for step in codec.trace(game, request["state"]):
            plies_ok = step.ply
    except StateError as error:
        return archive.failed(error, plies_ok)
    return archive.passed(plies_ok)


def convert(game: AnyGame, request: Request) -> Answer:
    """Return the same state in another form; see `plugin.convert`."""
    with _first_fault_named(game, request):
        state = loaded(game, request)
        result = conversion.convert(state, request["form"], request["normalise"])
    state = result.state
    return {
        "form": state.form,
        "state": codec.dump(state),
        "dropped": result.dropped,
        "dropped_count": result.dropped_count,
    }


OPERATIONS: dict[str, Callable[[AnyGame, Request], Answer]] = {
    "new": new,
    "move": move,
    "moves": moves,
    "validate": validate,
    "click": click,
    "render": draw,
    "end": end,
    "at": at,
    "history": past,
    "same": same,
    "record": record,
    "replay": replay,
    "verify": verify,
    "convert": convert,
}
