"""Attacks without a key; each returns how often it was made."""

import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from plyhost import limits
from tests.hostile.sockets import Target

#: What an attack does: with a target, how many of it, and the seconds to hold on.
Attack = Callable[[Target, int, float], int]

MOVE = "/v1/games/control/move"
OPEN = ("/docs/", "/docs/errors", "/openapi.json", "/playground", "/healthz", "/schemas/x")
LARGE_FILE = "/docs/swagger-ui-bundle.js"


def _repeated(pieces: list[bytes], number: int) -> Iterator[bytes]:
    for index in range(number):
        yield pieces[index % len(pieces)]


def say_nothing(target: Target, number: int, seconds: float) -> int:
    return target.hold([b""] * number, seconds)


def begin_another_protocol(target: Target, number: int, seconds: float) -> int:
    upgrade = target.head("/healthz", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c")
    said = [
        b"PRI * HT",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\0",
        upgrade,
        bytes(64),
    ]
    return target.hold(_repeated(said, number), seconds)


def stop_in_the_headers(target: Target, number: int, seconds: float) -> int:
    return target.hold([b"GET /v1 HTTP/1.1\r\nHost: localhost\r\nX: "] * number, seconds, b"a")


def send_slow_headers(target: Target, number: int, seconds: float) -> int:
    room = limits.HEADERS_BYTES - 1000
    values = [
        "a/" + " " * (room - 3) + "b",
        *("a/b," * (room // 4), "," * room, '"' * room, "a/b" + ";" * room, "0-1," * (room // 4)),
        *('W/"a",' * (room // 6), "1.2.3.4:1," * (room // 10), "a/b;a*0*='%41" * (room // 13)),
    ]
    names = ["Accept", "If-None-Match", "Authorization", "Content-Type", "X-Forwarded-For"]
    names += ["Traceparent", "Cookie", "Range", "Origin", "Host", "Content-Encoding", "If-Range"]
    for index in range(number):
        value, name = values[index % len(values)], names[index % len(names)]
        path = ("/v1", LARGE_FILE, MOVE, "/v1/games/control/picture.svg")[index % 4]
        target.say(target.head(path, f"{name}: {value}", method="GET" if path != MOVE else "POST"))
    return number


def send_long_headers(target: Target, number: int, seconds: float) -> int:
    many = target.head("/v1", *["X: a"] * 5000, method="GET")
    said = [target.head("/v1", f"X: {'a' * 400_000}", method="GET"), many, b"GET /" + b"a" * 10**6]
    for one in _repeated(said, number):
        target.say(one)
    return number


def send_half_bodies(target: Target, number: int, seconds: float) -> int:
    said = [
        target.head(path, "Idempotency-Key: x", length=length) + b"{"
        for path in (*OPEN, MOVE, "/ap/control", "/none")
        for length in (2, 100_000, 4_000_000)
    ]
    said += [
        target.head(path, "Transfer-Encoding: chunked", length=None) + b"5\r\n{" for path in OPEN
    ]
    return target.hold(_repeated(said, number), seconds, b" ")


def ask_and_do_not_listen(target: Target, number: int, seconds: float) -> int:
    return target.hold([target.head(LARGE_FILE, method="GET") * 20] * number, seconds)


def ask_all_at_once(target: Target, number: int, seconds: float) -> int:
    head = target.head("/healthz", method="GET")
    for _ in range(number):
        target.say(head * 200)
    return number * 200


def break_off(target: Target, number: int, seconds: float) -> int:
    for index in range(number):
        with suppress(OSError), target.link() as link:
            link.sendall(
                (target.head(LARGE_FILE, method="GET"), target.head(MOVE, length=99))[index % 2]
            )
            link.setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", index % 3 > 0, 0)
            )
    return number


def send_odd_requests(target: Target, number: int, seconds: float) -> int:
    paths = ["//metrics", "/%6detrics", "/metrics/", "/" + "%41" * 2000, "/" + "/" * 7000]
    paths += ["/docs/" + "../" * 500, "/v1/games/" + "a" * 7000 + "/move", "/?" + "a=b&" * 1500]
    methods = ["GET", "POST", "PUT", "OPTIONS", "TRACE", "A" * 200, "CONNECT"]
    for index in range(number):
        path, method = paths[index % len(paths)], methods[index % len(methods)]
        target.say(target.head(path, method=method))
    return number


def send_odd_chunks(target: Target, number: int, seconds: float) -> int:
    head = target.head(MOVE, "Transfer-Encoding: chunked", length=None)
    both = target.head(MOVE, "Transfer-Encoding: chunked", length=5)
    said = [
        head + b"ffffffffffffffffff\r\n",
        head + b"5;" + b"a" * 100_000,
        both + b"0\r\n\r\nGET /",
    ]
    said += [head + b"0\r\n" + b"X: a\r\n" * 5000, head + b"1\r\n{\r\n" * 5000, head + b"-1\r\n"]
    for one in _repeated(said, number):
        target.say(one)
    return number


def guess_keys(target: Target, number: int, seconds: float) -> int:
    for index in range(number):
        target.say(target.head("/v1", f"Authorization: Bearer guess{index}", method="GET"))
    return number


def come_as_a_crowd(target: Target, number: int, seconds: float) -> int:
    """Ask from many connections at once, each for something that is open."""

    def ask() -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            target.say(target.head(OPEN[number % len(OPEN)], method="GET"))

    crowd = [threading.Thread(target=ask) for _ in range(min(number, 32))]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    return len(crowd)


ATTACKS: list[Attack] = [
    *(say_nothing, begin_another_protocol, stop_in_the_headers, send_slow_headers),
    *(send_long_headers, send_half_bodies, ask_and_do_not_listen, ask_all_at_once, break_off),
    *(send_odd_requests, send_odd_chunks, guess_keys, come_as_a_crowd),
]
