"""How much a caller may ask: Flask-Limiter, counting in Redis and, while that is away, here.

A request counts by what it costs us, roughly in units of a move.
"""

from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from time import time
from typing import Any

from flask import Flask, request
from flask_limiter import ApplicationLimit, Limiter, RateLimitExceeded
from limits import parse_many
from limits.storage import MemoryStorage, RedisStorage

from plyhost.errors import RateLimited
from plyhost.web import access
from plyhost.web.middleware import CALL, Call
from plyhost.web.redis_link import PREFIX, Link

#: What a request counts by operation, and by game where one is dearer; any other counts 1.
WEIGHTS: dict[str, int] = {
    "moves": 2,
    "moves congeners": 10,
    "render": 2,
    "at": 5,
    "history": 5,
    "record": 5,
    "verify": 5,
    "convert": 5,
    "replay": 10,
    "suggest": 20,
    "picture.svg": 5,
    "picture.png": 10,
    "film.svg": 10,
}


def weigh_request(operation: str, game: str) -> int:
    """Return what a request counts."""
    return WEIGHTS.get(f"{operation} {game}") or WEIGHTS.get(operation, 1)


class Counters(RedisStorage):
    """Counts in Redis, kept in this process while it is away."""

    STORAGE_SCHEME = ["plyhost"]  # noqa: RUF012 (the library's declaration)

    def __init__(self, uri: str, link: Link, **options: Any) -> None:
        pool = link.client.connection_pool
        super().__init__("redis://", connection_pool=pool, key_prefix=f"{PREFIX}rate", **options)
        self.link, self.here = link, MemoryStorage()

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Add to a count and return it."""
        there = super().incr
        return self.link.either(
            lambda: there(key, int(expiry), amount), lambda: self.here.incr(key, expiry, amount)
        )

    def get(self, key: str) -> int:
        """Return a count."""
        there = super().get
        return self.link.either(lambda: there(key), lambda: self.here.get(key))

    def get_expiry(self, key: str) -> float:
        """Return when a count begins anew, in seconds from 1970."""
        there = super().get_expiry
        return self.link.either(lambda: there(key), lambda: self.here.get_expiry(key))

    def check(self) -> bool:
        """Tell whether counting works, which it always does."""
        return True


@lru_cache(maxsize=4096)
def find_address_network(address: str) -> str:
    """Return what is counted for an address: of IPv6 the network of 64 bits that one caller has."""
    try:
        found = ip_address(address)
    except ValueError:
        return address[:64]
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, 64), strict=False))


def _identify_counted_caller() -> str:
    """Return whose count a request goes to: a key's, else an address's."""
    environ = request.environ
    call: Call = environ[CALL]
    return (
        f"key {call.key}"
        if call.key
        else find_address_network(environ.get("REMOTE_ADDR", "") or "-")
    )


def _is_free_request() -> bool:
    environ = request.environ
    return environ["REQUEST_METHOD"] == "OPTIONS" or access.is_open_path(environ["PATH_INFO"])


class Rates:
    """The limiter of one application."""

    def __init__(self, app: Flask, rate: str, link: Link | None) -> None:
        #: No request counts more than a whole limit, or it could never be made.
        self._most = min(one.amount for one in parse_many(rate))
        limit = ApplicationLimit(rate, cost=self._cost, exempt_when=_is_free_request)
        storage: dict[str, Any] = {"storage_uri": "memory://"}
        if link is not None:
            storage = {"storage_uri": "plyhost://", "storage_options": {"link": link}}
        self._limiter = Limiter(
            _identify_counted_caller,
            app=app,
            application_limits=[limit],
            in_memory_fallback_enabled=link is not None,
            **storage,
        )

    def _cost(self) -> int:
        call: Call = request.environ[CALL]
        return min(weigh_request(call.operation, call.game), self._most)

    def refusal(self, error: RateLimitExceeded) -> RateLimited:
        """Return the problem of a limit that was passed."""
        current = self._limiter.current_limit
        wait = max(1, current.reset_at - int(time())) if current else 1
        told = {"limit": str(error.limit.limit), "retry_after": wait, "weight": self._cost()}
        return RateLimited(told, **told)
