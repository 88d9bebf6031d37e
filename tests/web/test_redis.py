"""Redis, real and optional: shared while it is there, not missed while it is not."""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import requests

from plyhost.web.memory.redis_link import PREFIX, Link, open_value, seal_value
from plyhost.web.memory.store import Store
from tests.tools.redis_server import RedisServer, redis_server, wait_until
from tests.tools.serving import serving

pytestmark = pytest.mark.xdist_group("redis")

NEW = "/v1/games/control/new"
#: Seconds that an answer may take while Redis is silent; the promise is 0.3, a busy machine slower.
PATIENCE = 10.0


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server(maxmemory="4mb", **{"maxmemory-policy": "noeviction"}) as found:
        yield found


@pytest.fixture(scope="module")
def url(server: RedisServer) -> Iterator[str]:
    env = env_with(server, PLYHOST_RATE_LIMIT="100000/minute")
    with serving("--workers", "2", env=env) as address:
        yield address


def posted(url: str, key: str = "", **fields: Any) -> requests.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return requests.post(url + NEW, json=fields, headers=headers, timeout=20)


def state(url: str) -> str:
    answer = requests.get(f"{url}/readyz", timeout=20)
    assert answer.status_code == 200
    return str(answer.json()["redis"])


def figure(url: str, name: str) -> float:
    page = requests.get(f"{url}/metrics", timeout=20).text
    (line,) = (line for line in page.splitlines() if line.startswith(f"{name} "))
    return float(line.split()[1])


def is_used(url: str) -> bool:
    """Tell whether both workers use Redis; several are asked, for either may answer."""
    return {state(url) for _ in range(12)} == {"ok"} and figure(url, "plyhost_redis_up") == 1


def test_twins_are_worked_out_once_by_all_workers(url: str) -> None:
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: posted(url, "twins"), range(48)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert sum("Idempotency-Replayed" in answer.headers for answer in answers) == 47


def test_answers_and_counts_are_in_redis_for_a_bounded_time(url: str, server: RedisServer) -> None:
    posted(url, "kept")
    with server.client() as client:
        for kind, most in (("once:", 86400), ("rate", 60)):
            names = list(client.scan_iter(f"{PREFIX}{kind}*"))
            assert names
            assert all(0 < client.ttl(name) <= most for name in names)


def test_pictures_are_painted_once_for_all(url: str, server: RedisServer) -> None:
    address = f"{url}/v1/games/control/picture.png?moves=a1&width=50"
    first = requests.get(address, timeout=20)
    tag = first.headers["ETag"].strip('"')
    name = f"{PREFIX}picture:{tag}"
    with server.client() as client, serving(env=env_with(server)) as other:
        assert open_value(client.get(name)) == first.content
        client.set(name, seal_value(b"painted by another"))
        found = requests.get(address.replace(url, other), timeout=20)
        client.delete(name)
    assert found.content == b"painted by another"


def test_garbage_in_redis_counts_as_absent(server: RedisServer) -> None:
    env = env_with(server, PLYHOST_RATE_LIMIT="1000/hour")
    address = "/v1/games/control/picture.png?moves=a1&width=60"
    with serving(env=env) as url, server.client() as client:
        picture, answer = requests.get(url + address, timeout=20), posted(url, "garbage")
        names = list(client.scan_iter(f"{PREFIX}*"))
        assert len({name.split(b":")[1][:4] for name in names}) >= 3
        spoils: list[Callable[[bytes], Any]] = [
            lambda name: client.set(name, b"\xff\xfe garbage"),
            lambda name: client.set(name, b""),
            lambda name: client.rpush(name, b"a list"),
            lambda name: client.hset(name, "a", b"hash"),
        ]
        for spoil in spoils:
            for name in names:
                client.delete(name)
                spoil(name)
            with serving(env=env) as other:
                again = posted(other, "garbage")
                assert (again.status_code, again.text[:20]) == (200, answer.text[:20])
                painted = requests.get(other + address, timeout=20)
                assert painted.status_code == 200
                assert painted.content == picture.content
                assert requests.get(f"{other}/readyz", timeout=20).json()["redis"] == "ok"
                assert posted(other, "garbage").headers["Idempotency-Replayed"] == "true"
        client.delete(*client.scan_iter(f"{PREFIX}*"))


def env_with(server: RedisServer, **settings: str) -> dict[str, str]:
    return os.environ | {"PLYHOST_REDIS_URL": server.patient, **settings}


def test_rates_are_counted_over_all_workers(server: RedisServer) -> None:
    env = env_with(server, PLYHOST_RATE_LIMIT="20/hour")
    with serving("--workers", "2", env=env) as one, serving(env=env) as other:
        codes = [requests.get(f"{url}/v1", timeout=20).status_code for url in [one, other] * 15]
    assert codes.count(200) == 20
    assert codes[20:] == [429] * 10
    with server.client() as client:
        client.delete(*client.scan_iter(f"{PREFIX}rate*"))


def stopped(server: RedisServer) -> Iterator[None]:
    server.stop()
    yield
    server.start()


def held(server: RedisServer) -> Iterator[None]:
    server.hold()
    yield
    server.release()


def full(server: RedisServer) -> Iterator[None]:
    server.fill()
    yield
    with server.client() as client:
        client.flushall()
        client.config_set("maxmemory", "4mb")


@pytest.mark.parametrize("fault", [stopped, held, full])
def test_requests_are_answered_while_redis_is_away_and_it_is_used_again(
    url: str, server: RedisServer, fault: Callable[[RedisServer], Iterator[None]]
) -> None:
    wait_until(lambda: is_used(url))
    losses = figure(url, "plyhost_redis_losses_total")
    steps = fault(server)
    next(steps)
    for number in range(30):
        began = time.monotonic()
        answer = posted(url, f"{fault.__name__} {number}", form="compact")
        assert answer.status_code == 200
        assert time.monotonic() - began < PATIENCE
        assert answer.json()["form"] == "compact"
    wait_until(lambda: "degraded" in {state(url) for _ in range(12)})
    assert figure(url, "plyhost_redis_losses_total") > losses
    assert next(steps, None) is None
    wait_until(lambda: is_used(url))
    again = [posted(url, f"after {fault.__name__}") for _ in range(12)]
    assert len({answer.text for answer in again}) == 1


def test_a_restart_between_two_requests_goes_unnoticed(url: str, server: RedisServer) -> None:
    wait_until(lambda: is_used(url))
    server.stop()
    server.start()
    assert {posted(url).status_code for _ in range(20)} == {200}
    assert is_used(url)


@pytest.mark.long
def test_a_service_starts_without_its_redis_and_finds_it_later() -> None:
    with redis_server() as server:
        server.stop()
        with serving(env=env_with(server)) as url:
            assert state(url) == "degraded"
            assert figure(url, "plyhost_redis_up") == 0
            assert posted(url, "early").status_code == 200
            server.start()
            wait_until(lambda: is_used(url))
            assert "Idempotency-Replayed" in posted(url, "early").headers


def test_without_redis_nothing_is_said_of_it() -> None:
    with serving() as url:
        assert state(url) == "off"
        assert "plyhost_redis_up" not in requests.get(f"{url}/metrics", timeout=20).text


def test_a_store_finds_what_was_kept_while_redis_was_away(server: RedisServer) -> None:
    seen: list[bool] = []
    link = Link(server.url, lambda is_up, why: seen.append(is_up))
    store = Store(10**6, link)
    wait_until(lambda: store.state == "ok")
    seen.clear()
    assert store.add("one", b"1", 60)
    server.hold()
    began = time.monotonic()
    assert store.add("two", b"2", 60)
    assert time.monotonic() - began < PATIENCE
    assert store.state == "degraded"
    store.put("three", b"3", 60)
    server.release()
    wait_until(lambda: store.state == "ok")
    assert [store.get(key) for key in ("one", "two", "three")] == [b"1", b"2", b"3"]
    assert not store.add("two", b"x", 60)
    assert not store.swap("one", b"x", b"y", 60)
    assert store.swap("one", b"1", b"4", 60)
    assert store.swap("two", b"2", None, 60)
    assert (store.get("one"), store.get("two")) == (b"4", None)
    assert seen == [False, True]


def test_answers_that_nobody_waits_for_are_not_taken_for_others(server: RedisServer) -> None:
    link = Link(server.url)
    lines = link.lines
    lines.tell("SET", "one", b"1")
    lines.tell("INCR", "plyhost:none of ours", b"a wrong call")
    assert lines.ask("GET", "one") == b"1"
    lines.tell("SET", "one", b"2")
    server.stop()
    server.start()
    # What was owed went with the connection; the first that is told may go into the old one.
    lines.tell("SET", "two", b"2")
    assert lines.ask("SET", "one", b"3") == b"OK"
    assert lines.ask("GET", "one") == b"3"


def test_an_answer_is_there_for_others_once_it_was_left(server: RedisServer) -> None:
    here, there = Store(10**6, Link(server.url)), Store(10**6, Link(server.url))
    assert here.add("claimed", b"mark", 60)
    here.leave("claimed", b"mark", b"answer", 60)
    wait_until(lambda: there.get("claimed") == b"answer")
    assert here.get("claimed") == b"answer"
    assert there.add("dropped", b"mark", 60)
    there.leave("dropped", b"mark", None, 0)
    wait_until(lambda: here.add("dropped", b"mine", 60))
