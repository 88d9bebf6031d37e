"""Damaged requests to both games, as many as one likes.

    python -m tests.tools.mutate REQUESTS [SEED] [JOBS]

Prints how often each operation, and each kind of damage, met each status; exit status 1, with the
bodies kept, if an answer was wrong.  The same seed brings the same requests.
"""

import faulthandler
import random
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path
from time import perf_counter

from plyhost.web.app import create_app
from tests.conftest import QUIET
from tests.tools import request_damage, sound, state_damage
from tests.tools.judging import Judge
from tests.tools.sound import Asked

CHUNK = 1000
#: Seconds after which a request that has not come back ends the run with a trace.
HUNG = 120
#: Faults told in full.
TOLD = 20

KINDS = request_damage.KINDS | state_damage.KINDS
#: How often each kind comes, if not twice as often as none; what looks sound is worth the most.
_WEIGHTS = {"none": 1, "boards": 3, "forged": 8, "spliced": 3, "entries": 4, "told otherwise": 3}

Counts = Counter[tuple[str, str, int, str]]


@dataclass(frozen=True)
class Found:
    """A request that was not answered as it must be."""

    kind: str
    uid: str
    operation: str
    body: bytes
    why: str


@cache
def judge() -> Judge:
    """Return this process's judge, whose service is its own."""
    return Judge(create_app(QUIET).test_client())


def mutated(pick: random.Random) -> tuple[str, Asked, bytes]:
    """Return a kind of damage, the request it was done to, and the body.

    Damage to a state is left out where none is asked for.
    """
    asked = sound.request(pick)
    kinds = [kind for kind in KINDS if "state" in asked.fields or kind in request_damage.KINDS]
    (kind,) = pick.choices(kinds, [_WEIGHTS.get(kind, 2) for kind in kinds])
    return kind, asked, KINDS[kind](pick, asked)


def tried(judge: Judge, pick: random.Random) -> Iterator[tuple[str, str, int, str] | Found]:
    """Send damaged requests for ever; yield kind, call, status and code of each, or a fault."""
    while True:
        kind, asked, body = mutated(pick)
        try:
            status, code = judge.judge(asked, body)
        except Exception:  # whatever breaks is what is looked for
            yield Found(kind, asked.uid, asked.operation, body, traceback.format_exc(limit=-4))
        else:
            yield kind, f"{asked.operation} {asked.uid}", status, code


def chunk(seed: str, requests: int, number: int) -> tuple[Counts, list[Found]]:
    """Return what a chunk of a run met."""
    counts, found = Counts(), list[Found]()
    faulthandler.dump_traceback_later(HUNG, exit=True)
    length = min(CHUNK, requests - number * CHUNK)
    for one in islice(tried(judge(), random.Random(f"{seed} {number}")), length):
        faulthandler.dump_traceback_later(HUNG, exit=True)
        if isinstance(one, Found):
            found.append(one)
        else:
            counts[one] += 1
    faulthandler.cancel_dump_traceback_later()
    return counts, found


def table(by: Counter[tuple[str, int]]) -> str:
    """Return lines of statuses by name, and how many of all are 200."""
    statuses = sorted({status for _, status in by})
    lines = [f"{'':24}" + "".join(f"{status:>9}" for status in statuses) + "    200s"]
    for name in sorted({name for name, _ in by}):
        row = [by[name, status] for status in statuses]
        share = by[name, 200] / sum(row)
        lines.append(f"{name:24}" + "".join(f"{times:>9}" for times in row) + f"{share:>8.0%}")
    return "\n".join(lines)


def by_column(counts: Counts, column: int) -> Counter[tuple[str, int]]:
    """Return how often each kind (column 0) or call (1) met each status."""
    by = Counter[tuple[str, int]]()
    for key, times in counts.items():
        by[str(key[column]), key[2]] += times
    return by


def tell(found: list[Found]) -> None:
    """Print faults, and keep their bodies."""
    folder = Path(tempfile.mkdtemp(prefix="mutate-"))
    for number, one in enumerate(found):
        (folder / f"{number}.json").write_bytes(one.body)
    for number, one in enumerate(found[:TOLD]):
        print(f"\n{one.operation} {one.uid}, {one.kind}: {folder}/{number}.json\n{one.why}")


def main(requests: str, seed: str = "1", jobs: str = "1") -> int:
    """Run; return the exit status."""
    began, counts, found = perf_counter(), Counts(), list[Found]()
    chunks = -(-int(requests) // CHUNK)
    with ProcessPoolExecutor(int(jobs)) as pool:
        for more, wrong in pool.map(partial(chunk, seed, int(requests)), range(chunks)):
            counts += more
            found += wrong
            done = counts.total() + len(found)
            print(f"\r{done} of {requests}, {len(found)} wrong", end="", file=sys.stderr)
    print(f"\n{counts.total() + len(found)} requests, {perf_counter() - began:.0f} s, seed {seed}")
    print(*(table(by_column(counts, column)) for column in (1, 0)), sep="\n\n")
    if found:
        tell(found)
    print(f"\n{len(found)} wrong answers")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
