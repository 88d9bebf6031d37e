"""What replaying 100,000,000 games takes: measured by the chunk, then simulated for many workers.

The command that hands chunks out is alone, so the time it runs for each is what bounds a crew; that
is its own processor time in real runs, told apart from that of those who judge.
"""

import heapq
import os
import random
import resource
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import timing
from bench.ways import start_crew
from plyhost.replay.options import Options
from plyhost.replay.reporting.merging import merge_reports
from plyhost.replay.running.chunks import prepare_judging
from plyhost.replay.running.run import replay_archive
from tests.tools.redis_server import redis_server
from tests.tools.replay_games import played

GAMES = 100_000_000
#: Games of Control in the archive of a form that is measured.
COUNTS = {"record": 40_000, "compact": 8_000, "full": 2_000}
WORKERS = (1, 16, 256)
CHUNK = 256 * 1024
#: Chunks of a simulated run; the curve is a straight line from there on.
SIMULATED = 50_000
_SHARDS = 8


@dataclass
class Cost:
    """Seconds a chunk of the command and of who judges, games and report bytes of a chunk."""

    command: float
    judge: float
    games: float
    report: float


def replay_curve() -> None:
    """Print the costs of a chunk by form and way, and what 10^8 games take."""
    prepare_judging()
    lines = [played(seed, uid="control", how="natural") for seed in range(300)]
    measured, rows = list[tuple[object, ...]](), list[tuple[object, ...]]()
    with TemporaryDirectory() as name, redis_server() as server:
        for form, count in COUNTS.items():
            path = Path(name) / f"{form}.jsonl"
            texts = [one.line(form) for one in lines]
            path.write_bytes(b"\n".join(islice(cycle(texts), count)))
            cores = _measure(path, count, Options([path], jobs=2), nullcontext)
            judged = cores.judge
            by_redis = {
                way: _measure(path, count, Options([path], url=server.url, is_shared=shared), crew)
                for way, shared in (("Redis, shared", True), ("Redis", False))
                for crew in [lambda: start_crew(server.url, 2, dict(os.environ))]
            }
            merging = _time_merge(path, count) * cores.games
            for way, cost in {"cores": cores, **by_redis, "shards": cores}.items():
                command = merging if way == "shards" else cost.command
                told = (f"{1e3 * command:.2f}", f"{1e3 * judged:.1f}", f"{judged / command:.0f}")
                measured.append((form, way, f"{cores.games:.0f}", *told))
                rows.append((form, way, *_tell_whole(cores, command, way == "shards")))
    head = ("form", "way", "games a chunk", "command, ms", "judge, ms", "workers at most")
    timing.table("processor time of a chunk (for shards: merging)", head, measured)
    hours = [f"{workers} workers, hours" for workers in WORKERS]
    timing.table("10^8 games of Control", ("form", "way", "core-hours", *hours, "report"), rows)


def _measure(
    path: Path, games: int, options: Options, crew: Callable[[], AbstractContextManager[None]]
) -> Cost:
    """Return the costs of a chunk; who judges elsewhere is not measured."""
    options.reports = [path.with_suffix(".report.jsonl")]
    options.chunk = CHUNK
    chunks = -(-path.stat().st_size // CHUNK)
    with crew():
        ours, theirs = _take_processor_time(), _take_processor_time(resource.RUSAGE_CHILDREN)
        replay_archive(options)
        ours = _take_processor_time() - ours
        theirs = _take_processor_time(resource.RUSAGE_CHILDREN) - theirs
    report = options.reports[0].stat().st_size
    return Cost(ours / chunks, theirs / chunks, games / chunks, report / games)


def _take_processor_time(who: int = resource.RUSAGE_SELF) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def _time_merge(path: Path, games: int) -> float:
    """Return the seconds that merging the reports of shards takes a game."""
    shares = [path.with_suffix(f".{number}.jsonl") for number in range(1, _SHARDS + 1)]
    for number, share in enumerate(shares, 1):
        replay_archive(Options([path], shard=(number, _SHARDS), reports=[share]))
    start = time.process_time()
    merge_reports(shares, [path.with_suffix(".merged.jsonl")])
    return (time.process_time() - start) / games


def _tell_whole(cost: Cost, command: float, is_merged: bool) -> tuple[str, ...]:
    chunks = GAMES / cost.games
    total = chunks * (cost.judge + command) / 3600
    hours = []
    for workers in WORKERS:
        if is_merged:
            wall = chunks * (cost.judge / workers + command)
        else:
            wall = simulate(workers, command, cost.judge) * chunks / SIMULATED
        hours.append(f"{wall / 3600:.2f}")
    return f"{total:.1f}", *hours, f"{cost.report * GAMES / 1e9:.0f} GB"


def simulate(workers: int, command: float, judge: float, chunks: int = SIMULATED) -> float:
    """Return the seconds of a run: one command hands out and takes back, workers judge.

    Each worker has a chunk in hand and one that waits; a chunk takes half to one and a half times
    the time given.
    """
    pick, now = random.Random(workers), 0.0
    free = [0.0] * workers
    back = list[float]()
    for _ in range(chunks):
        if len(back) >= 2 * workers:
            now = max(now, heapq.heappop(back))
        now += command
        done = max(now, heapq.heappop(free)) + judge * pick.uniform(0.5, 1.5)
        heapq.heappush(free, done)
        heapq.heappush(back, done)
    return max(back)
