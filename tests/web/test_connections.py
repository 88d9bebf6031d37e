"""Connections that say nothing, half of something, or do not listen: they end, and others go on."""

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO

import pytest
import requests

from plyhost import limits
from plyhost.deadline import Overdue, start_deadline, stop_deadline
from plyhost.web.app import create_app
from plyhost.web.config import Settings
from plyhost.web.gates.admission import (
    DOCUMENT_PLACES,
    HEAVY_BODY,
    HEAVY_PLACES,
    LARGE_ANSWER,
    READING_OF_ONE,
    SMALL,
    WAITING,
    Admission,
)
from plyhost.web.gates.caller_shares import Shares
from plyhost.web.serving import connections
from tests.conftest import problem
from tests.tools.redis_server import wait_until
from tests.tools.serving import started, workers

HEAD = (
    b"POST /v1/games/control/new HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
)


@contextmanager
def linked(url: str, number: int, said: bytes = b"") -> Iterator[list[socket.socket]]:
    """Give connections on which something was said."""
    host, port = url.removeprefix("http://").split(":")
    with ExitStack() as held:
        links = []
        for _ in range(number):
            link = held.enter_context(socket.create_connection((host, int(port)), timeout=20))
            link.sendall(said)
            links.append(link)
        yield links


def answer(link: socket.socket) -> bytes:
    """Return the first line of an answer, empty where the connection ends without any."""
    return link.recv(1000).partition(b"\r\n")[0]


# --- at the server -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with started() as (address, _):
        yield address


def test_headers_are_bounded_all_together(url: str) -> None:
    long = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: %s\r\n\r\n" % (
        b"a" * limits.HEADERS_BYTES
    )
    with linked(url, 1, long) as (link,):
        assert answer(link).startswith(b"HTTP/1.1 431 ")
    many = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + b"X: a\r\n" * 200 + b"\r\n"
    with linked(url, 1, many) as (link,):
        assert answer(link).startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize(
    "said",
    [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9), b"PRI * HT\r\n\r\n", b"\x16\x03\x01\r\n\r\n"],
)
def test_no_other_protocol_is_spoken(url: str, said: bytes) -> None:
    with linked(url, 1, said) as (link,):
        assert answer(link) in (b"", b"HTTP/1.1 400 Bad Request")


@pytest.mark.long
def test_headers_that_do_not_come_are_not_waited_for(url: str) -> None:
    with linked(url, 1, b"GET /healthz HTTP/1.1\r\nHost: lo") as (link,):
        link.settimeout(limits.HEADER_SECONDS + 20)
        assert answer(link) in (b"", b"HTTP/1.1 408 Request Timeout")


def test_an_upgrade_is_not_taken(url: str) -> None:
    upgrade = (
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
        b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n"
    )
    with linked(url, 1, upgrade) as (link,):
        assert answer(link) == b"HTTP/1.1 200 OK"


def test_more_half_bodies_than_threads_keep_no_one_from_an_answer() -> None:
    env = os.environ | {"PLYHOST_THREADS": "2", "PLYHOST_LOG_LEVEL": "error"}
    small = HEAD + b"Content-Length: 100\r\n\r\n{"
    with started(env=env) as (url, _), linked(url, 40, small):
        for _ in range(3):
            path = f"{url}/v1/games/control/new"
            assert requests.post(path, json={}, timeout=10).status_code == 200


# --- those that end ------------------------------------------------------------------------------


@pytest.fixture
def served() -> Iterator[socket.socket]:
    """Give a socket of this process that listens, so that connections to it are looked after."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


@contextmanager
def both_ends(served: socket.socket, number: int) -> Iterator[list[socket.socket]]:
    """Give the callers' ends of connections whose other ends ticket open."""
    with ExitStack() as held:
        callers = []
        for _ in range(number):
            callers.append(held.enter_context(socket.create_connection(served.getsockname(), 5)))
            held.enter_context(served.accept()[0])
        yield callers


def is_open(link: socket.socket) -> bool:
    link.setblocking(False)
    try:
        return link.recv(1) != b""
    except BlockingIOError:
        return True


def never() -> bool:
    return False


def test_only_connections_to_this_process_are_looked_at(served: socket.socket) -> None:
    with socket.create_server(("127.0.0.1", 0)), both_ends(served, 3):
        found = list(connections.list_connections())
        assert len(found) == 3
        assert all(one.sent < 60 for one in found)
        for one in found:
            one.link.close()


def test_what_was_sent_nothing_for_long_is_closed_and_nothing_else(served: socket.socket) -> None:
    with both_ends(served, 2) as callers:
        assert connections.close_silent(60, never) == 0
        time.sleep(0.3)
        with both_ends(served, 1) as (fresh,):
            assert connections.close_silent(0.2, never) == 2
            assert is_open(fresh)
        assert not any(map(is_open, callers))


def test_of_a_crowd_the_most_silent_are_closed(
    served: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "CROWD", 2)
    monkeypatch.setattr(connections, "CROWD_SECONDS", 0.1)
    with both_ends(served, 3) as old:
        time.sleep(0.2)
        with both_ends(served, 2) as fresh:
            assert connections.close_silent(60, never) == 3
            assert all(map(is_open, fresh))
        assert not any(map(is_open, old))


def test_where_too_many_wait_fewer_are_kept(
    served: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PRESSED_CROWD", 1)
    monkeypatch.setattr(connections, "CROWD_SECONDS", 0.1)
    with both_ends(served, 2) as old:
        time.sleep(0.2)
        with both_ends(served, 1) as (fresh,):
            assert connections.close_silent(60, never) == 0
            assert connections.close_silent(60, lambda: True) == 2
            assert is_open(fresh)
        assert not any(map(is_open, old))


# --- admission -----------------------------------------------------------------------------------


class Slow:
    """A body that comes as far as `at`, and goes on when it is told to."""

    def __init__(self, at: int) -> None:
        self.at, self.given = at, 0
        self.go_on = threading.Event()

    def read(self, size: int) -> bytes:
        if self.given + size > self.at:
            self.go_on.wait(20)
        self.given += size
        return bytes(size)


def reading(admission: Admission, body: Slow, length: int) -> threading.Thread:
    environ, ticket = {"wsgi.input": body}, admission.enter()

    def read() -> None:
        try:
            ticket.read_body(environ, length)
        finally:
            ticket.leave()

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread


def test_few_large_bodies_are_read_at_once_and_small_ones_always() -> None:
    admission, slow = Admission(2), [Slow(SMALL) for _ in range(2)]
    readers = [reading(admission, one, 3 * SMALL) for one in slow]
    wait_until(lambda: admission.is_pressed)
    clock = start_deadline(0.05)
    with pytest.raises(Overdue):
        admission.enter().read_body({"wsgi.input": Slow(9 * SMALL)}, 3 * SMALL)
    stop_deadline(clock)
    assert len(admission.enter().read_body({"wsgi.input": Slow(SMALL)}, SMALL)) == SMALL
    for one in slow:
        one.go_on.set()
    for reader in readers:
        reader.join(20)
    assert not admission.is_pressed


def test_what_a_request_holds_it_gives_back() -> None:
    admission = Admission(1)
    for _ in range(3):
        ticket = admission.enter()
        assert len(ticket.read_body({"wsgi.input": Slow(9 * SMALL)}, 3 * SMALL)) == 3 * SMALL
        ticket.begin_work(is_heavy=False)
        clock = start_deadline(0.02)
        with pytest.raises(Overdue):
            admission.enter().begin_work(is_heavy=False)
        stop_deadline(clock)
        ticket.leave()


def test_few_who_ask_for_much_are_worked_on_and_others_pass_them() -> None:
    admission = Admission(8)
    heavy = [admission.enter() for _ in range(HEAVY_PLACES)]
    for one in heavy:
        one.wait_turn(is_heavy=True)
        one.begin_work(is_heavy=True)
    large = admission.enter()
    large.read_body({"wsgi.input": Slow(9 * HEAVY_BODY)}, HEAVY_BODY + 1)
    clock = start_deadline(0.02)
    with pytest.raises(Overdue):
        admission.enter().begin_work(is_heavy=True)
    with pytest.raises(Overdue):
        large.begin_work(is_heavy=False)
    stop_deadline(clock)
    admission.enter().begin_work(is_heavy=False)
    for one in heavy:
        one.leave()
    admission.enter().begin_work(is_heavy=True)


def test_a_room_with_many_who_wait_for_bodies_is_pressed() -> None:
    admission, slow = Admission(2), Slow(0)
    readers = [reading(admission, slow, 10) for _ in range(READING_OF_ONE // 2 + 1)]
    wait_until(lambda: admission.is_pressed)
    slow.go_on.set()
    for reader in readers:
        reader.join(20)
    assert not admission.is_pressed


def test_few_large_answers_are_on_their_way_at_once_and_each_gives_its_place_back() -> None:
    admission, body = Admission(2), bytes(3 * SMALL + 1)
    sent = [admission.send_large(body, is_known=False) for _ in range(2)]
    assert admission.is_pressed
    with pytest.raises(Overdue):
        admission.send_large(body, is_known=False)
    known = admission.send_large(body, is_known=True)
    assert b"".join(known) == body
    for one in (*sent, known, known):
        one.close()
    assert not admission.is_pressed
    admission.send_large(body, is_known=False).close()


def test_few_documents_are_read_at_once_and_none_where_they_are_not_taken() -> None:
    admission = Admission(1)
    reading = [admission.enter() for _ in range(DOCUMENT_PLACES)]
    for one in reading:
        one.begin_document()
    with pytest.raises(Overdue):
        admission.enter().begin_document()
    for one in reading:
        one.leave()
    answer = admission.send_large(bytes(SMALL), is_known=False)
    refused = admission.enter()
    with pytest.raises(Overdue):
        refused.begin_document()
    refused.leave()
    answer.close()
    admission.enter().begin_document()


def test_a_large_answer_that_finds_no_place_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    site = create_app(Settings(threads=1, log_level="error")).test_client()
    path = "/docs/swagger-ui-bundle.js"
    first = site.get(path, buffered=False)
    assert problem(site.get(path), "timed-out")["request_id"]
    assert site.get("/v1").status_code == 200
    first.close()
    assert len(site.get(path).data) > LARGE_ANSWER


def test_a_body_that_comes_too_slowly_is_given_up() -> None:
    clock = start_deadline(0.0)
    with pytest.raises(Overdue):
        Admission(1).enter().read_body({"wsgi.input": Slow(9 * SMALL)}, 4 * SMALL)
    stop_deadline(clock)


def test_a_worker_has_threads_for_all_who_may_wait() -> None:
    env = os.environ | {"PLYHOST_THREADS": "1", "PLYHOST_LOG_LEVEL": "error"}
    half = HEAD + b"Content-Length: 2\r\n\r\n{"
    with started(env=env) as (url, process), linked(url, WAITING // 4, half) as links:
        (worker,) = workers(process)
        wait_until(lambda: threads(worker) > WAITING // 4)
        for link in links[:5]:
            link.sendall(b"}")
            assert answer(link) == b"HTTP/1.1 200 OK"


def threads(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/task"))


def test_one_caller_leaves_places_to_others() -> None:
    shares = Shares(2, 3)
    held = [shares.take("one") for _ in range(2)]
    waiting = threading.Thread(target=lambda: shares.take("one").release())
    waiting.start()
    wait_until(lambda: held[0].users == 3)
    with pytest.raises(Overdue):
        shares.take("one")
    shares.take("other").release()
    held.pop().release()
    waiting.join(20)
    assert not waiting.is_alive()
    clock = start_deadline(0.05)
    held.append(shares.take("one"))
    with pytest.raises(Overdue):
        shares.take("one")
    stop_deadline(clock)
    for one in held:
        one.release()
    assert not shares._callers


def test_while_one_caller_s_large_bodies_do_not_come_another_s_are_read() -> None:
    admission, slow = Admission(4), [Slow(SMALL) for _ in range(3)]
    readers = [reading(admission, one, 4 * SMALL) for one in slow]
    wait_until(lambda: admission._large_readers == 3)
    ticket = admission.enter()
    ticket.caller = "another"
    assert len(ticket.read_body({"wsgi.input": BytesIO(bytes(2 * SMALL))}, 2 * SMALL)) == 2 * SMALL
    ticket.leave()
    for one in slow:
        one.go_on.set()
    for reader in readers:
        reader.join(20)
