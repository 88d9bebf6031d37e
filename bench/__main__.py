"""Run the benchmarks named on the command line, or all of them."""

import sys
from collections.abc import Callable

from bench import (
    arrays,
    congeners,
    congeners_http,
    curve,
    drawing,
    engine,
    guarded,
    load,
    operations,
    replaying,
    takeover,
    thinking,
    trial,
    worst,
)

BENCHMARKS: dict[str, Callable[[], None]] = {
    "engine": engine.moves_a_second,
    "process": operations.in_process,
    "http": operations.over_http,
    "congeners": congeners.listings,
    "congeners-http": congeners_http.over_http,
    "drawing": drawing.drawn,
    "replay": replaying.speed,
    "replay-memory": replaying.memory,
    "replay-arrays": arrays.array_speed,
    "replay-curve": curve.replay_curve,
    "load": load.figures,
    "worst": worst.weighed,
    "thinking": thinking.speed,
    "thinking-beside": thinking.beside,
    "guarded": guarded.guarded,
    "redis": takeover.redis_taken_over,
}


def main(names: list[str]) -> int:
    """Run benchmarks, or a trial with its options; returns 2 for a name that is none."""
    if names[:1] == ["trial"]:
        return trial.main(names[1:])
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
        return 2
    for name in names or BENCHMARKS:
        BENCHMARKS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
