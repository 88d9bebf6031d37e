"""Processes that judge, on this machine: whatever one of them dies of, all other games are judged.

Each has a pipe to itself and takes one piece of work after the other; while it judges one, a thread
of it receives the next.  It counts the games that it begins where its parent can see it, so that
whoever kills or holds up a process is known.  Such a game is judged again alone, twice, and then
given up.
"""

import signal
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

from plyhost.replay.judgement.judge_process import judge_sent_pieces
from plyhost.replay.judgement.judging import Order
from plyhost.replay.running.chunks import Result, Work, pack_work, unpack_result
from plyhost.replay.running.pieces import Piece, split_piece

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
class _Process:
    process: Any
    pipe: Connection
    counter: Any
    taken: deque[Piece] = field(default_factory=deque)
    counted: int = -1
    moved: float = 0.0
    is_hung: bool = False


class Judges:
    """Processes that judge pieces of work, in whatever order they come to it."""

    def __init__(self, jobs: int, order: Order) -> None:
        self.order = order
        # Its start would let signals through that are held back.
        resource_tracker.ensure_running()
        self._chunks: dict[int, list[Piece]] = {}
        self._waiting: deque[Piece] = deque()
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
        piece = Piece(number, work)
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
            target=judge_sent_pieces, args=(theirs, counter, self.order), daemon=True
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

    def _send(self, one: _Process, piece: Piece) -> None:
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
        pieces = split_piece(first, begun, self.order, timed_out)
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


def _must_be_alone(one: _Process, piece: Piece) -> bool:
    """Tell whether a game that a process died of, and another piece, would have to share one."""
    return bool(one.taken) and (bool(piece.deaths) or bool(one.taken[0].deaths))
