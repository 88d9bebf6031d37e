"""A run told in plain text."""

from collections import Counter
from collections.abc import Iterator

from tests.tools.soak.run import Outcome
from tests.tools.soak.tally import TOLD, quantile

#: How many broken promises are told in a line each, and how much of each.
LINES, LINE = 50, 300


def lines(outcome: Outcome) -> Iterator[str]:
    """Yield a report; broken promises come last, a line each, the first few in full."""
    tally = outcome.tally
    total = sum(tally.answered.values())
    minutes, rate = outcome.seconds / 60, total / outcome.seconds
    yield f"{total} answers in {minutes:.1f} min, {rate:.0f} a second"
    yield f"{outcome.requests} different requests from {outcome.games} games"
    yield from _counted("by operation", Counter(_by(outcome, 0)))
    yield from _counted("by game", Counter(_by(outcome, 1)))
    yield from _counted("by status", Counter({str(key): n for key, n in tally.statuses.items()}))
    yield from _counted("seen", tally.facts)
    for when, found in sorted(tally.seconds.items()):
        p50, p99, most = (quantile(found, share) for share in (0.5, 0.99, 1))
        yield f"{when}: p50 {p50:.1f} ms, p99 {p99:.1f} ms, longest {most:.0f} ms ({len(found)})"
    yield from _memory(outcome)
    yield f"wrong answers: {tally.facts['wrong answers']}"
    yield f"broken promises: {len(tally.broken)}"
    yield from (f"  {told.splitlines()[0][:LINE]}" for told in tally.broken[:LINES])
    yield from tally.broken[:TOLD]


def _by(outcome: Outcome, part: int) -> dict[str, int]:
    found = Counter[str]()
    for label, number in outcome.tally.answered.items():
        found[label[part] or "(none)"] += number
    return found


def _counted(title: str, found: Counter[str]) -> Iterator[str]:
    yield f"{title}:"
    yield from (f"  {number:9} {name}" for name, number in sorted(found.items()))


def _memory(outcome: Outcome) -> Iterator[str]:
    for when, parts in outcome.memory.items():
        yield f"memory at {when}: " + ", ".join(f"{name} {mb:.1f} MB" for name, mb in parts.items())
    for age, samples, mb in outcome.ages:
        yield f"  a worker up to {age} s old: {mb:.1f} MB ({samples} samples)"
