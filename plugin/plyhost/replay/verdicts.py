"""The verdict on one game of an archive."""

from collections.abc import Mapping
from typing import Any

import msgspec
import orjson

#: Characters of an `expected` or `found` that are told.
LONGEST_TOLD = 2000
UNREADABLE, INTERNAL = "unreadable", "internal"


class Verdict(msgspec.Struct, kw_only=True):
    """What became of a game.

    `at` is where it was read, `id` its own name or `at`.  `plies_ok` is how many plies came out.
    The rest names the first difference, as in a verdict of the contract: `expected` is what the
    rules give, `found` what the archive holds.
    """

    id: str
    at: str
    game: str | None = None
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

    def tell(self, verdict: Mapping[str, Any]) -> None:
        """Take over what a verdict of `plyhost.contract.records` says."""
        for name, value in verdict.items():
            setattr(
                self, name, shorten_value(value) if name in ("expected", "found", "move") else value
            )

    @property
    def kind(self) -> str:
        """Whether the game is `good`, `different` or `unreadable`."""
        if self.ok:
            return "good"
        return "unreadable" if self.code == UNREADABLE else "different"

    def line(self) -> str:
        """Return the difference in a line of text."""
        said = ", ".join(part for part in self._parts() if part)
        return f"{self.at}{'' if self.id == self.at else f' ({self.id})'}: {said}"

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


def shorten_value(value: Any) -> Any:
    """Return a JSON value, or the beginning of its text when that is long."""
    if isinstance(value, int | None) or (isinstance(value, str) and len(value) < LONGEST_TOLD):
        return value
    text = _format_json_value(value)
    return value if len(text) <= LONGEST_TOLD else text[:LONGEST_TOLD] + "…"


def _format_json_value(value: Any) -> str:
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return repr(value)
