"""Ctrl-C: the program ends at once with 130 and says nothing, whatever it was about to do.

Nothing is imported here that takes time, so that this holds from the first moment on.
"""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

#: As shells tell it: 128 and the number of SIGINT.
INTERRUPTED = 130
#: Shows the cursor that a bar has hidden.
_SHOW_CURSOR = "\x1b[?25h\n"

_cleanings: list[Callable[[], object]] = []


def end_quietly_on_interrupt() -> None:
    """Let SIGINT end the program, after what was asked for with `clean_on_interrupt`."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # whoever started it wants it so
        return
    with suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGINT, _end_now)


def clean_on_interrupt(cleaning: Callable[[], object]) -> None:
    """Have something done before an interruption ends the program."""
    _cleanings.append(cleaning)


def _end_now(number: int, frame: FrameType | None) -> None:
    for cleaning in _cleanings:
        with suppress(Exception):
            cleaning()
    with suppress(Exception):
        if sys.stderr.isatty():
            os.write(2, _SHOW_CURSOR.encode())
    os._exit(INTERRUPTED)
