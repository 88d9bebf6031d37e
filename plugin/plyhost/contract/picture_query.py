"""The query of a picture's address as the fields of a request."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from plyhost.errors import InvalidRequest

#: Fields that hold several, and what may stand between them beside semicolons.
_LISTS = {
    "moves": r"[;\s]+",
    "variants": r"[;,\s]+",
    "colours": r"[;,\s]+",
    "players": r"\s*;\s*",
}
_NUMBERS = frozenset({"perspective", "width", "height", "step", "last"})
_TRUTHS = {"labels": {"0": False, "1": True}, "loops": {"0": False, "1": True}}
_NUMBER = re.compile("[0-9]{1,6}")


def parse_picture_query(found: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the fields of an address's query, each given as a list of texts, for the schema.

    Moves may be repeated, or stand between spaces or semicolons, variants and colours also between
    commas, players between semicolons.  Raises InvalidRequest for any other field given twice.
    """
    fields: dict[str, Any] = {}
    for name, texts in found.items():
        if name in _LISTS:
            fields[name] = [one for one in re.split(_LISTS[name], ";".join(texts)) if one]
        elif len(texts) != 1:
            raise InvalidRequest({name: ["Give it once."]})
        else:
            fields[name] = _parse_single_field(name, texts[0])
    return fields


def _parse_single_field(name: str, text: str) -> Any:
    """Return a number or truth value where the text is one; the schema judges other texts."""
    if name in _NUMBERS and _NUMBER.fullmatch(text):
        return int(text)
    return _TRUTHS.get(name, {}).get(text, text)
