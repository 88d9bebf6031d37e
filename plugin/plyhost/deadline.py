"""How long a request may take: the moment after which whatever runs long gives up.

A thread cannot be stopped from outside, so long loops ask `check_deadline` or go through
`yield_until_deadline`.  Where no time was set, as on the command line, nothing is ever too late.
"""

from collections.abc import Iterable, Iterator
from contextvars import ContextVar, Token
from itertools import islice
from math import inf
from time import monotonic
from typing import TypeVar

Item = TypeVar("Item")

_until: ContextVar[float] = ContextVar("until", default=inf)


class Overdue(Exception):
    """The time of the request is over; nothing was changed."""


def start_deadline(seconds: float) -> Token[float]:
    """Let this context's work take so many seconds from now; give the token to `stop_deadline`."""
    return _until.set(monotonic() + seconds)


def stop_deadline(token: Token[float]) -> None:
    """Lift the limit that `start_deadline` set."""
    _until.reset(token)


def count_seconds_left() -> float:
    """Return the seconds that are left: infinite without a limit, negative when it is over."""
    return _until.get() - monotonic()


def check_deadline() -> None:
    """Raise Overdue when the time is over; cheap enough for any loop but the tightest."""
    if monotonic() > _until.get():
        raise Overdue


def yield_until_deadline(items: Iterable[Item], every: int = 256) -> Iterator[Item]:
    """Yield items, looking at the clock once for every so many; takes them in such portions."""
    source = iter(items)
    while portion := list(islice(source, every)):
        check_deadline()
        yield from portion
