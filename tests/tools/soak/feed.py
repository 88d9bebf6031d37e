"""Cases without end: new games all the time, made in another process as fast as they are used."""

import multiprocessing
import random
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import count

from tests.tools.soak.cases import Case, cases

#: How often a case is asked on average before another takes its place, and how many are at hand.
REPEATS = 4
AT_HAND = 2000
#: Games to begin with.
FIRST = 6


class Feed:
    """The cases at hand; the oldest go as new ones come."""

    def __init__(self, seed: int, pool: ProcessPoolExecutor) -> None:
        self.pool, self.seeds = pool, count(seed * 10**6)
        self.held: deque[Case] = deque(maxlen=AT_HAND)
        self.pick, self.lock = random.Random(seed), threading.Lock()
        self.games = self.made = self.credit = 0
        self.coming: deque[Future[list[Case]]] = deque()
        for _ in range(FIRST):
            self._order()
        for _ in range(FIRST):
            self._take_in(self.coming.popleft().result(120))
            self._order()

    def _order(self) -> None:
        self.coming.append(self.pool.submit(cases, next(self.seeds)))

    def _take_in(self, made: list[Case]) -> None:
        self.held.extend(made)
        self.games += 1
        self.made += len(made)
        self.credit += REPEATS * len(made)

    def draw(self) -> Case:
        """Return one of the cases at hand; raises Unsound when the engine was at odds with one."""
        with self.lock:
            self.credit -= 1
            if self.credit < 0 and self.coming[0].done():
                self._take_in(self.coming.popleft().result())
                self._order()
            return self.pick.choice(self.held)


@contextmanager
def feed(seed: int) -> Iterator[Feed]:
    """Make cases in a process of its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        try:
            yield Feed(seed, pool)
        finally:
            pool.shutdown(cancel_futures=True)
