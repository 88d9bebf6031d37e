"""What a replay counts: totals that always add up to what was read."""

from collections import Counter
from typing import Any

import msgspec

from plyhost.replay.judgement.verdicts import KINDS, Verdict
from plyhost.replay.reporting.overview import Overview

#: Differences that are kept to be printed.
TOLD = 20
#: Kinds of games that are looked at.
BAD = ("different", "unreadable", "failed")


class Tally(msgspec.Struct):
    """How many games of which kind, what differed, and what was not even read.

    `passed` counts files that were passed over, `faults` what went wrong with outputs.
    """

    kinds: Counter[str] = msgspec.field(default_factory=Counter)
    games: dict[str, Counter[str]] = {}
    forms: dict[str, Counter[str]] = {}
    codes: Counter[str] = msgspec.field(default_factory=Counter)
    plies: int = 0
    told: list[str] = []
    overview: Overview = msgspec.field(default_factory=Overview)
    since: Counter[str] = msgspec.field(default_factory=Counter)
    passed: int = 0
    faults: int = 0

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
        if verdict.since:
            self.since[verdict.since] += 1
        if kind in BAD:
            self.tell(verdict)

    def tell(self, verdict: Verdict) -> None:
        """Note what is printed of a game that is not good."""
        self.overview.add_verdict(verdict)
        if len(self.told) < TOLD:
            self.told.append(verdict.line())

    def add_tally(self, other: "Tally") -> None:
        """Add the numbers of another share; what is printed is told game by game."""
        self.kinds.update(other.kinds)
        self.codes.update(other.codes)
        self.since.update(other.since)
        self.plies += other.plies
        self.passed += other.passed
        for ours, theirs in ((self.games, other.games), (self.forms, other.forms)):
            for name, counts in theirs.items():
                ours.setdefault(name, Counter()).update(counts)

    @property
    def read(self) -> int:
        """How many games were read."""
        return self.kinds.total()

    @property
    def bad(self) -> int:
        """How many games are neither good nor of another place."""
        return sum(self.kinds[kind] for kind in BAD)

    @property
    def status(self) -> int:
        """The exit status: 1 for differences and nothing else, 2 when something was not read.

        Or when nothing was, when something broke here, or when an output could not be written.
        """
        unread = (
            self.kinds["unreadable"] or self.passed or not self.read - self.kinds["passed_over"]
        )
        if unread or self.kinds["failed"] or self.faults:
            return 2
        return 1 if self.kinds["different"] else 0

    def summary(self) -> dict[str, Any]:
        """Return all counts as an object."""
        counts = {kind: self.kinds[kind] for kind in KINDS}
        return {
            "games": self.read,
            **counts,
            "plies": self.plies,
            "files_passed_over": self.passed,
            "by_game": sort_table(self.games),
            "by_form": sort_table(self.forms),
            "by_code": dict(sorted(self.codes.items())),
            "since_baseline": dict(sorted(self.since.items())),
            "by_difference": self.overview.list_objects(self.read),
            "status": self.status,
        }

    def text(self) -> str:
        """Return what is printed: the overview, the first single games, and the totals."""
        lines = []
        if self.bad > 1:
            lines += [f"{'games':>9} {'of all':>7}  kind of difference"]
            lines += [*self.overview.format_lines(self.read), ""]
        lines += self.told
        if (more := self.bad - len(self.told)) > 0:
            lines.append(f"... and {more:,} more; --report FILE names them all")
        if self.since:
            told = ", ".join(f"{count:,} {name}" for name, count in sorted(self.since.items()))
            lines.append(f"since the baseline: {told}")
        if self.passed:
            lines.append(f"{self.passed:,} files were passed over and not read")
        counts = ", ".join(
            f"{count:,} {kind.replace('_', ' ')}" for kind, count in sorted(self.kinds.items())
        )
        lines.append(f"{self.read:,} games, {self.plies:,} plies: {counts or 'nothing was read'}")
        return "\n".join(lines)


def sort_table(table: dict[str, Counter[str]]) -> dict[str, dict[str, int]]:
    """Return counts by name and kind in an order that does not depend on what was read first."""
    return {name: dict(sorted(table[name].items())) for name in sorted(table)}
