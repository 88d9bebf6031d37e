"""The verdict on one game of an archive."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
import orjson

#: Characters of an `expected` or `found` that are told.
LONGEST_TOLD = 2000
#: Characters of a game's own name.
LONGEST_ID = 200
UNREADABLE, INTERNAL = "unreadable", "internal"
#: Codes of games that are not of this place; they are neither right nor wrong.
OTHERS = ("unknown-game", "not-asked", "no-game")
KINDS = ("good", "different", "unreadable", "failed", "passed_over")
#: What a terminal would obey, or what hides from who looks at it.
_CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


class Verdict(msgspec.Struct, kw_only=True):
    """What became of a game.

    `at` is where it was read, `id` its own name or `at`, `bytes` how long it is there.  `engine` is
    the version by whose rules it was judged.  `plies_ok` is how many plies came out.  `since` is
    `new`, `changed`, `unchanged` or `mended`, held against an earlier report.
    The rest names the first difference, as in a verdict of the contract: `expected` is what the
    rules give, `found` what the archive holds.
    """

    id: str = ""
    at: str = ""
    bytes: int = 0
    game: str | None = None
    variants: list[str] | None = None
    engine: str | None = None
    form: str | None = None
    ok: bool = False
    plies_ok: int = 0
    ply: int | None = None
    move: str | None = None
    field: str | None = None
    code: str | None = None
    reason: str | None = None
    expected: Any = None
    found: Any = None
    where: str | None = None
    message: str | None = None
    read_as: str | None = None
    since: str | None = None

    def tell(self, verdict: Mapping[str, Any]) -> None:
        """Take over what a verdict of `plyhost.contract.records` says."""
        for name, value in verdict.items():
            setattr(
                self, name, shorten_value(value) if name in ("expected", "found", "move") else value
            )

    @property
    def kind(self) -> str:
        """Which of `KINDS` the game is."""
        if self.ok:
            return "good"
        if self.code in OTHERS:
            return "passed_over"
        return {UNREADABLE: "unreadable", INTERNAL: "failed"}.get(self.code or "", "different")

    def line(self) -> str:
        """Return the difference in a line of text that may be printed."""
        said = ", ".join(part for part in self._parts() if part)
        return escape_controls(f"{self.at}{'' if self.id == self.at else f' ({self.id})'}: {said}")

    def _parts(self) -> list[str]:
        differs = self.expected is not None or self.field in ("winner", "scores", "results")
        return [
            self.game or "",
            "" if self.ply is None else f"ply {self.ply}",
            "" if self.move is None else f"move {self.move}",
            "" if self.field is None else f"{self.field}",
            f"expected {_format_json_value(self.expected)}, found {_format_json_value(self.found)}"
            if differs
            else "",
            f"{self.code or ''}{f' ({self.reason})' if self.reason else ''}",
            self.message or "",
        ]


def escape_controls(text: str) -> str:
    """Return a text whose every character is shown as itself, others as Python writes them."""
    return _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


def shorten_value(value: Any) -> Any:
    """Return a JSON value that can be written, or the beginning of its text when that is long."""
    if value is None or (isinstance(value, str) and value.isascii() and len(value) < LONGEST_TOLD):
        return value
    text = _format_json_value(value)
    if len(text) > LONGEST_TOLD:
        return text[:LONGEST_TOLD] + "…"
    return value if _is_json_value(value) else text


def _is_json_value(value: Any) -> bool:
    try:
        orjson.dumps(value)
    except (TypeError, ValueError):
        return False
    return True


def _format_json_value(value: Any) -> str:
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return _represent_value(value)


def _represent_value(value: Any) -> str:
    try:
        return repr(value)
    except ValueError:  # an integer with thousands of digits
        return f"{type(value).__name__} that is too long to be written"
