"""Schemathesis at any size.

    python -m tests.tools.fuzz_openapi REQUESTS [SEED]

Every operation, both games, stateful links included, until so many requests have been sent.  Prints
the answers by operation and status; exit status 1 if anything was wrong, no link was followed, or
an operation was never answered 200 for one of the games.
"""

import sys
from collections import Counter
from time import perf_counter

from plyhost.web.app import create_app
from tests.conftest import QUIET
from tests.tools.openapi_fuzz import PHASES, Seen, loaded, run, unanswered

#: Cases of an operation, and walks along links, in one round.
EXAMPLES = 100
TOLD = 20


def table(seen: Seen) -> str:
    """Return the answers by operation and status, and the share of 200."""
    by, total = Counter[tuple[str, int]](), Counter[str]()
    for (operation, _, status), times in seen.calls.items():
        by[operation, status] += times
        total[operation] += times
    statuses = sorted({status for _, status in by})
    head = f"{'':14}" + "".join(f"{status:>8}" for status in statuses) + "    200s"
    rows = [
        f"{name:14}"
        + "".join(f"{by[name, status]:>8}" for status in statuses)
        + f"{by[name, 200] / total[name]:>8.0%}"
        for name in sorted(total)
    ]
    return "\n".join([head, *rows])


def sent(requests: int, seed: int) -> Seen:
    """Return what so many requests met; what does not change is sent once."""
    seen, app = Seen(), create_app(QUIET)
    phases: tuple[str, ...] = PHASES
    while seen.calls.total() < requests and not seen.wrong:
        seen += run(loaded(app, EXAMPLES, seed, phases))
        seed, phases = seed + 1, ("fuzzing", "stateful")
        print(f"\r{seen.calls.total()} of {requests}", end="", file=sys.stderr, flush=True)
    return seen


def main(requests: str, seed: str = "1") -> int:
    """Run; return the exit status."""
    began = perf_counter()
    seen = sent(int(requests), int(seed))
    followed = seen.followed.total()
    print(f"\n{seen.calls.total()} requests, {perf_counter() - began:.0f} s, seed {seed}")
    print(table(seen), f"{followed} links followed to a 200", sep="\n\n")
    wrong = seen.wrong + [f"never answered 200: {one}" for one in unanswered(seen)]
    wrong += [] if followed else ["no link was followed"]
    print(*wrong[:TOLD], f"{len(wrong)} wrong", sep="\n\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
