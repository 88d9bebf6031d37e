"""Tell whether JSON is such that every reader understands it alike.

Entries of a stored stack are copied into answers unread, so their bytes are judged here: valid
UTF-8, no key twice in an object, no number that some readers round or refuse.  Clean bytes, all
that engines write, are told by a few fast scans; anything else is read slowly and exactly.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from plyhost import deadline, limits

#: Integers beyond this lose digits in a reader that keeps numbers as doubles.
LARGEST_INTEGER = 2**53 - 1
DEEPEST = limits.JSON_DEPTH
#: How many keys of a path are told: `/stack/5/_results`.
_TOLD_KEYS = 3
_DOUBT = object()

_LONG = b"0" * 16
_SHAPES = bytes(
    ord("0") if chr(byte) in "0123456789" else ord("e") if chr(byte) in "eE" else byte
    for byte in range(256)
)


class Ambiguous(ValueError):
    """The text is no JSON, or JSON that readers disagree on; the message says why."""


def _parse_strict_integer(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > LARGEST_INTEGER:
        raise Ambiguous("a number has more digits than every reader keeps")
    return int(text)


def _parse_strict_decimal(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise Ambiguous("a number is too large for some readers")
    return value


def _refuse_constant(text: str) -> NoReturn:
    raise Ambiguous(f"{text} is no JSON")


def _build_strict_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise Ambiguous(f"a key stands twice: {twice}")
    return found


def _has_half_surrogates(text: str) -> bool:
    """Tell whether a text holds half of a surrogate pair, which no UTF-8 can say."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _parse_strict_text(text: str, made: Callable[[Any], Any] = lambda reader: reader) -> Any:
    """Return the value of a text; `made` may wrap what reads numbers and objects."""
    return json.loads(
        text,
        parse_int=made(_parse_strict_integer),
        parse_float=made(_parse_strict_decimal),
        parse_constant=made(_refuse_constant),
        object_pairs_hook=made(_build_strict_object),
    )


def measure_json_depth(value: Any) -> int:
    """Return how deep a read JSON value nests; 0 for a plain one."""
    deep, level = 0, [value]
    while level := [one for one in level if isinstance(one, dict | list)]:
        deep += 1
        inside = [one.values() if isinstance(one, dict) else one for one in level]
        level = [entry for entries in inside for entry in entries]
    return deep


def is_flat_json(data: bytes) -> bool:
    """Tell quickly whether nothing in a JSON text can nest too deep; signs in texts count too."""
    return data.count(b"[") + data.count(b"{") <= DEEPEST


def is_crowded_json(data: bytes) -> bool:
    """Tell whether reading a JSON text would take undue memory; signs in texts count as well."""
    # Shorter ones cannot hold as many: an object takes three bytes (`{},`), an array at least two.
    length = len(data)
    return length > 3 * limits.JSON_OBJECTS and (
        data.count(b"{") > limits.JSON_OBJECTS
        or (length > 2 * limits.JSON_ARRAYS and data.count(b"[") > limits.JSON_ARRAYS)
        or (length > limits.JSON_COMMAS and data.count(b",") > limits.JSON_COMMAS)
    )


def parse_strict_json(data: bytes) -> Any:
    """Return the value of a JSON text, slowly; raises Ambiguous with what is wrong."""
    if is_crowded_json(data):
        raise Ambiguous("it holds too many arrays, objects or values")
    try:
        value = _parse_strict_text(data.decode())
        deadline.check_deadline()
    except RecursionError as error:
        raise Ambiguous("it nests too deep") from error
    except UnicodeDecodeError as error:
        raise Ambiguous("it is no UTF-8") from error
    except json.JSONDecodeError as error:
        raise Ambiguous(f"it is no JSON: {error.msg} at character {error.pos}") from error
    if measure_json_depth(value) > DEEPEST:
        raise Ambiguous("it nests too deep")
    if b"\\u" in data and _has_half_surrogates(json.dumps(value, ensure_ascii=False)):
        raise Ambiguous("half of a surrogate pair")
    return value


def find_doubtful_path(data: bytes) -> list[str]:
    """Return the keys to what `loads` refuses a text for; none where it is the whole."""
    if is_crowded_json(data):
        return []
    try:
        value = _parse_strict_text(data.decode(errors="surrogateescape"), _wrap_doubting_reader)
    except (RecursionError, json.JSONDecodeError):
        return []
    return _find_first_doubt(value, DEEPEST) or []


def _wrap_doubting_reader(reader: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def read(found: Any) -> Any:
        try:
            return reader(found)
        except Ambiguous:
            return _DOUBT

    return read


def _find_first_doubt(value: Any, levels: int) -> list[str] | None:
    """Return the keys to the first doubtful value, or None; what lies below the levels is one."""
    if value is _DOUBT or (isinstance(value, str) and _has_half_surrogates(value)):
        return []
    if not levels and isinstance(value, dict | list):
        return []
    for key, inside in _list_json_members(value):
        if _has_half_surrogates(str(key)):
            return []
        if (found := _find_first_doubt(inside, levels - 1)) is not None:
            return [str(key), *found]
    return None


def _list_json_members(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def format_json_pointer(keys: Iterable[str]) -> str:
    """Return the JSON Pointer of the first keys of a path."""
    told = [key.replace("~", "~0").replace("/", "~1") for key in keys][:_TOLD_KEYS]
    return "".join(f"/{key}" for key in told)


def is_clean_json(data: bytes) -> bool:
    """Tell by fast scans whether a JSON text is free of all that readers may differ on.

    False means only that it must be read slowly.  Keys that stand twice are not looked for.
    """
    deadline.check_deadline()
    if b"\\" in data or not data.isascii():
        return False
    shapes = data.translate(_SHAPES)
    # From the end, which is the quicker way to look for what is not there.
    return shapes.rfind(b"0e") < 0 and shapes.rfind(_LONG) < 0
