"""A full state taken apart: the header read, each entry of the stack left as raw bytes.

What is left unread is judged all the same: no two readers may take it differently.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from plyhost.errors import InvalidState
from plyhost.states import strict_json
from plyhost.states.full import entry


class Parts(msgspec.Struct):
    """The members of a full state; UNSET where missing. Unknown ones are dropped."""

    game: Any = msgspec.UNSET
    numplayers: Any = msgspec.UNSET
    variants: Any = msgspec.UNSET
    gameover: Any = msgspec.UNSET
    winner: Any = msgspec.UNSET
    stack: list[msgspec.Raw] | msgspec.UnsetType = msgspec.UNSET


class Quoted(str):
    """A text with the JSON that it was read from, quotes included, which can be used again."""

    __slots__ = ("json",)

    json: memoryview

    def __new__(cls, text: str, json: memoryview) -> "Quoted":
        """Return the text; `json` must be what it was read from."""
        made = super().__new__(cls, text)
        made.json = json
        return made


_INDEX = re.compile("[0-9]{1,4}")
_parts = msgspec.json.Decoder(Parts)
_written = msgspec.json.Encoder().encode


def parse_state_parts(data: bytes) -> Parts:
    """Return the parts of a serialized state; raises InvalidState when it is no such object."""
    if strict_json.is_crowded_json(data):
        _parse_state_strictly(data)
    try:
        parts = _parts.decode(data)
        is_tight = len(_written(parts)) == len(data)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise InvalidState(*_explain_no_state(_parse_state_strictly(data))) from error
    if not is_plain_state(data, parts, is_tight):
        _parse_state_strictly(data)
    return parts


def is_plain_state(data: bytes, parts: Parts, is_tight: bool, names: Iterable[str] = ()) -> bool:
    """Tell quickly whether every reader takes a state alike; False asks for a slow reading.

    `data` holds the state, of which the parts were read, and perhaps more, with other names.  If
    it `is_tight`, what was read of it being just as long when it is written, then no key can stand
    twice at the top.
    """
    if not strict_json.is_clean_json(data):
        return False
    around = _cut_out_entries(data, parts)
    return strict_json.is_flat_json(around) and (
        is_tight or has_each_name_once(around, (*Parts.__struct_fields__, *names))
    )


def has_each_name_once(data: bytes, names: Iterable[str]) -> bool:
    """Tell whether each name stands once in a JSON text, as a key or otherwise."""
    return all(data.count(f'"{name}"'.encode()) == 1 for name in names)


def _cut_out_entries(data: bytes, parts: Parts) -> bytes:
    """Return data without the entries of a state, where they are easily found, else with them."""
    if not parts.stack or isinstance(parts.stack, msgspec.UnsetType):
        return data
    start = data.find(bytes(parts.stack[0]))
    for comma in (b",", b", "):
        inside = comma.join(parts.stack)
        if data.startswith(inside, start):
            return data[:start] + data[start + len(inside) :]
    return data


def _parse_state_strictly(data: bytes) -> Any:
    try:
        return strict_json.parse_strict_json(data)
    except strict_json.Ambiguous as error:
        raise make_ambiguity_fault(strict_json.find_doubtful_path(data), error) from error


def make_ambiguity_fault(path: Sequence[str], error: strict_json.Ambiguous) -> InvalidState:
    """Return the refusal of a state that readers take differently at a path."""
    if path[:1] == ["stack"] and _INDEX.fullmatch("".join(path[1:2])):
        return entry.make_entry_fault(
            int(path[1]), strict_json.format_json_pointer(path[2:3])[1:], str(error)
        )
    return InvalidState(
        strict_json.format_json_pointer(path), str(error), field=next(iter(path), None)
    )


def _explain_no_state(value: Any) -> tuple[str, str]:
    """Return where a JSON value is no state, and why."""
    if isinstance(value, dict):
        return "/stack", "must be an array"
    return "", "a state must be an object"
