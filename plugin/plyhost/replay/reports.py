"""Reports of a replay, by the ending of their file: `.jsonl`, `.xml` (JUnit), `.json`.

They are written beside their place and moved there when they are whole.
"""

import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryFile
from typing import Protocol
from xml.sax.saxutils import escape, quoteattr

import msgspec
import orjson

from plyhost.replay.tally import Tally
from plyhost.replay.verdicts import INTERNAL, UNREADABLE, Verdict

#: What XML 1.0 cannot hold, not even escaped.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_encoder = msgspec.json.Encoder()


class Report(Protocol):
    """A report that verdicts are added to, and that is finished with the tally."""

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Take in some verdicts."""

    def close(self, tally: Tally) -> None:
        """Put the whole report in its place."""


class Lines:
    """One verdict a line, as JSON."""

    def __init__(self, path: Path) -> None:
        self.path, self._beside = path, _make_part_path(path)
        self._file = self._beside.open("wb")

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Write a line for each verdict."""
        self._file.write(_encoder.encode_lines(list(verdicts)))

    def close(self, tally: Tally) -> None:
        """Put the lines in their place."""
        self._file.close()
        self._beside.replace(self.path)


class JUnit:
    """A test case for each game: a `failure` where it differs, an `error` where it cannot be read.

    The totals stand on top, so the cases wait in a temporary file.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._beside = path, _make_part_path(path)
        self._beside.touch()
        self._cases = TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - closed in `close`

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Write a case for each verdict."""
        self._cases.writelines(map(_format_junit_case, verdicts))

    def close(self, tally: Tally) -> None:
        """Put head and cases in their place."""
        errors = tally.codes[UNREADABLE] + tally.codes[INTERNAL]
        failures = tally.read - tally.kinds["good"] - errors
        counts = f'tests="{tally.read}" failures="{failures}" errors="{errors}"'
        with self._beside.open("w", encoding="utf-8") as file:
            file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
            file.write(f'<testsuites {counts}>\n<testsuite name="plyhost replay" {counts}>\n')
            self._cases.seek(0)
            shutil.copyfileobj(self._cases, file)
            file.write("</testsuite>\n</testsuites>\n")
        self._cases.close()
        self._beside.replace(self.path)


def _format_junit_case(verdict: Verdict) -> str:
    file = re.sub("[:#][0-9]+$", "", verdict.at)
    named = f"classname={_quote_xml_text(file)} name={_quote_xml_text(verdict.id)}"
    if verdict.ok:
        return f"<testcase {named}/>\n"
    tag = "error" if verdict.code in (UNREADABLE, INTERNAL) else "failure"
    told = _quote_xml_text(verdict.line())
    whole = escape(_replace_non_xml(_encoder.encode(verdict).decode()))
    kind = _quote_xml_text(f"{verdict.code}")
    return f"<testcase {named}><{tag} type={kind} message={told}>{whole}</{tag}></testcase>\n"


def _quote_xml_text(text: str) -> str:
    return quoteattr(_replace_non_xml(text))


def _replace_non_xml(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)


class Summary:
    """The totals alone, as JSON."""

    def __init__(self, path: Path) -> None:
        self.path, self._beside = path, _make_part_path(path)
        self._beside.touch()

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Take no notice; the tally has it all."""

    def close(self, tally: Tally) -> None:
        """Put the totals in their place."""
        self._beside.write_bytes(orjson.dumps(tally.summary(), option=orjson.OPT_INDENT_2) + b"\n")
        self._beside.replace(self.path)


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


def _make_part_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")
