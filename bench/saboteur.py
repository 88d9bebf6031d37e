"""Processes that judge are struck from outside while they do: killed, aborted, stopped, held up."""

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: What is done to a process, and the signal that does it.  `memory` is what the memory killer does
#: after an allocation failed in C; `hang` stops a process and lets it go on half a second later.
STRIKES = {
    "kill": signal.SIGKILL,
    "memory": signal.SIGABRT,
    "stop": signal.SIGSTOP,
    "hang": signal.SIGSTOP,
}
_HELD_SECONDS = 0.5


@contextmanager
def strike_judges(seed: int, gap: float, most: int) -> Iterator[Counter[str]]:
    """Strike processes that judge, one every `gap` seconds, at most so many; yield the counts."""
    counts, is_over = Counter[str](), threading.Event()
    thread = threading.Thread(
        target=_strike_on, args=(random.Random(seed), gap, most, counts, is_over), daemon=True
    )
    thread.start()
    yield counts
    is_over.set()
    thread.join()


def _strike_on(
    pick: random.Random, gap: float, most: int, counts: Counter[str], is_over: threading.Event
) -> None:
    while counts.total() < most and not is_over.wait(pick.uniform(0.5, 1.5) * gap):
        judges = sorted(find_judges(os.getpid()))
        if judges:
            kind, pid = pick.choice(sorted(STRIKES)), pick.choice(judges)
            with suppress(ProcessLookupError):
                os.kill(pid, STRIKES[kind])
                counts[kind] += 1
                if kind == "hang":
                    threading.Thread(target=_release_later, args=(pid,)).start()


def _release_later(pid: int) -> None:
    time.sleep(_HELD_SECONDS)
    if pid in find_judges(os.getpid()):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def find_judges(pid: int) -> set[int]:
    """Return the processes below one that judge: Python's spawned ones, its trackers apart."""
    found = set[int]()
    with suppress(OSError):
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in map(int, children.read_text().split()):
                found |= find_judges(child)
                if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.add(child)
    return found
