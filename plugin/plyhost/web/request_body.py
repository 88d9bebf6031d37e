"""A request's body: bytes in, checked fields out, a state in it left for the state's own reader.

A body whose fields have the types of its schema is read at once.  Any other is read as plain JSON,
and the schema says what is wrong with it.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import msgspec
from marshmallow import ValidationError, missing

from plyhost.errors import NotJson, PlyhostError
from plyhost.schemas.field_types import find_value_type
from plyhost.schemas.requests import RequestSchema, load_request
from plyhost.states import strict_json
from plyhost.states.full.raw_stack import make_ambiguity_fault
from plyhost.states.strict_json import Ambiguous


class BodyReader(NamedTuple):
    """How bodies of a schema are read.

    `decode` makes of a body an object with the fields of `names`, in that order; the state, and
    fields that no type describes, are left raw.  `defaults` are the values of fields that did not
    come, the same ones for all: not to be changed.  `is_typed` says that all but the state have
    a type, so that there is nothing left to check in any of them.
    """

    decode: Callable[[bytes], Any]
    names: tuple[str, ...]
    defaults: Mapping[str, Any]
    is_typed: bool


def read_request_body(schema: RequestSchema, body: bytes) -> dict[str, Any]:
    """Return the loaded fields of a body; a state that is an object comes as its raw JSON.

    Raises NotJson, InvalidRequest, or InvalidState for a state that readers may disagree on.
    """
    reader = make_body_reader(schema)
    try:
        read = strict_json.read_json(body, reader.decode)
    except strict_json.Misfit as error:
        return load_request(schema, error.value)
    except Ambiguous as error:
        raise _make_ambiguity_error(error, error.path[:1] == ("state",), around=1) from error
    found = {
        name: _read_member(name, value) if isinstance(value, msgspec.Raw) else value
        for name, value in zip(reader.names, msgspec.structs.astuple(read), strict=True)
        if value is not msgspec.UNSET
    }
    return _complete_fields(schema, reader, found)


def _read_member(name: str, raw: msgspec.Raw) -> Any:
    """Return the value of a raw member, but a state that is an object as it is."""
    data = bytes(raw)
    if name == "state" and data[:1] == b"{":
        return raw
    try:
        return strict_json.read_json(data, around=1)
    except Ambiguous as error:
        raise _make_ambiguity_error(error, name == "state") from error


def _complete_fields(
    schema: RequestSchema, reader: BodyReader, found: dict[str, Any]
) -> dict[str, Any]:
    """Return the fields with their defaults; raises InvalidRequest."""
    state = found.get("state", "")
    if not reader.is_typed or not isinstance(state, msgspec.Raw | str):
        return load_request(schema, found)
    asked = {**reader.defaults, **found}
    try:
        schema.together(asked)
    except ValidationError:
        return load_request(schema, found)
    return asked


@cache
def make_body_reader(schema: RequestSchema) -> BodyReader:
    """Return how bodies of a schema are read."""
    fields = {field.data_key or name: field for name, field in schema.fields.items()}
    types = {name: find_value_type(field) for name, field in fields.items() if name != "state"}
    members: list[Any] = []
    for index, (name, field) in enumerate(fields.items()):
        kind = types.get(name) or msgspec.Raw
        optional = (f"f{index}", kind | msgspec.UnsetType, msgspec.UNSET)
        members.append((f"f{index}", kind) if field.required else optional)
    renamed = {f"f{index}": name for index, name in enumerate(fields)}
    options: dict[str, Any] = {"forbid_unknown_fields": True, "kw_only": True}
    body = msgspec.defstruct("Body", members, rename=renamed, **options)
    decode = msgspec.json.Decoder(body).decode
    return BodyReader(decode, tuple(fields), _collect_defaults(schema), all(types.values()))


def _collect_defaults(schema: RequestSchema) -> dict[str, Any]:
    defaults = {name: field.load_default for name, field in schema.fields.items()}
    return {
        name: default() if callable(default) else default
        for name, default in defaults.items()
        if default is not missing
    }


def _make_ambiguity_error(error: Ambiguous, is_in_state: bool, around: int = 0) -> PlyhostError:
    if is_in_state:
        return make_ambiguity_fault(error, around)
    return NotJson(why=f"The body cannot be read: {error}.")
