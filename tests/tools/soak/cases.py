"""Requests with the answers that the engine gives to them here, made in a process of its own.

The answer comes from the same application without Redis, so it stands for what the engine says;
a part of the legal moves is known without it.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain

from flask import Response, request
from flask.testing import FlaskClient

from plyhost.web.app import create_app
from plyhost.web.config import Settings
from plyhost.web.middleware import CALL, Call
from tests.tools.replay_games import played
from tests.tools.soak import asking, judge
from tests.tools.soak.asking import Asked, Position
from tests.tools.soak.judge import Answer

#: Plies of each game that are asked about, beside its start and its end.
PLIES = 3
#: Requests of one game that are kept, drawn from some two hundred.
KEPT = 90
#: Longer games make bodies that would be most of the traffic.
LONGEST = 150


@dataclass
class Case:
    """A request with its answer; `operation` and `game` are the labels in the figures."""

    name: str
    asked: Asked
    answer: Answer
    operation: str
    game: str


@cache
def _client() -> tuple[FlaskClient, list[Call]]:
    """Return a client of the application, and what it notes of its last request."""
    app, noted = create_app(Settings(log_level="error")), list[Call]()

    def note(answer: Response) -> Response:
        noted[:] = [request.environ[CALL]]
        return answer

    app.after_request(note)
    return app.test_client(), noted


def cases(seed: int) -> list[Case]:
    """Return the cases of a seed's game, shuffled; raises Unsound if the engine is at odds."""
    pick = random.Random(seed)
    found = list(_asked(seed, pick))
    told = [one for one in found if one.legal is not None]
    rest = [one for one in found if one.legal is None]
    chosen = told + pick.sample(rest, min(KEPT, len(rest)))
    made = [_case(f"{seed}:{number}", one) for number, one in enumerate(chosen)]
    # What was damaged and taken all the same may hold anything, at any time.
    kept = [one for one in made if not (one.asked.is_damaged and one.answer.status == 200)]
    pick.shuffle(kept)
    return kept


def _asked(seed: int, pick: random.Random) -> Iterator[Asked]:
    one = played(seed)
    last = len(one.steps) - 1
    reach = min(last, LONGEST)
    between = pick.sample(range(1, reach), min(PLIES, reach - 1))
    for ply in (0, *between, *([last] if last <= 2 * LONGEST else [])):
        at = Position(one, ply, pick)
        kinds = (asking.operations, asking.listing, asking.pictures, asking.pages, asking.old)
        yield from chain.from_iterable(kind(at) for kind in (*kinds, asking.damaged))


def _case(name: str, asked: Asked) -> Case:
    client, noted = _client()
    headers = list(asked.headers.items())
    sent = client.open(asked.path, method=asked.method, data=asked.body, headers=headers)
    (call,) = noted
    answer = Answer.of(sent.status_code, dict(sent.headers), sent.data)
    case = Case(name, asked, answer, call.operation, call.game)
    if fault := judge.unsound(asked, answer):
        raise judge.Unsound(f"{name} {asked.method} {asked.path} {asked.body!r}: {fault}")
    return case
