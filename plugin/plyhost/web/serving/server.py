"""The service under granian: several processes, each with a few threads."""

import ctypes
import os
import resource
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from plyhost import limits
from plyhost.web import config
from plyhost.web.config import Settings
from plyhost.web.gates.admission import WAITING
from plyhost.web.serving import logs, ports
from plyhost.web.serving.figures import shared_directory
from plyhost.web.serving.worker import load_application

#: Kept connections that one worker holds; beyond them callers wait to be let in.
CONNECTIONS = 4096
#: Files and connections of another kind that a worker may have open.
OTHER_FILES = 64
#: Seconds that a stopping worker has beyond those of its last request.
GRACE = 5
#: What the GNU C library calls the number of places that threads take memory from, and how many.
_ARENA_MAX, ARENAS = -8, 2
#: And the bytes from which a piece of memory is given back at once, and how many.
_MMAP_THRESHOLD, LARGE = -3, 1024 * 1024
#: And the bytes that each place keeps for what comes next: giving them back costs more than having.
_TRIM_THRESHOLD, KEPT = -1, 4 * LARGE
#: Deaths of one worker, on average, within so many seconds, that are more than bad luck.
DEATHS, DEATHS_SECONDS = 5, 60
#: Seconds by which the pause before a start grows with each death.
PAUSE = 0.25


class Server(Granian):  # type: ignore[misc, valid-type]
    """granian, but a worker that dies soon after its start does not end all the others.

    granian gives up when one dies twice within 5.5 seconds, and all requests in hand with it.  Here
    dead workers are started again, more slowly each time, until deaths are too many to be chance;
    then granian's rule holds, and whatever supervises the service sees its end.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._deaths = deque[float](maxlen=DEATHS * self.workers)
        self._handlers = SimpleQueue[Callable[[], None]]()
        Thread(target=self._handle_signals, name="signals", daemon=True).start()

    def signal_handler_interrupt(self, *_: Any) -> None:
        """Have the service stopped, by another thread.

        granian sets an event here, and waits for ever where the signal came while its main thread
        held the event's lock: as two signals in a row do.  This queue takes entries at any moment.
        """
        self._handlers.put(super().signal_handler_interrupt)

    def signal_handler_reload(self, *_: Any) -> None:
        """Have the workers replaced, by another thread."""
        self._handlers.put(super().signal_handler_reload)

    def _handle_signals(self) -> None:
        while True:
            self._handlers.get()()

    def _respawn_workers(
        self, workers: Sequence[int], spawn_target: Any, target_loader: Any, delay: float = 0
    ) -> None:
        """Start workers in the place of others; without a delay these have died."""
        if not delay:
            self._deaths.extend([monotonic()] * len(workers))
            self.main_loop_interrupt.wait(PAUSE * (self._recent_deaths() - 1))
        super()._respawn_workers(workers, spawn_target, target_loader, delay)
        if self._recent_deaths() < DEATHS * self.workers:
            self.respawned_wrks.clear()

    def _recent_deaths(self) -> int:
        return sum(death > monotonic() - DEATHS_SECONDS for death in self._deaths)


def run_server(
    host: str, port: int, workers: int, target: str = "plyhost.web.app:create_app"
) -> None:
    """Serve until a signal comes; a worker that dies is started again.

    `target` names the factory of the application.  Raises config.Misconfigured.
    """
    settings = config.load_settings()
    config.check_games(settings)
    address = ports.resolve_host(host, port)
    config.check_listen_host(settings, address)
    claim = ports.claim_port(address, port)
    limit_memory_arenas()
    grace = _count_grace(settings)
    loader = partial(load_application, os.getpid(), settings.request_seconds, grace)
    options = _make_granian_options(settings, raise_descriptors())
    with claim or nullcontext(), shared_directory():
        server = Server(target, address=address, port=port, workers=workers, **options)
        server.serve(target_loader=loader)


def _count_grace(settings: Settings) -> int:
    """Return the seconds that a stopping worker has in all."""
    return int(settings.request_seconds) + GRACE


def raise_descriptors() -> int:
    """Have as many files open as this process may; return how many connections that is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(1, soft - OTHER_FILES)
    return CONNECTIONS


def limit_memory_arenas() -> None:
    """Have all threads of a worker take memory from few places.

    Otherwise each of them keeps as much as its largest answer took.  They take turns, so they do
    not wait for each other's memory.  What the rare large request took is given back, but not the
    little that the next one takes again.  C libraries other than GNU's are left as they are.
    """
    with suppress(AttributeError, OSError):
        library = ctypes.CDLL(None)
        library.mallopt(_ARENA_MAX, ARENAS)
        library.mallopt(_MMAP_THRESHOLD, LARGE)
        library.mallopt(_TRIM_THRESHOLD, KEPT)


def _make_granian_options(settings: Settings, connections: int) -> dict[str, Any]:
    return {
        "factory": True,
        "interface": Interfaces.WSGI,
        "http": HTTPModes.http1,
        "http1_settings": HTTP1Settings(
            header_read_timeout=limits.HEADER_SECONDS * 1000,
            max_buffer_size=limits.HEADERS_BYTES,
        ),
        "websockets": False,
        "blocking_threads": settings.threads + WAITING,
        "backpressure": connections,
        "respawn_failed_workers": True,
        "workers_kill_timeout": _count_grace(settings),
        "log_level": LogLevels(settings.log_level),
        "log_dictconfig": logs.make_logging_config(
            settings.log_level, config.list_setting_secrets(settings)
        ),
    }
