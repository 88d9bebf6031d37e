"""What a replay keeps in Redis, and patience with a Redis that is away.

    plyhost:replay:<run>            a hash: the paths and the chunk size of the run
    plyhost:replay:<run>:results    a hash: results by the key of their chunk

A chunk's key is its number and a digest of the engines and of what it holds.  A result is therefore
the same whoever writes it and however often, and never stands for anything else.
"""

import time
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar, cast

import orjson
import redis

from plyhost.games import registry

#: How long an abandoned run is kept.
KEPT_SECONDS = 7 * 24 * 3600
#: Seconds between two attempts to reach Redis.
PAUSE = 0.5
SOCKET_SECONDS = 30.0

Answer = TypeVar("Answer")
Say = Callable[[str], None]


def make_redis_client(url: str) -> "redis.Redis":
    """Return a client; raises ValueError for what is no address of a Redis."""
    return redis.Redis.from_url(
        url, socket_timeout=SOCKET_SECONDS, socket_connect_timeout=5, socket_keepalive=True
    )


@cache
def digest_judging_code() -> str:
    """Return a short text that changes with the code that judges: ours and every game's."""
    digest = blake2b(digest_size=8)
    for path in sorted(Path(__file__).parent.parent.rglob("*.py")):
        digest.update(path.read_bytes())
    for uid in registry.load_games():
        digest.update(registry.compute_engine_token(uid).encode())
    return digest.hexdigest()


def make_chunk_key(number: int, payload: bytes) -> str:
    """Return the key of a chunk."""
    digest = blake2b(digest_judging_code().encode() + payload, digest_size=8)
    return f"{number}-{digest.hexdigest()}"


def retry_redis_call(call: Callable[[], Answer], say: Say, is_wanted: Callable[[], bool]) -> Answer:
    """Return what a call on Redis returns, tried again while Redis is away.

    Raises the last error once the answer is not wanted any more.
    """
    is_told = False
    while True:
        try:
            answer = call()
        except (redis.RedisError, OSError) as error:
            if not is_wanted():
                raise
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

    def close(self) -> None:
        """Forget the run."""
        self.server.delete(self._name, self._results)

    def _keep(self, pipe: Any) -> None:
        for name in (self._name, self._results):
            pipe.expire(name, KEPT_SECONDS)
