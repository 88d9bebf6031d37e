"""One run: the service, Redis, callers, faults; then what was promised and what came."""

import os
import time
from collections import Counter
from dataclasses import dataclass

from tests.redis_server import redis_server
from tests.serving import started
from tests.soak import schedule
from tests.soak.callers import Callers
from tests.soak.faults import MEMORY, POLICY, Faults
from tests.soak.feed import Feed, feed
from tests.soak.health import WORKERS, Health
from tests.soak.memory import Memory
from tests.soak.tally import Tally

#: Counted and never reached.
RATE = "100000000/minute"
#: Kept small, so that what a worker may keep is full by the time that memory is first looked at.
SETTINGS = {
    "PLYHOST_RATE_LIMIT": RATE,
    "PLYHOST_MEMORY_MB": "4",
    "PLYHOST_IDEMPOTENCY_SECONDS": "120",
    "PLYHOST_LOG_LEVEL": "warning",
}
#: Asked by others than callers, too.
PROBED = ("/healthz", "/readyz", "/metrics")
#: The second minute that memory is compared with, and by how much it may have grown since.
MINUTE, GROWTH = 5, 1.10
#: In a run too short for that, its middle counts. A worker of a minute still grows: its threads
#: come to their first large answers, and its own memory fills.
SHORT_GROWTH = 1.25


@dataclass
class Outcome:
    """What a run came to."""

    tally: Tally
    made: int
    games: int
    seconds: float
    memory: dict[str, dict[str, float]]
    ages: list[tuple[int, int, float]]


class Run:
    """A run of some minutes."""

    def __init__(self, minutes: float, callers: int, seed: int) -> None:
        self.minutes, self.callers, self.seed = minutes, callers, seed
        self.tally, self.memory = Tally(), dict[str, dict[str, float]]()

    def __call__(self) -> Outcome:
        """Run; raises what ended it before its time."""
        config = {"maxmemory": MEMORY, "maxmemory-policy": POLICY, "save": ""}
        with redis_server(**config) as redis, feed(self.seed) as cases:
            env = os.environ | {"PLYHOST_REDIS_URL": redis.patient, **SETTINGS}
            with started("--workers", str(WORKERS), env=env) as (url, process):
                health = Health(url, process, self.tally)
                health.wait(health.is_well, "the start")
                return self._soaked(Faults(health, redis, self.seed), cases)

    def _soaked(self, faults: Faults, cases: Feed) -> Outcome:
        callers = Callers(faults.health.url, cases, faults, self.tally, self.seed)
        memory, began = Memory(faults), time.monotonic()
        with memory.watched(), callers.calling(self.callers):
            seconds = self.minutes * 60
            schedule.run(faults, seconds, lambda: self._weigh(memory))
        self._count(faults)
        spent = time.monotonic() - began
        ages = list(memory.by_age())
        return Outcome(self.tally, cases.made, cases.games, spent, self.memory, ages)

    def _weigh(self, memory: Memory) -> None:
        """Compare the end with minute 5, or in a short run with its middle."""
        now = time.monotonic() - memory.began
        is_long = now > 2 * MINUTE * 60
        first, width = (MINUTE * 60, 60) if is_long else (now / 2, 20)
        before, after = memory.at(first, width), memory.at(now - width / 2, width)
        self.memory = {f"at {first / 60:.1f} min": before, f"at {now / 60:.1f} min": after}
        most = GROWTH if is_long else SHORT_GROWTH
        for name, megabytes in before.items():
            if not 0 < after[name] <= most * megabytes:
                self.tally.breaks(f"memory of {name}: {megabytes:.1f} MB, then {after[name]:.1f}")

    def _count(self, faults: Faults) -> None:
        """Hold the figures against what callers sent and got."""
        counted = Counter[tuple[str, str]]()
        for (name, labels), value in faults.health.figures().items():
            if name == "plyhost_requests_total":
                told = dict(labels)
                counted[told["operation"], told["game"]] += int(value)
        for label, sent in self.tally.sent.items():
            answered = self.tally.answered[label]
            most = float("inf") if label[0] in PROBED else sent
            if not answered <= counted[label] <= most:
                told = f"counted {counted[label]}, sent {sent}, answered {answered}"
                self.tally.breaks(f"figures of {' '.join(label)}: {told}")
        self.tally.count("requests in the figures", sum(counted.values()))
