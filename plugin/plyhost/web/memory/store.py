"""What may outlive a request: in this process, and in Redis where one is configured.

Nothing kept here must last.  A `Store` has two memories: its own, bounded and gone with the
process, and perhaps one that all workers and machines share.  When the shared one fails, its part
is done here, and requests are answered all the same.
"""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Protocol, TypeVar

from plyhost.web.memory.redis_link import Link

Result = TypeVar("Result")

#: What an entry takes beside its key and value, roughly.
_OVERHEAD = 200


class Memory(Protocol):
    """Values of bytes by key, each kept for some seconds or less."""

    def get(self, key: str) -> bytes | None:
        """Return a value, or None."""

    def put(self, key: str, value: bytes, seconds: int) -> None:
        """Keep a value in place of any other."""

    def add(self, key: str, value: bytes, seconds: int) -> bool:
        """Keep a value if there is none, and tell whether there was none."""

    def swap(self, key: str, old: bytes, new: bytes | None, seconds: int) -> bool:
        """Replace a value, or drop it, if it is the old one still, and tell whether it was."""

    def leave(self, key: str, old: bytes, new: bytes | None, seconds: int) -> None:
        """Do as `swap` does, and wait for nothing."""


class Embedded:
    """A memory of this process, of a bounded number of bytes; what is oldest makes room."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes, self.size = most_bytes, 0
        self._held: OrderedDict[str, tuple[bytes, float]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._held)

    def get(self, key: str) -> bytes | None:
        """Return a value, or None."""
        with self._lock:
            return self._get(key)

    def put(self, key: str, value: bytes, seconds: int) -> None:
        """Keep a value in place of any other."""
        with self._lock:
            self._put(key, value, seconds)

    def add(self, key: str, value: bytes, seconds: int) -> bool:
        """Keep a value if there is none, and tell whether there was none."""
        with self._lock:
            if self._get(key) is not None:
                return False
            self._put(key, value, seconds)
            return True

    def swap(self, key: str, old: bytes, new: bytes | None, seconds: int) -> bool:
        """Replace a value, or drop it, if it is the old one still, and tell whether it was."""
        with self._lock:
            if self._get(key) != old:
                return False
            if new is None:
                self._drop(key)
            else:
                self._put(key, new, seconds)
            return True

    def leave(self, key: str, old: bytes, new: bytes | None, seconds: int) -> None:
        """Keep a new value in place of any other; drop the old one where there is no new one."""
        if new is None:
            self.swap(key, old, None, 0)
        else:
            self.put(key, new, seconds)

    def _get(self, key: str) -> bytes | None:
        value, until = self._held.get(key, (None, 0.0))
        if value is not None and until < monotonic():
            self._drop(key)
            return None
        return value

    def _put(self, key: str, value: bytes, seconds: int) -> None:
        self._drop(key)
        self._held[key] = value, monotonic() + seconds
        self.size += _weigh_stored_value(key, value)
        while self.size > self.most_bytes:
            self._drop(next(iter(self._held)))

    def _drop(self, key: str) -> None:
        value, _ = self._held.pop(key, (None, 0.0))
        if value is not None:
            self.size -= _weigh_stored_value(key, value)


def _weigh_stored_value(key: str, value: bytes) -> int:
    return len(key) + len(value) + _OVERHEAD


class Store:
    """Both memories as one: a value of this process goes before one of the shared memory."""

    def __init__(self, most_bytes: int, link: Link | None = None) -> None:
        self.embedded, self.link = Embedded(most_bytes), link

    @property
    def state(self) -> str:
        """`off` without Redis, else `ok` or `degraded`."""
        if self.link is None:
            return "off"
        return "ok" if self.link.is_up else "degraded"

    def _shared(self, work: Callable[[Memory], Result], otherwise: Result) -> Result:
        """Return what Redis gives, and something else when there is none or it fails."""
        return otherwise if self.link is None else self.link.attempt(work, otherwise)

    def get(self, key: str) -> bytes | None:
        """Return a value, or None."""
        found = self.embedded.get(key)
        return found if found is not None else self._shared(lambda redis: redis.get(key), None)

    def put(self, key: str, value: bytes, seconds: int) -> None:
        """Keep a value in both memories."""
        self.embedded.put(key, value, seconds)
        self._shared(lambda redis: redis.put(key, value, seconds), None)

    def add(self, key: str, value: bytes, seconds: int) -> bool:
        """Keep a value if there is none in either memory, and tell whether there was none."""
        if self.embedded.get(key) is not None:
            return False
        added = self._shared(lambda redis: redis.add(key, value, seconds), None)
        return self.embedded.add(key, value, seconds) if added is None else added

    def swap(self, key: str, old: bytes, new: bytes | None, seconds: int) -> bool:
        """Replace a value, or drop it, wherever it stands, and tell whether it stood anywhere."""
        here = self.embedded.swap(key, old, new, seconds)
        # There as well: a silent Redis may have taken a value whose keeping seemed to fail.
        there = self._shared(lambda redis: redis.swap(key, old, new, seconds), False)
        return here or there

    def leave(self, key: str, old: bytes, new: bytes | None, seconds: int) -> None:
        """Replace a value, or drop it, without waiting for Redis, which may be lost meanwhile.

        So a new value is kept in this process too, for the twins that come here.
        """
        self.embedded.leave(key, old, new, seconds)
        self._shared(lambda redis: redis.leave(key, old, new, seconds), None)
