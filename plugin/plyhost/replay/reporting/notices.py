"""What a replay tells who started it, on standard error: notices, and how far it is."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from plyhost.replay.judgement.verdicts import escape_controls
from plyhost.replay.reading.inputs import Passed
from plyhost.replay.reporting.tally import Tally

#: Seconds between two lines of progress in a pipe.
LINE_SECONDS = 10.0
#: Files that are passed over and named.
MOST_NAMED = 20

#: Is told the bytes that were read, and the tally.
Show = Callable[[int, Tally], None]


def print_notice(text: str) -> None:
    """Tell the user something on standard error."""
    with suppress(OSError, ValueError):
        print(f"plyhost: {escape_controls(text)}", file=sys.stderr, flush=True)


def print_passed_files(passed: list[Passed]) -> None:
    """Name files that are not read."""
    for one in passed[:MOST_NAMED]:
        print_notice(f"passed over {one.label}: {one.why}")
    if len(passed) > MOST_NAMED:
        print_notice(f"passed over {len(passed) - MOST_NAMED} files more")


@contextmanager
def show_progress(size: int, is_wanted: bool) -> Iterator[Show]:
    """Yield what shows how far a run is: a bar, or lines in a pipe if they are wanted."""
    if sys.stderr.isatty():
        with _open_bar() as bar:
            yield _BarProgress(bar, size).show
    elif is_wanted:
        yield _LineProgress(size).show
    else:
        yield lambda position, tally: None


def _open_bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


class _BarProgress:
    def __init__(self, bar: Progress, size: int) -> None:
        self.bar, self.started = bar, time.monotonic()
        self.task = bar.add_task("reading", total=size or None)

    def show(self, position: int, tally: Tally) -> None:
        rate = tally.read / max(time.monotonic() - self.started, 0.001)
        told = f"{tally.read:,} games, {tally.bad:,} not good, {rate:,.0f} a second"
        self.bar.update(self.task, completed=position, description=told)


class _LineProgress:
    def __init__(self, size: int) -> None:
        self.size, self.started = size, time.monotonic()
        self.told = self.started

    def show(self, position: int, tally: Tally) -> None:
        now = time.monotonic()
        if now - self.told < LINE_SECONDS:
            return
        self.told, taken = now, now - self.started
        share = position / self.size if self.size else 0
        left = f", {taken / share - taken:,.0f} s left" if share else ""
        rate = f"{tally.read / taken:,.0f} a second"
        bad = f"{tally.bad:,} not good"
        print_notice(f"{tally.read:,} games, {bad}, {rate}, {share:.0%} of the bytes{left}")
