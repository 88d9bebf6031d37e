"""Tell whether JSON is such that every reader understands it alike.

Entries of a stored stack are copied into answers unread, so their bytes are judged here: valid
UTF-8, no key twice in an object, no number that some readers round or refuse.  Clean bytes, all
that engines write, are told by a few fast scans; anything else is read slowly and exactly.
"""

import json
from typing import Any, NoReturn

#: Integers beyond this lose digits in a reader that keeps numbers as doubles.
LARGEST_INTEGER = 2**53 - 1
#: How deep arrays and objects may nest.
DEEPEST = 64

_LONG = b"0" * 16
_SHAPES = bytes(
    ord("0") if chr(byte) in "0123456789" else ord("e") if chr(byte) in "eE" else byte
    for byte in range(256)
)


class Ambiguous(ValueError):
    """The text is no JSON, or JSON that readers disagree on; the message says why."""


def _integer(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > LARGEST_INTEGER:
        raise Ambiguous("a number has more digits than every reader keeps")
    return int(text)


def _decimal(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise Ambiguous("a number is too large for some readers")
    return value


def _constant(text: str) -> NoReturn:
    raise Ambiguous(f"{text} is no JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise Ambiguous("a key stands twice: " + next(n for n in names if names.count(n) > 1))
    return found


def _reject_surrogates(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Ambiguous("half of a surrogate pair") from error


def depth(value: Any) -> int:
    """Return how deep a read JSON value nests; 0 for a plain one."""
    deep, level = 0, [value]
    while level := [one for one in level if isinstance(one, dict | list)]:
        deep += 1
        inside = [one.values() if isinstance(one, dict) else one for one in level]
        level = [entry for entries in inside for entry in entries]
    return deep


def loads(data: bytes) -> Any:
    """Return the value of a JSON text, slowly; raises Ambiguous with what is wrong."""
    try:
        value = json.loads(
            data.decode(),
            parse_int=_integer,
            parse_float=_decimal,
            parse_constant=_constant,
            object_pairs_hook=_object,
        )
    except RecursionError as error:
        raise Ambiguous("it nests too deep") from error
    except UnicodeDecodeError as error:
        raise Ambiguous("it is no UTF-8") from error
    except json.JSONDecodeError as error:
        raise Ambiguous(f"it is no JSON: {error.msg} at character {error.pos}") from error
    if depth(value) > DEEPEST:
        raise Ambiguous("it nests too deep")
    if b"\\u" in data:
        _reject_surrogates(json.dumps(value, ensure_ascii=False))
    return value


def is_clean(data: bytes) -> bool:
    """Tell by fast scans whether a JSON text is free of all that readers may differ on.

    False means only that it must be read slowly.  Keys that stand twice are not looked for.
    """
    if b"\\" in data or not data.isascii():
        return False
    shapes = data.translate(_SHAPES)
    return b"0e" not in shapes and _LONG not in shapes
