"""The state string of the 2018 contract: who plays, and a state of contract version 1.

    {"format":"ap1","players":["ann","bob"],"state":"p1:control:...","check":"0f1e2d3c4b5a6978"}

`players` are the user ids of seats 1 and 2.  `state` is one of contract version 1, as a new game
gets it: compact; a `full-string` is taken as well, and kept.  `check` is BLAKE2b, 8 bytes in
hexadecimal, of the JSON array `[format, players, state]` written without white space: it finds
accidents, it is no signature.
"""

from collections.abc import Sequence
from hashlib import blake2b

import orjson

from plyhost.errors import InvalidRequest, InvalidState, UnsupportedEngine
from plyhost.schemas.requests import load_request
from plyhost.schemas.requests_2018 import SEALED
from plyhost.states import forms, strict_json

FORMAT = "ap1"
CHECK_BYTES = 8


def format_legacy_state(players: Sequence[str], wire: str) -> str:
    """Return the state string of a game."""
    check = _digest_legacy_state(players, wire)
    whole = {"format": FORMAT, "players": players, "state": wire, "check": check}
    return orjson.dumps(whole).decode()


def _digest_legacy_state(players: Sequence[str], wire: str) -> str:
    told = orjson.dumps([FORMAT, players, wire])
    return blake2b(told, digest_size=CHECK_BYTES).hexdigest()


def parse_legacy_state(text: str) -> tuple[list[str], str]:
    """Return the user ids and the state of contract version 1, itself not looked into yet.

    Raises InvalidState, or UnsupportedEngine for another format.
    """
    try:
        found = strict_json.parse_strict_json(forms.encode_state_text(text))
    except strict_json.Ambiguous as error:
        raise InvalidState("", f"was damaged on its way, {error}") from error
    if isinstance(found, dict) and found.get("format", FORMAT) != FORMAT:
        raise UnsupportedEngine("format", f"{found['format']} is not {FORMAT}")
    try:
        whole = load_request(SEALED, found)
    except InvalidRequest as error:
        raise InvalidState("", "is no state of this contract") from error
    if whole["check"] != _digest_legacy_state(whole["players"], whole["state"]):
        raise InvalidState("", "was damaged on its way, its check does not fit")
    if forms.find_state_form(whole["state"]) == "full-gz":
        # Many of them in one archive would unpack to more than a body may hold.
        raise InvalidState("", "must not be a gzipped one")
    return whole["players"], whole["state"]
