"""The ways in which an archive is judged: over cores, by workers through Redis, and in shards."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.replaying import PLYHOST
from tests.tools.redis_server import redis_server
from tests.tools.serving import running

SHARDS = 8


@dataclass
class Judged:
    """A report that was written, the seconds it took by the clock, and the command's status."""

    report: Path
    seconds: float
    status: int


@dataclass(frozen=True)
class Asked:
    """An archive to judge, the report to write, further options and the environment for it."""

    archive: Path
    report: Path
    options: Sequence[str] = ()
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))

    def run(self, *arguments: str) -> int:
        """Run the command with some arguments; return its status."""
        command = [str(PLYHOST), *arguments]
        return subprocess.run(
            command, stdout=subprocess.DEVNULL, env=self.environment, check=False
        ).returncode

    def replay(self, *arguments: str) -> int:
        """Replay the archive and write the report; return the status."""
        report = ("--report", str(self.report))
        return self.run("replay", str(self.archive), *report, *self.options, *arguments)


def judge_over_cores(jobs: int) -> Callable[[Asked], Judged]:
    """Return the way over so many processes of one command."""

    def judge(asked: Asked) -> Judged:
        start = time.perf_counter()
        status = asked.replay("--jobs", str(jobs))
        return Judged(asked.report, time.perf_counter() - start, status)

    return judge


def judge_by_workers(workers: int) -> Callable[[Asked], Judged]:
    """Return the way by so many workers through a Redis; they stand ready when it begins."""

    def judge(asked: Asked) -> Judged:
        with redis_server() as server, start_crew(server.url, workers, asked.environment):
            start = time.perf_counter()
            status = asked.replay("--redis", server.url)
            return Judged(asked.report, time.perf_counter() - start, status)

    return judge


@contextmanager
def start_crew(url: str, workers: int, environment: dict[str, str]) -> Iterator[None]:
    """Run so many workers, which stand ready."""
    command = [str(PLYHOST), "worker", "--redis", url]
    with ExitStack() as started:
        for _ in range(workers):
            one = running(command, stderr=subprocess.PIPE, env=environment)
            told = started.enter_context(one).stderr
            if told is None or b"judging" not in told.readline():
                raise RuntimeError("a worker did not begin")
        yield


def judge_in_shards(at_once: int) -> Callable[[Asked], Judged]:
    """Return the way in shards, started by xargs so many at once, and merged."""

    def judge(asked: Asked) -> Judged:
        start = time.perf_counter()
        shares = [asked.report.with_suffix(f".{one}.jsonl") for one in range(1, SHARDS + 1)]
        share = str(asked.report.with_suffix(".{}.jsonl"))
        command = [str(PLYHOST), "replay", str(asked.archive), "--shard", f"{{}}/{SHARDS}"]
        subprocess.run(
            ["xargs", f"-P{at_once}", "-I{}", *command, "--report", share, *asked.options],
            input="\n".join(map(str, range(1, SHARDS + 1))).encode(),
            stdout=subprocess.DEVNULL,
            env=asked.environment,
            check=False,  # xargs tells of shards that differ by a status of its own
        )
        status = asked.run("merge", *map(str, shares), "--report", str(asked.report))
        return Judged(asked.report, time.perf_counter() - start, status)

    return judge


WAYS: dict[str, Callable[[Asked], Judged]] = {
    "one core": judge_over_cores(1),
    "two cores": judge_over_cores(2),
    "two workers by Redis": judge_by_workers(2),
    f"{SHARDS} shards, two at once": judge_in_shards(2),
}
