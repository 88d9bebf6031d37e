"""The trial of `plyhost replay`: an archive of any size, then the same with planted faults.

Every game must come out, each fault that can be seen must be found and named, and nothing else
accused.  `python -m bench trial` does it at full size.
"""

import gzip
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from pathlib import Path

import orjson

from plyhost.replay.options import Options
from plyhost.replay.reporting.tally import Tally
from plyhost.replay.running.run import replay_archive
from tests.tools import replay_faults
from tests.tools.replay_faults import KINDS, Fault
from tests.tools.replay_games import FORMS, played

FILES = ("a.jsonl", "b.jsonl.gz", "c.jsonl")
#: Games from which on they are made in processes of their own.
MANY = 5_000


class Trial:
    """An archive in a folder, sound in one half of it and with faults in the other."""

    def __init__(self, games: int, faults: int, folder: Path, jobs: int = 1) -> None:
        self.games, self.jobs = games, jobs
        self.sound, self.faulty = folder / "sound", folder / "faulty"
        #: The planted faults by seed; the game of a seed is a line of a file, `at` tells which.
        self.planted: dict[int, Fault] = {}
        self.kinds = self._chosen(faults)

    def _chosen(self, faults: int) -> dict[int, str]:
        """Return the kind of fault by seed, each kind as often as the others."""
        pick, counts, kinds = random.Random(self.games), Counter[str](), dict[int, str]()
        for seed in sorted(pick.sample(range(self.games), faults)):
            fitting = [kind for kind, forms in KINDS.items() if self.form(seed) in forms]
            kinds[seed] = min(fitting, key=lambda kind: counts[kind])
            counts[kinds[seed]] += 1
        return kinds

    def form(self, seed: int) -> str:
        """Return the form that a seed's game has."""
        return FORMS[seed % len(FORMS)]

    def at(self, seed: int) -> str:
        """Return where the game of a seed stands in the faulty archive."""
        name = FILES[seed % len(FILES)]
        return f"{self.faulty / name}:{seed // len(FILES) + 1}"

    def write(self) -> None:
        """Write both archives, one game after the other."""
        with ExitStack() as stack:
            files = [
                [_opened(stack, folder / name) for name in FILES]
                for folder in (self.sound, self.faulty)
            ]
            for seed, (line, fault) in enumerate(stack.enter_context(self._made_lines())):
                sound, faulty = (three[seed % len(FILES)] for three in files)
                if fault is not None:
                    self.planted[seed] = fault
                sound(line + b"\n")
                faulty((fault.line if fault else line) + b"\n")

    @contextmanager
    def _made_lines(self) -> Iterator[Iterable[tuple[bytes, Fault | None]]]:
        """Give the games in order; where they are many, all cores make them."""
        if self.games < MANY:
            yield map(self.made_line, range(self.games))
            return
        with get_context("spawn").Pool() as pool:
            yield pool.imap(self.made_line, range(self.games), 50)

    def made_line(self, seed: int) -> tuple[bytes, Fault | None]:
        """Return the line of a seed's game, and the fault that is planted in it if there is one."""
        one, form = played(seed), self.form(seed)
        kind = self.kinds.get(seed)
        fault = replay_faults.plant(one, form, kind, seed) if kind else None
        return one.line(form), fault

    def replay_sound(self) -> Tally:
        """Replay the sound archive."""
        return replay_archive(Options([self.sound], jobs=self.jobs))

    def mistakes(self) -> tuple[Tally, list[str]]:
        """Replay the faulty archive; return what was missed, named wrong or accused wrongly."""
        report = self.faulty.parent / "faulty.report.jsonl"
        tally = replay_archive(Options([self.faulty], jobs=self.jobs, reports=[report]))
        return tally, self.list_mistakes(report)

    def list_mistakes(self, report: Path) -> list[str]:
        """Return what a report of the faulty archive misses, names wrong or accuses wrongly."""
        expected = {self.at(seed): fault for seed, fault in self.planted.items() if fault.is_seen}
        found, wrong = set[str](), list[str]()
        with report.open("rb") as lines:
            for verdict in map(orjson.loads, lines):
                if "report" in verdict:
                    break
                fault = expected.get(verdict["at"])
                if not verdict["ok"]:
                    found.add(verdict["at"])
                    if fault is None:
                        wrong.append(f"accused: {verdict}")
                    elif any(verdict[name] not in among for name, among in fault.named.items()):
                        wrong.append(f"{fault.kind} in {fault.form} {fault.named}: {verdict}")
        wrong += [f"missed: {expected[at].kind} at {at}" for at in expected.keys() - found]
        return wrong


def _opened(stack: ExitStack, path: Path) -> Callable[[bytes], object]:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".gz":
        return stack.enter_context(gzip.open(path, "wb", 1)).write
    return stack.enter_context(path.open("wb")).write
