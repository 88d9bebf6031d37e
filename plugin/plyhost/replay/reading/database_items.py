"""Attributes of an item as DynamoDB exports it: the type of each is a key around its value."""

from base64 import b64decode, b64encode
from typing import Any

import orjson

from plyhost.states.forms import GZIP_MARK


def unwrap_attribute(value: Any) -> Any:
    """Return the value of a DynamoDB attribute, of which the type is a key; None for an odd one."""
    if not isinstance(value, dict) or len(value) != 1:
        return None
    ((kind, inner),) = value.items()
    if kind == "M" and isinstance(inner, dict):
        return {name: unwrap_attribute(one) for name, one in inner.items()}
    if kind == "L" and isinstance(inner, list):
        return [unwrap_attribute(one) for one in inner]
    if kind == "N" and isinstance(inner, str):
        return orjson.loads(inner)
    if kind == "B" and isinstance(inner, str):
        return _decode_binary_attribute(inner)
    return inner if kind in ("S", "BOOL") else None


def _decode_binary_attribute(text: str) -> str | None:
    """Return the text in a binary attribute, unpacked if it is gzipped; None if it is none."""
    try:
        data = b64decode(text, validate=True)
        if data[:2] == b"\x1f\x8b":
            return GZIP_MARK + b64encode(data).decode()
        return data.decode()
    except ValueError:
        return None
