"""A request's body: bytes in, checked fields out, the state's entries left unread.

The body is cut once into raw fields; only small ones are read whole.  What does not come out of
that quick path (a state of another shape, a misspelt field) is read slowly, to say what is wrong.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import msgspec
import orjson
from marshmallow import ValidationError, missing

from plugin import full, strict
from plugin.errors import InvalidRequest, NotJson, PlyhostError
from plugin.full import Parts
from schemas.v1 import Request

_UNSET = msgspec.UNSET


@cache
def _envelope(schema: Request, is_text: bool) -> msgspec.json.Decoder[Any]:
    """Return the decoder that cuts a body into raw fields, of a full state into its parts."""
    fields: list[tuple[str, Any, Any]] = []
    renamed = {}
    for index, name in enumerate(_wire_names(schema)):
        kind = Parts if name == "state" and not is_text else msgspec.Raw
        fields.append((f"f{index}", kind | msgspec.UnsetType, _UNSET))
        renamed[f"f{index}"] = name
    struct = msgspec.defstruct("Envelope", fields, rename=renamed, forbid_unknown_fields=True)
    return msgspec.json.Decoder(struct)


def _wire_names(schema: Request) -> list[str]:
    return [field.data_key or name for name, field in schema.fields.items()]


def read(schema: Request, body: bytes) -> dict[str, Any]:
    """Return the loaded fields of a body.

    Raises NotJson, InvalidRequest, or InvalidState for a state that readers may disagree on.
    """
    if strict.is_crowded(body):
        _slowly(body)
    start = _text_state(body)
    try:
        envelope = _envelope(schema, start > 0).decode(body)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return checked(schema, _slowly(body))
    found, lengths = _fields(envelope)
    if not _is_plain(body, found, lengths, start):
        _slowly(body)
    return _loaded(schema, found)


def _text_state(body: bytes) -> int:
    """Return where the text of a state begins in a body, with its quote; 0 for no text."""
    key = body.find(b'"state"')
    behind = key + len(b'"state"')
    if key < 0 or body[behind : behind + 8].replace(b" ", b"")[:2] != b':"':
        return 0
    return body.find(b'"', behind)


def _is_plain(
    body: bytes, found: Mapping[str, Any], lengths: Mapping[str, int], start: int
) -> bool:
    """Tell whether all readers take a body alike, as far as it can be told without a slow reading.

    A text state need not be looked at for it: what stands around it is all there is to doubt.
    """
    keys = [f'"{name}"'.encode() for name in found]
    state = found.get("state")
    if isinstance(state, Parts):
        tight = 2 + sum(len(name) + 4 + length for name, length in lengths.items())
        return full.is_plain(body, state, tight + len('"state":'), keys)
    if start:
        body = body[:start] + b'""' + body[start + lengths["state"] :]
    # With no more openings than levels allowed, nothing can nest too deep.
    is_flat = body.count(b"[") + body.count(b"{") <= strict.DEEPEST
    return is_flat and strict.is_clean(body) and all(body.count(key) == 1 for key in keys)


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
    """Return what `checked` does, quicker: fields that did not come are not gone through."""
    narrowed = _narrowed(schema, frozenset(found))
    if narrowed is None:
        return checked(schema, found)
    narrow, defaults = narrowed
    given = {name: value() if callable(value) else value for name, value in defaults.items()}
    return given | checked(narrow, found)


def _fields(envelope: msgspec.Struct) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the fields that are there, and how many bytes each raw one takes."""
    found: dict[str, Any] = {}
    lengths: dict[str, int] = {}
    for at, name in zip(envelope.__struct_fields__, envelope.__struct_encode_fields__, strict=True):
        value = getattr(envelope, at)
        if isinstance(value, msgspec.Raw):
            raw = bytes(value)
            lengths[name] = len(raw)
            found[name] = _value(raw)
        elif value is not _UNSET:
            found[name] = value
    return found, lengths


def _value(raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except ValueError as error:
        raise NotJson(why=f"The body cannot be read: {error}.") from error


def _slowly(body: bytes) -> Any:
    try:
        return strict.loads(body)
    except strict.Ambiguous as error:
        raise _fault(strict.path(body), error) from error


def _fault(path: Sequence[str], error: strict.Ambiguous) -> PlyhostError:
    if path[:1] == ["state"]:
        return full.ambiguous(path[1:], error)
    return NotJson(why=f"The body cannot be read: {error}.")


def checked(schema: Request, found: Any) -> dict[str, Any]:
    """Return the loaded fields of an object; raises InvalidRequest."""
    if not isinstance(found, dict):
        raise InvalidRequest({"_schema": ["The body must be an object."]})
    try:
        loaded: dict[str, Any] = schema.load(found)
    except ValidationError as error:
        # The frame that raised it knows it as well: a circle that would keep the whole body.
        raise InvalidRequest(_flat(error.messages_dict)) from error.with_traceback(None)
    return loaded


def _flat(messages: Any, path: str = "") -> dict[str, list[str]]:
    """Return marshmallow's nested messages by dotted path."""
    if isinstance(messages, list):
        return {path: [str(message) for message in messages]}
    flat: dict[str, list[str]] = {}
    for key, inner in messages.items():
        flat |= _flat(inner, f"{path}.{key}" if path else str(key))
    return flat
