"""A full state taken apart: the header read, each entry of the stack left as raw bytes.

An entry that nobody reads is judged all the same: no two readers may take it differently.
"""

import re
from typing import Any

import msgspec

from plyhost import limits
from plyhost.errors import InvalidState
from plyhost.states import strict_json
from plyhost.states.full import entry


class StateParts(msgspec.Struct):
    """The members of a full state; UNSET where missing. Unknown ones are dropped."""

    game: Any = msgspec.UNSET
    numplayers: Any = msgspec.UNSET
    variants: Any = msgspec.UNSET
    gameover: Any = msgspec.UNSET
    winner: Any = msgspec.UNSET
    stack: list[msgspec.Raw] | msgspec.UnsetType = msgspec.UNSET


_INDEX = re.compile("[0-9]{1,4}")
_read_parts = msgspec.json.Decoder(StateParts).decode


def parse_state_parts(data: bytes) -> StateParts:
    """Return the parts of a serialized state; raises InvalidState when it is no such object."""
    try:
        parts = strict_json.read_json(data, _read_parts)
        if not strict_json.is_clean_json(data) or _is_deep(parts):
            strict_json.parse_strict_json(data)
    except strict_json.Misfit as error:
        raise InvalidState(*_explain_no_state(error.value)) from error
    except strict_json.Ambiguous as error:
        raise make_ambiguity_fault(error) from error
    return parts


def _is_deep(parts: StateParts) -> bool:
    """Tell whether a member nests too deep, or an entry, two levels down, may do so."""
    *header, stack = msgspec.structs.astuple(parts)
    if strict_json.measure_json_depth(header) > limits.JSON_DEPTH:
        return True
    entries = () if stack is msgspec.UNSET else stack
    return any(strict_json.may_nest_too_deep(bytes(one), around=2) for one in entries)


def _explain_no_state(value: Any) -> tuple[str, str]:
    """Return where a JSON value is no state, and why."""
    if isinstance(value, dict):
        return "/stack", "must be an array"
    return "", "a state must be an object"


def make_ambiguity_fault(error: strict_json.Ambiguous, around: int = 0) -> InvalidState:
    """Return the refusal of a state that readers take differently.

    `around` is how many of the error's keys lead to the state.
    """
    path = error.path[around:]
    if path[:1] == ("stack",) and _INDEX.fullmatch("".join(path[1:2])):
        field = strict_json.format_json_pointer(path[2:3])[1:]
        return entry.make_entry_fault(int(path[1]), field, str(error))
    where = strict_json.format_json_pointer(path)
    return InvalidState(where, str(error), field=next(iter(path), None))
