"""Sound requests to both games, on recorded states in all forms: what damage is done to."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

import orjson

from plyhost.contract import operations
from plyhost.games import registry
from plyhost.schemas.requests import REQUESTS
from plyhost.states import forms, steps
from tests.tools.games import LEAD, ROUND, recorded
from tests.tools.vectors import FORMS, LATER, cut, in_form

#: The number of a game of Congeners that goes round three times and is not over.
GOES_ROUND = -1
#: Which recorded games: of every size, short and long.
GAMES = {"control": (0, 1, 14, 17, 23), "congeners": (0, 3, 7, 12, 18, 21)}
UIDS = tuple(GAMES)
PLAYERS = [{"name": "A", "userid": "1"}, {"name": "B", "is_ai": True}]
#: How often a state is one that was ended otherwise than by a move.
ENDED = 0.1
HOWS = ("resign", "timeout", "draw", "abandoned", "settle")

Fields = dict[str, Any]


@dataclass
class Asked:
    """A request: the game, the operation and the body's fields."""

    uid: str
    operation: str
    fields: Fields = field(default_factory=dict)


def answered(uid: str, operation: str, **fields: Any) -> Fields:
    """Return what the contract answers, without HTTP."""
    loaded = REQUESTS[operation].load(fields)
    answer = operations.OPERATIONS[operation](registry.find_game(uid), loaded)
    found: Fields = orjson.loads(orjson.dumps(answer))
    return found


def game(uid: str, number: int) -> Fields:
    """Return a game's variants and moves."""
    if (uid, number) == ("congeners", GOES_ROUND):
        return {"variants": ["size-5"], "moves": LEAD + ROUND * 3}
    return recorded(uid)[number]


@cache
def final(uid: str, number: int) -> Fields:
    """Return the full state at the end of a recorded game."""
    one = game(uid, number)
    if "final_state" in one:
        found: Fields = one["final_state"]
        return found
    state = forms.start_state(
        registry.find_game(uid), one["variants"], "full", "2026-01-01T00:00:00.000Z"
    )
    for ply, text in enumerate(one["moves"]):
        stamp = f"2026-01-{1 + ply // 24:02}T{ply % 24:02}:00:00.000Z"
        made = steps.parse_next_move(state.game, state.last, text)
        state = state.with_steps([steps.make_move_step(state.game, state.last, made, stamp)])
    return orjson.loads(orjson.dumps(forms.dump_state(state)))  # type: ignore[no-any-return]


@lru_cache(maxsize=4096)
def _wire(uid: str, number: int, ply: int, how: str, form: str) -> bytes:
    state = cut({"final_state": final(uid, number)}, ply)
    if how:
        by = {"player": 1 + ply % 2} if how in steps.BY_SEAT else {}
        state = answered(uid, "end", state=state, how=how, timestamp=LATER, **by)["state"]
    return orjson.dumps(in_form(state, form))


def wire(pick: random.Random, uid: str, form: str, number: int, ply: int) -> Any:
    """Return a state after some plies; a running one is sometimes ended."""
    is_running = 1 < ply < len(game(uid, number)["moves"])
    how = pick.choice(HOWS) if is_running and pick.random() < ENDED else ""
    if number == GOES_ROUND and ply > len(LEAD + ROUND * 2) and pick.random() < 0.5:
        how = "repetition"
    return orjson.loads(_wire(uid, number, ply, how, form))


def chosen(pick: random.Random, uid: str) -> tuple[int, int, str]:
    """Return a recorded game's number, a ply of it, and the move made there."""
    number = pick.choice((*GAMES[uid], GOES_ROUND) if uid == "congeners" else GAMES[uid])
    moves = game(uid, number)["moves"]
    length = len(moves)
    ply = pick.choice((0, 1, 2, 3, 5, 9, length // 4, length // 2, length - 3, length - 1, length))
    return number, ply, [*moves, "a1"][ply]


def request(pick: random.Random, uid: str = "", operation: str = "") -> Asked:
    """Return a sound request, which nothing else holds a part of."""
    uid = uid or pick.choice(UIDS)
    operation = operation or pick.choice((*ON_STATE, *ON_STATE, *_ALONE))
    if operation in _ALONE:
        return Asked(uid, operation, orjson.loads(orjson.dumps(_ALONE[operation](pick, uid))))
    number, ply, move = chosen(pick, uid)
    fields = {"state": wire(pick, uid, pick.choice(FORMS), number, ply)}
    fields |= ON_STATE[operation](pick, move, ply)
    if operation != "verify" and pick.random() < 0.4:
        fields["verify"] = True
    return Asked(uid, operation, fields)


def _ended_by(pick: random.Random) -> Fields:
    how = pick.choice(HOWS)
    return {"how": how} | ({"player": pick.choice((1, 2))} if how in steps.BY_SEAT else {})


ON_STATE: dict[str, Callable[[random.Random, str, int], Fields]] = {
    "move": lambda pick, move, ply: {
        "move": move,
        **pick.choice(({}, {"timestamp": LATER, "expected_ply": ply})),
        "auto": pick.choice(("none", "pass", "forced")),
        **pick.choice(({}, {"plan": {}})),
    },
    "plan": lambda pick, move, ply: {
        "plan": pick.choice(({}, {move: {"move": "a1", "then": {"b2": {"move": move}}}})),
    },
    "moves": lambda pick, move, ply: {"limit": 5, "offset": 1, "prefix": move[:1]},
    "validate": lambda pick, move, ply: {"move": move},
    "click": lambda pick, move, ply: {"move": "", "row": 3, "col": 2, "piece": "A"},
    "render": lambda pick, move, ply: pick.choice(
        ({"plies": [0, -1]}, {"ply": ply // 2}, {"display": "vertex-style", "perspective": 2})
    ),
    "end": lambda pick, move, ply: _ended_by(pick) | pick.choice(({}, {"timestamp": LATER})),
    "at": lambda pick, move, ply: {
        "ply": ply // 2,
        "include": pick.choice(([], ["render", "moves"], ["chat", "text", "prompt", "buttons"])),
    },
    "view": lambda pick, move, ply: {
        "include": pick.choice(([], ["render", "targets"], ["history", "text", "sidebar"])),
    },
    "random": lambda pick, move, ply: {"seed": ply},
    "history": lambda pick, move, ply: {"players": ["A", "B"]},
    "same": lambda pick, move, ply: {"move": move, "other": "a1"},
    "verify": lambda pick, move, ply: {},
    "convert": lambda pick, move, ply: {"form": pick.choice(FORMS), "normalise": True},
}


def _new(pick: random.Random, uid: str) -> Fields:
    variants = game(uid, chosen(pick, uid)[0])["variants"]
    return {"variants": variants, "form": pick.choice(FORMS), "timestamp": LATER}


@lru_cache(maxsize=64)
def _record(uid: str, number: int) -> bytes:
    told = answered(uid, "record", state=final(uid, number), gameid="1", players=PLAYERS)
    return orjson.dumps(told["record"])


def _replayed(pick: random.Random, uid: str) -> Fields:
    number, ply, _ = chosen(pick, uid)
    one = game(uid, number)
    source = {"variants": one["variants"], "moves": one["moves"][:ply]}
    if number != GOES_ROUND and pick.random() < 0.5:
        source = {"record": orjson.loads(_record(uid, number))}
    return source | {"form": pick.choice(FORMS)} | pick.choice(({}, {"timestamp": LATER}))


def _recorded(pick: random.Random, uid: str) -> Fields:
    number = pick.choice(GAMES[uid])
    state = wire(pick, uid, pick.choice(FORMS), number, len(recorded(uid)[number]["moves"]))
    return {"state": state, "gameid": "1", "players": PLAYERS, "event": "E", "unrated": True}


_ALONE: dict[str, Callable[[random.Random, str], Fields]] = {
    "new": _new,
    "replay": _replayed,
    "record": _recorded,
}
OPERATIONS = (*ON_STATE, *_ALONE)
