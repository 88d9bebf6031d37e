"""Reports of shards merged into the very report that a single run gives."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from plyhost.replay.judgement.verdicts import Verdict
from plyhost.replay.reading.inputs import make_part_path
from plyhost.replay.reporting.foundation import FileFacts, describe_inputs
from plyhost.replay.reporting.notices import print_notice
from plyhost.replay.reporting.outputs import Outputs
from plyhost.replay.reporting.report_reading import BadReport, EarlierReport
from plyhost.replay.reporting.reports import KINDS, End
from plyhost.replay.reporting.tally import BAD, Tally
from plyhost.replay.running.chunks import FileShare

#: Verdicts that are written together.
_TOGETHER = 1000


def merge_reports(shares: Sequence[Path], reports: Sequence[Path]) -> Tally:
    """Merge the reports of all shards of one run; raises BadReport, or OSError."""
    for path in reports:
        if path.suffix.lower() not in KINDS:
            raise BadReport(f"a report ends in {', '.join(KINDS)}, not as {path.name} does")
        taken = {one.resolve() for one in shares}
        if {path.resolve(), make_part_path(path).resolve()} & taken:
            raise BadReport(f"{path} is read: it would be destroyed by what is written")
    merging = _Merging(_sort_shares([EarlierReport(path) for path in shares]))
    outputs = Outputs(reports, None, print_notice)
    try:
        held = list[Verdict]()
        for verdict in merging.read_verdicts():
            held.append(verdict)
            if len(held) == _TOGETHER:
                outputs.add(held, [])
                held = []
        outputs.add(held, [])
        outputs.close(merging.make_end)
    finally:
        outputs.drop()
    merging.tally.faults = outputs.faults
    return merging.tally


def _sort_shares(shares: list[EarlierReport]) -> list[EarlierReport]:
    """Return all shards of one run in order; raises BadReport for any other reports."""
    for one in shares:
        if not isinstance(one.stands_on.get("shard"), list):
            raise BadReport(f"{one.path} is no report of a --shard")
    shares.sort(key=lambda one: int(one.stands_on["shard"][0]))
    count = shares[0].stands_on["shard"][1]
    found = [tuple(one.stands_on["shard"]) for one in shares]
    if found != [(number, count) for number in range(1, count + 1)]:
        told = ", ".join(f"{number}/{of}" for number, of in found)
        raise BadReport(f"every shard from 1/{count} to {count}/{count} is needed once, not {told}")
    for one in shares[1:]:
        for name in ("code", "engines", "options"):
            if one.stands_on[name] != shares[0].stands_on[name]:
                raise BadReport(f"{one.path} was made with other {name} than {shares[0].path}")
        names = [(file["file"], file["size"]) for file in one.share["files"]]
        if names != [(file["file"], file["size"]) for file in shares[0].share["files"]]:
            raise BadReport(f"{one.path} read other files than {shares[0].path}")
    return shares


class _Merging:
    def __init__(self, shares: list[EarlierReport]) -> None:
        self.shares = shares
        self._files = [
            [msgspec.convert(file, FileFacts) for file in share.share["files"]] for share in shares
        ]
        self.tally = Tally()

    def read_verdicts(self) -> Iterator[Verdict]:
        """Yield every verdict where it belongs: by file, and in it by shard."""
        readers = [share.read_verdicts() for share in self.shares]
        for parts in zip(*self._files, strict=True):
            behind = 0
            for reader, part in zip(readers, parts, strict=True):
                for _ in range(part.told):
                    yield self._take_verdict(next(reader, None), part, behind)
                behind += part.lines
        for share in self.shares:
            self.tally.add_tally(share.tally)

    def _take_verdict(self, verdict: Verdict | None, part: FileFacts, behind: int) -> Verdict:
        if verdict is None:
            raise BadReport(f"a report has fewer verdicts than it says of {part.file}")
        if behind:
            _move_place(verdict, part.file, behind)
        if verdict.kind in BAD:
            self.tally.tell(verdict)
        return verdict

    def make_end(self) -> End:
        """Return what ends the merged report."""
        files = [_merge_facts(parts) for parts in zip(*self._files, strict=True)]
        stands_on = self.shares[0].stands_on | {"inputs": describe_inputs(files), "shard": None}
        return End(stands_on, self.tally, {"files": files})


def _merge_facts(parts: Sequence[FileFacts]) -> FileFacts:
    whole = FileShare()
    for part in parts:
        digest = bytes.fromhex(part.digest) or FileShare().digest
        whole.add_share(FileShare(part.games, part.bytes, digest))
    counts = whole.games, whole.size, whole.digest.hex()
    told = sum(part.told for part in parts)
    return FileFacts(parts[0].file, parts[0].size, *counts, told=told)


def _move_place(one: Any, file: str, behind: int) -> None:
    """Let the place of a verdict, or of an example, count from where the file begins."""
    place = f"{file}:{int(one.at[len(file) + 1 :]) + behind}"
    one.id = place if one.id == one.at else one.id
    one.at = place
