"""The trial of `plyhost replay`: planted faults and struck processes, and one report each time.

    python -m bench trial --games 100000 --faults 1000 --strikes 1000 --deeds 1000

writes a seeded archive of both games in all forms with planted faults and judges it in every way;
the reports must be the same byte for byte, find every fault that can be seen, and accuse nothing
else.  Then processes that judge are struck while the archive is judged again, and at last an
archive is judged some of whose games kill, hang, stop or fill their process.
"""

import argparse
import random
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from bench import timing
from bench.saboteur import strike_judges
from bench.ways import WAYS, Asked, Judged, judge_by_workers, judge_in_shards, judge_over_cores
from tests.tools import unruly
from tests.tools.replay_trial import Trial

#: The ways that have a process to spare while another is struck.
SPARED = {
    "cores": judge_over_cores(3),
    "Redis": judge_by_workers(3),
    "shards": judge_in_shards(3),
}
LIMITS = ("--game-seconds", "1", "--game-memory", "512")
#: What games do that must be given up: two ways of dying, two of hanging, stopping, and memory.
DEEDS = ("a1", "a2", "a3", "a4", "a5", "b1")


def main(arguments: list[str]) -> int:
    """Run a trial and print its figures; returns 1 for any mistake."""
    parser = argparse.ArgumentParser(prog="python -m bench trial", description=__doc__)
    for name, most in {"games": 100_000, "faults": 1000, "strikes": 1000, "deeds": 1000}.items():
        parser.add_argument(f"--{name}", type=int, default=most)
    parser.add_argument("--gap", type=float, default=1.0, help="seconds between two strikes")
    parser.add_argument("--folder", type=Path, help="where to write; else a temporary one")
    asked = parser.parse_args(arguments)
    with TemporaryDirectory() as name:
        return _try_all(asked, asked.folder or Path(name))


def _try_all(asked: argparse.Namespace, folder: Path) -> int:
    trial = Trial(asked.games, asked.faults, folder)
    start = time.perf_counter()
    trial.write()
    print(f"{asked.games:,} games written twice in {time.perf_counter() - start:.0f} s", flush=True)
    wrong = try_ways(trial, folder)
    if asked.strikes:
        wrong += try_strikes(trial.sound, folder, asked.strikes, asked.gap)
    if asked.deeds:
        wrong += try_deeds(folder, asked.deeds)
    print(f"{len(wrong)} mistakes", *wrong[:20], sep="\n")
    return 1 if wrong else 0


def try_ways(trial: Trial, folder: Path) -> list[str]:
    """Judge the faulty archive in every way; return what is wrong with the reports."""
    judged = {
        name: judge(Asked(trial.faulty, folder / f"{number}.jsonl"))
        for number, (name, judge) in enumerate(WAYS.items())
    }
    seen = sum(fault.is_seen for fault in trial.planted.values())
    print(f"{len(trial.planted)} faults planted, {seen} can be seen")
    _print_ways(judged)
    return [*trial.list_mistakes(judged["one core"].report), *_find_unlike(judged)]


def try_strikes(archive: Path, folder: Path, strikes: int, gap: float) -> list[str]:
    """Judge an archive with and without strikes; return which reports differ."""
    wrong, rows = [], list[tuple[object, ...]]()
    for seed, (name, judge) in enumerate(SPARED.items()):
        quiet = judge(Asked(archive, folder / f"quiet-{name}.jsonl", LIMITS))
        struck = Asked(archive, folder / f"struck-{name}.jsonl", LIMITS)
        with strike_judges(seed, gap, strikes // len(SPARED)) as counts:
            loud = judge(struck)
        wrong += _find_unlike({f"{name}, quiet": quiet, f"{name}, struck": loud})
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
        times = f"{loud.seconds / quiet.seconds:.2f}"
        rows.append((name, kinds, f"{quiet.seconds:.0f}", f"{loud.seconds:.0f}", times))
        print(*rows[-1], flush=True)
    head = ("way", "strikes", "seconds without", "with", "times")
    timing.table("processes that judge, struck from outside", head, rows)
    return wrong


def try_deeds(folder: Path, deeds: int) -> list[str]:
    """Judge games that do away with their process, in every spared way; return what differs."""
    archive, pick = folder / "deeds.jsonl", random.Random(deeds)
    games = [unruly.record(pick.choice(DEEDS), "e1") for _ in range(deeds)]
    games += [unruly.record("d1", "i1") for _ in range(20 * deeds)]
    pick.shuffle(games)
    archive.write_bytes(b"\n".join(map(orjson.dumps, games)))
    environment = unruly.install(folder / "site")
    judged = {
        name: judge(Asked(archive, folder / f"deeds-{name}.jsonl", LIMITS, environment))
        for name, judge in SPARED.items()
    }
    print(f"{deeds} games that kill, hang, stop or fill among {len(games):,}")
    _print_ways(judged)
    lines = judged["cores"].report.read_bytes().splitlines()[:-1]
    given_up = sum(orjson.loads(line).get("code") == "internal" for line in lines)
    told = [f"{given_up} given up of {deeds}"] if given_up != deeds else []
    return told + _find_unlike(judged)


def _find_unlike(judged: dict[str, Judged]) -> list[str]:
    (first, one), *others = judged.items()
    data = one.report.read_bytes()
    return [
        f"{name} gives another report or status than {first}"
        for name, other in others
        if other.report.read_bytes() != data or other.status != one.status
    ]


def _print_ways(judged: dict[str, Judged]) -> None:
    first = next(iter(judged.values())).seconds
    rows = [
        (name, f"{one.seconds:.1f}", f"{first / one.seconds:.2f}", one.status)
        for name, one in judged.items()
    ]
    timing.table("one archive in every way", ("way", "seconds", "times", "status"), rows)
