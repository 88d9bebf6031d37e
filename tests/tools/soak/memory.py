"""Memory over time: of the service, and of each of its processes, as the system counts it.

Workers are replaced all the time, and a young one is smaller than an old one.  So compared are: the
main process and the elder, the worker that is spared, each with itself (resident pages); and the
sum over all processes (shared pages counted once), whose workers are as young at both times, for
faults come at one pace.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.tools.serving import workers
from tests.tools.soak.faults import Faults
from tests.tools.soak.health import WORKERS

EVERY = 1.0
#: Ages in seconds by which workers are told apart in the table.
AGES = (5, 15, 30, 60, 120, 300, 600, 1200, 3600)


@dataclass(frozen=True)
class Sample:
    """All processes at a moment: resident kB by process id, and what they take together."""

    moment: float
    resident: dict[int, int]
    together: int


def _taken(pid: int) -> tuple[int, int]:
    """Return resident kB of a process, and the same with its shared pages shared out."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    found = {line.split(":")[0]: int(line.split()[1]) for line in lines[1:]}
    return found["Rss"], found["Pss"]


class Memory:
    """The samples of a run."""

    def __init__(self, faults: Faults) -> None:
        self.faults, self.main = faults, faults.health.process
        self.began, self.samples = time.monotonic(), list[Sample]()
        self.births: dict[int, float] = {}
        self.ages: dict[int, list[int]] = {age: [] for age in AGES}

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Take samples meanwhile."""
        over = threading.Event()
        thread = threading.Thread(target=self._watch, args=(over,))
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _watch(self, over: threading.Event) -> None:
        while not over.wait(EVERY):
            try:
                self._sample(workers(self.main))
            except (OSError, IndexError, KeyError):
                continue  # a process ended while it was looked at

    def _sample(self, staff: list[int]) -> None:
        found = {pid: _taken(pid) for pid in (self.main.pid, *staff)}
        now = time.monotonic()
        resident = {pid: rss for pid, (rss, _) in found.items()}
        self.samples.append(Sample(now, resident, sum(pss for _, pss in found.values())))
        for pid in staff:
            age = now - self.births.setdefault(pid, now)
            group = next(most for most in AGES if age <= most)
            self.ages[group].append(resident[pid])

    def at(self, second: float, width: float) -> dict[str, float]:
        """Return MB around a second of the run: medians of whole samples."""
        low = self.began + second - width / 2
        some = [one for one in self.samples if low <= one.moment <= low + width]
        whole = [one for one in some if len(one.resident) == WORKERS + 1] or some
        parts = {"main": self.main.pid, "elder": self.faults.elder}
        found = {
            name: _middle([one.resident.get(pid) for one in whole]) for name, pid in parts.items()
        }
        return found | {"together": _middle([one.together for one in whole])}

    def by_age(self) -> Iterator[tuple[int, int, float]]:
        """Yield ages of workers: seconds up to, samples, their median MB."""
        for age, found in self.ages.items():
            if found:
                yield age, len(found), _middle(found)


def _middle(found: list[int] | list[int | None]) -> float:
    return median([one for one in found if one is not None] or [0]) / 1024
