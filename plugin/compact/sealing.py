"""The text of a compact state: a header in plain fields, and a payload in base64 with a check."""

from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64
from collections.abc import Sequence
from hashlib import blake2b
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

from plugin.errors import InvalidState, UnsupportedEngine
from plugin.history import AnyGame

FORMAT = "p1"
CHECK_BYTES = 8

_TO_URL = bytes.maketrans(b"+/", b"-_")
# What belongs into another alphabet becomes what belongs into none.
_FROM_URL = bytes.maketrans(b"-_+/", b"+/**")
_DIGITS = f"{ascii_uppercase}{ascii_lowercase}{digits}-_"
#: What canonical base64 may end with, by its length modulo 4: the bits beyond the last byte are 0.
_ENDS = (_DIGITS, "", _DIGITS[::16], _DIGITS[::4])


def sealed(
    uid: str, uids: Sequence[str], version: str, endings: Sequence[str], payload: bytes
) -> str:
    """Return the text."""
    header = ":".join((FORMAT, uid, "+".join(uids), version, "+".join(endings), ""))
    return header + _coded(payload + _check(header, payload))


def _coded(data: bytes) -> str:
    return b2a_base64(data, newline=False).translate(_TO_URL).rstrip(b"=").decode()


def _check(header: str, payload: bytes) -> bytes:
    return blake2b(header.encode() + payload, digest_size=CHECK_BYTES).digest()


def opened(game: AnyGame, text: str) -> tuple[list[str], str, tuple[str, ...], bytes]:
    """Return variants, engine version, endings and payload; raises InvalidState, UnsupportedEngine.

    What the fields say is not judged, but that the engine is known and nothing came to harm.
    """
    fields = text.split(":")
    if len(fields) != 6 or not text.isascii():
        raise wrong(None, "header", "a compact state has six fields")
    form, uid, uids, version, endings, code = fields
    if form != FORMAT:
        raise UnsupportedEngine("header: format", f"{form} is not {FORMAT}")
    if uid != game.info.uid:
        raise wrong(None, "game", f"must be {game.info.uid}")
    header = text[: len(text) - len(code)]
    payload = _decoded(header, code)
    if version not in game.info.versions:
        raise UnsupportedEngine("header: version", f"engine {version} is not known here")
    return _split(uids), version, tuple(_split(endings)), payload


def _split(joined: str) -> list[str]:
    return joined.split("+") if joined else []


def _decoded(header: str, code: str) -> bytes:
    try:
        padded = code.encode().translate(_FROM_URL) + b"=" * (-len(code) % 4)
        data = a2b_base64(padded, strict_mode=True)
    except (Base64Error, ValueError) as error:
        raise wrong(None, "payload", "is no base64") from error
    if code[-1:] not in _ENDS[len(code) % 4]:
        raise wrong(None, "payload", "is no canonical base64")
    payload, check = data[:-CHECK_BYTES], data[-CHECK_BYTES:]
    if _check(header, payload) != check:
        raise wrong(None, "check", "the state was damaged on its way")
    return payload


def wrong(ply: int | None, field: str, why: str, **trace: Any) -> InvalidState:
    """Return the error for what is wrong in the header, or at a ply."""
    place = "header" if ply is None else f"ply {ply}"
    return InvalidState(f"{place}: {field}", why, ply=ply, field=field, **trace)
