"""The directory in which the workers of a service add their figures up.

It lies in memory where that can be, and is gone with its service; what a killed one left is cleared
by the next.  Where there is no room for it, or it comes to harm, figures are lost and nothing else:
files take their room before they are used, and are looked at before they are read.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from time import time
from typing import Any, cast

from prometheus_client.mmap_dict import MmapedDict

#: Where the workers' files are, in the environment; set by `plyhost.web.serving.server`.
DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
PREFIX = "plyhost-"
#: What the main process holds as long as it lives, and its workers with it.
_MAIN = "main.lock"
#: The files of one worker, which the library names, and the bytes that each is given at once.
_KINDS = ("counter", "histogram", "gauge_mostrecent")
_ROOM = 1024 * 1024
#: Seconds for which a directory may be without a lock while it is made.
_YOUNG = 60
_PLACES = ("/dev/shm", None)


@contextmanager
def shared_directory() -> Iterator[None]:
    """Have a directory for the workers that are started within, where there is room for one."""
    made = None if DIRECTORY in os.environ else _make_directory()
    if made is not None:
        os.environ[DIRECTORY] = made
    try:
        yield
    finally:
        if made is not None:
            del os.environ[DIRECTORY]
            shutil.rmtree(made, ignore_errors=True)


def _make_directory() -> str | None:
    for place in _PLACES:
        with suppress(OSError):
            _clear_leftovers(Path(place or tempfile.gettempdir()))
            made = tempfile.mkdtemp(prefix=PREFIX, dir=place)
            _hold_lock(Path(made) / _MAIN)
            return made
    return None


def _clear_leftovers(place: Path) -> None:
    """Remove directories that no main process and no worker holds any more."""
    for left in place.glob(f"{PREFIX}*"):
        with suppress(OSError):
            if time() - left.stat().st_mtime > _YOUNG and not _is_held(left):
                shutil.rmtree(left, ignore_errors=True)


def _is_held(directory: Path) -> bool:
    for lock in directory.glob("*.lock"):
        held = _hold_lock(lock)
        if held is None:
            return True
        os.close(held)
    return False


def _hold_lock(lock: Path) -> int | None:
    """Return the descriptor of a lock that ends with the process; None where another holds it."""
    held = os.open(lock, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        return None
    return held


def take_place(directory: str) -> Callable[[], int] | None:
    """Return what tells this worker's number, its files ready; None where they cannot be."""
    try:
        for number in count(1):
            if _hold_lock(Path(directory) / f"{number}.lock") is not None:
                for kind in _KINDS:
                    _prepare_file(Path(directory) / f"{kind}_{number}.db")
                return lambda: number
    except OSError:
        pass
    return None


def _prepare_file(file: Path) -> None:
    """Give a file its room, empty unless it is a sound one; raises OSError where there is none.

    Without that a worker would be killed when it writes where the disk is full.
    """
    if not is_sound(file):
        file.unlink(missing_ok=True)
    with file.open("ab") as opened:
        os.posix_fallocate(opened.fileno(), 0, _ROOM)


def is_sound(file: Path) -> bool:
    """Tell whether a file of figures can be read to its end."""
    try:
        for _ in cast(Any, MmapedDict).read_all_values_from_file(file):
            pass
    except Exception:
        # The library checks little: whatever it meets, the file is of no use.
        return False
    return True


def sound_files(directory: str) -> list[str]:
    """Return the files of a directory that can be read."""
    return [str(file) for file in sorted(Path(directory).glob("*.db")) if is_sound(file)]
