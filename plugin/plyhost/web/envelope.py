"""The outside of a request's body, read by types that are made of its schema.

What is in a state, or in a field that no type describes, is left as bytes.
"""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, NamedTuple, NotRequired, TypedDict

import msgspec
from marshmallow import missing

from plyhost.schemas import field_types
from plyhost.schemas.requests import Request
from plyhost.states.full.raw_stack import Parts

_UNSET = msgspec.UNSET
#: What tells a body that is not tight at once, and in how many bytes of it.
_BLANK, _START = b'": ', 64
_written = msgspec.json.Encoder().encode


class Envelope(NamedTuple):
    """How bodies of a schema are read; `names` are the decoder's fields on the wire.

    `defaults` are the values of fields that did not come, the same ones for all: not to be changed.
    None stands for a schema with a field that no type describes, which has to judge what was read.
    `quick` reads all of a body, a text state as well, and passes over unknown fields; None where
    there are fields that it could not judge.
    """

    decoder: msgspec.json.Decoder[Any]
    names: tuple[str, ...]
    defaults: Mapping[str, Any] | None
    quick: msgspec.json.Decoder[dict[str, Any]] | None

    def tight_fields(self, body: bytes) -> dict[str, Any] | None:
        """Return the fields that came in a tight body, a text state read as well, else None."""
        if self.quick is None:
            return None
        found = self.quick.decode(body)
        # What was passed over is missing then.
        return found if len(_written(found)) == len(body) else None

    def outside(self, body: bytes) -> tuple[dict[str, Any], bool]:
        """Return what `fields` does, but that a text state, a short one, may be read as well."""
        found = None if _BLANK in body[:_START] else self.tight_fields(body)
        return self.fields(body) if found is None else (found, True)

    def fields(self, body: bytes) -> tuple[dict[str, Any], bool]:
        """Return the fields that came, and whether the body is tight.

        It is when what was read, written again, is just as long: then there is no room in it for a
        key that stands twice, or for anything else that was passed over.  Raises what the decoder
        does.
        """
        read = self.decoder.decode(body)
        values = zip(self.names, msgspec.structs.astuple(read), strict=True)
        found = {name: value for name, value in values if value is not _UNSET}
        return found, len(_written(read)) == len(body)


@cache
def make_envelope(schema: Request, is_text: bool) -> Envelope:
    """Return how bodies are read whose state is a text, left raw, or an object, taken as parts."""
    given = {field.data_key or name: field for name, field in schema.fields.items()}
    types = {name: field_types.find_value_type(field) for name, field in given.items()} | (
        {"state": msgspec.Raw if is_text else Parts} if "state" in given else {}
    )
    needed = {name for name, field in given.items() if field.required}
    decoder = _make_envelope_decoder(types, needed)
    if not all(types.values()):
        return Envelope(decoder, tuple(types), None, None)
    quick = _make_quick_decoder(
        types | ({"state": str} if is_text and "state" in given else {}), needed
    )
    return Envelope(decoder, tuple(types), _collect_field_defaults(schema), quick)


def _make_quick_decoder(
    types: dict[str, Any], needed: Collection[str]
) -> msgspec.json.Decoder[dict[str, Any]]:
    """Return the decoder of an object that passes over other fields."""
    named: Any = TypedDict
    members = {name: kind if name in needed else NotRequired[kind] for name, kind in types.items()}
    return msgspec.json.Decoder(named("Quick", members))


def _make_envelope_decoder(
    types: Mapping[str, Any], needed: Collection[str]
) -> msgspec.json.Decoder[Any]:
    """Return the decoder of an object; a field without a type is left raw."""
    fields: list[Any] = []
    for index, (name, kind) in enumerate(types.items()):
        taken = kind or msgspec.Raw
        optional = (f"f{index}", taken | msgspec.UnsetType, _UNSET)
        fields.append((f"f{index}", taken) if name in needed else optional)
    renamed = {f"f{index}": name for index, name in enumerate(types)}
    options: dict[str, Any] = {"forbid_unknown_fields": True, "kw_only": True}
    struct = msgspec.defstruct("Envelope", fields, rename=renamed, **options)
    return msgspec.json.Decoder(struct)


def _collect_field_defaults(schema: Request) -> dict[str, Any]:
    defaults = {name: field.load_default for name, field in schema.fields.items()}
    return {
        name: default() if callable(default) else default
        for name, default in defaults.items()
        if default is not missing
    }
