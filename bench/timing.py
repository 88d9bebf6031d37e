"""Timing by turns: each thing is run a little, again and again, and the medians are compared."""

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter, process_time

Work = Callable[[], object]


def turns(works: dict[str, Work], rounds: int, clock: Callable[[], float]) -> dict[str, float]:
    """Return the median seconds that each work took, the works run in turn in every round."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            start = clock()
            work()
            taken[name].append(clock() - start)
    return {name: median(times) for name, times in taken.items()}


def cpu(works: dict[str, Work], rounds: int = 15) -> dict[str, float]:
    """Return median seconds of this process's processor time."""
    return turns(works, rounds, process_time)


def wall(works: dict[str, Work], rounds: int = 15) -> dict[str, float]:
    """Return median seconds on the clock."""
    return turns(works, rounds, perf_counter)


def repeat(work: Work, times: int) -> Work:
    """Return a work that does another several times."""

    def many() -> None:
        for _ in range(times):
            work()

    return many


def table(title: str, head: tuple[str, ...], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under a head, in columns."""
    cells = [head, *[tuple(map(str, row)) for row in rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
