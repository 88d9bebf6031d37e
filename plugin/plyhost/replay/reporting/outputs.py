"""What a run writes, reports and fixtures: one that cannot be written does not stop the others."""

import gzip
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from plyhost.interrupts import clean_on_interrupt
from plyhost.replay.judgement.verdicts import Verdict
from plyhost.replay.reading.inputs import make_part_path
from plyhost.replay.reporting.reports import End, Report, open_report

Say = Callable[[str], None]


class FixtureFile:
    """Fixtures, a line for each, gzipped if the file's name ends in `.gz`.

    The same lines give the same bytes.  The file is there when the last line is.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._beside = path, make_part_path(path)
        self._plain: Any = self._beside.open("wb")
        self._file: Any = self._plain
        if path.suffix == ".gz":
            self._file = gzip.GzipFile("", "wb", 9, self._plain, mtime=0)

    def add_lines(self, lines: Sequence[bytes]) -> None:
        """Write lines; raises OSError."""
        self._file.writelines(line + b"\n" for line in lines)

    def close(self, end: End) -> None:
        """Put the file in its place; raises OSError."""
        self._file.close()
        self._plain.close()
        self._beside.replace(self.path)

    def drop(self) -> None:
        """Leave nothing behind."""
        with suppress(OSError, ValueError):
            self._plain.close()
        with suppress(OSError):
            self._beside.unlink()


class Outputs:
    """The reports and the fixtures of a run; `faults` counts those that were given up."""

    def __init__(self, reports: Sequence[Path], written: Path | None, say: Say) -> None:
        self.say, self.faults = say, 0
        self._reports, self._fixtures = list[Report](), list[FixtureFile]()
        clean_on_interrupt(self.drop)
        try:
            self._reports += [open_report(path) for path in reports]
            self._fixtures += [FixtureFile(written)] if written else []
        except OSError:
            self.drop()
            raise

    def add(self, verdicts: Sequence[Verdict], fixtures: Sequence[bytes]) -> None:
        """Write verdicts and fixtures."""
        for report in list(self._reports):
            self._try(report, partial(report.add, verdicts))
        for file in list(self._fixtures):
            self._try(file, partial(file.add_lines, fixtures))

    def close(self, make_end: Callable[[], End]) -> None:
        """Put everything in its place; the end is made anew for each, as a fault changes it."""
        ones: list[Report | FixtureFile] = [*self._fixtures, *self._reports]
        for one in ones:
            self._try(one, partial(_close_output, one, make_end))

    def drop(self) -> None:
        """Leave nothing behind that is not whole."""
        ones: list[Report | FixtureFile] = [*self._reports, *self._fixtures]
        for one in ones:
            one.drop()

    def _try(self, one: Report | FixtureFile, call: Callable[[], None]) -> None:
        try:
            call()
        except OSError as error:
            self.faults += 1
            self.say(f"{one.path} cannot be written: {error.strerror or error}")
            one.drop()
            self._reports = [other for other in self._reports if other is not one]
            self._fixtures = [other for other in self._fixtures if other is not one]


def _close_output(one: Report | FixtureFile, make_end: Callable[[], End]) -> None:
    one.close(make_end())
