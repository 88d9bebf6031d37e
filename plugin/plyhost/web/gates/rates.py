"""How much a caller may ask, counted in Redis and, while that is away, here.

A request counts by what it costs us, roughly in units of a move.
"""

from time import time
from typing import Any

from flask import Flask, request
from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import FixedWindowRateLimiter
from redis.exceptions import ResponseError

from plyhost.errors import RateLimited
from plyhost.web.gates import access
from plyhost.web.memory.redis_link import PREFIX, Link, Script
from plyhost.web.middleware import CALL, Call, name_caller

#: What a request counts by operation, and by game where one is dearer; any other counts 1.
WEIGHTS: dict[str, int] = {
    "moves": 2,
    "moves congeners": 10,
    "plan": 10,
    "random": 2,
    "random congeners": 10,
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
    "film.webp": 100,
    "film.gif": 100,
    "film.apng": 100,
}
#: What a request counts that keeps a worker busy for long.
HEAVY = 5


def weigh_request(operation: str, game: str) -> int:
    """Return what a request counts."""
    return WEIGHTS.get(f"{operation} {game}") or WEIGHTS.get(operation, 1)


def is_heavy_request(operation: str, game: str) -> bool:
    """Tell whether a request keeps a worker busy for long; a suggestion keeps another one."""
    return weigh_request(operation, game) >= HEAVY and operation != "suggest"


#: Adds to a count that ends some seconds after it began: the library's, asked for by our own lines.
_ADD = Script(RedisStorage.SCRIPT_INCR_EXPIRE)


class Counters(RedisStorage):
    """Counts in Redis, kept in this process while it is away."""

    STORAGE_SCHEME = ["plyhost"]  # noqa: RUF012 (the library's declaration)

    def __init__(self, uri: str, link: Link, **options: Any) -> None:
        pool = link.client.connection_pool
        super().__init__("redis://", connection_pool=pool, key_prefix=f"{PREFIX}rate", **options)
        self.link, self.here = link, MemoryStorage()

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Add to a count and return it."""
        lines, told = self.link.lines, (self.prefixed_key(key), int(expiry), amount)

        def there() -> int:
            try:
                return int(lines.run_script(_ADD, *told))
            except ResponseError:
                # Something else stands there, or Redis cannot write: the second time tells.
                lines.ask("DEL", told[0])
                return int(lines.run_script(_ADD, *told))

        return self.link.either(there, lambda: self.here.incr(key, expiry, amount))

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


class Rates:
    """The limits of one application; they may be for callers without a key alone."""

    def __init__(self, rate: str, link: Link | None, is_for_keys: bool = True) -> None:
        self._limits = sorted(parse_many(rate))
        #: No request counts more than a whole limit, or it could never be made.
        self._most = min(one.amount for one in self._limits)
        counts = MemoryStorage() if link is None else Counters("plyhost://", link)
        self._window = FixedWindowRateLimiter(counts)
        self._is_for_keys = is_for_keys

    def install(self, app: Flask) -> None:
        """Have each request counted before it is answered."""
        app.before_request(self._count)

    def _count(self) -> None:
        """Count a request; raises RateLimited."""
        call: Call = request.environ[CALL]
        if (call.key and not self._is_for_keys) or _is_free_request():
            return
        self._hit(weigh_request(call.operation, call.game))
        call.charge = self._charge

    def _charge(self, operation: str, game: str, counted: int = 1) -> None:
        """Count what an operation weighs beyond what was counted before it was known."""
        if (extra := weigh_request(operation, game) - counted) > 0:
            self._hit(extra)

    def _hit(self, cost: int) -> None:
        cost, who = min(cost, self._most), name_caller(request.environ)
        for limit in self._limits:
            if not self._window.hit(limit, who, cost=cost):
                raise self._refusal(limit, who, cost)

    def _refusal(self, limit: RateLimitItem, who: str, cost: int) -> RateLimited:
        """Return the problem of a limit that was passed."""
        wait = max(1, int(self._window.get_window_stats(limit, who).reset_time - time()))
        told = {"limit": str(limit), "retry_after": wait, "weight": cost}
        return RateLimited(told, **told)


def _is_free_request() -> bool:
    environ = request.environ
    return environ["REQUEST_METHOD"] == "OPTIONS" or access.is_open_path(environ["PATH_INFO"])
