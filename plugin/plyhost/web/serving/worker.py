"""What runs in each worker beside the application: connections are kept, the parent followed.

A worker whose main process is gone must not live on: no one would restart it, or tell it of new
settings, while it shares the port with a new service.
"""

import ctypes
import gc
import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

from plyhost import limits
from plyhost.web.serving.connections import close_silent

#: Seconds after which a thread that computes lets another one go on.  Where hundreds of requests
#: come at once, to be refused, each waits so long behind whoever lists or draws something large.
SWITCH_SECONDS = 0.002
#: Seconds between two looks at the parent and at the connections.
PAUSE = 1.0
#: Seconds for a body to come, beyond those for headers and for the answer.
BODY_SECONDS = 10
#: Bytes by which a worker grows before it looks for what it may let go.
GROWTH_BYTES = 8 * 1024 * 1024
#: Seconds until it looks again, where that was for nothing.
WHILE = 15.0
#: Where an application keeps its `Room`, by which a worker knows that too many wait, and the
#: `Ledger`, whose marks are renewed.
ADMISSION, LEDGER = "plyhost.admission", "plyhost.ledger"


def load_application(
    parent: int, request_seconds: float, grace: float, target: str
) -> Callable[..., Any]:
    """Return the application that a target `module:factory` makes, with its worker looked after.

    The main process is `parent`; a worker that loses it has `grace` seconds for what is in hand.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    module, _, factory = target.partition(":")
    made: Callable[..., Any] = getattr(import_module(module), factory)()
    held = getattr(made, "extensions", {})
    admission, ledger = held.get(ADMISSION), held.get(LEDGER)
    longest = limits.HEADER_SECONDS + BODY_SECONDS + request_seconds

    def look_after() -> None:
        memory = Memory()
        while os.getppid() == parent:
            close_silent(longest, lambda: admission is not None and admission.is_pressed)
            memory.let_go()
            if ledger is not None:
                ledger.renew()
            sleep(PAUSE)
        _end_process(grace)

    Thread(target=look_after, name="keeper", daemon=True).start()
    return made


class Memory:
    """The memory of this process: what is free of it is given back when it has grown."""

    def __init__(self) -> None:
        self._least, self._due = measure_memory(), 0.0

    def let_go(self) -> None:
        """Give back what is free, if much may be; not again for a while where that was little."""
        held = measure_memory()
        if held < self._least + GROWTH_BYTES or monotonic() < self._due:
            return
        gc.collect()
        with suppress(AttributeError, OSError):
            ctypes.CDLL(None).malloc_trim(0)
        if held - measure_memory() < GROWTH_BYTES // 2:
            self._due = monotonic() + WHILE


def measure_memory() -> int:
    """Return the bytes of memory that this process holds, 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def _end_process(grace: float) -> None:
    """End this process: as if it was told to, and after some seconds in any case."""
    os.kill(os.getpid(), signal.SIGTERM)
    until = monotonic() + grace
    while monotonic() < until:
        sleep(PAUSE)
    os._exit(1)
