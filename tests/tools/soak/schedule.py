"""When what is broken: a restart of all first and last, everything else in a seeded order."""

import time
from collections.abc import Callable, Iterator

from tests.tools.soak.faults import Faults

#: Seconds before the first fault, and between two.
WARM_UP = 8.0
CALM = (1.5, 4.0)


def _deeds(faults: Faults) -> Iterator[Callable[[], None]]:
    """Yield every fault again and again, of workers and of Redis by turns, in changing order."""
    workers = [faults.kill_worker, faults.stop_worker, faults.kill_worker]
    workers.append(faults.stop_redis_and_kill)
    redis = [faults.stop_redis, faults.hold_redis, faults.fill_redis, faults.restart_redis]
    while True:
        faults.pick.shuffle(workers)
        faults.pick.shuffle(redis)
        for pair in zip(redis, workers, strict=True):
            yield from pair
        yield _round


def _round() -> None:
    """Stand for the moment when everything has been done once more."""


def run(faults: Faults, seconds: float, judge_memory: Callable[[], None]) -> None:
    """Break things for so long, and until each was broken once.

    The memory is judged before the last restart, which gives it back.
    """
    until = time.monotonic() + seconds
    time.sleep(WARM_UP)
    faults.restart_all()
    has_done_all = False
    for deed in _deeds(faults):
        deed()
        has_done_all = has_done_all or deed is _round
        if time.monotonic() >= until and has_done_all:
            break
        time.sleep(faults.pick.uniform(*CALM))
    judge_memory()
    faults.restart_all()
