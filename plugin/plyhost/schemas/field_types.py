"""The type of a field's value, for a reader that checks it on the way in.

What `msgspec` lets through by such a type, the field lets through as well, and unchanged; whether a
value is refused, and with which words, is for the field alone to say.
"""

from typing import Annotated, Any, Literal

import msgspec
from marshmallow import fields, validate

from plyhost.schemas.fields import Few, Moment, Truth, Whole
from plyhost.states.clock import PATTERN


def find_value_type(field: fields.Field[Any]) -> Any:
    """Return the type of a field's value; None when a type cannot say all that the field asks.

    Fractions have none: they may be written longer than they came, which a reader that compares
    lengths would take for something that was passed over.
    """
    found = _find_non_null_type(field)
    return None if found is None else found | None if field.allow_none else found


def _find_non_null_type(field: fields.Field[Any]) -> Any:
    if isinstance(field, Whole):
        return Annotated[int, msgspec.Meta(ge=field.lowest, le=field.highest)]
    if isinstance(field, Truth):
        return bool
    if isinstance(field, Moment):
        return Annotated[str, msgspec.Meta(pattern=PATTERN)]
    if isinstance(field, Few):
        inner = find_value_type(field.inner)
        return None if inner is None else _narrow_value_type(list[inner], field)  # type: ignore[valid-type]
    return _narrow_value_type(str, field) if type(field) is fields.String else None


def _narrow_value_type(base: Any, field: fields.Field[Any]) -> Any:
    """Return a type with the field's length or choices, its only validator."""
    match list(field.validators):
        case []:
            return base
        case [validate.OneOf() as one]:
            return Literal[tuple(one.choices)]
        case [validate.Length() as length]:
            low = length.min if length.equal is None else length.equal
            high = length.max if length.equal is None else length.equal
            return Annotated[base, msgspec.Meta(min_length=low, max_length=high)]
    return None
