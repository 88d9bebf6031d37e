"""The text of a compact state: a header in plain fields, and a payload in base64 with a check."""

from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64
from collections.abc import Sequence
from hashlib import blake2b
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

from plyhost import limits
from plyhost.errors import InvalidState, UnsupportedEngine
from plyhost.games.game import AnyGame

FORMAT = "p1"
CHECK_BYTES = 8

_TO_URL = bytes.maketrans(b"+/", b"-_")
# What belongs into another alphabet becomes what belongs into none.
_FROM_URL = bytes.maketrans(b"-_+/", b"+/**")
_DIGITS = f"{ascii_uppercase}{ascii_lowercase}{digits}-_"
#: What canonical base64 may end with, by its length modulo 4: the bits beyond the last byte are 0.
_ENDS = (_DIGITS, "", _DIGITS[::16], _DIGITS[::4])


def seal_compact_text(
    uid: str, uids: Sequence[str], version: str, endings: Sequence[str], payload: bytes
) -> str:
    """Return the text of a compact state: its header, then payload and check in base64."""
    header = ":".join((FORMAT, uid, "+".join(uids), version, "+".join(endings), ""))
    return header + _encode_base64url(payload + _compute_compact_check(header, payload))


def _encode_base64url(data: bytes) -> str:
    return b2a_base64(data, newline=False).translate(_TO_URL).rstrip(b"=").decode()


def _compute_compact_check(header: str, payload: bytes) -> bytes:
    return blake2b(header.encode() + payload, digest_size=CHECK_BYTES).digest()


def open_compact_text(game: AnyGame, text: str) -> tuple[list[str], str, tuple[str, ...], bytes]:
    """Return variants, engine version, endings and payload; raises InvalidState, UnsupportedEngine.

    What the fields say is not judged, but that the engine is known and nothing came to harm.
    """
    fields = text.split(":", 6)
    if len(fields) != 6 or not text.isascii():
        raise make_compact_fault(None, "header", "a compact state has six fields")
    form, uid, uids, version, endings, code = fields
    if form != FORMAT:
        raise UnsupportedEngine("header: format", f"{form} is not {FORMAT}")
    if uid != game.info.uid:
        raise make_compact_fault(None, "game", f"must be {game.info.uid}")
    header = text[: len(text) - len(code)]
    payload = _decode_checked_payload(header, code)
    if version not in game.info.versions:
        raise UnsupportedEngine("header: version", f"engine {version} is not known here")
    variants = _split_joined_field(uids, limits.LISTED_NAMES)
    return variants, version, tuple(_split_joined_field(endings, limits.LAST_PLY)), payload


def _split_joined_field(joined: str, most: int) -> list[str]:
    """Return the parts of a field; beyond so many the rest is one, which is none that is known."""
    return joined.split("+", most) if joined else []


def _decode_checked_payload(header: str, code: str) -> bytes:
    try:
        padded = code.encode().translate(_FROM_URL) + b"=" * (-len(code) % 4)
        data = a2b_base64(padded, strict_mode=True)
    except (Base64Error, ValueError) as error:
        raise make_compact_fault(None, "payload", "is no base64") from error
    if code[-1:] not in _ENDS[len(code) % 4]:
        raise make_compact_fault(None, "payload", "is no canonical base64")
    payload, check = data[:-CHECK_BYTES], data[-CHECK_BYTES:]
    if _compute_compact_check(header, payload) != check:
        raise make_compact_fault(None, "check", "the state was damaged on its way")
    return payload


def make_compact_fault(ply: int | None, field: str, why: str, **trace: Any) -> InvalidState:
    """Return the error for what is wrong in the header, or at a ply."""
    place = "header" if ply is None else f"ply {ply}"
    where = place if field == place else f"{place}: {field}"
    return InvalidState(where, why, ply=ply, field=field, **trace)
