"""The client for Python against the real service: games by clicks alone, refusals, no answers."""

import asyncio
import inspect
import os
import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from time import time
from typing import Any, get_type_hints

import pytest

from plyhost.client import AsyncClient, Client, GameView, NoAnswer, Problem, calls
from plyhost.client.options import State
from plyhost.contract.operations import OPERATIONS
from plyhost.schemas.openapi import build_openapi_document
from tests.contract.test_every_game import UIDS
from tests.tools.serving import free_port, serving

KEY = "ply_of_the_site"
SECRET = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as found:
        yield found


def play_by_clicks(client: Client, game: str, seed: str) -> GameView:
    """Return the end of a game whose every move came about by clicks on targets."""
    choose = random.Random(seed)
    view = client.ask(calls.new(game, variants=["size-5"], form="compact"))
    while not view.gameover:
        move = click_a_move(client, game, view, choose)
        moved = client.ask(calls.move(game, view.state, move, expected_ply=view.ply, auto="pass"))
        assert moved.applied[0].player == view.to_move
        view = moved
    return view


def click_a_move(client: Client, game: str, view: GameView, choose: random.Random) -> str:
    """Return a move that may be played, made of clicks on cells that were offered."""
    verdict = client.ask(calls.validate(game, view.state, "", include=["targets"]))
    while verdict.complete < 0 or not verdict.move:
        onward = [one.cell for one in verdict.targets or [] if one.does != "take-back"]
        cell = choose.choice(onward)
        asked = calls.click(game, view.state, move=verdict.move, cell=cell, include=["targets"])
        verdict = client.ask(asked)
        assert verdict.valid, (verdict.move, verdict.message)
    return verdict.move


@pytest.mark.parametrize("uid", UIDS)
def test_a_whole_game_is_played_by_clicks_alone(uid: str, url: str) -> None:
    with Client(url) as client:
        end = play_by_clicks(client, uid, f"clicks {uid}")
        assert end.gameover
        assert end.winner
        assert client.ask(calls.verify(uid, end.state)).ok
        told = client.ask(calls.history(uid, end.state))
        assert len(told.plies) == end.ply + 1
        players = [{"name": "Ann"}, {"name": "Bob"}]
        record = client.ask(
            calls.record(uid, end.state, players, gameid="7", date_start=end.started)
        ).record
        assert record.header.date_start == end.started


@pytest.mark.parametrize("uid", UIDS)
def test_both_clients_read_every_answer_alike(uid: str, url: str) -> None:
    with Client(url) as client:
        state = client.ask(calls.new(uid, variants=["size-5"], timestamp=STAMP)).state
        move = client.ask(calls.random(uid, state, seed=1)).move
        asked = list_calls(uid, state, move)
        waited = [client.ask(call) for call in asked]
        batch = client.ask(calls.batch(*(call for call in asked if call.named[0])))
    assert asyncio.run(ask_at_once(url, asked)) == waited
    operations = [call for call in asked if call.named[0]]
    assert {call.named[1] for call in operations} == set(OPERATIONS) - {"new"}
    read = [call.read_entry(one) for call, one in zip(operations, batch.answers, strict=True)]
    assert read == [one for call, one in zip(asked, waited, strict=True) if call.named[0]]


@pytest.mark.parametrize("uid", UIDS)
def test_a_plan_is_kept_by_the_site_and_followed(uid: str, url: str) -> None:
    with Client(url) as client:
        view = client.ask(calls.new(uid, variants=["size-5"]))
        first = client.ask(calls.random(uid, view.state, seed=1)).move
        after = client.ask(calls.move(uid, view.state, first))
        answer = client.ask(calls.random(uid, after.state, seed=2)).move
        verdict = client.ask(calls.plan(uid, view.state, {first: {"move": answer}}, player=2))
        assert (verdict.valid, verdict.count, verdict.faults) == (True, 1, [])
        assert verdict.plan
        both = client.ask(calls.move(uid, view.state, first, plan=verdict.plan))
        assert [one.move for one in both.applied] == [first, answer]
        assert both.plan == {}
        bad = client.ask(calls.plan(uid, view.state, {first: {"move": "<b>"}}))
        assert [one.path for one in bad.faults] == [[first, "<b>"]]


STAMP = "2026-01-31T09:30:00.000Z"


def list_calls(uid: str, state: State, move: str) -> list[calls.Call[Any]]:
    """Return a call of every kind whose answer does not change from one time to the next."""
    players = [{"name": "Ann"}, {"name": "Bob"}]
    return [
        calls.describe_service(),
        calls.list_games(),
        calls.describe_game(uid),
        calls.check_health(),
        calls.check_readiness(),
        calls.move(uid, state, move, timestamp=STAMP, include=["history", "targets", "sidebar"]),
        calls.plan(uid, state, {move: {"move": move, "then": {}}}),
        calls.moves(uid, state, limit=3),
        calls.random(uid, state, seed=5),
        calls.validate(uid, state, move, include=["render"]),
        calls.click(uid, state, cell="a1"),
        calls.render(uid, state),
        calls.end(uid, state, "resign", player=1, timestamp=STAMP),
        calls.view(uid, state, include=["render", "prompt", "buttons"]),
        calls.at(uid, state, 0),
        calls.history(uid, state),
        calls.same(uid, state, move, move.upper()),
        calls.record(uid, state, players, gameid="7", running=True, timestamp=STAMP),
        calls.replay(uid, moves=[move], variants=["size-5"], timestamp=STAMP),
        calls.verify(uid, state),
        calls.convert(uid, state, "compact"),
        calls.suggest(uid, state, visits=10),
    ]


async def ask_at_once(url: str, asked: list[calls.Call[Any]]) -> list[Any]:
    async with AsyncClient(url) as client:
        return await asyncio.gather(*map(client.ask, asked))


def test_a_refusal_is_one_error_with_its_reason(url: str) -> None:
    with Client(url) as client:
        view = client.ask(calls.new("control", variants=["size-5"]))
        view = client.ask(calls.move("control", view.state, "a1"))
        with pytest.raises(Problem) as refused:
            client.ask(calls.move("control", view.state, "a2"))
        problem = refused.value
        assert (problem.status, problem.code) == (422, "illegal-move")
        assert problem.reason == "controlled-by-opponent"
        assert problem.detail == "Your opponent controls a2, so you cannot place there."
        assert problem.fields["ply"] == 1
        alone = client.ask(calls.batch(calls.move("control", view.state, "a2")))
        with pytest.raises(Problem, match="illegal-move"):
            calls.move("control", view.state, "a2").read_entry(alone.answers[0])
        with pytest.raises(Problem, match="unknown-game"):
            client.ask(calls.new("chess"))


def test_pictures_come_signed(url: str) -> None:
    with serving(env=environment()) as signing, Client(signing) as client:
        plain = calls.picture("control", "picture.svg", moves="a1 e5", variants="size-5")
        with pytest.raises(Problem, match="unauthorized"):
            client.ask(plain)
        signed = calls.sign_picture(plain, SECRET, int(time()) + 600)
        assert b"<svg" in client.ask(signed)
        with Client(signing, key=KEY) as caller:
            assert b"<svg" in caller.ask(plain)
    with Client(url) as client:
        state = client.ask(calls.new("control")).state
        assert client.ask(calls.draw("control", state, "png", width=200)).startswith(b"\x89PNG")


def environment() -> dict[str, str]:
    keys = f"site:{sha256(KEY.encode()).hexdigest()}"
    return os.environ | {"PLYHOST_API_KEYS": keys, "PLYHOST_PICTURE_SECRET": SECRET}


@contextmanager
def hanging_up(times: int, then: bytes, held: threading.Event) -> Iterator[tuple[str, list[bytes]]]:
    """Yield the address of a server that closes connections unanswered so often, then answers."""
    seen: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as door:

        def answer() -> None:
            for count in range(times + 1):
                link, _ = door.accept()
                with link:
                    seen.append(link.recv(65536))
                    if count == times:
                        link.sendall(then)
                        held.wait()

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{door.getsockname()[1]}", seen
        held.set()
        thread.join()


def write_answer(status: str, body: bytes) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def test_what_nothing_was_answered_to_is_asked_again_with_its_key() -> None:
    held = threading.Event()
    with hanging_up(2, write_answer("200 OK", b'{"status":"ok"}'), held) as (url, seen):
        held.set()
        with Client(url) as client:
            assert client.ask(calls.check_health(), key="turn-7").status == "ok"
    assert len(seen) == 3
    assert all(b"idempotency-key: turn-7" in one.lower() for one in seen)


def test_a_server_that_is_silent_is_asked_once_and_given_up() -> None:
    held = threading.Event()
    with (
        hanging_up(0, b"", held) as (url, seen),
        Client(url, timeout=0.2) as client,
        pytest.raises(NoAnswer),
    ):
        client.ask(calls.check_health())
    assert len(seen) == 1


def test_a_server_that_is_not_there_and_a_page_of_another() -> None:
    async def ask() -> None:
        async with AsyncClient(f"http://127.0.0.1:{free_port()}", retries=1) as client:
            await client.ask(calls.check_health())

    with pytest.raises(NoAnswer):
        asyncio.run(ask())
    for status, body in (("502 Bad Gateway", b"<html>"), ("200 OK", b"<html>")):
        held = threading.Event()
        with hanging_up(0, write_answer(status, body), held) as (url, _), Client(url) as client:
            held.set()
            with pytest.raises(Problem, match="unknown"):
                client.ask(calls.check_health())


def test_every_field_of_every_request_can_be_given() -> None:
    document = build_openapi_document()
    for name in OPERATIONS:
        posted = document["paths"][f"/v1/games/{{game}}/{name}"]["post"]
        reference = posted["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        fields = document["components"]["schemas"][reference.rsplit("/", 1)[1]]["properties"]
        made = getattr(calls, name)
        taken = set(inspect.signature(made).parameters) - {"game", "more"}
        more = made.__annotations__.get("more")
        taken |= set(get_type_hints(more.__args__[0])) if more else set()
        assert {one.replace("_", "-") for one in taken} == {
            one.replace("_", "-") for one in fields
        }, name
