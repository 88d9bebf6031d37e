"""Stopping and restarting: requests in hand are answered, and one worker's end is no one's 5xx."""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any

import pytest
import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from plyhost import limits
from plyhost.games import registry
from plyhost.states import forms
from plyhost.web.serving.server import DEATHS
from tests.tools.redis_server import wait_until
from tests.tools.serving import listening, started, workers
from tests.tools.vectors import LATER

NEW = "/v1/games/control/new"


HALF = (
    f"POST {NEW} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    "Content-Length: 2\r\n\r\n{"
).encode()


@contextmanager
def slow_bodies(url: str, number: int = 1) -> Iterator[list[socket.socket]]:
    """Give connections that have sent half of a request and go no further."""
    host, port = url.removeprefix("http://").split(":")
    with ExitStack() as held:
        links = []
        for _ in range(number):
            link = held.enter_context(socket.create_connection((host, int(port)), timeout=20))
            link.sendall(HALF)
            links.append(link)
        time.sleep(0.3)
        yield links


def answer(link: socket.socket) -> bytes:
    """Return the first bytes of the answer to a request whose rest is sent now."""
    link.sendall(b"}")
    return link.recv(15)


class Traffic:
    """Callers who ask without pause, on kept connections, and try once more when one is cut."""

    def __init__(self, url: str) -> None:
        self.url, self.statuses = url, list[int]()
        self.lost: list[Exception] = []
        self.over = threading.Event()

    def caller(self, _: int) -> None:
        session = requests.Session()
        again = Retry(total=2, allowed_methods=None, status=0, backoff_factor=0.05)
        session.mount("http://", HTTPAdapter(max_retries=again))
        while not self.over.is_set():
            try:
                sent = session.post(self.url + NEW, json={"form": "compact"}, timeout=20)
                self.statuses.append(sent.status_code)
            except requests.RequestException as error:
                self.lost.append(error)

    @contextmanager
    def flowing(self, callers: int = 4) -> Iterator[None]:
        """Keep callers asking."""
        with ThreadPoolExecutor(callers) as pool:
            done = [pool.submit(self.caller, number) for number in range(callers)]
            try:
                wait_until(lambda: len(self.statuses) > 20)
                yield
                seen = len(self.statuses)
                wait_until(lambda: len(self.statuses) > seen + 20)
            finally:
                self.over.set()
        for one in done:
            one.result()


def test_a_stopping_service_answers_what_it_has_begun() -> None:
    with started() as (url, process), slow_bodies(url) as (link,):
        process.terminate()
        time.sleep(0.3)
        assert answer(link) == b"HTTP/1.1 200 OK"
        assert process.wait(20) == 0
        with pytest.raises(requests.ConnectionError):
            requests.get(f"{url}/healthz", timeout=5)


def test_signals_that_come_together_stop_a_service_too() -> None:
    with started() as (_, process):
        for _ in range(2000):
            process.terminate()
        # The last of them may come when Python has put its own handler away.
        assert process.wait(20) in (0, -signal.SIGTERM)


@pytest.mark.long
def test_a_caller_who_never_finishes_does_not_keep_a_service_from_stopping() -> None:
    env = os.environ | {"PLYHOST_REQUEST_SECONDS": "0.5"}
    with started(env=env) as (url, process), slow_bodies(url):
        process.terminate()
        assert process.wait(20) == 0


def test_callers_who_never_finish_do_not_keep_others_from_their_answers() -> None:
    with started() as (url, _), slow_bodies(url, 8) as links:
        assert requests.post(url + NEW, json={}, timeout=10).status_code == 200
        assert answer(links[0]) == b"HTTP/1.1 200 OK"


@contextmanager
def two_workers() -> Iterator[tuple[str, Any, list[int]]]:
    """Run a service; yields its address and process, and its workers once both are there."""
    with started("--workers", "2") as (url, process):
        wait_until(lambda: listening(url) == 2)
        yield url, process, workers(process)


def replaced(url: str, process: Any, gone: list[int], number: int = 2) -> bool:
    """Tell whether others work in the place of workers that are gone."""
    now = workers(process)
    return len(now) == number and not set(now) & set(gone) and listening(url) == number


@pytest.mark.long
def test_no_one_meets_an_error_while_all_workers_are_restarted_in_turn() -> None:
    with two_workers() as (url, process, before):
        traffic = Traffic(url)
        with traffic.flowing():
            process.send_signal(signal.SIGHUP)
            wait_until(lambda: replaced(url, process, before), 60)
        assert set(traffic.statuses) == {200}
        assert traffic.lost == []


@pytest.mark.long
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_no_one_meets_an_error_while_one_of_two_workers_ends(how: signal.Signals) -> None:
    with two_workers() as (url, process, (victim, _)):
        traffic = Traffic(url)
        with traffic.flowing():
            os.kill(victim, how)
            wait_until(lambda: replaced(url, process, [victim]), 60)
        assert set(traffic.statuses) == {200}
        assert traffic.lost == []


@pytest.mark.long
def test_a_worker_that_dies_again_and_again_is_started_again() -> None:
    with started() as (url, process):
        for _ in range(3):
            (victim,) = workers(process)
            os.kill(victim, signal.SIGKILL)
            wait_until(partial(replaced, url, process, [victim], 1), 60)
        assert requests.post(url + NEW, json={}, timeout=20).status_code == 200


@pytest.mark.long
def test_a_service_whose_workers_cannot_live_ends() -> None:
    with started() as (_, process):
        killed = set[int]()
        wait_until(lambda: process.poll() is not None or kill_new(process, killed), 60)
        assert process.wait(20) == 1
        assert len(killed) > DEATHS


def kill_new(process: Any, killed: set[int]) -> bool:
    """Kill the workers that are there; tells False, so that it is asked again."""
    with suppress(OSError):
        for pid in set(workers(process)) - killed:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
    return False


def test_a_request_over_its_time_is_given_up_and_the_next_is_answered() -> None:
    env = os.environ | {"PLYHOST_REQUEST_SECONDS": "0.01"}
    with started(env=env) as (url, _):
        game = f"{url}/v1/games/congeners"
        state = forms.dump_state(
            forms.start_state(registry.find_game("congeners"), ["size-7"], "compact", LATER)
        )
        every = {"state": state, "limit": limits.LISTED_MOVES}
        late = requests.post(f"{game}/moves", json=every, timeout=20)
        assert late.status_code == 503
        problem = late.json()
        assert problem["code"] == "timed-out"
        assert problem["request_id"] == late.headers["X-Request-Id"]
        # On a busy machine even a short request may take that long, but not every time.
        wait_until(lambda: requests.post(f"{game}/new", json={}, timeout=20).status_code == 200)
        shown = requests.get(f"{url}/v1", timeout=20).json()["limits"]
        assert shown["request_seconds"] == 0.01
    with started() as (url, _):
        done = requests.post(f"{url}/v1/games/congeners/moves", json=every, timeout=20).json()
        assert len(done["moves"]) == done["count"] > 100_000
