"""Congeners: `move` beside an echo, over recorded games, and early and late in a long one.

Positions are `known` that the worker has met not long ago, when they were reached or moves tried in
them, and `new` otherwise.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache

import orjson

from bench import timing
from bench.echo import FORGET
from bench.games import congeners
from bench.operations import SHARES, pair, us
from bench.service import Service, served
from plyhost.games import registry
from plyhost.states import forms, steps
from plyhost.states.conversion import convert_state

GAME = registry.find_game("congeners")
FORMS = ("full", "full-string", "compact")
STAMP = "2026-01-01T00:00:00.000Z"
#: Moves of the long game, and plies that are asked for.
LONG, EARLY_TO_LATE = 230, (20, 100, 200)


def over_http(rounds: int = 25) -> None:
    """Print processor time per request of the worker, `move` beside echo."""
    with served() as service:
        rows = [_row(service, *asked, rounds) for asked in (*_recorded(), *_long())]
    told = ("echo us", "ratio")
    head = ("game", "at", "form", "kB", "known us", *told, "new us", *told)
    timing.table("Congeners: move with render, worker's processor time a request", head, rows)


def _row(
    service: Service, game: str, at: str, form: str, asked: Sequence[bytes], rounds: int
) -> tuple[object, ...]:
    size = f"{sum(map(len, asked)) / len(asked) / 1000:.1f}"
    told = list[str]()
    for more in ({}, {FORGET: "1"}):
        move, echo = pair(service, "congeners", asked, rounds, more)
        told += [us(move), us(echo), f"{move / echo:.2f}"]
    return (game, at, form, size, *told)


def _recorded() -> Iterator[tuple[str, str, str, list[bytes]]]:
    """Yield one position each, which is asked for again and again."""
    for name, moves, variants in congeners():
        states = [state for state, _ in played(variants, moves)]
        for share in SHARES:
            ply = len(moves) * share // 100
            for form in FORMS:
                yield name, f"{share} %", form, [body(states[ply], moves[ply], form)]


def _long() -> Iterator[tuple[str, str, str, list[bytes]]]:
    """Yield the same of a long game, by plies."""
    for ply in EARLY_TO_LATE:
        for form in FORMS:
            yield "long, side 7", f"ply {ply}", form, [body(*long_game()[ply], form)]


def body(state: forms.State, text: str, form: str) -> bytes:
    """Return a `move` request with render, its state in a form."""
    wire = forms.dump_state(convert_state(state, form).state)
    return orjson.dumps({"state": wire, "move": text, "include": ["render"]})


def played(variants: Sequence[str], moves: Sequence[str]) -> Iterator[tuple[forms.State, str]]:
    """Yield each state of a game with the move that follows."""
    state = forms.start_state(GAME, variants, "compact", STAMP)
    for text in moves:
        yield state, text
        state = _after(state, text)


def _after(state: forms.State, text: str) -> forms.State:
    made = GAME.read(state.last.position, text)
    return state.with_steps([steps.make_move_step(GAME, state.last, made, STAMP)])


@cache
def long_game() -> list[tuple[forms.State, str]]:
    """Return a game that goes on, by players who would rather bite: states and moves made."""
    for seed in range(100):
        pick, steps = random.Random(seed), list[tuple[forms.State, str]]()
        state = forms.start_state(GAME, ["size-7"], "compact", STAMP)
        while not state.last.is_over and len(steps) < LONG:
            text = _bitten(pick, state)
            steps.append((state, text))
            state = _after(state, text)
        if len(steps) == LONG:
            return steps
    raise RuntimeError("no game went on that long")


def _bitten(pick: random.Random, state: forms.State) -> str:
    texts = [GAME.text(state.last.position, move) for move in GAME.moves(state.last.position)]
    bites = [text for text in texts if "x" in text]
    return pick.choice(bites or texts)
