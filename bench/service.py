"""A real server for benchmarks, its processor time read from the kernel."""

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.tools import ROOT


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(workers: int = 1) -> Iterator["Service"]:
    """Run the service with the echo route under granian, as `plyhost serve` does."""
    port = free_port()
    call = f"run_server('127.0.0.1', {port}, {workers}, 'bench.echo:app')"
    code = f"from plyhost.web.serving.server import run_server; {call}"
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.DEVNULL)
    service = Service(port, process.pid)
    try:
        service.wait()
        yield service
    finally:
        service.connection.close()
        process.terminate()
        process.wait(20)


class Service:
    """One kept connection to the server, and the processor time of its workers."""

    def __init__(self, port: int, pid: int) -> None:
        self.port, self.pid = port, pid
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def wait(self) -> None:
        """Return once the server answers; raises TimeoutError after twenty seconds."""
        for _ in range(200):
            try:
                self.request("GET", "/healthz")
            except OSError:
                self.connection.close()
                time.sleep(0.1)
            else:
                return
        raise TimeoutError("the server does not answer")

    def request(
        self, method: str, path: str, body: bytes | None = None, more: dict[str, str] | None = None
    ) -> bytes:
        """Return the body of an answer, which must be a success; `more` are headers."""
        headers = {
            "Content-Type": "application/json",
            "Accept-Encoding": "identity",
            **(more or {}),
        }
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        data = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {data[:300]!r}")
        return data

    def processor_seconds(self) -> float:
        """Return the seconds that the workers have run on a processor."""
        return sum(map(_ran, workers(self.pid)))


def workers(pid: int) -> list[int]:
    """Return the process ids of a server's workers."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in listed]


def _ran(pid: int) -> float:
    ran = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has just ended
            ran += int((task / "schedstat").read_text().split()[0])
    return ran / 1e9
