"""The trial of `plyhost replay`: an archive of any size, then the same with planted faults.

    python -m tests.tools.replay_trial GAMES FAULTS FOLDER [JOBS]

Every game must come out, each fault that can be seen must be found and named, and nothing else
accused.  At full size this is 100,000 games and 1,000 faults.
"""

import gzip
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import orjson

from plyhost.replay.options import Options
from plyhost.replay.reporting.tally import Tally
from plyhost.replay.running.run import replay_archive
from tests.tools import replay_faults
from tests.tools.replay_faults import KINDS, Fault
from tests.tools.replay_games import FORMS, Played, played

FILES = ("a.jsonl", "b.jsonl.gz", "c.jsonl")


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
            for seed in range(self.games):
                sound, faulty = (three[seed % len(FILES)] for three in files)
                one = played(seed)
                line = one.line(self.form(seed))
                sound(line + b"\n")
                faulty((self._faulty(one, seed) or line) + b"\n")

    def _faulty(self, one: Played, seed: int) -> bytes | None:
        if seed not in self.kinds:
            return None
        fault = replay_faults.plant(one, self.form(seed), self.kinds[seed], seed)
        self.planted[seed] = fault
        return fault.line

    def replay_sound(self) -> Tally:
        """Replay the sound archive."""
        return replay_archive(Options([self.sound], jobs=self.jobs))

    def mistakes(self) -> tuple[Tally, list[str]]:
        """Replay the faulty archive; return what was missed, named wrong or accused wrongly."""
        report = self.faulty.parent / "faulty.report.jsonl"
        tally = replay_archive(Options([self.faulty], jobs=self.jobs, reports=[report]))
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
        return tally, wrong


def _opened(stack: ExitStack, path: Path) -> Callable[[bytes], object]:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".gz":
        return stack.enter_context(gzip.open(path, "wb", 1)).write
    return stack.enter_context(path.open("wb")).write


def main(games: int, faults: int, folder: Path, jobs: int = 1) -> int:
    """Run a trial and print its figures; returns 1 for any mistake."""
    trial = Trial(games, faults, folder, jobs)
    start = time.monotonic()
    trial.write()
    print(f"written in {time.monotonic() - start:.0f} s")
    start = time.monotonic()
    sound = trial.replay_sound()
    print(f"{sound.text()}, in {time.monotonic() - start:.0f} s")
    print(orjson.dumps(sound.summary(), option=orjson.OPT_INDENT_2).decode())
    tally, wrong = trial.mistakes()
    print(tally.text().splitlines()[-1])
    for kind in KINDS:
        of_kind = [fault for fault in trial.planted.values() if fault.kind == kind]
        seen = sum(fault.is_seen for fault in of_kind)
        print(f"{kind}: {len(of_kind)} planted, {seen} can be seen")
    print(f"{len(wrong)} mistakes", *wrong[:20], sep="\n")
    return 1 if wrong or sound.status else 0


if __name__ == "__main__":
    games, faults, folder, *jobs = sys.argv[1:]
    sys.exit(main(int(games), int(faults), Path(folder), int((*jobs, "1")[0])))
