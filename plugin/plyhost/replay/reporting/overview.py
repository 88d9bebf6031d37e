"""Kinds of difference: what differs in the same way is one kind, however many games it befell."""

import re
from typing import Any

import msgspec

from plyhost.replay.judgement.verdicts import Verdict, escape_controls

#: Kinds that are told apart; whatever more there are is one kind.
MOST_KINDS = 1000
_FIELD = re.compile("[A-Za-z_]{1,24}")
_MORE = ("(more kinds)",)


class Kind(msgspec.Struct):
    """Games that differ alike: how many, the lowest ply, and the shortest game among them."""

    games: int = 0
    lowest_ply: int | None = None
    at: str = ""
    id: str = ""
    bytes: int = -1

    def add_verdict(self, verdict: Verdict) -> None:
        """Count a game; of equally short ones the first is kept."""
        self.games += 1
        plies = [one for one in (self.lowest_ply, verdict.ply) if one is not None]
        self.lowest_ply = min(plies, default=None)
        if not 0 <= self.bytes <= verdict.bytes:
            self.at, self.id, self.bytes = verdict.at, verdict.id, verdict.bytes


Key = tuple[str, ...]
NAMES = ("game", "variants", "engine", "code", "field", "reason")


class Overview(msgspec.Struct):
    """The kinds of difference by game, variants, engine, code, field and reason."""

    kinds: dict[Key, Kind] = {}

    def add_verdict(self, verdict: Verdict) -> None:
        """Count a game that is not good."""
        field = verdict.field or ""
        key = (
            verdict.game or "",
            "+".join(verdict.variants or ()),
            verdict.engine or "",
            verdict.code or "",
            field if not field or _FIELD.fullmatch(field) else "(other)",
            verdict.reason or "",
        )
        self._find_kind(key).add_verdict(verdict)

    def _find_kind(self, key: Key) -> Kind:
        if key not in self.kinds and len(self.kinds) >= MOST_KINDS:
            key = _MORE
        return self.kinds.setdefault(key, Kind())

    def sort_kinds(self) -> list[tuple[Key, Kind]]:
        """Return the kinds, those of most games first."""
        return sorted(self.kinds.items(), key=lambda one: (-one[1].games, one[0]))

    def list_objects(self, read: int) -> list[dict[str, Any]]:
        """Return the kinds as objects; `read` is how many games there are in all."""
        return [
            dict(zip(NAMES, (part or None for part in key), strict=False))
            | {"games": kind.games, "share": round(kind.games / max(read, 1), 6)}
            | {"lowest_ply": kind.lowest_ply, "at": kind.at, "id": kind.id, "bytes": kind.bytes}
            for key, kind in self.sort_kinds()
        ]

    def format_lines(self, read: int, most: int = 30) -> list[str]:
        """Return the kinds as lines of text that may be printed."""
        lines = []
        for key, kind in self.sort_kinds()[:most]:
            named = " ".join(part for part in key if part)
            ply = "" if kind.lowest_ply is None else f", from ply {kind.lowest_ply}"
            example = kind.at if kind.id == kind.at else f"{kind.at} ({kind.id})"
            # Two digits, of which `g` alone would make `1e+02` of all games.
            share = f"{float(f'{100 * kind.games / max(read, 1):.2g}'):g} %"
            lines.append(f"{kind.games:>9,} {share:>7}  {named}{ply}; smallest: {example}")
        if len(self.kinds) > most:
            lines.append(f"{'':19}and {len(self.kinds) - most} kinds more")
        return [escape_controls(line) for line in lines]
