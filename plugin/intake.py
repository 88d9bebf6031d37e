"""A request's body: bytes in, checked fields out, the state's entries left unread.

The body is cut once into raw fields; only small ones are read whole.  What does not come out of
that quick path (a state of another shape, a misspelt field) is read slowly, to say what is wrong.
"""

from functools import cache, lru_cache
from typing import Any

import msgspec
import orjson
from marshmallow import ValidationError, missing

from plugin import full, strict
from plugin.errors import InvalidRequest, NotJson
from plugin.full import Parts
from schemas.v1 import Request

_UNSET = msgspec.UNSET


@cache
def _envelope(schema: Request) -> msgspec.json.Decoder[Any]:
    """Return the decoder that cuts a body of this schema into raw fields."""
    fields: list[tuple[str, Any, Any]] = []
    renamed = {}
    for index, name in enumerate(_wire_names(schema)):
        kind = Parts | str if name == "state" else msgspec.Raw
        fields.append((f"f{index}", kind | msgspec.UnsetType, _UNSET))
        renamed[f"f{index}"] = name
    struct = msgspec.defstruct("Envelope", fields, rename=renamed, forbid_unknown_fields=True)
    return msgspec.json.Decoder(struct)


def _wire_names(schema: Request) -> list[str]:
    return [field.data_key or name for name, field in schema.fields.items()]


def read(schema: Request, body: bytes) -> dict[str, Any]:
    """Return the loaded fields of a body.

    Raises NotJson, InvalidRequest, or InvalidState for a full state that readers may disagree on.
    """
    try:
        envelope = _envelope(schema).decode(body)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return _load(schema, _slowly(body))
    found, length = _fields(envelope, body)
    state = found.get("state")
    if isinstance(state, Parts):
        full.vet(body, state, around=length + len('"state":'))
    return _loaded(schema, found)


#: Enough for every set of fields that clients really send; one more costs time, not truth.
@lru_cache(maxsize=256)
def _narrowed(schema: Request, given: frozenset[str]) -> tuple[Request, dict[str, Any]] | None:
    """Return the schema of the given fields alone and the defaults of the others.

    None when a needed field is not given.
    """
    names = {field.data_key or name: name for name, field in schema.fields.items()}
    absent = [schema.fields[names[key]] for key in names.keys() - given]
    if any(field.required for field in absent):
        return None
    defaults = {
        field.attribute or str(field.name): field.load_default
        for field in absent
        if field.load_default is not missing
    }
    return type(schema)(only=[names[key] for key in given]), defaults


def _loaded(schema: Request, found: dict[str, Any]) -> dict[str, Any]:
    """Return what `_load` does, quicker: fields that did not come are not gone through."""
    narrowed = _narrowed(schema, frozenset(found))
    if narrowed is None:
        return _load(schema, found)
    narrow, defaults = narrowed
    given = {name: value() if callable(value) else value for name, value in defaults.items()}
    return given | _load(narrow, found)


def _fields(envelope: msgspec.Struct, body: bytes) -> tuple[dict[str, Any], int]:
    """Return the fields that are there, and how long a tight body is without the state."""
    found: dict[str, Any] = {}
    length = 1
    for at, name in zip(envelope.__struct_fields__, envelope.__struct_encode_fields__, strict=True):
        value = getattr(envelope, at)
        if value is _UNSET:
            continue
        length += 1
        if isinstance(value, msgspec.Raw):
            raw = bytes(value)
            length += len(name) + 3 + len(raw)
            found[name] = _value(raw)
        else:
            found[name] = value
    return found, length


def _value(raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except ValueError as error:
        raise NotJson(why=f"The body cannot be read: {error}.") from error


def _slowly(body: bytes) -> Any:
    try:
        return strict.loads(body)
    except strict.Ambiguous as error:
        raise NotJson(why=f"The body cannot be read: {error}.") from error


def _load(schema: Request, found: Any) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise InvalidRequest({"_schema": ["The body must be an object."]})
    try:
        loaded: dict[str, Any] = schema.load(found)
    except ValidationError as error:
        raise InvalidRequest(_flat(error.messages_dict)) from error
    return loaded


def _flat(messages: Any, path: str = "") -> dict[str, list[str]]:
    """Return marshmallow's nested messages by dotted path."""
    if isinstance(messages, list):
        return {path: [str(message) for message in messages]}
    flat: dict[str, list[str]] = {}
    for key, inner in messages.items():
        flat |= _flat(inner, f"{path}.{key}" if path else str(key))
    return flat
