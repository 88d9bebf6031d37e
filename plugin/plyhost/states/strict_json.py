"""Read JSON that every reader takes alike, and refuse the rest.

`read_json` reads requests, states, entries and records.  It reads fast, and writes again what it
found: where the same text comes out, nothing was passed over.  Anything else is read once more by
`parse_strict_json`, slowly and exactly.  What that returns, or refuses, is the definition.

Readers differ on a key that stands twice in an object, numbers that some of them round or refuse,
bytes that are no UTF-8, and half of a surrogate pair.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, NoReturn, TypeVar

import msgspec
import orjson

from plyhost import deadline, limits

T = TypeVar("T")

#: Integers beyond this lose digits in a reader that keeps numbers as doubles.
LARGEST_INTEGER = 2**53 - 1
#: How many keys of a path are told: `/stack/5/_results`.
_TOLD_KEYS = 3
_DOUBT = object()

#: Reads all of a JSON text.
READ_VALUE = orjson.loads
_write_parts = msgspec.json.Encoder().encode

#: Sixteen digits may say more than a double keeps.  In a text whose digits all became 0 and whose
#: E became e (`[12E4,"a5"]` is `[00e0,"a0"]` then), one search finds them; another, for `0e`, finds
#: the exponents.
_LONG = b"0" * 16
_SHAPES = bytes(
    ord("0") if chr(byte) in "0123456789" else ord("e") if chr(byte) in "eE" else byte
    for byte in range(256)
)


class Ambiguous(ValueError):
    """The text is no JSON, or JSON that readers disagree on; the message says why.

    `path` are the keys to what is wrong, as texts; empty where it is the whole.
    """

    path: tuple[str, ...] = ()


class Misfit(ValueError):
    """The JSON is sound, but of another type than was asked for; `value` is what it says."""

    def __init__(self, value: Any) -> None:
        super().__init__("it is of another type")
        self.value = value


def read_json(data: bytes, decode: Callable[[bytes], T] = READ_VALUE, around: int = 0) -> T:
    """Return what a fast reader makes of a JSON text: its value, or the bytes of its parts.

    `decode` is `READ_VALUE`, or the method of a msgspec decoder that leaves parts raw; those are
    for the caller to read or to scan.  `around` is how many levels of arrays and objects the text
    was taken out of.  Raises Ambiguous, or Misfit where the JSON is sound but of another type.
    """
    deadline.check_deadline()
    found: list[T] = []
    if not is_crowded_json(data):
        try:
            found.append(decode(data))
            if _is_proven(data, found[0], decode is READ_VALUE, around):
                return found[0]
        except (msgspec.MsgspecError, RecursionError, ValueError, TypeError):
            pass
    value: Any = parse_strict_json(data, around)
    if decode is READ_VALUE:
        return value  # type: ignore[no-any-return]
    if not found:
        raise Misfit(value)
    return found[0]


def _is_proven(data: bytes, found: Any, is_value: bool, around: int) -> bool:
    """Tell whether what was found is the one meaning of a text; False asks for a slow reading."""
    if isinstance(found, str):
        return True
    written = orjson.dumps(found) if is_value else _write_parts(found)
    if len(written) != len(data):
        written, data = _drop_usual_blanks(written), _drop_usual_blanks(data)
    if not is_value:
        # Members may come in another order.  No text gets longer when it is written again, and one
        # that lost a member, as of a key that stands twice, is shorter.
        return len(written) == len(data)
    return (
        written == data
        and data.translate(_SHAPES).rfind(_LONG) < 0
        and not _is_too_deep(data, found, around)
    )


def _is_too_deep(data: bytes, value: Any, around: int) -> bool:
    """Tell whether a value, read from this text, nests deeper than is allowed."""
    return may_nest_too_deep(data, around) and (
        measure_json_depth(value) > limits.JSON_DEPTH - around
    )


def may_nest_too_deep(data: bytes, around: int) -> bool:
    """Tell whether a JSON text has brackets enough to nest deeper than is allowed.

    It may still not do so: then reading it slowly says so.
    """
    # An array right behind another one, as in a Map, opens no further level.
    openings = data.count(b"[") + data.count(b"{") - data.count(b"],[")
    return openings > limits.JSON_DEPTH - around


def _drop_usual_blanks(data: bytes) -> bytes:
    """Return a text without the blanks that some writers put behind commas and colons."""
    return data.replace(b", ", b",").replace(b": ", b":")


def is_clean_json(data: bytes) -> bool:
    """Tell by fast scans whether a JSON text that nobody reads yet is free of doubtful values.

    False means only that it must be read slowly.  Keys that stand twice are not looked for.
    """
    deadline.check_deadline()
    if b"\\" in data or not data.isascii():
        return False
    shapes = data.translate(_SHAPES)
    # From the end, which is the quicker way to look for what is not there.
    return shapes.rfind(b"0e") < 0 and shapes.rfind(_LONG) < 0


def is_crowded_json(data: bytes) -> bool:
    """Tell whether reading a JSON text would take undue memory; signs in texts count as well."""
    # Shorter ones cannot hold as many: an object takes three bytes (`{},`), an array at least two.
    length = len(data)
    return length > 3 * limits.JSON_OBJECTS and (
        data.count(b"{") > limits.JSON_OBJECTS
        or (length > 2 * limits.JSON_ARRAYS and data.count(b"[") > limits.JSON_ARRAYS)
        or (length > limits.JSON_COMMAS and data.count(b",") > limits.JSON_COMMAS)
    )


def measure_json_depth(value: Any) -> int:
    """Return how deep a value nests; 0 for a plain one."""
    deep, level = 0, [value]
    while level := [one for one in level if type(one) is list or type(one) is dict]:
        deep += 1
        inside = [one if type(one) is list else one.values() for one in level]  # type: ignore[union-attr]
        level = list(chain.from_iterable(inside))
    return deep


def parse_strict_json(data: bytes, around: int = 0) -> Any:
    """Return the value of a JSON text, slowly and exactly; raises Ambiguous with what is wrong.

    `around` is how many levels of arrays and objects the text was taken out of.
    """
    try:
        return _parse_exactly(data, around)
    except Ambiguous as error:
        error.path = tuple(_find_doubtful_path(data, around))
        raise


def _parse_exactly(data: bytes, around: int) -> Any:
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
    if _is_too_deep(data, value, around):
        raise Ambiguous("it nests too deep")
    if b"\\u" in data and _has_half_surrogates(json.dumps(value, ensure_ascii=False)):
        raise Ambiguous("half of a surrogate pair")
    return value


def _parse_strict_text(text: str, wrap: Callable[[Any], Any] = lambda parse: parse) -> Any:
    """Return the value of a text; `wrap` may change what becomes of its numbers and objects."""
    return json.loads(
        text,
        parse_int=wrap(_parse_strict_integer),
        parse_float=wrap(_parse_strict_decimal),
        parse_constant=wrap(_refuse_constant),
        object_pairs_hook=wrap(_build_strict_object),
    )


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


def _find_doubtful_path(data: bytes, around: int) -> list[str]:
    """Return the keys to what a text is refused for; none where it is the whole."""
    if is_crowded_json(data):
        return []
    try:
        value = _parse_strict_text(data.decode(errors="surrogateescape"), _mark_doubt)
    except (RecursionError, json.JSONDecodeError):
        return []
    return _find_first_doubt(value, limits.JSON_DEPTH - around) or []


def _mark_doubt(parse: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that marks what another one refuses, and goes on."""

    def parse_or_mark(found: Any) -> Any:
        try:
            return parse(found)
        except Ambiguous:
            return _DOUBT

    return parse_or_mark


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
