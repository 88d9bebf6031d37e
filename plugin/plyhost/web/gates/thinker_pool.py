"""Who thinks for one worker: so many processes at most, each kept for the next question."""

import subprocess
import sys
from contextlib import suppress
from math import inf
from selectors import EVENT_READ, DefaultSelector
from threading import BoundedSemaphore
from weakref import finalize

import orjson

from plyhost.deadline import Overdue, count_seconds_left
from plyhost.errors import Busy, NotOffered
from plyhost.games.game import AnyGame, Position
from plyhost.search.suggestion import Question, Suggestion, encode_question

#: Seconds that a process has to say that its time is over, before it is ended.
GRACE = 1.0
#: Seconds after which a caller who was told that all are busy may well be let in.
RETRY_AFTER = 1


class ThinkerPool:
    """At most `most` processes of `plyhost.search.thinker_process`, begun when they are needed.

    `processes` are those that live; they end with this object at the latest.
    """

    def __init__(self, most: int) -> None:
        self._free = BoundedSemaphore(most) if most else None
        self._idle: list[subprocess.Popen[bytes]] = []
        self.processes: set[subprocess.Popen[bytes]] = set()
        finalize(self, end_processes, self.processes)

    def suggest(self, game: AnyGame, position: Position, question: Question) -> Suggestion:
        """Return a suggestion within this request's time; raises NotOffered, Busy or Overdue."""
        if self._free is None:
            raise NotOffered
        if not self._free.acquire(blocking=False):
            raise make_busy_error()
        try:
            return self._ask(encode_question(game, position, question, count_seconds_left()))
        finally:
            self._free.release()

    def _ask(self, line: bytes) -> Suggestion:
        process, answer = self._take_process(), None
        try:
            answer = exchange_lines(process, line, count_seconds_left() + GRACE)
        except EOFError:
            # Killed for its memory, perhaps: another one may have more luck.
            if process.wait() < 0:
                raise make_busy_error() from None
            raise
        finally:
            if answer is None:
                self.processes.discard(process)
                end_process(process)
            else:
                self._idle.append(process)
        if answer is None:
            raise Overdue
        return answer

    def _take_process(self) -> subprocess.Popen[bytes]:
        with suppress(IndexError):
            return self._idle.pop()
        command = [sys.executable, "-P", "-m", "plyhost.search.thinker_process"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.processes.add(process)
        return process


def make_busy_error() -> Busy:
    """Return the error that says when to ask again."""
    return Busy({"retry_after": RETRY_AFTER}, retry_after=RETRY_AFTER)


def exchange_lines(
    process: subprocess.Popen[bytes], line: bytes, seconds: float
) -> Suggestion | None:
    """Return what a process answers to a line; raises Overdue, or EOFError when it has ended."""
    assert process.stdin
    assert process.stdout
    with suppress(BrokenPipeError):
        process.stdin.write(line + b"\n")
        process.stdin.flush()
    with DefaultSelector() as selector:
        selector.register(process.stdout, EVENT_READ)
        if not selector.select(None if seconds == inf else max(seconds, 0.0)):
            raise Overdue
    answer = process.stdout.readline()
    if not answer:
        raise EOFError("the process that thinks has ended")
    found: Suggestion | None = orjson.loads(answer)
    return found


def end_process(process: subprocess.Popen[bytes]) -> None:
    """End a process, whatever it does, and what leads to it."""
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            pipe.close()  # type: ignore[union-attr]
    process.wait()


def end_processes(processes: set[subprocess.Popen[bytes]]) -> None:
    """End all processes of a set, and empty it."""
    while processes:
        end_process(processes.pop())
