"""Admission to a worker: how many requests may wait for their bodies, and be worked on at once.

Whoever reads a body waits for its caller, so many threads may do that; but few at once may go on to
read a large one, so that all that was read takes little memory, and few at once are worked on.
What a request holds it gives back with its answer, whatever that is.
"""

import gc
from collections.abc import Iterator
from threading import BoundedSemaphore, Lock
from typing import Any

from plyhost import deadline, limits
from plyhost.deadline import Overdue
from plyhost.errors import NotJson, TooLarge
from plyhost.web.gates.caller_shares import Share, Shares, count_patience

#: How many requests may wait for their bodies, beside those that are worked on.
WAITING = 120
#: Bytes of a body that every request may bring at any time, and by which larger ones are read.
SMALL = 64 * 1024
#: How many requests that ask for much are worked on at once: threads of one process take turns, so
#: that more of them would only make the others wait.
HEAVY_PLACES = 2
#: How many large files are read for strangers at once.
DOCUMENT_PLACES = 2
#: How many requests of one caller may wait for their bodies, and for a turn among the heavy ones:
#: threads are left for others, and more heavy ones would not have their turn in time anyway.
READING_OF_ONE, HEAVY_OF_ONE = WAITING // 2, 32
#: Bytes from which a body asks for much, whatever for.
HEAVY_BODY = 1024 * 1024
#: Bytes from which an answer is large: few at once may be on their way to who may not read them.
LARGE_ANSWER = 256 * 1024
#: Seconds that a caller's answer waits for that, and a stranger's.
ANSWER_SECONDS, STRANGER_SECONDS = 0.5, 0.0
#: Bytes of bodies after which what they left is looked for.
COLLECTED = 8 * 1024 * 1024

Environ = dict[str, Any]


class Admission:
    """The places of one worker: `places` for work, and as many for large bodies and answers.

    Answers to callers with a key and to strangers have places of their own.
    """

    def __init__(self, places: int) -> None:
        self._places = places
        self._work, self._large = BoundedSemaphore(places), BoundedSemaphore(places)
        self._heavy = BoundedSemaphore(min(places, HEAVY_PLACES))
        self._documents = BoundedSemaphore(DOCUMENT_PLACES)
        self._reading_shares = Shares(READING_OF_ONE, READING_OF_ONE)
        self._large_shares = Shares(max(1, places // 2), READING_OF_ONE)
        self._heavy_shares = Shares(HEAVY_OF_ONE, HEAVY_OF_ONE)
        self._answers = {is_known: BoundedSemaphore(places) for is_known in (True, False)}
        self._lock, self._readers, self._large_readers = Lock(), 0, 0
        self._read = self._sending = self._strangers = 0

    @property
    def is_pressed(self) -> bool:
        """Tell whether so many wait, or are waited for, that others may soon not be let in."""
        return (
            self._readers > READING_OF_ONE // 2
            or self._large_readers >= self._places
            or self._sending >= self._places
        )

    def send_large(self, body: bytes, is_known: bool) -> "LargeAnswer":
        """Return a large answer in pieces; raises Overdue where too many are on their way."""
        places = self._answers[is_known]
        if not places.acquire(timeout=ANSWER_SECONDS if is_known else STRANGER_SECONDS):
            raise Overdue
        self._note_sending(1, is_known)
        return LargeAnswer(self, body, is_known)

    def _note_sending(self, change: int, is_known: bool) -> None:
        with self._lock:
            self._sending += change
            self._strangers += 0 if is_known else change

    def _end_sending(self, is_known: bool) -> None:
        self._answers[is_known].release()
        self._note_sending(-1, is_known)

    def enter(self) -> "Ticket":
        """Return what a request holds from now on: nothing yet."""
        return Ticket(self)

    def _let_go(self, size: int) -> None:
        """Note a body that was done with; after many bytes look for what still holds some.

        An error knows the functions that it went through, and these may know the error: together
        they hold a body until the collector comes, which counts objects and no bytes.
        """
        with self._lock:
            self._read = 0 if self._read > COLLECTED else self._read + size
            is_due = not self._read
        if is_due:
            gc.collect()

    def _count(self, readers: int, large_readers: int) -> None:
        with self._lock:
            self._readers += readers
            self._large_readers += large_readers


class LargeAnswer:
    """An answer that is given piece by piece, as its caller takes it, and holds a place so long."""

    def __init__(self, admission: Admission, body: bytes, is_known: bool) -> None:
        self._admission, self._body, self._is_known = admission, body, is_known
        self._is_sent = False

    def __iter__(self) -> Iterator[bytes]:
        """Yield the pieces; the place is free after the last, whether or not a server closes."""
        try:
            for start in range(0, len(self._body), SMALL):
                yield self._body[start : start + SMALL]
        finally:
            self.close()

    def close(self) -> None:
        """Give the place back, once."""
        if not self._is_sent:
            self._is_sent = True
            self._admission._end_sending(self._is_known)


class Ticket:
    """What one request of a `caller` holds of a worker's places, until it leaves."""

    __slots__ = ("_held", "_size", "admission", "caller")

    def __init__(self, admission: Admission) -> None:
        self.admission, self._held, self._size = admission, list[BoundedSemaphore | Share](), 0
        self.caller = ""

    def leave(self) -> None:
        """Give back all that is held."""
        while self._held:
            self._held.pop().release()
        if self._size:
            self.admission._let_go(self._size)

    def begin_work(self, is_heavy: bool) -> None:
        """Hold a place for work, waited for as long as the request may take; raises Overdue.

        Work is heavy by what is asked, or by the body that was read.
        """
        self.wait_turn(is_heavy)
        self._hold(self.admission._work)

    def wait_turn(self, is_heavy: bool = False) -> None:
        """Hold a place among the heavy ones, once, if this is one; raises Overdue.

        It comes before the place for work, never after: else two could wait for each other.
        """
        if (is_heavy or self._size > HEAVY_BODY) and self.admission._heavy not in self._held:
            self._held.append(self.admission._heavy_shares.take(self.caller))
            self._hold(self.admission._heavy)

    def begin_document(self) -> None:
        """Hold a place to read a large file for a stranger; raises Overdue where too many do.

        They do too where as many as may be on their way are not read by who asked for them.
        """
        places = self.admission._documents
        if not places.acquire(timeout=ANSWER_SECONDS):
            raise Overdue
        self._held.append(places)
        if self.admission._strangers >= self.admission._places:
            raise Overdue

    def _hold(self, places: BoundedSemaphore) -> None:
        if not places.acquire(blocking=False) and not places.acquire(timeout=count_patience()):
            raise Overdue
        self._held.append(places)

    def read_body(self, environ: Environ, declared: int | None) -> bytes:
        """Return a request's whole body, of a declared length where one is known.

        Raises TooLarge, NotJson for a body that is cut short, or Overdue for one that comes slowly.
        """
        if declared is None and "wsgi.input_terminated" not in environ:
            return b""
        most = limits.BODY_BYTES + 1 if declared is None else declared
        if declared and declared > limits.BODY_BYTES:
            raise body_too_large()
        share = self.admission._reading_shares.take(self.caller)
        self.admission._count(1, 0)
        try:
            body = self._read(environ["wsgi.input"].read, most)
        finally:
            self.admission._count(-1, 0)
            share.release()
        self._size = len(body)
        if declared is not None and len(body) < declared:
            raise NotJson(why="The body was cut short.")
        if len(body) > limits.BODY_BYTES:
            raise body_too_large()
        return body

    def _read(self, read: Any, most: int) -> bytes:
        start: bytes = read(min(SMALL, most))
        if len(start) < SMALL or most == SMALL:
            return start
        self.admission._count(0, 1)
        try:
            self._held.append(self.admission._large_shares.take(self.caller))
            self._hold(self.admission._large)
            return _read_rest(read, start, most)
        finally:
            self.admission._count(0, -1)


def _read_rest(read: Any, start: bytes, most: int) -> bytes:
    parts, left = [start], most - len(start)
    while left and (part := read(min(SMALL, left))):
        deadline.check_deadline()
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def body_too_large() -> TooLarge:
    """Return the error of a body over the limit."""
    limit = limits.BODY_BYTES
    return TooLarge({"limit": limit}, what="The body", limit=f"{limit} bytes")
