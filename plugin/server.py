"""The service under granian: several processes, each with a few threads."""

import os

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

#: Requests are short and hold the interpreter; two threads let one wait for a slow body.
THREADS = 2


def run(host: str, port: int, workers: int, target: str = "plugin.app:create") -> None:
    """Serve until a signal comes; a worker that dies is started again.

    `target` names the factory of the application.
    """
    Granian(
        target,
        factory=True,
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        websockets=False,
        workers=workers,
        blocking_threads=THREADS,
        respawn_failed_workers=True,
        log_level=LogLevels(os.environ.get("PLYHOST_LOG_LEVEL", "info")),
    ).serve()
