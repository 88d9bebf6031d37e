"""The largest states there can be: games of the most plies, and games swollen by endings.

An ending may follow another one, so a game of any size can be drawn out to the last ply there is,
or until its serialization has as many bytes as a state may have.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import cycle, islice

import orjson

from plyhost import limits
from plyhost.games import registry
from plyhost.states import clock, forms, steps
from plyhost.states.conversion import convert_state
from plyhost.states.forms import State
from plyhost.states.steps import Step
from tests.tools.congeners_games import recorded as congeners_recorded
from tests.tools.games import LEAD, ROUND
from tests.tools.replay_games import START, circling, followed
from tests.tools.vectors import game as control_recorded

#: Bytes that a swollen state may take, with room left for what stands around it in a body.
MOST_BYTES = limits.STATE_BYTES - 20_000


@cache
def circle(plies: int) -> State:
    """Return a game of Congeners in which bites go round, on the largest board, not over."""
    moves = islice(cycle(ROUND), plies - len(LEAD))
    return _full("congeners", ["size-7"], circling(7, [*LEAD, *moves]))


@cache
def crowded() -> State:
    """Return the game that reached the largest listing seen."""
    (game,) = congeners_recorded("congeners_largest.json")
    return _full("congeners", game["variants"], game["moves"])


@cache
def wide() -> State:
    """Return the longest recorded game of Control on the largest board, without its end."""
    game = control_recorded("size-9", 1)
    return _full("control", ["size-9"], game["moves"][:-1])


def _full(uid: str, uids: list[str], moves: Sequence[str]) -> State:
    steps = followed(uid, uids, moves)
    state = forms.start_state(registry.find_game(uid), uids, "full", steps[0].timestamp)
    return state.with_steps(steps[1:])


def drawn(state: State) -> State:
    """Return a game, agreed to be a draw."""
    return state.with_steps(list(islice(_endings(state), 1)))


@cache
def swollen(start: Callable[[], State], is_text: bool = False) -> State:
    """Return a game followed by as many agreed draws as a state, or a text in a body, may have."""
    state = drawn(start())
    sizes = [_size(one, is_text) for one in (state, drawn(state))]
    more = (MOST_BYTES - sizes[0]) // (sizes[1] - sizes[0])
    left = limits.LAST_PLY - state.last.ply
    return state.with_steps(list(islice(_endings(state), min(left, more))))


def _size(state: State, is_text: bool) -> int:
    """Return the bytes of a state; in a text each quote takes two."""
    text = forms.dump_state(convert_state(state, "full-string").state)
    return len(orjson.dumps(text) if is_text else text)


def _endings(state: State) -> Iterator[Step]:
    last = state.last
    while True:
        at = clock.format_stamp(START + last.ply + 1)
        last = steps.make_ending_step(state.game, last, "draw", None, at)
        yield last
