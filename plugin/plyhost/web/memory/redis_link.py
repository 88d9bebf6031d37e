"""The way to Redis: used while it answers, left alone while it does not.

The first call that fails closes the way, so that no other waits for the same silence; a thread
tries once a second and opens it again.  A Redis that is full counts as gone: it refuses to write.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b, sha1
from threading import Lock, Thread
from time import sleep
from typing import Any, TypeVar

import redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import NoScriptError, RedisError, ResponseError
from redis.retry import Retry

Result = TypeVar("Result")

#: Seconds for a connection, and for an answer: together well under the 300 ms promised.
PATIENCE = 0.1
#: Seconds between two attempts while it is away.
PAUSE = 1.0
PREFIX = "plyhost:"

#: Bytes of the check before each value: what does not fit it is not ours, and counts as absent.
_CHECK = 8

_SWAP = b"""
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


class Lines:
    """Connections to Redis, each used by one thread at a time.

    A short command takes about half of what the library's client takes, which each time asks
    whether a connection still is one, and keeps figures (docs/speed.md).
    """

    def __init__(self, client: Any) -> None:
        self._pool, self._free = client.connection_pool, deque["Line"]()

    def ask(self, *command: Any) -> Any:
        """Return what Redis answers to one command; raises RedisError and OSError."""
        return self._use_line(lambda line: line.ask(command))

    def tell(self, *command: Any) -> None:
        """Send a command whose answer nobody needs, and do not wait for it; raises as `ask` does.

        A Redis that is silent is found out by whoever asks next.
        """
        self._use_line(lambda line: line.tell(command))

    def run_script(self, script: "Script", *told: Any) -> Any:
        """Return what a script with one key answers."""
        try:
            return self.ask("EVALSHA", script.digest, 1, *told)
        except NoScriptError:
            return self.ask("EVAL", script.text, 1, *told)

    def _use_line(self, work: Callable[["Line"], Result]) -> Result:
        try:
            line = self._free.pop()
        except IndexError:
            line = Line(self._pool.make_connection())
        try:
            return work(line)
        except Disconnected:
            # Once more for a connection that a restart has cut, never for a silence.
            return work(line)
        finally:
            self._free.append(line)


class Line:
    """A connection, and how many answers are still to come that nobody needs.

    The library closes a connection that fails or says nothing, and opens it when it is used again.
    """

    def __init__(self, connection: Any) -> None:
        self._connection, self._owed = connection, 0

    def ask(self, command: tuple[Any, ...]) -> Any:
        """Return the answer to a command."""
        self.tell(command)
        while self._owed > 1:
            with suppress(ResponseError):
                self._read_answer()
        return self._read_answer()

    def tell(self, command: tuple[Any, ...]) -> None:
        """Send a command."""
        with self._forget_when_closed():
            self._connection.send_command(*command)
        self._owed += 1

    def _read_answer(self) -> Any:
        self._owed -= 1
        with self._forget_when_closed():
            return self._connection.read_response()

    @contextmanager
    def _forget_when_closed(self) -> Iterator[None]:
        """Have nothing owed after a failure, which closes the connection; a refusal is none."""
        try:
            yield
        except ResponseError:
            raise
        except BaseException:
            self._owed = 0
            raise


class Script:
    """A script of Redis, which is named by its digest once it was sent."""

    def __init__(self, text: bytes) -> None:
        self.text, self.digest = text, sha1(text, usedforsecurity=False).hexdigest()


SWAP = Script(_SWAP)


class RedisMemory:
    """A memory in Redis, as `plyhost.web.memory.store.Memory` says; raises RedisError and OSError.

    Whatever else stands under one of its keys is dropped when it is met.
    """

    def __init__(self, lines: Lines) -> None:
        self.lines = lines

    def get(self, key: str) -> bytes | None:
        """Return a value, or None."""
        try:
            found = self.lines.ask("GET", PREFIX + key)
        except ResponseError as error:
            if not is_other_type(error):
                raise
            found = b""
        value = None if found is None else open_value(found)
        if found is not None and value is None:
            self.lines.ask("DEL", PREFIX + key)
        return value

    def put(self, key: str, value: bytes, seconds: int) -> None:
        """Keep a value in place of any other."""
        self.lines.ask("SET", PREFIX + key, seal_value(value), "EX", seconds)

    def add(self, key: str, value: bytes, seconds: int) -> bool:
        """Keep a value if there is none, and tell whether there was none."""
        answer = self.lines.ask("SET", PREFIX + key, seal_value(value), "EX", seconds, "NX")
        return answer is not None

    def swap(self, key: str, old: bytes, new: bytes | None, seconds: int) -> bool:
        """Replace a value, or drop it, if it is the old one still, and tell whether it was."""
        return bool(self.lines.run_script(SWAP, PREFIX + key, *_seal_swap(old, new, seconds)))

    def leave(self, key: str, old: bytes, new: bytes | None, seconds: int) -> None:
        """Do as `swap` does, and wait for nothing."""
        told = _seal_swap(old, new, seconds)
        # Named by its text: a digest may be unknown, which would be heard too late.
        self.lines.tell("EVAL", SWAP.text, 1, PREFIX + key, *told)


def _seal_swap(old: bytes, new: bytes | None, seconds: int) -> tuple[bytes, bytes, int]:
    if new is None:
        return seal_value(old), b"", 0
    return seal_value(old), seal_value(new), seconds


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
        self.lines = Lines(self.client)
        self.memory = RedisMemory(self.lines)
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
