"""Recorded vectors of Control, and states cut from them in every form."""

import base64
import copy
import gzip
import json
from functools import cache
from typing import Any

from plyhost.games import registry
from plyhost.states import conversion, forms
from tests.tools.games import VECTORS, recorded

FORMS = ("full", "full-string", "full-gz", "compact")
FULL_FORMS = FORMS[:3]
#: A timestamp no recorded one is later than.
LATER = "2027-01-01T00:00:00.000Z"

State = dict[str, Any]


@cache
def turns() -> list[dict[str, Any]]:
    """Return the odd and illegal notations on real positions."""
    return [json.loads(line) for line in (VECTORS / "control_turns.jsonl").read_text().splitlines()]


@cache
def contract() -> dict[str, Any]:
    """Return the reference engine's answers around the game."""
    found: dict[str, Any] = json.loads((VECTORS / "control_contract.json").read_text())
    return found


@cache
def endings() -> dict[str, Any]:
    """Return the endings that the reference engine stored, by name."""
    return {name: one for name, one in contract()["endings"].items() if not one["threw"]}


def game(variant: str = "size-5", number: int = 0) -> dict[str, Any]:
    """Return a recorded game; the default board's variant is the empty text."""
    wanted = [variant] if variant else []
    return [one for one in recorded("control") if one["variants"] == wanted][number]


def cut(one: dict[str, Any], ply: int) -> State:
    """Return a copy of a recorded game's full state as it was after some plies."""
    final: State = one["final_state"]
    stack = copy.deepcopy(final["stack"][: ply + 1])
    if len(stack) == len(final["stack"]):
        return final | {"stack": stack}
    return final | {"gameover": False, "winner": [], "stack": stack}


def tight(value: Any) -> str:
    """Return JSON as the reference engine's `serialize` writes it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def zipped(text: str | bytes) -> str:
    """Return a serialized state as `full-gz` has it."""
    data = text if isinstance(text, bytes) else text.encode()
    return "gz:" + base64.b64encode(gzip.compress(data, mtime=0)).decode()


def in_form(state: State, form: str) -> Any:
    """Return a full state as it goes over the wire; only a sound one can become compact."""
    if form == "full":
        return state
    if form == "full-string":
        return tight(state)
    if form == "full-gz":
        return zipped(tight(state))
    loaded = forms.parse_state(registry.find_game(state["game"]), tight(state))
    return forms.dump_state(conversion.convert_state(loaded, "compact").state)


def opened(wire: Any) -> State:
    """Return the full state that a wire of any full form holds."""
    if isinstance(wire, dict):
        return wire
    found: State = json.loads(unpacked(wire))
    return found


def unpacked(wire: str) -> str:
    """Return the JSON text that a wire of a full form holds as a text."""
    if wire.startswith("gz:"):
        return gzip.decompress(base64.b64decode(wire[3:])).decode()
    return wire


class Twice(ValueError):
    """A key stands twice in an object."""


def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object's members; raises Twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Twice("a key stands twice")
    return found


def _constant(text: str) -> None:
    raise ValueError(f"{text} is no JSON")


def read(data: bytes) -> Any:
    """Return an answer's JSON, read without mercy."""
    return json.loads(data.decode(), parse_constant=_constant, object_pairs_hook=members)
