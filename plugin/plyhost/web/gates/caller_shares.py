"""What one caller may have of a worker's places, so that others find some free.

A worker's threads wait for bodies and for turns; with all of them held by one caller, however
rightly it asks, nobody else would be answered.
"""

from threading import BoundedSemaphore, Lock

from plyhost import deadline
from plyhost.deadline import Overdue


class Shares:
    """Places of which each caller may hold `most`; `crowd` is how many may hold or wait for one."""

    def __init__(self, most: int, crowd: int) -> None:
        self._most, self._crowd = most, crowd
        self._lock, self._callers = Lock(), dict[str, Share]()

    def take(self, caller: str) -> "Share":
        """Return a place of a caller, to be released, waited for as long as the request may take.

        Raises Overdue, at once where too many of the caller's requests wait already.
        """
        met = self._callers.get(caller)
        if met is not None and met.users >= self._crowd:
            # Without the lock, which hundreds that come at once would otherwise stand before.
            raise Overdue
        with self._lock:
            share = self._callers.setdefault(caller, Share(self, caller, self._most))
            if share.users >= self._crowd:
                raise Overdue
            share.users += 1
        if not share.places.acquire(timeout=count_patience()):
            self.leave(share)
            raise Overdue
        return share

    def leave(self, share: "Share") -> None:
        """Forget one who held or waited, and a caller of whom nobody does."""
        with self._lock:
            share.users -= 1
            if not share.users:
                del self._callers[share.caller]


class Share:
    """The places of one caller; `users` hold one or wait for one."""

    def __init__(self, shares: Shares, caller: str, most: int) -> None:
        self._shares, self.caller, self.users = shares, caller, 0
        self.places = BoundedSemaphore(most)

    def release(self) -> None:
        """Give one place back."""
        self.places.release()
        self._shares.leave(self)


def count_patience() -> float:
    """Return the seconds that a place may be waited for; the library knows no endless ones."""
    return max(0.0, min(deadline.count_seconds_left(), 3600.0))
