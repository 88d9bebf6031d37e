"""What is broken while callers ask, and whether all is well again after it.

One worker, the elder, is spared but in the restarts at the beginning and at the end, so that there
is one whose memory can be compared over the time between.
"""

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.tools.redis_server import RedisServer
from tests.tools.serving import workers
from tests.tools.soak.health import Health

MEMORY = "16mb"
POLICY = "allkeys-lru"
#: Seconds for which Redis is away once the service has noticed.
AWAY = (1.0, 4.0)
#: Seconds between two ends of workers: one that ends twice within 5.5 s ends the service.
APART = 10.0
#: Seconds before a request in which a kill may still have cut its connection.
SLACK = 0.5
#: The faults in which workers answer what they have begun, and then go.
IN_ORDER = STOPPED, REPLACED = "a worker stopped", "all workers replaced in turn"


class Faults:
    """The faults of a run, and when each was; `elder` is the worker that is spared."""

    def __init__(self, health: Health, redis: RedisServer, seed: int) -> None:
        self.health, self.redis, self.tally = health, redis, health.tally
        self.pick = random.Random(seed)
        self.elder = 0
        self.kills: list[float] = []
        #: Pairs of moments: when a fault began, and when all was well after it.
        self._spans: list[list[float]] = []
        self._losses = self._last_end = 0.0
        self._kind = "the start"

    def killed(self, since: float) -> bool:
        """Tell whether a worker was killed since a moment, or just before."""
        return any(moment >= since - SLACK for moment in self.kills)

    def touched(self, since: float) -> bool:
        """Tell whether anything was broken at any time since a moment."""
        return bool(self._spans) and self._spans[-1][1] >= since

    def is_stopping(self, since: float) -> bool:
        """Tell whether a worker was told to stop in good order, and others not yet in its place."""
        return self._kind in IN_ORDER and self.touched(since)

    def excuse(self, since: float) -> bool:
        """Tell whether Redis was away since a moment, be it that a busy machine made it slow."""
        return self.touched(since) or self.health.losses() > self._losses

    @property
    def now(self) -> str:
        """What is broken now, or was last, and how many seconds ago it began."""
        since = time.monotonic() - self._spans[-1][0] if self._spans else 0.0
        return f"{since:.2f} s after {self._kind}"

    @contextmanager
    def _fault(self, kind: str) -> Iterator[None]:
        self._kind = kind
        self.tally.count(f"fault: {kind}")
        span = [time.monotonic(), float("inf")]
        self._spans.append(span)
        yield
        self.health.wait(self.health.is_well, f"all well after {kind}")
        losses = self.health.losses()
        self._losses, span[1] = losses, time.monotonic()

    # Workers

    def kill_worker(self) -> None:
        """Kill a worker."""
        self._apart()
        with self._fault("a worker killed"):
            self._end(signal.SIGKILL)

    def stop_worker(self) -> None:
        """Tell a worker to stop, which answers what it has in hand."""
        self._apart()
        with self._fault(STOPPED):
            self._end(signal.SIGTERM)

    def restart_all(self) -> None:
        """Replace all workers in turn; the last is the elder from then on."""
        self._apart()
        before = workers(self.health.process)
        with self._fault(REPLACED):
            self.health.process.send_signal(signal.SIGHUP)
            self._followed(before)
        self.elder = workers(self.health.process)[-1]

    def _apart(self) -> None:
        time.sleep(max(0.0, self._last_end + APART - time.monotonic()))

    def _end(self, how: signal.Signals) -> None:
        victim = next(one for one in workers(self.health.process) if one != self.elder)
        if how == signal.SIGKILL:
            self.kills.append(time.monotonic())
        os.kill(victim, how)
        self._followed([victim])

    def _followed(self, gone: list[int]) -> None:
        self.health.wait(lambda: self.health.have_followed(gone), f"workers in place of {gone}")
        self._last_end = time.monotonic()

    # Redis

    def stop_redis(self) -> None:
        """Stop Redis, and start it again, empty."""
        self._redis("stopped", self.redis.stop, self.redis.start)

    def stop_redis_and_kill(self) -> None:
        """Stop Redis, and kill a worker meanwhile; the next one starts without Redis."""
        self._apart()
        kill = lambda: self._end(signal.SIGKILL)  # noqa: E731
        self._redis("stopped, a worker killed", self.redis.stop, self.redis.start, kill)

    def restart_redis(self) -> None:
        """Stop Redis and start it at once."""
        with self._fault("Redis restarted"):
            self.redis.stop()
            self.redis.start()

    def hold_redis(self) -> None:
        """Let Redis be silent."""
        self._redis("silent", self.redis.hold, self.redis.release)

    def fill_redis(self) -> None:
        """Let Redis refuse to write."""
        self._redis("full", self._fill, self._empty)

    def _fill(self) -> None:
        with self.redis.client() as client:
            client.config_set("maxmemory-policy", "noeviction")
        self.redis.fill()

    def _empty(self) -> None:
        with self.redis.client() as client:
            client.flushall()
            client.config_set("maxmemory", MEMORY)
            client.config_set("maxmemory-policy", POLICY)

    def _redis(
        self,
        kind: str,
        begin: Callable[[], None],
        end: Callable[[], None],
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        """Take Redis away and give it back; the service must tell both."""
        with self._fault(f"Redis {kind}"):
            begin()
            try:
                told = f"`degraded` told of Redis {kind}"
                self.health.wait(lambda: "degraded" in self.health.redis(), told)
                meanwhile()
                time.sleep(self.pick.uniform(*AWAY))
            finally:
                end()
