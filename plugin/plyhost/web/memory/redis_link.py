"""The way to Redis: used while it answers, left alone while it does not.

The first call that fails closes the way, so that no other waits for the same silence; a thread
tries once a second and opens it again.  A Redis that is full counts as gone: it refuses to write.
"""

from collections.abc import Callable
from hashlib import blake2b
from threading import Lock, Thread
from time import sleep
from typing import Any, TypeVar

import redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError, ResponseError
from redis.retry import Retry

Result = TypeVar("Result")

#: Seconds for a connection, and for an answer: together well under the 300 ms promised.
PATIENCE = 0.1
#: Seconds between two attempts while it is away.
PAUSE = 1.0
PREFIX = "plyhost:"

#: Bytes of the check before each value: what does not fit it is not ours, and counts as absent.
_CHECK = 8

_SWAP = """
if redis.call('type', KEYS[1]).ok ~= 'string' then return 0 end
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] == '0' then return redis.call('del', KEYS[1]) end
redis.call('set', KEYS[1], ARGV[2], 'EX', ARGV[3])
return 1
"""


def seal_value(value: bytes) -> bytes:
    """Return a value behind its check."""
    return blake2b(value, digest_size=_CHECK).digest() + value


def open_value(sealed: bytes) -> bytes | None:
    """Return the value behind a check, None where they do not fit."""
    value = sealed[_CHECK:]
    return value if seal_value(value) == sealed else None


class RedisMemory:
    """A memory in Redis, as `plyhost.web.memory.store.Memory` says; raises RedisError and OSError.

    Whatever else stands under one of its keys is dropped when it is met.
    """

    def __init__(self, client: Any) -> None:
        self.client = client
        self._swap = client.register_script(_SWAP)

    def get(self, key: str) -> bytes | None:
        """Return a value, or None."""
        try:
            found = self.client.get(PREFIX + key)
        except ResponseError as error:
            if not is_other_type(error):
                raise
            found = b""
        value = None if found is None else open_value(found)
        if found is not None and value is None:
            self.client.delete(PREFIX + key)
        return value

    def put(self, key: str, value: bytes, seconds: int) -> None:
        """Keep a value in place of any other."""
        self.client.set(PREFIX + key, seal_value(value), ex=seconds)

    def add(self, key: str, value: bytes, seconds: int) -> bool:
        """Keep a value if there is none, and tell whether there was none."""
        return bool(self.client.set(PREFIX + key, seal_value(value), ex=seconds, nx=True))

    def swap(self, key: str, old: bytes, new: bytes | None, seconds: int) -> bool:
        """Replace a value, or drop it, if it is the old one still, and tell whether it was."""
        lasting = 0 if new is None else seconds
        told = [seal_value(old), b"" if new is None else seal_value(new), lasting]
        return bool(self._swap([PREFIX + key], told))


def is_other_type(error: ResponseError) -> bool:
    """Tell whether Redis refused a command for what stands under its key."""
    return str(error).startswith(("WRONGTYPE", "value is not an integer", "ERR value is not"))


class Link:
    """A Redis by its address; `told` hears of each change of `is_up`, and why."""

    def __init__(self, url: str, told: Callable[[bool, str], None] = lambda is_up, why: None):
        self.client = redis.Redis.from_url(
            url,
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
            # Once more for a connection that a restart has cut, never for a silence.
            retry=Retry(NoBackoff(), 1, supported_errors=(Disconnected,)),
            protocol=2,
        )
        self.memory = RedisMemory(self.client)
        self.is_up = True
        self._told, self._lock = told, Lock()
        told(True, "")
        self.probe()

    def attempt(self, work: Callable[[Any], Result], otherwise: Result) -> Result:
        """Return what some work with the memory gives, or something else when that fails."""
        return self.either(lambda: work(self.memory), lambda: otherwise)

    def either(self, there: Callable[[], Result], here: Callable[[], Result]) -> Result:
        """Return what comes of work with Redis, or of other work when Redis fails or is away."""
        if self.is_up:
            try:
                return there()
            except (RedisError, OSError) as error:
                self._lost(error)
        return here()

    def probe(self) -> bool:
        """Find out whether Redis takes a write; does not ask while it is known to be away."""
        self.either(self._write, lambda: None)
        return self.is_up

    def _write(self) -> None:
        self.client.set(f"{PREFIX}probe", b"1", ex=60)

    def _lost(self, error: Exception) -> None:
        with self._lock:
            if not self.is_up:
                return
            self.is_up = False
        self._told(False, f"{type(error).__name__}: {error}")
        Thread(target=self._return, name="redis-return", daemon=True).start()

    def _return(self) -> None:
        while not self.is_up:
            sleep(PAUSE)
            try:
                self._write()
            except (RedisError, OSError):
                continue
            self.is_up = True
        self._told(True, "")
