"""The operations of contract version 1: checked request in, answer out, no transport.

Each function takes the game and a request that `plyhost.schemas.requests` has let through, and
returns the answer as an object.  Refusals are raised as `plyhost.errors`.  When several apply, the
state comes first, then `stale-ply`, `game-over`, `not-your-turn`, and the move last.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from math import inf
from random import Random
from secrets import randbelow
from typing import TypeAlias

from plyhost import deadline, limits
from plyhost.board.bits import Cell
from plyhost.board.hexes import Board
from plyhost.contract import chat, history, records
from plyhost.contract.picture_requests import SVG, make_render_picture
from plyhost.contract.plans import PlanFollower, check_plan
from plyhost.contract.view import (
    Answer,
    judge_move_text,
    list_legal_moves,
    list_targets,
    refuse_move_text,
    render_state,
    view_state,
)
from plyhost.errors import (
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
from plyhost.games import variants
from plyhost.games.game import AnyGame, Illegal, Unsettled, clean_move_text
from plyhost.pictures import render_json
from plyhost.pictures.asking import Fields
from plyhost.search.suggestion import Question, suggest_move
from plyhost.search.thinking import Effort
from plyhost.states import clock, conversion, forms
from plyhost.states.clock import Stamp
from plyhost.states.forms import State
from plyhost.states.steps import (
    Step,
    is_repetition_claimable,
    make_ending_step,
    make_move_refusal,
    make_move_step,
    make_text_step,
    parse_next_move,
)

#: How much of a request's time is thought through at most.
SHARE_OF_TIME = 0.8


def answer_new_game(game: AnyGame, request: Fields) -> Answer:
    """Return the view of a game before its first move; raises UnknownVariant."""
    uids = variants.normalise_variant_uids(game.info, request["variants"] or ())
    at = request.get("timestamp") or clock.get_current_stamp()
    return view_state(forms.start_state(game, uids, request["form"], at), request)


def load_requested_state(game: AnyGame, request: Fields) -> State:
    """Return the state of a request, its whole history checked if that is asked for."""
    if request.get("verify"):
        return check_requested_state(game, request)[0]
    return forms.parse_state(game, request["state"])


def check_requested_state(game: AnyGame, request: Fields) -> tuple[State, list[Step]]:
    """Return the state of a request with all its steps, each checked."""
    with _name_first_fault(game, request):
        state = forms.parse_state(game, request["state"])
        return state, list(state.walk())


@contextmanager
def _name_first_fault(game: AnyGame, request: Fields) -> Iterator[None]:
    """Have a broken history refused for what is wrong first: loading looks at its end first."""
    try:
        yield
    except StateError:
        for _ in forms.trace_state(game, request["state"]):
            pass
        raise


def answer_move(game: AnyGame, request: Fields) -> Answer:
    """Make a move, the answers of a plan, and what `auto` asks to be forced; all or nothing."""
    return _make_requested_move(load_requested_state(game, request), request)


def _make_requested_move(state: State, request: Fields) -> Answer:
    at = _choose_step_time(state, request)
    _require_running_game(state, request)
    _require_ply_room(state, limits.PLIES)
    steps = [make_text_step(state.game, state.last, request["move"], at)]
    plan = PlanFollower(state.game, 3 - state.last.position.seat, request.get("plan", {}))
    forced = _add_following_steps(state, steps, plan, request["auto"], at)
    shown = view_state(state.with_steps(steps), request)
    shown["applied"] = _list_applied_steps(state.last, steps, forced)
    return shown | ({"plan": plan.rest} if "plan" in request else {})


def _add_following_steps(
    state: State, steps: list[Step], plan: PlanFollower, auto: str, at: Stamp
) -> list[Step]:
    """Add the plan's answers and the forced moves to a first step; return the forced ones."""
    forced: list[Step] = []
    before: Step = state.last
    while True:
        plan.note_move(before, steps[-1])
        before = steps[-1]
        if (step := plan.make_answer(before, at)) is None:
            if (step := _make_forced_step(state.game, before, auto, at)) is None:
                return forced
            forced.append(step)
        steps.append(step)


def answer_plan(game: AnyGame, request: Fields) -> Answer:
    """Judge every branch of the waiting player's plan."""
    state = load_requested_state(game, request)
    _require_running_game(state, request)
    owner = 3 - state.last.position.seat
    if request.get("player", owner) != owner:
        why = f"Player {3 - owner} is to move; a plan is for the one who waits."
        raise InvalidRequest({"player": [why]})
    return check_plan(state.game, state.last, request["plan"], owner)


def _choose_step_time(state: State, request: Fields) -> Stamp:
    """Return the time of a new entry: the given one, or the clock's raised to the last entry's."""
    last = state.last.timestamp
    given: Stamp | None = request.get("timestamp")
    if given is None:
        return max(clock.get_current_stamp(), last)
    if given < last:
        raise InvalidRequest({"timestamp": [f"Must not be earlier than the last entry, {last}."]})
    return given


def _require_running_game(state: State, request: Fields) -> None:
    last, is_over = state.last, state.last.is_over
    to_move = None if is_over else last.position.seat
    _check_expected_ply(state, request)
    if is_over:
        raise GameOver(last.ply, None)
    # `end` also takes `player`, who may resign out of turn.
    if request.get("player", to_move) != to_move and "move" in request:
        raise NotYourTurn(last.ply, to_move, player=request["player"])


def _check_expected_ply(state: State, request: Fields) -> None:
    last = state.last
    if request.get("expected_ply", last.ply) != last.ply:
        to_move = None if last.is_over else last.position.seat
        raise StalePly(last.ply, to_move, expected=request["expected_ply"])


def _require_ply_room(state: State, limit: int) -> None:
    if state.last.ply >= limit:
        raise TooLarge({"limit": limit}, what="The number of plies", limit=limit)


def _make_forced_step(game: AnyGame, step: Step, auto: str, at: Stamp) -> Step | None:
    """Return the step that follows because there is no choice; `auto` says which are wanted."""
    if auto == "none" or step.is_over or step.ply >= limits.PLIES:
        return None
    choices = list(islice(game.moves(step.position), 2))
    if len(choices) != 1:
        return None
    if auto == "pass" and game.text(step.position, choices[0]) != "pass":
        return None
    return make_move_step(game, step, choices[0], at)


def _list_applied_steps(before: Step, steps: list[Step], forced: list[Step]) -> list[Answer]:
    befores, by_force = [before, *steps], {step.ply for step in forced}
    return [
        {
            "ply": step.ply,
            "player": earlier.position.seat,
            "move": step.text,
            "results": step.results,
            "timestamp": step.timestamp,
            "auto": step.ply in by_force,
        }
        for earlier, step in zip(befores, steps, strict=False)
    ]


def answer_legal_moves(game: AnyGame, request: Fields) -> Answer:
    """List the legal moves in the contract's order."""
    state = load_requested_state(game, request)
    try:
        prefix = clean_move_text(request["prefix"])
    except Illegal:
        return {"count": 0, "moves": [], "truncated": False}
    return list_legal_moves(state, request["offset"], request["limit"], prefix)


def answer_random_move(game: AnyGame, request: Fields) -> Answer:
    """Return one of the legal moves, each as likely; the same one for the same state and seed."""
    state = load_requested_state(game, request)
    _require_running_game(state, request)
    position = state.last.position
    count = game.count(position)
    at = Random(request["seed"]).randrange(count) if "seed" in request else randbelow(count)
    moves = deadline.yield_until_deadline(game.moves(position))
    return {"count": count, "move": game.text(position, next(islice(moves, at, None)))}


def answer_validation(game: AnyGame, request: Fields) -> Answer:
    """Judge any text as a move."""
    state = load_requested_state(game, request)
    return _add_to_verdict(state, request, judge_move_text(state, request["move"]))


def answer_click(game: AnyGame, request: Fields) -> Answer:
    """Judge the text after a click; when it is not valid the text stays as it was.

    After the end there is nothing to write: the text is emptied.  With `make` a move that the click
    completes is made, and the answer has the view after it.
    """
    state = load_requested_state(game, request)
    _check_expected_ply(state, request)
    text, position = request["move"], state.last.position
    if state.last.is_over:
        verdict = judge_move_text(state, "")
    elif (cell := _find_clicked_cell(position.board, request)) is None:
        named = request.get("cell", f"({request.get('row')}, {request.get('col')})")
        reason = game.reasons["off-board"]
        verdict = refuse_move_text(text, "off-board", reason, {"cell": named})
    else:
        after = judge_move_text(state, game.click(position, text, cell))
        verdict = after if after["valid"] else after | {"move": text}
    if request["make"]:
        if verdict["valid"] and verdict["complete"] == 1:
            made = _make_requested_move(state, {**request, "move": verdict["move"]})
            return verdict | {"view": made}
        verdict["view"] = None
    return _add_to_verdict(state, request, verdict)


def _find_clicked_cell(board: Board, request: Fields) -> Cell | None:
    """Return the cell that a click names, by its name or by row and column; None off the board."""
    if "cell" in request:
        return board.cell(request["cell"])
    row, col = request["row"], request["col"]
    return board.at(row, col) if board.has(row, col) else None


def _add_to_verdict(state: State, request: Fields, verdict: Answer) -> Answer:
    """Return a verdict with what `include` asks for: where to click next, how the board looks."""
    included = request["include"]
    if "targets" in included:
        verdict["targets"] = list_targets(state, verdict["move"])
    if "render" in included or "svg" in included:
        drawn = {**request, "move": verdict["move"]}
        is_shown = verdict["valid"] and verdict["canrender"]
        render = _render_preview(state, drawn) if is_shown else render_state(state, drawn)
        if "render" in included:
            verdict["render"] = render
        if "svg" in included:
            title = state.game.info.name
            verdict["svg"] = make_render_picture(state.game, render, request, SVG, title).drawn
    return verdict


def answer_render(game: AnyGame, request: Fields) -> Answer:
    """Draw the last position, that of a `ply`, those of `plies`, or a `move` not made."""
    if "plies" in request:
        state, steps = check_requested_state(game, request)
        low, high = (_resolve_ply(state, ply, "plies") for ply in request["plies"])
        if high < low:
            raise InvalidRequest({"plies": ["Must not run backwards."]})
        if high - low >= limits.RENDERED_PLIES:
            raise InvalidRequest({"plies": [f"At most {limits.RENDERED_PLIES} at once."]})
        return {"renders": [_render_step(game, step, request) for step in steps[low : high + 1]]}
    if "ply" in request:
        state, steps = check_requested_state(game, request)
        return {
            "render": _render_step(game, steps[_resolve_ply(state, request["ply"], "ply")], request)
        }
    state = load_requested_state(game, request)
    if "move" in request:
        return {"render": _render_preview(state, request)}
    return {"render": render_state(state, request)}


def _resolve_ply(state: State, ply: int, field: str) -> int:
    last = state.last.ply
    if ply > last:
        raise InvalidRequest({field: [f"The last ply is {last}."]})
    return last if ply < 0 else ply


def _render_step(game: AnyGame, step: Step, request: Fields) -> Answer:
    deadline.check_deadline()
    display, perspective = request["display"], request["perspective"]
    return render_json.render_step(game, step, display, perspective)


def _render_preview(state: State, request: Fields) -> Answer:
    game, last, text = state.game, state.last, request["move"]
    if last.is_over:
        raise GameOver(last.ply, None)
    try:
        advice = game.advise(last.position, text)
        if advice.complete >= 0:
            step = make_text_step(game, last, advice.text, last.timestamp)
            return _render_step(game, step, request)
        stones, marks = game.sketch(last.position, advice.text)
    except Illegal as illegal:
        raise make_move_refusal(game, last, text, illegal) from illegal
    display, perspective = request["display"], request["perspective"]
    return render_json.render_stones(game, last.position, stones, marks, display, perspective)


def answer_ending(game: AnyGame, request: Fields) -> Answer:
    """End the game by resignation, time, agreement, abandonment or a claimed repetition."""
    how = request["how"]
    state = (
        check_requested_state(game, request)[0]
        if how == "repetition"
        else load_requested_state(game, request)
    )
    at = _choose_step_time(state, request)
    _require_running_game(state, request)
    _require_ply_room(state, limits.LAST_PLY)
    last, to_move = state.last, state.last.position.seat
    if how == "repetition":
        stood = forms.count_repetitions(state)
        if not is_repetition_claimable(game, stood):
            standing = "second" if stood else "first"
            raise NotRepeated(last.ply, to_move, repetitions=stood, standing=standing)
    try:
        step = make_ending_step(game, last, how, request.get("player"), at)
    except Unsettled as early:
        raise NotSettleable(last.ply, to_move) from early
    return view_state(state.with_steps([step]), request)


def answer_view(game: AnyGame, request: Fields) -> Answer:
    """Return the view of a state as it stands."""
    return view_state(load_requested_state(game, request), request)


def answer_at_ply(game: AnyGame, request: Fields) -> Answer:
    """Return the view at a ply, with the state as it was then."""
    state, steps = check_requested_state(game, request)
    ply = _resolve_ply(state, request["ply"], "ply")
    return view_state(forms.cut_state(state, steps[: ply + 1]), request)


def answer_history(game: AnyGame, request: Fields) -> Answer:
    """Return every ply and the chat log."""
    _, steps = check_requested_state(game, request)
    return {
        "plies": history.describe_plies(game, steps),
        "chat": chat.make_chat_log(steps, request.get("players", chat.DEFAULT_NAMES)),
    }


def answer_same_move(game: AnyGame, request: Fields) -> Answer:
    """Tell whether two texts are legal here and mean one move."""
    state = load_requested_state(game, request)
    texts = [_normalise_move(state, request[field]) for field in ("move", "other")]
    legal = [text is not None for text in texts]
    return {"same": all(legal) and texts[0] == texts[1], "legal": legal, "moves": texts}


def _normalise_move(state: State, text: str) -> str | None:
    position = state.last.position
    try:
        made = state.game.read(position, text)
    except Illegal:
        return None
    return None if state.last.is_over else state.game.text(position, made)


def answer_record(game: AnyGame, request: Fields) -> Answer:
    """Return the game record of a finished game, or of one that still runs where that is meant."""
    state, steps = check_requested_state(game, request)
    if not state.last.is_over and not request["running"]:
        raise NotOver(state.last.ply, state.last.position.seat)
    return {"record": records.make_game_record(state, steps, request)}


def answer_replay(game: AnyGame, request: Fields) -> Answer:
    """Play a record, or moves, from the start; the verdict, and the view that was reached."""
    source = records.parse_replay_request(game, request)
    replayed = records.replay_to_state(game, source, request["form"])
    return replayed.verdict | {"view": view_state(replayed.state, request)}


def answer_verification(game: AnyGame, request: Fields) -> Answer:
    """Return the verdict on a state's whole history, the first thing wrong from the start on."""
    plies_ok = 0
    try:
        for step in forms.trace_state(game, request["state"]):
            plies_ok = step.ply
    except StateError as error:
        return records.make_fault_verdict(error, plies_ok)
    return records.make_pass_verdict(plies_ok)


def answer_conversion(game: AnyGame, request: Fields) -> Answer:
    """Return the same state in another form; see `plyhost.states.conversion`."""
    with _name_first_fault(game, request):
        state = load_requested_state(game, request)
        result = conversion.convert_state(state, request["form"], request["normalise"])
    state = result.state
    return {
        "form": state.form,
        "state": forms.dump_state(state),
        "dropped": result.dropped,
        "dropped_count": result.dropped_count,
    }


def answer_suggestion(
    game: AnyGame, request: Fields, suggest: Callable[..., Answer] = suggest_move
) -> Answer:
    """Return the best moves that a search finds, and what it expects of them.

    `suggest` is what does the thinking.  Only asked for `visits` it takes all the time that there
    is, so that the answer depends on nothing else; raises deadline.Overdue then.
    """
    state = load_requested_state(game, request)
    _require_running_game(state, request)
    last, text = state.last, request.get("move")
    if text is not None:
        text = game.text(last.position, parse_next_move(game, last, text))
    visits, seconds = request.get("visits"), request.get("seconds")
    longest = None if visits else _choose_longest_thought()
    effort = Effort(request["level"], request["seed"], visits, seconds, longest)
    question = Question(effort, request["limit"], text)
    about = {"ply": last.ply, "to_move": last.position.seat, "level": request["level"]}
    return about | suggest(game, last.position, question)


def _choose_longest_thought() -> float | None:
    """Return the seconds that fit into the request, None when there is no end to them."""
    longest = SHARE_OF_TIME * deadline.count_seconds_left()
    return longest if longest < inf else None


Operation: TypeAlias = Callable[[AnyGame, Fields], Answer]

OPERATIONS: dict[str, Operation] = {
    "new": answer_new_game,
    "move": answer_move,
    "plan": answer_plan,
    "moves": answer_legal_moves,
    "random": answer_random_move,
    "validate": answer_validation,
    "click": answer_click,
    "render": answer_render,
    "end": answer_ending,
    "view": answer_view,
    "at": answer_at_ply,
    "history": answer_history,
    "same": answer_same_move,
    "record": answer_record,
    "replay": answer_replay,
    "verify": answer_verification,
    "convert": answer_conversion,
    "suggest": answer_suggestion,
}
