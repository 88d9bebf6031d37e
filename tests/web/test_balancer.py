"""The balancer that goes along, before real replicas: slow bodies, frozen and dead ones.

Its configuration is used as it stands but for where it listens, whom it asks and how long it waits.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import requests

from tests.tools import ROOT
from tests.tools.redis_server import wait_until
from tests.tools.serving import free_port, running, started, workers

SHORTER = {
    "timeout http-request 10s": "timeout http-request 1s",
    "timeout server 12s": "timeout server 2s",
    "timeout queue 5s": "timeout queue 1s",
}
#: A program that is ready, and answers nothing that is HTTP.
NONSENSE = r"""
import socket, sys

with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as server:
    while True:
        link, _ = server.accept()
        is_check = link.recv(65536).startswith(b"GET /readyz")
        link.sendall((b"HTTP/1.1 200 OK" if is_check else b"nonsense") + b"\r\n\r\n")
        link.close()
"""
NEW = "/v1/games/control/new"
Replica = tuple[str, subprocess.Popen[bytes]]


def program() -> str:
    path = shutil.which("haproxy", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
    if path is None and os.environ.get("TEST_HAPROXY") == "required":
        pytest.fail("TEST_HAPROXY=required, but there is no haproxy here")
    return path or pytest.skip("there is no haproxy here, so the balancer is not tried")


def configure(port: int, addresses: list[str], folder: Path) -> Path:
    """Write the configuration with other addresses and shorter waits; return the file."""
    text = (ROOT / "deploy" / "haproxy.cfg").read_text()
    text = text.partition("# The name `plyhost` has one address")[0]
    told = SHORTER | {"bind :8000": f"bind 127.0.0.1:{port}"}
    template = re.findall(r" +server-template .*", text)[0]
    told[template] = "\n".join(f"    server r{at} {one}" for at, one in enumerate(addresses))
    for shipped, here in told.items():
        assert text.count(shipped) == 1, shipped
        text = text.replace(shipped, here)
    file = folder / "haproxy.cfg"
    file.write_text(text)
    return file


@contextmanager
def balanced(addresses: list[str], folder: Path) -> Iterator[str]:
    """Run the balancer before some addresses; yields its own."""
    port = free_port()
    file = configure(port, addresses, folder)
    with (folder / "log").open("wb") as log:
        call = [program(), "-f", str(file), "-db"]
        with running(call, stdout=log, stderr=subprocess.STDOUT) as process:
            wait_until(lambda: process.poll() is not None or is_open(port))
            assert process.poll() is None, (folder / "log").read_text()
            yield f"http://127.0.0.1:{port}"


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def replicas() -> Iterator[list[Replica]]:
    with ExitStack() as held:
        # A balancer asks by the name that it was asked by.
        yield [held.enter_context(started()) for _ in range(2)]


@pytest.fixture
def site(replicas: list[Replica], tmp_path: Path) -> Iterator[str]:
    addresses = [url.removeprefix("http://") for url, _ in replicas]
    with balanced(addresses, tmp_path) as url:
        wait_until(lambda: requests.post(url + NEW, json={}, timeout=20).status_code == 200)
        yield url


def send(process: subprocess.Popen[bytes], number: int) -> None:
    for pid in (process.pid, *workers(process)):
        os.kill(pid, number)


def check_problem(answer: requests.Response, *statuses: int) -> None:
    """Fail unless an answer of the balancer itself has the shape of every other refusal."""
    assert answer.status_code in statuses, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    schema = json.loads((ROOT / "schemas" / "v1-openapi.json").read_text())
    parts = schema["components"]["schemas"]
    jsonschema.validate(problem, {**parts["Problem"], "components": {"schemas": parts}})
    assert problem["status"] == answer.status_code


@pytest.mark.long
def test_bodies_that_come_slowly_reach_no_replica(site: str, replicas: list[Replica]) -> None:
    place = ("127.0.0.1", int(site.rpartition(":")[2]))
    head = f"POST {NEW} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with ExitStack() as held:
        slow = [held.enter_context(socket.create_connection(place, 20)) for _ in range(300)]
        for link in slow:
            link.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
        for _ in range(20):
            answer = requests.post(site + NEW, json={}, timeout=20)
            assert answer.status_code == 200
        heard = slow[0].recv(10_000)
    assert heard.startswith(b"HTTP/1.1 408 ")
    assert json.loads(heard.partition(b"\r\n\r\n")[2])["code"] == "timed-out"
    for url, _ in replicas:
        figures = requests.get(f"{url}/metrics", timeout=20).text
        told = re.findall(r'plyhost_requests_total\{.*code="([\w-]+)".*\}', figures)
        assert told
        assert "timed-out" not in told
        assert "not-json" not in told


@pytest.mark.long
def test_what_a_frozen_replica_holds_is_asked_of_the_other(
    site: str, replicas: list[Replica]
) -> None:
    _, frozen = replicas[0]
    send(frozen, signal.SIGSTOP)
    try:
        answers = [requests.post(site + NEW, json={}, timeout=30) for _ in range(6)]
        assert {answer.status_code for answer in answers} == {200}
    finally:
        send(frozen, signal.SIGCONT)


@pytest.mark.long
def test_when_all_are_frozen_or_gone_the_balancer_says_so_as_we_do(
    site: str, replicas: list[Replica]
) -> None:
    for _, process in replicas:
        send(process, signal.SIGSTOP)
    try:
        # Which of both it is hangs on what is noticed first: the silence, or that no one is ready.
        check_problem(requests.post(site + NEW, json={}, timeout=60), 503, 504)
    finally:
        for _, process in replicas:
            send(process, signal.SIGCONT)
    for _, process in replicas:
        process.terminate()
        process.wait(20)
    answer = requests.post(site + NEW, json={}, timeout=60)
    check_problem(answer, 503)
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.long
def test_an_answer_that_is_none_is_told_as_such(tmp_path: Path) -> None:
    port = free_port()
    with running([sys.executable, "-c", NONSENSE, str(port)]):
        wait_until(lambda: is_open(port))
        with balanced([f"127.0.0.1:{port}"], tmp_path) as url:
            check_problem(requests.post(url + NEW, json={}, timeout=60), 502)
