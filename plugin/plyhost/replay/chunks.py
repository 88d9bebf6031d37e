"""A chunk of games judged: here, or on every core of this machine, always in the order read."""

import gc
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context, resource_tracker

import msgspec

from plyhost.games import registry
from plyhost.replay.archive_files import Chunk, Item
from plyhost.replay.fixture_writer import dump_fixture
from plyhost.replay.judging import judge_item, judge_item_with_steps
from plyhost.replay.verdicts import INTERNAL, Verdict

#: Chunks that are under way at once for each process.
AHEAD = 3


class Result(msgspec.Struct):
    """What became of a chunk: a verdict for each game, and the fixtures of those that came out."""

    verdicts: list[Verdict]
    fixtures: list[bytes] = []


_encoder = msgspec.msgpack.Encoder()
_items = msgspec.msgpack.Decoder(list[Item])
_results = msgspec.msgpack.Decoder(Result)


def pack_items(items: list[Item]) -> bytes:
    """Return games as they are sent."""
    return _encoder.encode(items)


def unpack_result(answer: bytes) -> Result:
    """Return the result that an answer holds."""
    return _results.decode(answer)


def judge_packed_items(payload: bytes, is_written: bool = False) -> bytes:
    """Return the result of packed games, packed; with fixtures if they are to be written."""
    return _encoder.encode(judge_items(_items.decode(payload), is_written))


def judge_items(items: Iterable[Item], is_written: bool = False) -> Result:
    """Return the result of some games."""
    if not is_written:
        return Result([judge_item(item) for item in items])
    result = Result([], [])
    for item in items:
        verdict, entry, steps = judge_item_with_steps(item)
        result.verdicts.append(verdict)
        if verdict.ok and entry is not None:
            result.fixtures.append(dump_fixture(verdict, entry, steps))
    return result


def prepare_judging() -> None:
    """Make this process ready to judge: games loaded, and garbage looked for rarely."""
    registry.load_games()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def _start_judging_process() -> None:
    """Begin a process that judges; an interruption is for the one that reads."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prepare_judging()


@contextmanager
def _hold_signal(one: signal.Signals) -> Iterator[None]:
    """Hold a signal back; for a process that is started meanwhile it is so from the beginning."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [one])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run_chunks(
    chunks: Iterable[Chunk], jobs: int = 1, is_written: bool = False
) -> Iterator[tuple[int, Result]]:
    """Yield the position behind every chunk and its result, in order; `jobs` processes judge."""
    if jobs > 1:
        yield from _Cores(jobs, is_written).run(chunks)
        return
    for chunk in chunks:
        yield chunk.position, judge_items(chunk.items, is_written)


class _Cores:
    """Processes that answer chunks.

    When one dies the pool is made anew, and the games of the chunk that was due are sent one at a
    time: only the one that kills its process again is given up.
    """

    def __init__(self, jobs: int, is_written: bool) -> None:
        self.jobs = jobs
        self._work = partial(judge_packed_items, is_written=is_written)
        # Its start would let signals through that are held back.
        resource_tracker.ensure_running()
        self._pool = self._started()
        self._waiting: deque[tuple[Chunk, Future[bytes]]] = deque()

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.jobs, get_context("spawn"), _start_judging_process)

    def run(self, chunks: Iterable[Chunk]) -> Iterator[tuple[int, Result]]:
        """Yield the position behind every chunk and its result, in order."""
        try:
            for chunk in chunks:
                self._waiting.append((chunk, self._submit(chunk.items)))
                if len(self._waiting) >= AHEAD * self.jobs:
                    yield self._next()
            while self._waiting:
                yield self._next()
        finally:
            self._pool.shutdown(cancel_futures=True)

    def _submit(self, items: list[Item]) -> Future[bytes]:
        try:
            with _hold_signal(signal.SIGINT):
                return self._pool.submit(self._work, pack_items(items))
        except BrokenProcessPool as error:
            failed: Future[bytes] = Future()
            failed.set_exception(error)
            return failed

    def _next(self) -> tuple[int, Result]:
        chunk, future = self._waiting.popleft()
        try:
            return chunk.position, unpack_result(future.result())
        except BrokenProcessPool:
            result = Result([], [])
            self._restart()
            for item in chunk.items:
                one = self._alone(item)
                result.verdicts += one.verdicts
                result.fixtures += one.fixtures
            self._waiting = deque((late, self._submit(late.items)) for late, _ in self._waiting)
            return chunk.position, result

    def _alone(self, item: Item) -> Result:
        try:
            return unpack_result(self._submit([item]).result())
        except BrokenProcessPool:
            self._restart()
            why = "The process that judged this game died of it."
            return Result([Verdict(id=item.at, at=item.at, code=INTERNAL, message=why)])

    def _restart(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._pool = self._started()
