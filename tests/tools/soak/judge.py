"""Whether an answer is the right one: byte for byte, but for what the server's clock says."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from plyhost.errors import IdempotencyInProgress, PlyhostError
from plyhost.games import registry
from plyhost.legacy.state_string import parse_legacy_state
from plyhost.states import clock, forms
from tests.tools.soak.asking import Asked

#: Headers that belong to an answer; others tell of its way.
TELLING = ("Content-Type", "ETag", "Cache-Control", "Allow", "Content-Security-Policy")
#: Milliseconds around the present in which a timestamp is taken for the clock's.
DAY = 86_400_000


class Unsound(Exception):
    """The engine in this process is at odds with what must come, before any service is asked."""


@dataclass(frozen=True)
class Answer:
    """What came."""

    status: int
    headers: tuple[str, ...]
    body: bytes
    is_replayed: bool = False

    @classmethod
    def of(cls, status: int, headers: Mapping[str, str], body: bytes) -> "Answer":
        """Return an answer, of its headers what is compared."""
        telling = tuple(f"{name}: {headers.get(name, '')}" for name in TELLING)
        return cls(status, telling, body, "Idempotency-Replayed" in headers)

    @property
    def is_waiting(self) -> bool:
        """Whether it only says that a twin has not been answered yet."""
        return self.status == 409 and IdempotencyInProgress.code.encode() in self.body


def unsound(asked: Asked, answer: Answer) -> str:
    """Return what is wrong with the engine's own answer to a request, or nothing."""
    if answer.status >= 500:
        return f"is {answer.status}"
    return _unlisted(asked, answer)


def fault(asked: Asked, right: Answer, given: Answer) -> str:
    """Return what is wrong with an answer, or nothing."""
    if given.status != right.status:
        return f"status {given.status}, must be {right.status}"
    headers = _kept(right) if given.is_replayed else right.headers
    if (_kept(given) if given.is_replayed else given.headers) != headers:
        return f"headers {given.headers}, must be {headers}"
    if given.body != right.body and not (asked.is_clocked and _is_alike(asked, right, given)):
        return _difference(right.body, given.body)
    return _unlisted(asked, given)


def _kept(answer: Answer) -> tuple[str, ...]:
    """Return the headers that an answer keeps when it is given again: its kind."""
    return answer.headers[:1]


def _unlisted(asked: Asked, given: Answer) -> str:
    """Hold a listing against the rules as they are written a second time."""
    if asked.legal is None or orjson.loads(given.body)["moves"] == asked.legal[:1000]:
        return ""
    return f"the legal moves are {asked.legal}"


def _difference(right: bytes, given: bytes) -> str:
    pairs = enumerate(zip(right, given, strict=False))
    at = next((at for at, (a, b) in pairs if a != b), min(len(right), len(given)))
    here = slice(max(0, at - 60), at + 200)
    return f"from byte {at} on it is {given[here]!r}, must be {right[here]!r}"


def _is_alike(asked: Asked, right: Answer, given: Answer) -> bool:
    """Tell whether two answers differ in nothing but the time."""
    game = asked.path.split("/")[3 if asked.path.startswith("/v1") else 2]
    try:
        told = [_untimed(game, orjson.loads(each.body)) for each in (right, given)]
        return bool(told[0] == told[1])
    except (PlyhostError, ValueError, TypeError):
        return False


def _untimed(game: str, found: Any) -> Any:
    """Return what an answer says, whatever the clock said meanwhile."""
    if isinstance(found, list):
        return [_untimed(game, one) for one in found]
    if isinstance(found, dict):
        return {
            name: _told(game, value) if name == "state" and value else _untimed(game, value)
            for name, value in found.items()
        }
    return "now" if _is_recent(found) else found


def _is_recent(found: Any) -> bool:
    return clock.is_stamp(found) and abs(clock.parse_stamp(found) - time.time() * 1000) < DAY


def _told(game: str, wire: Any) -> Any:
    """Return what a state says, whatever the clock said meanwhile."""
    players, kind = list[str](), type(wire).__name__
    if isinstance(wire, str) and wire.startswith('{"format"'):
        players, wire = parse_legacy_state(wire)
    if isinstance(wire, dict):
        wire = orjson.dumps(wire).decode()
    state = forms.parse_state(registry.find_game(game), wire)
    steps = [
        (step.text, step.position.seat, step.results, _untimed(game, step.timestamp))
        for step in state.walk()
    ]
    return players, kind, state.form, state.variants, steps
