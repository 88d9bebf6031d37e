"""Attacks with a key; each returns how often it was made."""

from collections.abc import Iterator
from itertools import cycle, islice

import orjson

from plyhost import limits
from tests.hostile.sockets import Target
from tests.hostile.strangers import MOVE, Attack
from tests.tools.vectors import cut, game, in_form, tight
from tests.tools.worst_cases import junk

LARGE = limits.BODY_BYTES - 3000


def _send(target: Target, path: str, body: bytes, *lines: str) -> bytes:
    return target.say(target.head(path, *lines, keyed=True, length=len(body)) + body)


def send_junk(target: Target, number: int, seconds: float) -> int:
    for case in islice(cycle(junk()), number):
        _send(target, case.path, case.body or b"")
    return number


def send_deep_bodies(target: Target, number: int, seconds: float) -> int:
    state = tight(cut(game(), 20) | {"winner": "@"})
    for depth in islice(cycle((64, 255, 900, 5000, 2_000_000)), number):
        deep = state.replace('"@"', "[" * depth + "]" * depth)
        _send(target, "/v1/games/control/moves", f'{{"state":{deep}}}'.encode())
    return number


def _crowds(number: int) -> Iterator[tuple[str, object]]:
    record = {
        "header": {"game": {"name": "Congeners", "variants": [f"#{'a' * LARGE}"]}, "players": []}
    }
    many = ["a"] * 900_000
    for index in range(number):
        yield "/ap/congeners", {"mode": "init", "players": many}
        yield "/ap/congeners", {"mode": "archive", "states": many}
        yield "/v1/games/congeners/new", {"variants": many}
        yield "/v1/games/congeners/replay", {"moves": many}
        yield "/v1/games/congeners/replay", {"record": record | {"moves": [str(index)]}}
        blanks = [["a1,b1/e5,e6" + " " * (LARGE + index)]]
        yield "/v1/games/congeners/replay", {"record": {**record, "moves": blanks}}
        yield "/v1/games/congeners/moves", {"state": f"p1:{index}{':' * LARGE}"}


def send_crowds(target: Target, number: int, seconds: float) -> int:
    for path, body in islice(_crowds(number), number):
        _send(target, path, orjson.dumps(body))
    return number


def stop_in_bodies(target: Target, number: int, seconds: float) -> int:
    said = [
        target.head(MOVE, keyed=True, length=length) + start
        for length, start in ((2, b"{"), (100_000, b"{" + b" " * 70_000), (LARGE, b" " * 70_000))
    ]
    return target.hold(islice(cycle(said), number), seconds, b" ")


def ask_much_and_do_not_listen(target: Target, number: int, seconds: float) -> int:
    state = "p1:congeners:size-7:20261130::"
    made = _send(target, "/v1/games/congeners/new", b'{"form":"compact","variants":["size-7"]}')
    for part in made.split(b'"'):
        if part.startswith(b"p1:"):
            state = part.decode()
    body = orjson.dumps({"state": state, "limit": limits.LISTED_MOVES})
    head = target.head("/v1/games/congeners/moves", keyed=True, length=len(body))
    return target.hold([head + body] * number, seconds)


def come_as_twins(target: Target, number: int, seconds: float) -> int:
    body = orjson.dumps({"state": in_form(cut(game(), 20), "compact"), "move": "zz"})
    head = target.head(MOVE, "Idempotency-Key: twin", keyed=True, length=len(body))
    half = target.head(MOVE, "Idempotency-Key: twin", keyed=True, length=len(body) + 1)
    return target.hold([half + body, *[head + body] * (number - 1)], seconds)


ATTACKS: list[Attack] = [
    *(send_junk, send_deep_bodies, send_crowds, stop_in_bodies),
    *(ask_much_and_do_not_listen, come_as_twins),
]
