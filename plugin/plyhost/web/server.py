"""The service under granian: several processes, each with a few threads."""

import ctypes
import os
import shutil
import tempfile
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from plyhost.web import config, logs, metrics
from plyhost.web.config import Settings

#: Kept connections that one worker holds; beyond them callers wait to be let in.
CONNECTIONS = 1024
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
    config.check_listen_host(settings, host)
    figures = _make_metrics_directory()
    limit_memory_arenas()
    try:
        Server(
            target, address=host, port=port, workers=workers, **_make_granian_options(settings)
        ).serve()
    finally:
        if figures:
            shutil.rmtree(figures, ignore_errors=True)


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


def _make_granian_options(settings: Settings) -> dict[str, Any]:
    return {
        "factory": True,
        "interface": Interfaces.WSGI,
        "websockets": False,
        "blocking_threads": settings.threads,
        "backpressure": CONNECTIONS,
        "respawn_failed_workers": True,
        "workers_kill_timeout": int(settings.request_seconds) + GRACE,
        "log_level": LogLevels(settings.log_level),
        "log_dictconfig": logs.make_logging_config(
            settings.log_level, config.list_setting_secrets(settings)
        ),
    }


def _make_metrics_directory() -> str | None:
    """Make the directory in which workers add their figures up, in memory where that can be."""
    if metrics.DIRECTORY in os.environ:
        return None
    for place in ("/dev/shm", None):
        try:
            made = tempfile.mkdtemp(prefix="plyhost-", dir=place)
        except OSError:
            continue
        os.environ[metrics.DIRECTORY] = made
        return made
    return None
