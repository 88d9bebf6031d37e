"""Requests that every game at hand answers: for readers of the OpenAPI document, and for tests."""

from functools import cache
from typing import Any

from plyhost.contract import operations
from plyhost.games import registry
from plyhost.schemas.requests import REQUESTS

Body = dict[str, Any]

EXAMPLE_MOMENT = "2026-01-31T09:30:00.000Z"
#: Plies of the game that the examples are about.
PLIES = 3

_PLAYERS = [{"name": "Ada"}, {"name": "Ben"}]


def _answer_example(uid: str, operation: str, **fields: Any) -> Body:
    asked = REQUESTS[operation].load(fields)
    return operations.OPERATIONS[operation](registry.find_game(uid), asked)


@cache
def _play_example_game(uid: str) -> tuple[list[str], list[str]]:
    """Return the first moves of a game, two more than are made, and the states before each."""
    states = [_answer_example(uid, "new", form="compact", timestamp=EXAMPLE_MOMENT)["state"]]
    moves: list[str] = []
    for _ in range(PLIES + 2):
        moves += _answer_example(uid, "moves", state=states[-1], limit=1)["moves"]
        after = _answer_example(
            uid, "move", state=states[-1], move=moves[-1], timestamp=EXAMPLE_MOMENT
        )
        states.append(after["state"])
    return moves, states[: PLIES + 1]


def _choose_example_variants(uid: str) -> list[str]:
    """Return a choice that is not the default, if there is one."""
    known = [variant.uid for variant in registry.find_game(uid).info.variants]
    return [one for one in known if not one.startswith("#")][:1]


@cache
def make_example_bodies(uid: str) -> dict[str, Body]:
    """Return a body for each operation of a game."""
    moves, states = _play_example_game(uid)
    running, (following, answer) = {"state": states[-1]}, moves[-2:]
    over = _answer_example(uid, "end", state=states[-1], how="draw", timestamp=EXAMPLE_MOMENT)[
        "state"
    ]
    return {
        "new": {"variants": _choose_example_variants(uid), "timestamp": EXAMPLE_MOMENT},
        "move": running | {"move": following, "expected_ply": PLIES},
        "plan": running | {"plan": {following: {"move": answer}}},
        "moves": running | {"limit": 10},
        "random": running | {"seed": 7},
        "validate": running | {"move": following},
        "click": running | {"row": 3, "col": 2},
        "render": running | {"move": following},
        "end": running | {"how": "resign", "player": 1},
        "view": running | {"include": ["render", "targets", "history"]},
        "at": running | {"ply": 1, "include": ["render", "moves"]},
        "history": running,
        "same": running | {"move": following, "other": following.upper()},
        "record": {"state": over, "gameid": "1", "players": _PLAYERS},
        "replay": {"variants": [], "moves": moves[:-1]},
        "verify": running,
        "convert": running | {"form": "full"},
        "suggest": running | {"visits": 50, "move": following},
    }


def list_operation_examples(operation: str) -> dict[str, Any]:
    """Return the examples of an operation's body, by game."""
    return {uid: {"value": make_example_bodies(uid)[operation]} for uid in registry.load_games()}


def make_batch_example() -> Body:
    """Return a batch of two calls on the first game."""
    uid = next(iter(registry.load_games()))
    bodies = make_example_bodies(uid)
    return {
        "calls": [
            {"game": uid, "operation": name, "body": bodies[name]} for name in ("new", "validate")
        ]
    }
