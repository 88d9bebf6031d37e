"""One run: the service, Redis, callers, faults; then what was promised is held against it."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.tools.redis_server import redis_server
from tests.tools.serving import started
from tests.tools.soak import promises, schedule
from tests.tools.soak.callers import Callers
from tests.tools.soak.faults import MEMORY, POLICY, Faults
from tests.tools.soak.feed import Feed, feed
from tests.tools.soak.health import WORKERS, Health
from tests.tools.soak.memory import Memory
from tests.tools.soak.promises import Megabytes
from tests.tools.soak.tally import Tally

SETTINGS = {
    # Counted, and never reached.
    "PLYHOST_RATE_LIMIT": "100000000/minute",
    # Small, so that what a worker may keep is full by the time that memory is first looked at.
    # As many as there are callers, so that none is told that all are busy.
    "PLYHOST_THINKERS": "64",
    "PLYHOST_MEMORY_MB": "4",
    "PLYHOST_IDEMPOTENCY_SECONDS": "120",
    "PLYHOST_LOG_LEVEL": "warning",
}
#: The minute that the end's memory is compared with, and by how much it may have grown since.
MINUTE, GROWTH = 5, 1.10
#: A run too short for that compares with its middle, when workers are half a minute old.  They
#: still grow then: each of their threads meets its first large answers, each memory fills.
SHORT_GROWTH = 1.25


@dataclass
class Outcome:
    """What a run came to; `memory` is in MB by what and when, `ages` as `Memory.by_age` has it."""

    tally: Tally
    seconds: float = 0.0
    games: int = 0
    requests: int = 0
    memory: dict[str, Megabytes] = field(default_factory=dict)
    ages: list[tuple[int, int, float]] = field(default_factory=list)


class Run:
    """A run of some minutes."""

    def __init__(self, minutes: float, callers: int, seed: int) -> None:
        self.minutes, self.callers, self.seed = minutes, callers, seed
        self.tally = Tally()
        self.outcome = Outcome(self.tally)

    def __call__(self) -> Outcome:
        """Run; raises what ended it before its time."""
        config = {"maxmemory": MEMORY, "maxmemory-policy": POLICY, "save": ""}
        with redis_server(**config) as redis, feed(self.seed) as cases:
            env = os.environ | {"PLYHOST_REDIS_URL": redis.patient, **SETTINGS}
            with started("--workers", str(WORKERS), env=env) as (url, process):
                health = Health(url, process, self.tally)
                health.wait(health.is_well, "the start")
                self._soak(Faults(health, redis, self.seed), cases)
        return self.outcome

    def _soak(self, faults: Faults, cases: Feed) -> None:
        callers = Callers(faults.health.url, cases, faults, self.tally, self.seed)
        memory, began = Memory(faults), time.monotonic()
        with memory.watched(), callers.calling(self.callers):
            schedule.run(faults, self.minutes * 60, lambda: self._weigh(memory))
        self.outcome.seconds = time.monotonic() - began
        self.outcome.games, self.outcome.requests = cases.games, cases.made
        self.outcome.ages = list(memory.by_age())
        self._broken(promises.figures_fit(faults.health.figures(), self.tally))
        self._broken(promises.mixture_whole(self.tally))

    def _weigh(self, memory: Memory) -> None:
        """Compare the end with minute 5, or in a short run with its middle."""
        now = time.monotonic() - memory.began
        is_long = now > 2 * MINUTE * 60
        first, width = (MINUTE * 60, 60) if is_long else (now / 2, 20)
        before, after = memory.at(first, width), memory.at(now - width / 2, width)
        self.outcome.memory = {f"{first / 60:.1f} min": before, f"{now / 60:.1f} min": after}
        growth = GROWTH if is_long else SHORT_GROWTH
        self._broken(promises.memory_flat(before, after, growth))

    def _broken(self, found: Iterator[str]) -> None:
        for promise in found:
            self.tally.breaks(promise)
