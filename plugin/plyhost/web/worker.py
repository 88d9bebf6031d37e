"""What runs in each worker beside the application: connections are kept, the parent followed.

A worker whose main process is gone must not live on: no one would restart it, or tell it of new
settings, while it shares the port with a new service.
"""

import os
import signal
from collections.abc import Callable
from importlib import import_module
from threading import Thread
from time import monotonic, sleep
from typing import Any

from plyhost import limits
from plyhost.web.connections import close_silent

#: Seconds between two looks at the parent and at the connections.
PAUSE = 1.0
#: Seconds for a body to come, beyond those for headers and for the answer.
BODY_SECONDS = 10
#: Where an application keeps its `Room`, by which a worker knows that too many wait.
ROOM = "plyhost.room"


def load_application(
    parent: int, request_seconds: float, grace: float, target: str
) -> Callable[..., Any]:
    """Return the application that a target `module:factory` makes, with its worker looked after.

    The main process is `parent`; a worker that loses it has `grace` seconds for what is in hand.
    """
    module, _, factory = target.partition(":")
    made: Callable[..., Any] = getattr(import_module(module), factory)()
    room = getattr(made, "extensions", {}).get(ROOM)
    longest = limits.HEADER_SECONDS + BODY_SECONDS + request_seconds

    def look_after() -> None:
        while os.getppid() == parent:
            close_silent(longest, lambda: room is not None and room.is_pressed)
            sleep(PAUSE)
        _end(grace)

    Thread(target=look_after, name="keeper", daemon=True).start()
    return made


def _end(grace: float) -> None:
    """End this process: as if it was told to, and after some seconds in any case."""
    os.kill(os.getpid(), signal.SIGTERM)
    until = monotonic() + grace
    while monotonic() < until:
        sleep(PAUSE)
    os._exit(1)
