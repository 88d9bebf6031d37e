"""Reports of a replay, by the ending of their file: `.jsonl`, `.xml` (JUnit), `.json`.

They are written beside their place and moved there when they are whole.  Each says what it stands
on: in lines the last one does.
"""

import os
import re
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Protocol
from xml.sax.saxutils import escape, quoteattr

import msgspec
import orjson

from plyhost.replay.judgement.verdicts import INTERNAL, UNREADABLE, Verdict
from plyhost.replay.reading.inputs import make_part_path
from plyhost.replay.reporting.tally import BAD, Tally

#: What XML 1.0 cannot hold, not even escaped.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_encoder = msgspec.json.Encoder()
_sorting = msgspec.json.Encoder(order="deterministic")


#: The numbers of a tally that a report of lines keeps for those who merge it.
KEPT = ("kinds", "games", "forms", "codes", "since", "plies", "passed")


class End(msgspec.Struct):
    """What ends a report: what it stands on, the totals, and what merging shares of it needs."""

    stands_on: dict[str, Any]
    tally: Tally
    share: dict[str, Any]

    def describe_totals(self) -> dict[str, Any]:
        """Return what a report of totals holds."""
        return {"stands_on": self.stands_on, **self.tally.summary()}


class Report(Protocol):
    """A report that verdicts are added to, and that is finished with its end."""

    path: Path

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Take in some verdicts."""

    def close(self, end: End) -> None:
        """Put the whole report in its place."""

    def drop(self) -> None:
        """Leave nothing behind."""


class _Beside:
    """A file that is written beside its place."""

    def __init__(self, path: Path) -> None:
        self.path, self._beside = path, make_part_path(path)
        self._file = self._beside.open("wb")

    def _put(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._beside.replace(self.path)

    def drop(self) -> None:
        """Leave nothing behind."""
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self._beside.unlink()


class Lines(_Beside):
    """One verdict a line, as JSON, and what they stand on in the last one."""

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Write a line for each verdict."""
        self._file.write(_encoder.encode_lines(list(verdicts)))

    def close(self, end: End) -> None:
        """Write the end and put the lines in their place."""
        told = {name: getattr(end.tally, name) for name in KEPT}
        share = msgspec.Raw(_sorting.encode(end.share | {"tally": told}))
        self._file.write(_encoder.encode({"report": end.describe_totals(), "share": share}))
        self._file.write(b"\n")
        self._put()


class JUnit(_Beside):
    """A test case for each game: a `failure` where it differs, an `error` where it is not judged.

    A game that is not of this place is `skipped`.  The totals stand on top, so the cases wait in a
    temporary file.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._cases = TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - closed in `drop`
        self._told = 0

    def drop(self) -> None:
        """Leave nothing behind."""
        super().drop()
        with suppress(OSError):
            self._cases.close()

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Write a case for each verdict."""
        for verdict in verdicts:
            self._told += 1
            self._cases.write(_format_junit_case(verdict))

    def close(self, end: End) -> None:
        """Put head and cases in their place."""
        kinds = end.tally.kinds
        counts = (
            f'tests="{self._told}" failures="{kinds["different"]}" '
            f'errors="{kinds["unreadable"] + kinds["failed"]}" skipped="{kinds["passed_over"]}"'
        )
        told = _quote_xml_text(orjson.dumps(end.describe_totals()).decode())
        self._cases.seek(0)
        with os.fdopen(os.dup(self._file.fileno()), "w", encoding="utf-8") as file:
            file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
            file.write(f'<testsuites {counts}>\n<testsuite name="plyhost replay" {counts}>\n')
            file.write(f'<properties><property name="report" value={told}/></properties>\n')
            shutil.copyfileobj(self._cases, file)
            file.write("</testsuite>\n</testsuites>\n")
        self._put()


def _format_junit_case(verdict: Verdict) -> str:
    file = re.sub("[:#][0-9]+$", "", verdict.at)
    named = f"classname={_quote_xml_text(file)} name={_quote_xml_text(verdict.id)}"
    if verdict.ok:
        return f"<testcase {named}/>\n"
    tag = "error" if verdict.code in (UNREADABLE, INTERNAL) else "failure"
    told = _quote_xml_text(verdict.line())
    if verdict.kind not in BAD:
        return f"<testcase {named}><skipped message={told}/></testcase>\n"
    whole = escape(_replace_non_xml(_encoder.encode(verdict).decode()))
    kind = _quote_xml_text(f"{verdict.code}")
    return f"<testcase {named}><{tag} type={kind} message={told}>{whole}</{tag}></testcase>\n"


def _quote_xml_text(text: str) -> str:
    return quoteattr(_replace_non_xml(text))


def _replace_non_xml(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)


class Summary(_Beside):
    """The totals alone, as JSON."""

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Take no notice; the tally has it all."""

    def close(self, end: End) -> None:
        """Put the totals in their place."""
        totals = end.describe_totals()
        self._file.write(orjson.dumps(totals, option=orjson.OPT_INDENT_2) + b"\n")
        self._put()


KINDS: dict[str, type[Lines | JUnit | Summary]] = {
    ".jsonl": Lines,
    ".xml": JUnit,
    ".json": Summary,
}


def open_report(path: Path) -> Report:
    """Return the report that a file's ending asks for; raises KeyError for another ending.

    Raises OSError where it cannot be written.
    """
    return KINDS[path.suffix.lower()](path)
