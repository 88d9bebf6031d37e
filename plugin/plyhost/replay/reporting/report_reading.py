"""Reports of lines read again: to hold a run against, to judge again, to merge, to explain."""

from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import orjson

from plyhost.replay.judgement.verdicts import Verdict
from plyhost.replay.reporting.tally import BAD, Tally

_verdicts = msgspec.json.Decoder(Verdict)
_END = b'{"report":'
_STEP = 1 << 20


class BadReport(ValueError):
    """A file is no report of lines; the message says why."""


class EarlierReport:
    """A report of lines: its verdicts in order, and what it ends with."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            end = orjson.loads(_read_last_line(path))
            self.totals: dict[str, Any] = end["report"]
            self.share: dict[str, Any] = end["share"]
            self.tally = _read_tally(self.share["tally"])
        except OSError as error:
            raise BadReport(f"{path}: {error.strerror}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise BadReport(f"{path} is no whole report of `--report FILE.jsonl`") from error

    @property
    def stands_on(self) -> dict[str, Any]:
        """What it stands on."""
        found: dict[str, Any] = self.totals["stands_on"]
        return found

    def read_verdicts(self) -> Iterator[Verdict]:
        """Yield its verdicts; raises BadReport."""
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.startswith(_END):
                    return
                try:
                    yield _verdicts.decode(line)
                except msgspec.MsgspecError as error:
                    raise BadReport(f"{self.path}:{number} is no verdict: {error}") from error


def _read_last_line(path: Path) -> bytes:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        tail = b""
        while len(tail) < size and b"\n" not in tail[:-1]:
            step = min(max(_STEP, len(tail)), size - len(tail))
            file.seek(size - len(tail) - step)
            tail = file.read(step) + tail
    return tail.rstrip(b"\n").rpartition(b"\n")[2]


def _counts(found: Any) -> dict[str, int]:
    return msgspec.convert(found, dict[str, int])


def _whole(found: Any) -> int:
    return msgspec.convert(found, int)


def _read_tally(found: dict[str, Any]) -> Tally:
    counts = {name: Counter(_counts(found[name])) for name in ("kinds", "codes", "since")}
    tables = {
        name: {key: Counter(_counts(one)) for key, one in found[name].items()}
        for name in ("games", "forms")
    }
    plain = {name: _whole(found[name]) for name in ("plies", "passed")}
    told: dict[str, Any] = {**counts, **tables, **plain}
    return Tally(**told)


class Baseline:
    """What differed in an earlier report, by the names of games, to hold a run against."""

    def __init__(self, path: Path) -> None:
        self._bad: dict[bytes, bytes] = {}
        for verdict in EarlierReport(path).read_verdicts():
            if verdict.kind in BAD:
                self._bad[_digest_name(verdict)] = _digest_difference(verdict)

    def compare(self, verdict: Verdict) -> str | None:
        """Return whether a game is `new`, `changed`, `unchanged` or `mended`; None if neither."""
        before = self._bad.get(_digest_name(verdict))
        if verdict.kind not in BAD:
            return None if before is None else "mended"
        if before is None:
            return "new"
        return "unchanged" if before == _digest_difference(verdict) else "changed"


def _digest_name(verdict: Verdict) -> bytes:
    """Return what a game is known by: its own name and form, or the place where it stands."""
    return blake2b(f"{verdict.id}\0{verdict.form}".encode(), digest_size=12).digest()


def _digest_difference(verdict: Verdict) -> bytes:
    told = [verdict.ply, verdict.move, verdict.field, verdict.code, verdict.reason]
    data = orjson.dumps([*told, verdict.expected, verdict.found, verdict.where])
    return blake2b(data, digest_size=8).digest()


def list_bad_places(path: Path) -> set[str]:
    """Return where the games of a report stand that are not good."""
    return {one.at for one in EarlierReport(path).read_verdicts() if one.kind in BAD}
