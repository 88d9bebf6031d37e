"""The threads of a worker share memory, and what they take again and again is kept for them."""

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from plyhost.web.serving.server import ARENAS
from tests.tools import ROOT

THREADS = 8
#: Has threads take memory at one time, and counts the places that it came from.
TOLD = """
import ctypes, sys, threading
from plyhost.web.serving import server

if sys.argv[1] == "shared":
    server.limit_memory_arenas()
both = threading.Barrier({threads})
held = []

def take():
    both.wait()
    held.append(bytes(bytearray(5000)))
    both.wait()

threads = [threading.Thread(target=take) for _ in range({threads})]
for one in threads:
    one.start()
for one in threads:
    one.join()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fopen(sys.argv[2].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""
#: Takes and lets go the same memory many times, and prints how often the kernel had to find it.
TOLD_AGAIN = """
import resource, sys
from plyhost.web.serving import server

if sys.argv[1] == "shared":
    server.limit_memory_arenas()

def take():
    return len([bytes(100_000) for _ in range(20)])

take()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(100):
    take()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def places(how: str, file: Path) -> int:
    told = TOLD.format(threads=THREADS)
    subprocess.run([sys.executable, "-c", told, how, file], cwd=ROOT, check=True, timeout=60)
    return file.read_text().count("<heap nr=")


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="another C library")
def test_threads_share_memory(tmp_path: Path) -> None:
    assert places("alone", tmp_path / "alone") > ARENAS
    assert places("shared", tmp_path / "shared") <= ARENAS


def faults(how: str) -> int:
    command = [sys.executable, "-c", TOLD_AGAIN, how]
    ran = subprocess.run(command, cwd=ROOT, check=True, timeout=60, capture_output=True)
    return int(ran.stdout)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="another C library")
def test_memory_that_is_taken_again_and_again_is_kept() -> None:
    assert faults("alone") > 20 * faults("shared")
