"""Archives replayed from disk by the command: plies a second by cores, and memory by length."""

import os
import subprocess
import sys
import time
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench import timing
from tests.tools.replay_games import played

PLYHOST = Path(sys.executable).parent / "plyhost"
#: Seeds of the different games, which archives repeat.
SEEDS = range(300)
#: How many games an archive of a form has.
COUNTS = {"record": 60_000, "full": 4_000, "compact": 20_000}
LENGTHS = (1_000, 100_000)


def speed(rounds: int = 5) -> None:
    """Print plies of Control a second by form and cores, without the time the command starts in.

    One core and two take turns, and the ratios are medians of the pairs.  On a machine that does
    other things as well the clock tells little; what two cores could do is then told by the
    processor time of all processes.
    """
    games = [played(seed, uid="control", how="natural") for seed in SEEDS]
    rows: list[tuple[object, ...]] = []
    with TemporaryDirectory() as name:
        for form, count in COUNTS.items():
            lines = [one.line(form) for one in games]
            short = _written(Path(name) / f"one-{form}.jsonl", lines, 1)
            path = _written(Path(name) / f"{form}.jsonl", lines, count)
            plies = sum(one.steps[-1].ply for one in islice(cycle(games), count))
            pairs = [[_take(path, short, jobs) for jobs in (1, 2)] for _ in range(rounds)]
            ones, twos = zip(*pairs, strict=True)
            ran, *clocks = (
                median(one.ran for one in ones),
                *(median(one.clock for one in taken) for taken in (ones, twos)),
            )
            rates = [f"{plies / taken:,.0f}" for taken in (ran, *clocks)]
            times = [
                f"{median(one.clock / two.clock for one, two in pairs):.2f}",
                f"{median(2 * one.ran / two.ran for one, two in pairs):.2f}",
            ]
            rows.append((form, f"{count:,}", f"{plies:,}", *rates, *times))
    rates_head = ("a processor second", "1 core, by clock", "2 cores", "times", "by processor time")
    head = ("form", "games", "plies", *rates_head)
    timing.table("plyhost replay of Control, from disk: plies a second", head, rows)


def memory() -> None:
    """Print the peak memory of the command, with all its processes, by the archive's length."""
    rows: list[tuple[object, ...]] = []
    lines = [played(seed, uid="control").line("record") for seed in SEEDS]
    with TemporaryDirectory() as name:
        for jobs in (1, 2):
            archives = [_written(Path(name) / f"{count}.jsonl", lines, count) for count in LENGTHS]
            peaks = [_peak(path, jobs) for path in archives]
            told = [f"{peak / 1024:.1f}" for peak in peaks]
            rows.append((jobs, *told, f"{peaks[1] / peaks[0]:.2f}"))
    head = ("jobs", *(f"{count:,} games" for count in LENGTHS), "times")
    timing.table("peak memory of plyhost replay in MB, all processes", head, rows)


def _written(path: Path, lines: list[bytes], count: int) -> Path:
    with path.open("wb") as file:
        file.writelines(line + b"\n" for line in islice(cycle(lines), count))
    return path


class Taken(NamedTuple):
    """Seconds by the clock, and processor seconds of all processes."""

    clock: float
    ran: float


def _take(path: Path, short: Path, jobs: int) -> Taken:
    """Return what a run takes beyond what the run of a short archive does, one after the other."""
    start, whole = (_run(one, jobs) for one in (short, path))
    return Taken(whole.clock - start.clock, whole.ran - start.ran)


def _started(path: Path, jobs: int) -> "subprocess.Popen[bytes]":
    command = [str(PLYHOST), "replay", str(path), "--jobs", str(jobs)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def _run(path: Path, jobs: int) -> Taken:
    start = time.perf_counter()
    process = _started(path, jobs)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    _check(process)
    return Taken(time.perf_counter() - start, usage.ru_utime + usage.ru_stime)


def _check(process: "subprocess.Popen[bytes]") -> None:
    if process.returncode:
        raise RuntimeError(f"replay ended with {process.returncode}")


def _peak(path: Path, jobs: int) -> int:
    """Return the kilobytes that all processes of a run came to, each at its highest."""
    highest: dict[int, int] = {}
    process = _started(path, jobs)
    while process.poll() is None:
        for pid in (process.pid, *_children(process.pid)):
            with suppress(OSError, StopIteration):
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
                peak = next(line for line in lines if line.startswith("VmHWM"))
                highest[pid] = int(peak.split()[1])
        time.sleep(0.02)
    _check(process)
    return sum(highest.values())


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        return [
            int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ]
    return []
