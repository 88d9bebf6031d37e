"""A run: a quiet time, then each attack, then quiet again; and what was seen."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from plyhost.web.gates import access
from tests.hostile import members, strangers
from tests.hostile.neighbour import Neighbour
from tests.hostile.sockets import Target
from tests.hostile.strangers import Attack
from tests.tools.redis_server import wait_until
from tests.tools.serving import listening, started, workers

SITE, OTHER = "ply_the-key-of-a-site", "ply_the-key-of-another"
#: How much later than twice the quiet time an answer may come, in seconds: the first for attacks
#: without a key, the second for those with one, who may ask for work.
LATER = (0.1, 2.0)
#: How much more memory there may be afterwards.
GROWTH, GROWTH_MEGABYTES = 1.1, 20


@dataclass
class Seen:
    """An attack: how often it was made, and how the neighbour's answers came."""

    name: str
    made: int
    answers: int
    median: float
    latest: float
    allowed: float
    wrong: list[str]
    megabytes: int


@dataclass
class Run:
    """What was seen of all."""

    quiet: float
    before: int
    after: int
    attacks: list[Seen]

    def faults(self) -> Iterator[str]:
        """Yield what was not as it is promised."""
        for one in self.attacks:
            yield from (f"{one.name}: {said}" for said in one.wrong)
            if one.latest > one.allowed:
                yield f"{one.name}: an answer took {one.latest:.3f} s of {one.allowed:.3f} s"
            if not one.answers:
                yield f"{one.name}: there was no answer"
        if self.after > self.before * GROWTH + GROWTH_MEGABYTES:
            yield f"{self.after} MB are held where it was {self.before}"


@contextmanager
def served() -> Iterator[tuple[str, list[int]]]:
    """Run a service with keys and two workers; yields its address and its workers."""
    keys = f"site:{access.hash_caller_key(SITE)},other:{access.hash_caller_key(OTHER)}"
    env = os.environ | {"PLYHOST_API_KEYS": keys, "PLYHOST_LOG_LEVEL": "error"}
    with started("--workers", "2", env=env) as (url, process):
        wait_until(lambda: listening(url) == 2)
        yield url, workers(process)


def measure_megabytes(pids: Sequence[int]) -> int:
    """Return what processes hold together; one that is gone is an error."""
    pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids)
    return pages * os.sysconf("SC_PAGE_SIZE") // 2**20


def attack_service(
    number: int, seconds: float, slack: float = 0.0, told: Sequence[Attack] = ()
) -> Run:
    """Make each attack so many times in about some seconds; `slack` is added to what is allowed."""
    with served() as (url, pids):
        neighbour, target = Neighbour(url, SITE), Target(url, OTHER)
        try:
            if not told:
                _warm_up(target)
            neighbour.hear()
            time.sleep(max(1.0, seconds))
            quiet = neighbour.hear().percentile(0.99)
            before, found = measure_megabytes(pids), []
            for later, attacks in zip(LATER, (strangers.ATTACKS, members.ATTACKS), strict=True):
                for attack in attacks:
                    if not told or attack in told:
                        allowed = 2 * quiet + later + slack
                        found.append(
                            _watch(neighbour, target, attack, number, seconds, allowed, pids)
                        )
            after = measure_megabytes(pids) if told else _settle(pids, before)
            return Run(quiet, before, after, found)
        finally:
            neighbour.stop()


def _warm_up(target: Target) -> None:
    """Have workers load and keep whatever they ever load and keep."""
    for _ in range(2):
        for attack in (*strangers.ATTACKS, *members.ATTACKS):
            attack(target, 16, 0)
    time.sleep(3)


def _watch(
    neighbour: Neighbour,
    target: Target,
    attack: Attack,
    number: int,
    seconds: float,
    allowed: float,
    pids: Sequence[int],
) -> Seen:
    neighbour.hear()
    made = attack(target, number, seconds)
    heard = neighbour.hear()
    return Seen(
        attack.__name__,
        made,
        len(heard.seconds),
        heard.percentile(0.5),
        max(heard.seconds, default=0.0),
        allowed,
        heard.wrong[:3],
        measure_megabytes(pids),
    )


def _settle(pids: Sequence[int], before: int) -> int:
    """Return the memory that is held once what is over is forgotten."""
    for _ in range(60):
        held = measure_megabytes(pids)
        if held <= before * GROWTH:
            break
        time.sleep(1)
    return held
