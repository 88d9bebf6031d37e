"""Processes that judge, on this machine: whatever one of them dies of, all other games are judged.

Each has a pipe to itself and takes one piece of work after the other; while it judges one, a thread
of it receives the next.  It counts the games that it begins where its parent can see it, so that
whoever kills or holds up a process is known.  Such a game is judged again alone, twice, and then
given up.
"""

import queue
import resource
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

from plyhost.replay.chunks import (
    Result,
    Work,
    give_up_item,
    judge_work,
    pack_result,
    pack_work,
    prepare_judging,
    unpack_result,
    unpack_work,
)
from plyhost.replay.judging import Order
from plyhost.replay.line_spans import Item, SpanReader

#: Deaths over one game after which it is given up: with others, and twice alone.
MOST_DEATHS = 3
#: Pieces that a process has at once: the one it judges and the one it takes next.
_AT_ONCE = 2
#: Seconds between two looks at whether a process moves.
_LOOK = 1.0
#: How often its limit of processor time a game may take by the clock.
_TIMES_LIMIT = 3
#: Processes in a row that may die before they begin a game.
_MOST_STILLBORN = 50
_context = get_context("spawn")


class JudgesFailed(RuntimeError):
    """No process that judges can be kept alive."""


@dataclass
class _Piece:
    """A part of a chunk; `deaths` counts the processes that died over it when it is one game."""

    number: int
    work: Work
    deaths: int = 0
    result: Result | None = None


@dataclass
class _Process:
    process: Any
    pipe: Connection
    counter: Any
    taken: deque[_Piece] = field(default_factory=deque)
    counted: int = -1
    moved: float = 0.0
    is_hung: bool = False


class Judges:
    """Processes that judge pieces of work, in whatever order they come to it."""

    def __init__(self, jobs: int, order: Order) -> None:
        self.order = order
        # Its start would let signals through that are held back.
        resource_tracker.ensure_running()
        self._chunks: dict[int, list[_Piece]] = {}
        self._waiting: deque[_Piece] = deque()
        self._processes = [self._start() for _ in range(jobs)]
        self._looked = time.monotonic()
        self._stillborn = 0

    def __enter__(self) -> "Judges":
        return self

    def __exit__(self, *told: object) -> None:
        self.close()

    @property
    def is_hungry(self) -> bool:
        """Whether some process could take more than what waits."""
        room = sum(_AT_ONCE - len(one.taken) for one in self._processes)
        return len(self._waiting) < room

    @property
    def is_idle(self) -> bool:
        """Whether everything was answered."""
        return not self._chunks

    def give(self, number: int, work: Work) -> None:
        """Let a chunk be judged."""
        piece = _Piece(number, work)
        self._chunks[number] = [piece]
        self._waiting.append(piece)
        self._hand_out()

    def collect(self, seconds: float | None = None) -> Iterator[tuple[int, Result]]:
        """Wait for some answers, at most so long; yield every chunk that is done and its result."""
        pipes = {one.pipe: one for one in self._processes if one.taken}
        late = _LOOK if seconds is None else min(seconds, _LOOK)
        touched = set[int]()
        for pipe in wait(list(pipes), late):
            touched |= self._receive(pipes[pipe])  # type: ignore[index]
        self._look_for_standstill()
        self._hand_out()
        for number in sorted(touched):
            yield from self._finish(number)

    def close(self) -> None:
        """End the processes at once."""
        for one in self._processes:
            one.process.kill()
            one.pipe.close()
        for one in self._processes:
            one.process.join()

    def _start(self) -> _Process:
        ours, theirs = _context.Pipe()
        counter = _context.RawValue("Q", 0)
        process = _context.Process(
            target=_judge_pieces, args=(theirs, counter, self.order), daemon=True
        )
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        return _Process(process, ours, counter, moved=time.monotonic())

    def _hand_out(self) -> None:
        for room in range(_AT_ONCE):
            for one in self._processes:
                if (
                    self._waiting
                    and len(one.taken) <= room
                    and not _must_be_alone(one, self._waiting[0])
                ):
                    self._send(one, self._waiting.popleft())

    def _send(self, one: _Process, piece: _Piece) -> None:
        if not one.taken:
            one.moved = time.monotonic()
        one.taken.append(piece)
        with suppress(OSError):  # it has died, and its pipe will say so
            one.pipe.send_bytes(pack_work(piece.work))

    def _receive(self, one: _Process) -> set[int]:
        try:
            answer = one.pipe.recv_bytes()
        except (EOFError, OSError):
            return self._bury(one)
        piece = one.taken.popleft()
        piece.result = unpack_result(answer)
        self._stillborn = 0
        one.moved, one.counted = time.monotonic(), -1
        return {piece.number}

    def _bury(self, one: _Process) -> set[int]:
        """Put a new process in the place of a dead one, and its work back in front."""
        one.process.join()
        one.pipe.close()
        timed_out = one.is_hung or one.process.exitcode == -signal.SIGPROF
        taken, begun = one.taken, one.counter.value
        self._stillborn = 0 if begun else self._stillborn + 1
        if self._stillborn > _MOST_STILLBORN:
            raise JudgesFailed("processes that judge end before they judge anything")
        self._processes[self._processes.index(one)] = self._start()
        if not taken:
            return set()
        first = taken.popleft()
        self._waiting.extendleft(reversed(taken))
        if not begun:
            self._waiting.appendleft(first)
            return set()
        pieces = _split_piece(first, begun, self.order, timed_out)
        chunk = self._chunks[first.number]
        at = next(index for index, piece in enumerate(chunk) if piece is first)
        chunk[at : at + 1] = pieces
        self._waiting.extendleft(piece for piece in reversed(pieces) if piece.result is None)
        return {first.number}

    def _look_for_standstill(self) -> None:
        """Kill processes that do not move: held up in what takes no processor time, or stopped."""
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return
        self._looked = now
        for one in self._processes:
            if one.counter.value != one.counted or not one.taken:
                one.counted, one.moved = one.counter.value, now
            elif now - one.moved > _TIMES_LIMIT * self.order.seconds + _LOOK:
                one.is_hung = True
                one.process.kill()

    def _finish(self, number: int) -> Iterator[tuple[int, Result]]:
        pieces = self._chunks[number]
        if all(piece.result is not None for piece in pieces):
            del self._chunks[number]
            first, *others = [piece.result for piece in pieces if piece.result is not None]
            for other in others:
                first.add(other)
            yield number, first


def _must_be_alone(one: _Process, piece: _Piece) -> bool:
    """Tell whether a game that a process died of, and another piece, would have to share one."""
    return bool(one.taken) and (bool(piece.deaths) or bool(one.taken[0].deaths))


def _split_piece(piece: _Piece, begun: int, order: Order, is_timed_out: bool) -> list[_Piece]:
    """Return what is left to judge of a piece over which a process died, after `begun` games."""
    items = piece.work.read_items()
    if len(items) == 1 and piece.work.span is None:
        piece.deaths += 1
        if piece.deaths >= MOST_DEATHS:
            piece.result = give_up_item(items[0], order, _tell_death(is_timed_out))
        return [piece]
    at = min(max(begun - 1, 0), max(len(items) - 1, 0))
    pieces = [
        _Piece(piece.number, Work(share))
        for share in (items[:at], items[at : at + 1], items[at + 1 :])
        if share
    ]
    for one in pieces:
        if one.work.items[0] is items[at]:
            one.deaths = 1
    return [*pieces, *_count_span_lines(piece)]


def _count_span_lines(piece: _Piece) -> list[_Piece]:
    """Return a piece that is done and tells how many lines the span of another one has."""
    if piece.work.span is None:
        return []
    reader = SpanReader(piece.work.span)
    for _ in reader.read_items():
        pass
    lines = {piece.work.span.file: reader.lines}
    return [_Piece(piece.number, Work([]), result=Result([], [], [], lines, {}))]


def _tell_death(is_timed_out: bool) -> str:
    if is_timed_out:
        return "It took longer than a game may (--game-seconds)."
    return "It ended every process that judged it."


def _judge_pieces(pipe: Connection, counter: Any, order: Order) -> None:
    """Judge what comes until the pipe is closed; the life of one process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What it takes too long over ends it, whatever it is doing.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    prepare_judging()
    _limit_memory(order.memory)
    come: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=_receive_pieces, args=(pipe, come), daemon=True).start()
    while (payload := come.get()) is not None:
        counter.value = 0
        work = unpack_work(payload)
        answer = pack_result(judge_work(work, order, _Watch(counter, order.seconds).begin))
        signal.setitimer(signal.ITIMER_PROF, 0)
        counter.value = 0
        with suppress(OSError):
            pipe.send_bytes(answer)


def _receive_pieces(pipe: Connection, come: "queue.SimpleQueue[bytes | None]") -> None:
    try:
        while True:
            come.put(pipe.recv_bytes())
    except (EOFError, OSError):
        come.put(None)


def _limit_memory(mebibytes: int) -> None:
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (mebibytes << 20, resource.RLIM_INFINITY))


class _Watch:
    """What is told before each game: its turn has come, and so has its time."""

    def __init__(self, counter: Any, seconds: float) -> None:
        self.counter, self.seconds = counter, seconds

    def begin(self, item: Item) -> None:
        """Count a game and set its limit of processor time."""
        self.counter.value += 1
        signal.setitimer(signal.ITIMER_PROF, self.seconds)
