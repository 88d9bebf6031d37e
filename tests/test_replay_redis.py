"""Replays by workers through a real Redis: whatever dies in mid-run, the report is the same."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson
import pytest
import redis

from plyhost.replay import run_store as replay_store
from plyhost.replay.archive_files import Archive, Item
from plyhost.replay.chunks import pack_items, unpack_result
from plyhost.replay.remote import Coordinator
from plyhost.replay.run import Options, replay_archive
from plyhost.replay.run_store import Store, make_chunk_key
from plyhost.replay.worker import Queue, Worker, make_chunk_message
from tests.tools.redis_server import RedisServer
from tests.tools.replay_games import lines, played
from tests.tools.serving import BIN, running

HEARTBEAT = "1"
KIB = 4
#: Consumers try again sooner than they would in earnest.
ENVIRONMENT = os.environ | {"dramatiq_restart_delay": "300"}
Process = subprocess.Popen[bytes]


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    running = RedisServer()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write some games again and again, good ones, different ones and broken ones."""
    path = tmp_path_factory.mktemp("archive") / "games.jsonl"
    found = [line for _, form, line in lines(84) if form in ("record", "told", "compact")]
    wrong = played(2, how="natural").record()
    wrong["header"]["players"][1]["score"] += 1
    path.write_bytes(b"\n".join([*found, orjson.dumps(wrong), b"{broken"] * 12))
    return path


@pytest.fixture(scope="module")
def expected(archive: Path) -> bytes:
    """Return the report of a replay in one process."""
    report = archive.with_name("expected.jsonl")
    tally = replay_archive(Options([archive], reports=[report]))
    assert tally.kinds == {"good": 36 * 12, "different": 12, "unreadable": 12}
    return report.read_bytes()


class Scene:
    """The processes of a test, which end with it."""

    def __init__(
        self, server: RedisServer, archive: Path, folder: Path, started: ExitStack
    ) -> None:
        self.server, self.archive, self.folder, self.started = server, archive, folder, started
        self.client = redis.Redis.from_url(server.url)
        self.report = folder / "report.jsonl"

    def _start(self, *arguments: str, **options: Any) -> Process:
        command = [str(BIN / "plyhost"), *arguments, "--redis", self.server.url]
        return self.started.enter_context(
            running(
                [*command, "--heartbeat", HEARTBEAT], env=ENVIRONMENT, cwd=self.folder, **options
            )
        )

    def worker(self) -> Process:
        return self._start("worker", stderr=subprocess.DEVNULL)

    def coordinator(self, *arguments: str) -> Process:
        """Start a replay whose notes go to a file."""
        with (self.folder / "notes").open("ab") as notes:
            return self._start(
                *("replay", *arguments, "--report", str(self.report), "--chunk", f"{KIB}"),
                stdout=subprocess.DEVNULL,
                stderr=notes,
            )

    def notes(self) -> str:
        return (self.folder / "notes").read_text()

    def run(self) -> str:
        """Return the run's name, once it was told."""
        self.until(lambda: "--resume" in self.notes())
        return str(re.findall(r"--resume (\w+)", self.notes())[-1])

    def done(self, run: str) -> int:
        """Return how many chunks of a run are judged."""
        return int(self.client.hlen(f"plyhost:replay:{run}:results"))

    def until(self, is_so: Callable[[], bool], seconds: float = 60) -> None:
        late = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < late, self.notes()
            time.sleep(0.01)


@pytest.fixture
def scene(server: RedisServer, archive: Path, tmp_path: Path) -> Iterator[Scene]:
    with ExitStack() as started:
        made = Scene(server, archive, tmp_path, started)
        yield made
    made.client.flushall()


def killed(process: Process) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_workers_that_are_killed_and_one_that_joins_late_lose_and_repeat_nothing(
    scene: Scene, archive: Path, expected: bytes
) -> None:
    first = [scene.worker(), scene.worker()]
    coordinator = scene.coordinator(str(archive))
    run = scene.run()
    for worker, count in zip(first, (3, 12), strict=True):
        scene.until(lambda count=count: scene.done(run) >= count)  # type: ignore[misc]
        killed(worker)
    assert coordinator.poll() is None
    late = scene.worker()
    assert coordinator.wait(60) == 2
    assert scene.report.read_bytes() == expected
    assert scene.client.keys("plyhost:replay:*") == []
    late.terminate()
    assert late.wait(30) == 0


@pytest.mark.long
def test_a_coordinator_that_is_killed_goes_on_where_it_was(
    scene: Scene, archive: Path, expected: bytes
) -> None:
    first = scene.coordinator(str(archive))
    run = scene.run()
    worker = scene.worker()
    scene.until(lambda: scene.done(run) >= 5)
    killed(first)
    assert not scene.report.exists()
    # A second one is killed as soon as it has begun, and the only worker with it.
    second = scene.coordinator("--resume", run)
    scene.until(lambda: scene.notes().count(f"run {run}") == 2)
    killed(worker)
    killed(second)
    third = scene.coordinator("--resume", run)
    scene.worker()
    assert third.wait(60) == 2
    assert scene.report.read_bytes() == expected
    assert scene.notes().count(f"run {run}") == 3


@pytest.mark.long
def test_a_redis_that_goes_away_pauses_a_run(
    scene: Scene, server: RedisServer, archive: Path, expected: bytes
) -> None:
    coordinator = scene.coordinator(str(archive))
    run = scene.run()
    scene.worker()
    scene.until(lambda: scene.done(run) >= 3)
    server.hold()
    time.sleep(2.5)
    server.release()
    scene.until(lambda: scene.done(run) >= 9)
    server.stop()
    time.sleep(1)
    assert coordinator.poll() is None
    # It comes back with nothing in it.
    server.start()
    assert coordinator.wait(90) == 2
    assert scene.report.read_bytes() == expected
    assert "waiting for Redis" in scene.notes()
    assert "Redis is back" in scene.notes()


def test_jobs_that_are_lost_are_sent_again(scene: Scene, archive: Path, expected: bytes) -> None:
    coordinator = scene.coordinator(str(archive))
    queue = f"dramatiq:{Queue(scene.server.url).name}"
    scene.until(lambda: bool(scene.client.llen(queue)))
    scene.client.delete(queue, f"{queue}.msgs")
    scene.worker()
    assert coordinator.wait(60) == 2
    assert scene.report.read_bytes() == expected
    assert "nothing comes back" in scene.notes()


@pytest.mark.long
def test_a_run_that_is_not_known_begins_anew_or_is_refused(
    scene: Scene, archive: Path, expected: bytes
) -> None:
    scene.worker()
    assert scene.coordinator("--resume", "unknown").wait(30) == 2
    assert not scene.report.exists()
    assert scene.coordinator(str(archive), "--resume", "unknown").wait(60) == 2
    assert scene.report.read_bytes() == expected
    assert "it begins anew" in scene.notes()


# --- jobs, in this process ------------------------------------------------------------------


@pytest.fixture
def store(server: RedisServer) -> Iterator[Store]:
    client = redis.Redis.from_url(server.url)
    yield Store(client, "test")
    client.flushall()


def job(count: int = 2) -> tuple[str, bytes]:
    payload = pack_items([Item(f"x:{n}", played(n).line("compact")) for n in range(count)])
    return make_chunk_key(0, payload), payload


def test_a_job_that_comes_twice_is_done_once(server: RedisServer, store: Store) -> None:
    worker = Worker(server.url, 1, print)
    key, payload = job()
    store.open({})
    for _ in range(2):
        worker.judge(*make_chunk_message("test", key, payload))
    is_open, (answer, missing) = store.results([key, "other"])
    assert (is_open, missing) == (True, None)
    assert answer is not None
    assert [one.ok for one in unpack_result(answer).verdicts] == [True, True]
    store.put(key, b"kept")
    worker.judge(*make_chunk_message("test", key, payload))
    assert store.results([key])[1] == [b"kept"]


def test_a_run_whose_chunks_are_all_judged_needs_no_worker(
    server: RedisServer, store: Store, archive: Path
) -> None:
    worker = Worker(server.url, 1, print)
    store.open({})
    for chunk in Archive([archive]).chunks(KIB * 1024):
        payload = pack_items(chunk.items)
        worker.judge(*make_chunk_message("test", make_chunk_key(chunk.number, payload), payload))
    coordinator = Coordinator(Queue(server.url), store, {}, print)
    results = [result for _, result in coordinator.run(Archive([archive]).chunks(KIB * 1024))]
    assert sum(len(result.verdicts) for result in results) == 38 * 12
    assert coordinator.queue.waiting() == 0


def test_a_job_of_a_run_that_is_over_leaves_nothing(server: RedisServer, store: Store) -> None:
    worker = Worker(server.url, 1, print)
    key, payload = job()
    worker.judge(*make_chunk_message("test", key, payload))
    store.open({})
    assert store.results([key]) == (True, [None])
    store.close()
    worker.judge(*make_chunk_message("test", key, payload))
    assert store.results([key]) == (False, [None])
    assert store.server.keys("plyhost:*") == []


def test_an_abandoned_run_does_not_stay_for_ever(store: Store) -> None:
    store.open({"paths": ["a"]})
    store.put("0", b"")
    for key in store.server.keys("plyhost:*"):
        assert 0 < store.server.ttl(key) <= replay_store.KEPT_SECONDS
    assert store.about() == {"paths": ["a"]}


def test_a_chunk_is_told_by_its_place_and_what_it_holds() -> None:
    keys = {make_chunk_key(number, data) for number in (0, 1) for data in (b"", b"a", b"b")}
    assert len(keys) == 6
    assert make_chunk_key(1, b"a") == make_chunk_key(1, b"a")


def test_the_queue_is_for_workers_with_the_same_code(server: RedisServer) -> None:
    assert Queue(server.url).name.endswith(replay_store.digest_judging_code())
