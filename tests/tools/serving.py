"""The real service in its own processes, for tests."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import requests

from tests.tools import ROOT

BIN = Path(sys.executable).parent


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str, process: subprocess.Popen[bytes], seconds: float = 30) -> None:
    """Return once a server answers; raises when it has ended or does not answer in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        try:
            requests.get(f"{url}/healthz", timeout=1)
        except requests.ConnectionError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("the server does not answer")


@contextmanager
def running(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command; if it is still there at the end, it is killed with all that it began."""
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            yield process
        finally:
            # The number of one that has been waited for may be somebody else's by now.
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def started(
    *options: str, env: Mapping[str, str] | None = None, log: IO[bytes] | int = subprocess.DEVNULL
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run `plyhost serve` with options; yields its address and its process."""
    port = free_port()
    command = [str(BIN / "plyhost"), "serve", "--port", str(port), *options]
    with running(command, cwd=ROOT, stdout=log, env=env) as process:
        try:
            url = f"http://127.0.0.1:{port}"
            wait_for(url, process)
            yield url, process
        finally:
            process.terminate()
            process.wait(20)


@contextmanager
def serving(*options: str, env: Mapping[str, str] | None = None) -> Iterator[str]:
    """Run `plyhost serve` with options; yields its address."""
    with started(*options, env=env) as (url, _):
        yield url


def workers(process: subprocess.Popen[bytes]) -> list[int]:
    """Return the process ids of a server's workers."""
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(child) for child in listed.split()]


def listening(url: str) -> int:
    """Return how many workers of a server take connections."""
    port, listen = f":{int(url.rpartition(':')[2]):04X}", "0A"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
    return sum(row[1].endswith(port) and row[3] == listen for row in rows)
