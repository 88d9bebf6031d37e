"""Replays by workers through a real Redis: whatever dies in mid-run, the report is the same."""

import os
import re
import signal
import subprocess
import time
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson
import pytest
import redis
from msgspec.structs import replace

from plyhost.replay.judgement.judging import Order
from plyhost.replay.options import Options
from plyhost.replay.reading.archive_files import Archive
from plyhost.replay.reading.line_spans import Item, Place
from plyhost.replay.reporting.code_digest import digest_judging_code
from plyhost.replay.running import run_store as replay_store
from plyhost.replay.running import worker as replay_worker
from plyhost.replay.running.chunks import Work, make_work, unpack_result
from plyhost.replay.running.remote import Coordinator
from plyhost.replay.running.run import replay_archive
from plyhost.replay.running.run_store import Store, make_chunk_key
from plyhost.replay.running.worker import Queue, Worker, make_chunk_message
from tests.tools.redis_server import RedisServer
from tests.tools.replay_games import lines, played
from tests.tools.serving import BIN, free_port, running

HEARTBEAT = "1"
KIB = 4
ORDER = Order()
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


@pytest.mark.long
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
    queue = f"plyhost:queue:{Queue(scene.server.url).name}"
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


def test_workers_read_for_themselves_what_they_see(
    scene: Scene, archive: Path, expected: bytes
) -> None:
    scene.worker()
    assert scene.coordinator(str(archive), "--shared").wait(60) == 2
    assert scene.report.read_bytes() == expected


@pytest.mark.long
def test_what_a_worker_does_not_see_is_sent_to_it(
    scene: Scene, server: RedisServer, archive: Path
) -> None:
    scene.worker()
    chunks = [
        # To the worker it is another file than the one that is meant.
        replace(chunk, span=replace(chunk.span, changed=1))
        for chunk in Archive([archive]).cut_chunks(KIB * 1024)
        if chunk.span
    ]
    store = Store(scene.client, "unseen")
    coordinator = Coordinator(Queue(server.url), store, {}, print, ORDER)
    results = [result for _, result in coordinator.run(chunks)]
    coordinator.close()
    assert sum(len(result.verdicts) for result in results) == 38 * 12
    assert sum(result.lines[0] for result in results) == archive.read_bytes().count(b"\n")


@pytest.mark.long
def test_a_worker_without_redis_waits_quietly_and_ends_when_told(
    scene: Scene, server: RedisServer
) -> None:
    command = [
        str(BIN / "plyhost"),
        "worker",
        "--redis",
        f"redis://:secret@127.0.0.1:{free_port()}",
    ]
    with running(command, stderr=subprocess.PIPE) as process:
        time.sleep(3)
        process.terminate()
        _, said = process.communicate(timeout=30)
    assert process.returncode == 0
    assert len(said.splitlines()) == 1
    assert b"waiting for Redis" in said
    assert b"secret" not in said


@pytest.mark.parametrize("command", ["worker", "replay"])
def test_a_redis_that_refuses_ends_it_with_a_sentence(
    scene: Scene, server: RedisServer, archive: Path, command: str
) -> None:
    url = server.url.replace("redis://", "redis://:secret@")
    scene.client.config_set("requirepass", "other")
    try:
        paths = [str(archive)] if command == "replay" else []
        asked = [str(BIN / "plyhost"), command, *paths, "--redis", url]
        done = subprocess.run(asked, capture_output=True, check=False, timeout=60)
    finally:
        scene.client.execute_command("AUTH", "other")  # type: ignore[no-untyped-call]
        scene.client.config_set("requirepass", "")
    assert (done.returncode, done.stdout) == (2, b"")
    (said,) = done.stderr.splitlines()
    assert b"secret" not in said
    assert b"Redis" in said


def test_a_redis_that_is_full_ends_a_run_with_a_sentence(
    scene: Scene, server: RedisServer, archive: Path
) -> None:
    scene.client.config_set("maxmemory", "1mb")
    try:
        assert scene.coordinator(str(archive)).wait(60) == 2
    finally:
        scene.client.config_set("maxmemory", "0")
    assert "Redis does not do what is asked" in scene.notes()
    assert "Traceback" not in scene.notes()
    assert not scene.report.exists()


# --- jobs, in this process ------------------------------------------------------------------


@pytest.fixture
def store(server: RedisServer) -> Iterator[Store]:
    client = redis.Redis.from_url(server.url)
    yield Store(client, "test")
    client.flushall()


def job(count: int = 2) -> tuple[str, Work]:
    games = (played(number).line("compact") for number in range(count))
    work = Work([Item(Place(0, ":", at), line) for at, line in enumerate(games, 1)])
    return make_chunk_key(0, work, ORDER), work


@pytest.fixture
def worker(server: RedisServer) -> Iterator[Worker]:
    made = Worker(server.url, 1, print)
    yield made
    made.close()


def test_a_job_that_comes_twice_is_done_once(worker: Worker, store: Store) -> None:
    key, work = job()
    store.open({})
    for _ in range(2):
        worker.judge(*make_chunk_message("test", key, work, ORDER))
    is_open, (answer, missing) = store.results([key, "other"])
    assert (is_open, missing) == (True, None)
    assert answer is not None
    assert [one.ok for one in unpack_result(answer).verdicts] == [True, True]
    store.put(key, b"kept")
    worker.judge(*make_chunk_message("test", key, work, ORDER))
    assert store.results([key])[1] == [b"kept"]


@pytest.mark.parametrize(
    "payload", ["", "!", "AAAA", b64encode(zlib.compress(b"\xc1")).decode(), 5, None, ["x"]]
)
def test_a_message_that_none_of_ours_sent_is_dropped(
    worker: Worker, store: Store, payload: Any
) -> None:
    store.open({})
    worker.judge(store.run, "a key", payload)
    assert store.results(["a key"])[1] == [None]


def test_a_message_is_unpacked_as_far_as_one_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_worker, "LARGEST_MESSAGE", 100)
    with pytest.raises(ValueError, match="trunc"):
        replay_worker.open_chunk_message(b64encode(zlib.compress(b"\xda\xff\xff" * 9000)).decode())


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_run_whose_chunks_are_all_judged_needs_no_worker(
    server: RedisServer, worker: Worker, store: Store, archive: Path, is_shared: bool
) -> None:
    store.open({})
    for chunk in Archive([archive], is_handed_out=is_shared).cut_chunks(KIB * 1024):
        key = make_chunk_key(chunk.number, make_work(chunk), ORDER)
        worker.judge(*make_chunk_message("test", key, make_work(chunk), ORDER))
    coordinator = Coordinator(Queue(server.url), store, {}, print, ORDER)
    # By another name it is the same archive.
    other = archive.with_name("other.jsonl")
    other.hardlink_to(archive)
    chunks = Archive([other], is_handed_out=is_shared).cut_chunks(KIB * 1024)
    results = [result for _, result in coordinator.run(chunks)]
    other.unlink()
    assert sum(len(result.verdicts) for result in results) == 38 * 12
    assert coordinator.queue.waiting() == 0


def test_a_worker_that_does_not_see_a_file_says_so(
    worker: Worker, store: Store, archive: Path
) -> None:
    (chunk, *_) = Archive([archive]).cut_chunks(KIB * 1024)
    assert chunk.span is not None
    store.open({})
    for number, span in enumerate(
        (replace(chunk.span, path="/nowhere"), replace(chunk.span, changed=1))
    ):
        worker.judge(*make_chunk_message("test", f"{number}", Work([], span), ORDER))
        (answer,) = store.results([f"{number}"])[1]
        assert answer is not None
        assert unpack_result(answer).is_unseen


def test_a_job_of_a_run_that_is_over_leaves_nothing(worker: Worker, store: Store) -> None:
    key, work = job()
    worker.judge(*make_chunk_message("test", key, work, ORDER))
    store.open({})
    assert store.results([key]) == (True, [None])
    store.close()
    worker.judge(*make_chunk_message("test", key, work, ORDER))
    assert store.results([key]) == (False, [None])
    assert store.server.keys("plyhost:replay:*") == []


def test_no_key_stays_for_ever(server: RedisServer, store: Store) -> None:
    store.open({"paths": ["a"]})
    store.put("0", b"")
    queue = Queue(server.url)
    queue.actor(lambda run, key, payload: None).send("a", "b", "c")
    queue.keep_keys()
    keys = store.server.keys("*")
    assert len(keys) >= 5
    for key in keys:
        assert 0 < store.server.ttl(key) <= replay_store.KEPT_SECONDS
    assert store.about() == {"paths": ["a"]}


def test_a_chunk_is_told_by_its_place_what_it_holds_and_how_it_is_judged() -> None:
    works = [Work([Item(Place(0, ":", 1), data)]) for data in (b"", b"a", b"b")]
    orders = [Order(), Order(engine="1")]
    keys = {make_chunk_key(n, work, order) for n in (0, 1) for work in works for order in orders}
    assert len(keys) == 12
    assert make_chunk_key(1, works[1], ORDER) == make_chunk_key(1, works[1], Order())


def test_the_queue_is_for_workers_with_the_same_code(server: RedisServer) -> None:
    assert Queue(server.url).name.endswith(digest_judging_code())
