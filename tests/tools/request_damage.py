"""Damage to a request as a whole: in the bytes of its body, and in its fields."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.tools import sound
from tests.tools.sound import Asked
from tests.tools.vectors import LATER, tight

#: Pieces of text that mean something somewhere.
WORDS = [
    *[b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\0", b"\n", b"\xff", b"\xed\xa0\x80"],
    *[b"null", b"true", b"1e999", b"-0", b"1.0", b"NaN", b"9" * 400, b'"a":1,', b'"a1",1', b"[]"],
    *[b"\\ud800", b"\\u0000", b"gz:", b"p1:", b"size-6", b"resign", b"20240909", b"lastmove"],
    *[b"[" * 80, b'{"":' * 80, b"\xef\xbb\xbf", "é".encode(), b" ", b"x", b"0", b"e5", b"E5", b"Z"],
]
#: Values that a field may not expect.
VALUES: list[Any] = [
    *[None, True, False, 0, 1, 2, 3, -1, 1.0, 1.5, 10**15, "", "1", "a1", "i1x", "resign"],
    *[[], {}, [[]], [None], {"a": 1}, [1, 2], ["size-5"], "size-9", "20240909", LATER, "é", "<b>"],
    *[[["a1", 1]], [["a1", 3]], {"dataType": "Map", "value": []}, [{"type": "eog"}], "x" * 5000],
    *["#board", "pass", "play-second", "a1,a2/c1,c2", "20261130", {"black": 1}],
]
#: Letters that are not what they seem: combining, from right to left, look-alike, none, halves.
LETTERS = [
    *["\u0301", "\u202e", "\u200f", "\u0430", "\uff41", "\u2460", "\u0661", "\0", "\ud800"],
    *["\udfff", "\ufeff", "\u00a0", "\u2028", "\u180e", "\U0001f600", "\ufdfa", "\u0130", "\u017f"],
]
#: Numbers on which readers disagree, or which are none.
NUMBERS = [
    *["NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1e-400", "-0", "1.0", "01", "+1", "1."],
    *["9" * 400, "9007199254740993", "18446744073709551616", "-9223372036854775809", "0x1", "1e2"],
    *["1_0", "2.0000000000000001", "1E0", "\u0661"],
]
DEPTHS = (10, 60, 64, 65, 70, 1000, 100_000)

Damage = Callable[[random.Random, Asked], bytes]


def bytes_damaged(pick: random.Random, data: bytes) -> bytes:
    """Return bytes with one to three random changes."""
    for _ in range(pick.randint(1, 3)):
        at = pick.randrange(len(data) + 1)
        end = min(len(data), at + pick.choice((1, 1, 2, 8, 100)))
        match pick.randrange(5):
            case 0 if at < len(data):
                data = data[:at] + bytes([data[at] ^ 1 << pick.randrange(8)]) + data[at + 1 :]
            case 1:
                data = data[:at] + data[end:]
            case 2:
                data = data[:end] + data[at:]
            case 3:
                data = data[:at] + pick.choice(WORDS) + data[end:]
            case _:
                data = data[:at] + pick.choice(WORDS) + data[at:]
    return data


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every member of every object and array within a value."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def _place(pick: random.Random, value: Any, only: tuple[type, ...]) -> tuple[Any, Any] | None:
    """Return a member of some types, if there is one.

    Half of the time it is met on a random way down, so that those near the top are met as well as
    the many below.
    """
    held = [(inside, key) for inside, key in places(value) if isinstance(inside[key], only)]
    if not held or pick.random() < 0.5:
        return pick.choice(held) if held else None
    while True:
        key = pick.choice(list(value) if isinstance(value, dict) else range(len(value)))
        inside, value = value, value[key]
        if not value or not isinstance(value, dict | list) or pick.random() < 0.3:
            return (inside, key) if isinstance(value, only) else pick.choice(held)


def fields_damaged(pick: random.Random, fields: Any) -> None:
    """Change one to three random members."""
    for _ in range(pick.randint(1, 3)):
        found = _place(pick, fields, (object,))
        if found is None:
            return
        inside, key = found
        match pick.randrange(6):
            case 0:
                del inside[key]
            case 5 if isinstance(inside, dict):
                objects = [one for one, _ in places([fields]) if isinstance(one, dict)]
                pick.choice(objects)[key] = copy.deepcopy(inside[key])
            case 1 if isinstance(inside, list):
                inside.insert(key, copy.deepcopy(inside[key]))
            case 2 if isinstance(inside, list):
                pick.shuffle(inside)
            case 3 if len(inside) > 1:
                other = pick.choice(
                    list(inside) if isinstance(inside, dict) else range(len(inside))
                )
                inside[key], inside[other] = inside[other], inside[key]
            case _:
                inside[key] = copy.deepcopy(pick.choice(VALUES))


# --- the whole request --------------------------------------------------------------------------


def sent(asked: Asked) -> bytes:
    """Return a body; halves of surrogates are written as JSON's escapes."""
    try:
        return tight(asked.fields).encode()
    except UnicodeEncodeError:
        return json.dumps(asked.fields).encode()


def _text(pick: random.Random, asked: Asked) -> bytes:
    return bytes_damaged(pick, sent(asked))


def _members(pick: random.Random, asked: Asked) -> bytes:
    fields_damaged(pick, asked.fields)
    return sent(asked)


def _letters(pick: random.Random, asked: Asked) -> bytes:
    """Put odd letters into a text, wherever it stands."""
    held = [(inside, key) for inside, key in places(asked.fields) if type(inside[key]) is str]
    inside, key = pick.choice(held or [({"": ""}, "")])
    at = pick.randrange(len(inside[key]) + 1)
    text = inside[key][at + pick.randrange(2) :]
    inside[key] = inside[key][:at] + pick.choice(LETTERS) * pick.choice((1, 1, 50)) + text
    return sent(asked)


#: Stands where something raw is to be put into the JSON text.
_HOLE = "\x01hole\x01"


def _holed(pick: random.Random, asked: Asked, raw: str, only: tuple[type, ...]) -> bytes:
    """Return the body with one member, of some types, replaced by a raw text."""
    inside, key = _place(pick, asked.fields, only) or (asked.fields, "extra")
    inside[key] = _HOLE
    return sent(asked).replace(json.dumps(_HOLE).encode(), raw.encode(), 1)


def _number(pick: random.Random, asked: Asked) -> bytes:
    return _holed(pick, asked, pick.choice(NUMBERS), (int,))


def _nested(pick: random.Random, asked: Asked) -> bytes:
    depth = pick.choice(DEPTHS)
    start, end = pick.choice((("[", "]"), ('{"a":', "}"), ('[{"stack":', "}]")))
    raw = start * depth + "1" + end * pick.choice((depth, depth, depth - 1))
    return _holed(pick, asked, raw, (int, str, list, dict, bool))


def _twice(pick: random.Random, asked: Asked) -> bytes:
    """Let a key stand twice in an object, with the same value or another."""
    held = [(inside, key) for inside, key in places(asked.fields) if isinstance(inside, dict)]
    inside, key = pick.choice(held or [(asked.fields, "state")])
    again = pick.choice((inside.get(key), *pick.sample(VALUES, 2)))
    inside[_HOLE] = again
    return sent(asked).replace(json.dumps(_HOLE).encode(), json.dumps(key).encode(), 1)


def _other_game(pick: random.Random, asked: Asked) -> bytes:
    """Send what is meant for one game to the other, sometimes under its name."""
    body = sent(asked)
    other = next(uid for uid in sound.UIDS if uid != asked.uid)
    if pick.random() < 0.4:
        body = body.replace(asked.uid.encode(), other.encode())
    asked.uid = other
    return body


KINDS: dict[str, Damage] = {
    "none": lambda pick, asked: sent(asked),
    "text": _text,
    "members": _members,
    "letters": _letters,
    "number": _number,
    "nested": _nested,
    "key twice": _twice,
    "other game": _other_game,
}
