"""Schemathesis over the whole document: all its checks, with real states and moves, both games.

    python -m tests.tools.fuzz_openapi REQUESTS [SEED]

Every operation, stateful links included, until so many requests have been sent.  Prints the answers
by operation and status; exit status 1 if anything was wrong, no link was followed, or an operation
was never answered 200 for one of the games.
"""

import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter
from typing import Any

import schemathesis
from flask import Flask
from hypothesis import strategies as st
from schemathesis import BaseSchema, Case, HookContext
from schemathesis.engine import Status, events, from_schema
from schemathesis.generation import GenerationMode

from plyhost.schemas.openapi import build_openapi_document
from plyhost.web.app import create_app
from tests.conftest import QUIET
from tests.tools import sound
from tests.tools.mutate import table

#: An address that is too long is refused as such, whatever else is wrong with it.
REFUSED = ["400", "404", "405", "406", "409", "413", "414", "415", "422"]
CHECKS = {
    "negative_data_rejection": {"expected-statuses": REFUSED},
    # No schema can say which texts are states or moves, so what it lets through may be refused.
    "positive_data_acceptance": {"enabled": False},
}
PHASES = ("examples", "coverage", "fuzzing", "stateful")
#: Only the document's own links are to be followed.
NO_GUESSES: dict[str, Any] = {"algorithms": []}
#: Sound requests to draw from, by game and operation.
POOL = 40
#: Cases of an operation, and walks along links, in one round of the command.
EXAMPLES = 100
TOLD = 20
PICTURES = ("picture.svg", "picture.png", "film.svg", "film.webp", "film.gif", "film.apng")

AnyCase = Case[Any]
Call = tuple[str, str, int]


def loaded(app: Flask, examples: int, seed: int, phases: tuple[str, ...]) -> BaseSchema:
    """Return the service's schema, two of three sound requests made real ones."""
    config = schemathesis.Config.from_dict(
        {
            "checks": CHECKS,
            # What one run met is not to change the next.
            "cache": {"enabled": False},
            "seed": seed,
            "generation": {"max-examples": examples},
            "phases": {phase: {"enabled": phase in phases} for phase in PHASES}
            | {"stateful": {"enabled": "stateful" in phases, "inference": NO_GUESSES}},
        }
    )
    schema = schemathesis.openapi.from_dict(_untuple(build_openapi_document()), config=config)
    schema.app = app
    schema.hook("flatmap_case")(_made_real)
    return schema


def _untuple(document: Any) -> Any:
    """Return a document without `prefixItems`.

    Schemathesis writes them as an older draft has them and then finds that it is not the newer one.
    """
    if isinstance(document, dict):
        kept = {key: entry for key, entry in document.items() if key != "prefixItems"}
        return {key: _untuple(entry) for key, entry in kept.items()}
    return [_untuple(entry) for entry in document] if isinstance(document, list) else document


def _made_real(context: HookContext, case: AnyCase) -> st.SearchStrategy[AnyCase]:
    """Put what was really played into a case that is meant to be accepted."""
    uid = (case.path_parameters or {}).get("game")
    mode = case.meta.generation.mode if case.meta else None
    if mode != GenerationMode.POSITIVE or uid not in sound.UIDS:
        return st.just(case)
    operation = case.path.rpartition("/")[2]
    if operation in sound.OPERATIONS:
        real = st.sampled_from(bodies(uid, operation)).map(lambda body: _with_body(case, body))
    elif operation in PICTURES:
        real = st.sampled_from(queries(uid)).map(lambda query: _with_query(case, query))
    else:
        return st.just(case)
    # A picture's query takes one of several ways, so that one made at random is rarely sound.
    often = 4 if operation in PICTURES else 2
    return st.one_of(st.just(case), *[real] * often)


def _with_body(case: AnyCase, body: sound.Fields) -> AnyCase:
    case.body = dict(body)
    return case


def _with_query(case: AnyCase, query: sound.Fields) -> AnyCase:
    case.query = dict(query)
    return case


@cache
def bodies(uid: str, operation: str) -> list[sound.Fields]:
    pick = random.Random(f"{uid} {operation}")
    return [sound.request(pick, uid, operation).fields for _ in range(POOL)]


@cache
def queries(uid: str) -> list[sound.Fields]:
    """Return queries of pictures: a state, or moves from the start."""
    pick, found = random.Random(uid), []
    for _ in range(POOL):
        number, ply, _ = sound.chosen(pick, uid)
        one = sound.game(uid, number)
        moves = {"moves": one["moves"][: min(ply, 12)], "variants": one["variants"]}
        state = sound.wire(pick, uid, "compact", number, ply)
        found.append(pick.choice((moves, {"state": state, "width": 300})))
    return found


# --- a run ---------------------------------------------------------------------------------------


@dataclass
class Seen:
    """What a run met: calls by operation, game and status, links followed, and what was wrong."""

    calls: Counter[Call] = field(default_factory=Counter)
    #: Calls that were made from another's answer and answered 200, by where they led.
    followed: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def __iadd__(self, other: "Seen") -> "Seen":
        self.calls += other.calls
        self.followed += other.followed
        self.wrong += other.wrong
        return self

    def note(self, event: events.EngineEvent) -> None:
        if isinstance(event, events.NonFatalError):
            self.wrong.append(f"{event.label}: {event.info.title}: {event.info.message}")
        if isinstance(event, events.ScenarioFinished):
            self._requests(event)
            if event.status not in (Status.SUCCESS, Status.SKIP):
                self.wrong += _failures(event)

    def _requests(self, event: events.ScenarioFinished) -> None:
        for key, interaction in event.recorder.interactions.items():
            node = event.recorder.cases[key]
            status = interaction.response.status_code if interaction.response else 0
            self.calls[(*_call(node.value), status)] += 1
            if node.is_transition_applied and status == 200:
                self.followed[_call(node.value)[0]] += 1


def _call(case: AnyCase) -> tuple[str, str]:
    game = str((case.path_parameters or {}).get("game", ""))
    known = game if game in sound.UIDS else "other" if "{game}" in case.path else ""
    return f"{case.operation.definition.raw.get('operationId')}", known


def _failures(event: events.ScenarioFinished) -> list[str]:
    told = [
        f"{event.label}: {check.name}: {check.failure_info.failure}\n"
        f"{check.failure_info.code_sample[:2000]}"
        for checks in event.recorder.checks.values()
        for check in checks
        if check.failure_info
    ]
    return told or [f"{event.label}: {event.status}"]


def run(schema: BaseSchema) -> Seen:
    """Send what the phases of a schema's configuration send; return what was met."""
    seen = Seen()
    for event in from_schema(schema).execute():
        seen.note(event)
    return seen


def unanswered(seen: Seen) -> list[str]:
    """Return the operations, with a game, that never were answered 200."""
    names = (*sound.OPERATIONS, *(name.replace(".", "-") for name in PICTURES), "gameinfo")
    return [
        f"{name} {uid}" for name in names for uid in sound.UIDS if not seen.calls[name, uid, 200]
    ]


# --- the command ----------------------------------------------------------------------------------


def sent(requests: int, seed: int) -> Seen:
    """Return what so many requests met; what does not change is sent once."""
    seen, app = Seen(), create_app(QUIET)
    phases: tuple[str, ...] = PHASES
    while seen.calls.total() < requests and not seen.wrong:
        seen += run(loaded(app, EXAMPLES, seed, phases))
        seed, phases = seed + 1, ("fuzzing", "stateful")
        print(f"\r{seen.calls.total()} of {requests}", end="", file=sys.stderr, flush=True)
    return seen


def main(requests: str, seed: str = "1") -> int:
    """Run; return the exit status."""
    began = perf_counter()
    seen = sent(int(requests), int(seed))
    followed = seen.followed.total()
    print(f"\n{seen.calls.total()} requests, {perf_counter() - began:.0f} s, seed {seed}")
    by = Counter[tuple[str, int]]()
    for (operation, _, status), times in seen.calls.items():
        by[operation, status] += times
    print(table(by), f"{followed} links followed to a 200", sep="\n\n")
    wrong = seen.wrong + [f"never answered 200: {one}" for one in unanswered(seen)]
    wrong += [] if followed else ["no link was followed"]
    print(*wrong[:TOLD], f"{len(wrong)} wrong", sep="\n\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
