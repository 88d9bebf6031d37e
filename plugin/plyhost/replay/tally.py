"""What a replay counts: totals that always add up to what was read."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from plyhost.replay.verdicts import Verdict

#: Differences that are kept to be printed.
TOLD = 20


@dataclass
class Tally:
    """How many games of which kind (`good`, `different`, `unreadable`), and what differed."""

    kinds: Counter[str] = field(default_factory=Counter)
    games: dict[str, Counter[str]] = field(default_factory=dict)
    forms: dict[str, Counter[str]] = field(default_factory=dict)
    codes: Counter[str] = field(default_factory=Counter)
    plies: int = 0
    told: list[str] = field(default_factory=list)

    def add(self, verdict: Verdict) -> None:
        """Count a verdict."""
        kind = verdict.kind
        self.kinds[kind] += 1
        self.plies += verdict.plies_ok
        for table, name in ((self.games, verdict.game), (self.forms, verdict.form)):
            if name is not None:
                table.setdefault(name, Counter())[kind] += 1
        if not verdict.ok:
            self.codes[f"{verdict.code}"] += 1
            if len(self.told) < TOLD:
                self.told.append(verdict.line())

    @property
    def read(self) -> int:
        """How many games were read."""
        return self.kinds.total()

    @property
    def status(self) -> int:
        """The exit status: 2 for anything unreadable or nothing at all, 1 for a difference."""
        if self.kinds["unreadable"] or not self.read:
            return 2
        return 1 if self.kinds["different"] else 0

    def summary(self) -> dict[str, Any]:
        """Return all counts as an object."""
        named = ("good", "different", "unreadable")
        counts = {kind: self.kinds[kind] for kind in named}
        return {
            "games": self.read,
            **counts,
            "plies": self.plies,
            "by_game": {name: dict(self.games[name]) for name in sorted(self.games)},
            "by_form": {name: dict(self.forms[name]) for name in sorted(self.forms)},
            "by_code": dict(sorted(self.codes.items())),
            "status": self.status,
        }

    def text(self) -> str:
        """Return what is printed: the differences, as far as they are kept, and the totals."""
        lines = list(self.told)
        if (more := self.read - self.kinds["good"] - len(lines)) > 0:
            lines.append(f"... and {more:,} more; --report FILE names them all")
        counts = ", ".join(f"{count:,} {kind}" for kind, count in sorted(self.kinds.items()))
        lines.append(f"{self.read:,} games, {self.plies:,} plies: {counts or 'nothing was read'}")
        return "\n".join(lines)
