"""What a replay keeps in Redis, and patience with a Redis that is away.

    plyhost:replay:<run>            a hash: the paths and the chunk size of the run
    plyhost:replay:<run>:results    a hash: results by the key of their chunk

A chunk's key is its number and a digest of the code, of how it is to be judged, and of what it
holds.  A result is therefore the same whoever writes it and however often, and never stands for
anything else.
"""

import time
import zlib
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, TypeVar, cast

import msgspec
import orjson
import redis
from redis import exceptions

from plyhost.replay.judgement.judging import Order
from plyhost.replay.reading.inputs import mask_address
from plyhost.replay.reporting.code_digest import digest_judging_code
from plyhost.replay.running.chunks import Work, pack_work
from plyhost.replay.running.run_errors import RunFailed

#: How long an abandoned run is kept.
KEPT_SECONDS = 7 * 24 * 3600
#: Seconds between two attempts to reach Redis.
PAUSE = 0.5
SOCKET_SECONDS = 30.0
#: Errors of a Redis that is away for a while; all others stay.
_AWAY = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ReadOnlyError,
    exceptions.TryAgainError,
    OSError,
)
_TO_STAY = (exceptions.AuthenticationError, exceptions.AuthorizationError)

Answer = TypeVar("Answer")
Say = Callable[[str], None]


def make_redis_client(url: str) -> "redis.Redis":
    """Return a client; raises RunFailed for what is no address of a Redis."""
    try:
        return redis.Redis.from_url(
            url, socket_timeout=SOCKET_SECONDS, socket_connect_timeout=5, socket_keepalive=True
        )
    except ValueError as error:
        raise RunFailed(f"{mask_address(url)} is no address of a Redis") from error


def check_redis_kind(server: "redis.Redis") -> None:
    """Raise RunFailed for a Redis that cannot be used, RedisError for one that is not there."""
    found = server.info("cluster")
    if found.get("cluster_enabled"):
        raise RunFailed("this Redis is a cluster; a replay needs a single one, or --shard")


def make_chunk_key(number: int, work: Work, order: Order) -> str:
    """Return the key of a chunk; the name under which a file is seen does not matter."""
    span = work.span and msgspec.structs.replace(work.span, path="")
    held = pack_work(Work(work.items, span))
    code = digest_judging_code().encode() + msgspec.json.encode(order)
    return f"{number}-{blake2b(code + held, digest_size=8).hexdigest()}"


def retry_redis_call(
    call: Callable[[], Answer], say: Say, is_wanted: Callable[[], bool]
) -> Answer | None:
    """Return what a call on Redis returns, tried again while Redis is away.

    Returns None once the answer is not wanted any more.  Raises RunFailed for what does not pass:
    a wrong password, a Redis that is full, a cluster.
    """
    is_told = False
    while True:
        try:
            answer = call()
        except (exceptions.RedisError, OSError) as error:
            if isinstance(error, _TO_STAY) or not isinstance(error, _AWAY):
                raise RunFailed(f"Redis does not do what is asked: {error}") from error
            if not is_wanted():
                return None
            if not is_told:
                say(f"waiting for Redis: {error}")
            is_told = True
            time.sleep(PAUSE)
        else:
            if is_told:
                say("Redis is back")
            return answer


class Store:
    """The keys of one run; every call may raise `redis.RedisError`."""

    def __init__(self, server: "redis.Redis", run: str) -> None:
        self.server, self.run = server, run
        self._name = f"plyhost:replay:{run}"
        self._results = f"{self._name}:results"

    def open(self, about: dict[str, Any]) -> None:
        """Say that the run is under way, and what it reads."""
        pipe = self.server.pipeline()
        pipe.hset(self._name, "about", orjson.dumps(about))
        self._keep(pipe)
        pipe.execute()

    def about(self) -> dict[str, Any] | None:
        """Return what an open run reads, None when there is no such run."""
        found = cast("bytes | None", self.server.hget(self._name, "about"))
        return None if found is None else orjson.loads(found)

    def is_due(self, key: str) -> bool:
        """Tell whether the run is open and lacks the result of a chunk."""
        pipe = self.server.pipeline()
        pipe.exists(self._name)
        pipe.hexists(self._results, key)
        is_open, is_done = pipe.execute()
        return bool(is_open) and not is_done

    def put(self, key: str, answer: bytes) -> None:
        """Keep the result of a chunk."""
        pipe = self.server.pipeline()
        pipe.hset(self._results, key, zlib.compress(answer, 1))
        self._keep(pipe)
        pipe.execute()

    def results(self, keys: Sequence[str]) -> tuple[bool, list[bytes | None]]:
        """Return whether the run is still known, and the results that are there."""
        pipe = self.server.pipeline()
        pipe.exists(self._name)
        pipe.hmget(self._results, list(keys))
        is_open, found = pipe.execute()
        return bool(is_open), [one if one is None else zlib.decompress(one) for one in found]

    def forget(self, key: str) -> None:
        """Forget a result that is of no use."""
        self.server.hdel(self._results, key)

    def close(self) -> None:
        """Forget the run."""
        self.server.delete(self._name, self._results)

    def _keep(self, pipe: Any) -> None:
        for name in (self._name, self._results):
            pipe.expire(name, KEPT_SECONDS)
