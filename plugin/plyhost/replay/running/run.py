"""`plyhost replay`: an archive of any length replayed, counted and reported.

Below it: `inputs` finds what is read, `archive_files` cuts it into games and chunks,
`archive_lines` tells what a game is, `judging` and what it stands on judge one, `chunks` some;
`judges` run that over this machine's cores, `remote`, `worker` and `run_store` over any number of
machines; `tally`, `reports` and `outputs` say what came of it.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import orjson

from plyhost.games import registry
from plyhost.replay.judgement.verdicts import Verdict
from plyhost.replay.options import Options
from plyhost.replay.reading.archive_files import Archive, Chunk
from plyhost.replay.reading.inputs import STDIN, BadInput, Inputs, check_outputs, find_inputs
from plyhost.replay.reading.line_spans import Item, Place, format_item_place
from plyhost.replay.reporting.foundation import Foundation, describe_inputs, describe_judges
from plyhost.replay.reporting.notices import print_notice, print_passed_files, show_progress
from plyhost.replay.reporting.outputs import Outputs
from plyhost.replay.reporting.report_reading import (
    BadReport,
    Baseline,
    EarlierReport,
    list_bad_places,
)
from plyhost.replay.reporting.reports import KINDS, End
from plyhost.replay.reporting.tally import BAD, Tally
from plyhost.replay.running.chunks import Result
from plyhost.replay.running.local_run import run_chunks
from plyhost.replay.running.remote import make_coordinator
from plyhost.replay.running.run_errors import WrongCall


def replay_archive(options: Options) -> Tally:
    """Replay an archive and write its reports; raises WrongCall, or OSError for a file to write."""
    _check_replay_options(options)
    try:
        run = _Run(options)
    except (BadInput, BadReport) as error:
        raise WrongCall(str(error)) from error
    return run.replay()


def _check_replay_options(options: Options) -> None:
    # Its games would only be passed over, as those of a kind that nobody knows.
    for one in registry.list_left_out():
        raise WrongCall(f"the game {one.name} {one.why}, so it cannot be judged")
    for path in options.reports:
        if path.suffix.lower() not in KINDS:
            raise WrongCall(f"a report ends in {', '.join(KINDS)}, not as {path.name} does")
    if options.url is None and (options.resume or options.is_shared):
        raise WrongCall("--resume and --shared need the --redis of the workers")
    if options.url is not None and (options.write or options.jobs > 1):
        raise WrongCall("--write and --jobs are for a replay on this machine, not with --redis")
    known = registry.load_games()
    if options.game is not None and options.game not in known:
        raise WrongCall(f"there is no game {options.game}, only {', '.join(known)}")
    versions = {one for game in known.values() for one in game.info.versions}
    if options.engine is not None and options.engine not in versions:
        raise WrongCall(f"no game has an engine {options.engine}")
    _check_share_options(options)


def _check_share_options(options: Options) -> None:
    if options.shard is None:
        return
    number, count = options.shard
    if not 0 < number <= count:
        raise WrongCall(f"--shard counts from 1/{count} to {count}/{count}")
    if options.limit is not None or options.rerun or options.fail_fast or options.write:
        raise WrongCall("--shard does not go with --limit, --rerun, --fail-fast or --write")
    if options.url is not None or STDIN in map(str, options.paths):
        raise WrongCall("--shard is a share of files, for one machine each")


class _Run:
    """A replay that goes on: what it reads, whoever judges it, what came of it so far."""

    def __init__(self, options: Options) -> None:
        self.options, self.tally = options, Tally()
        if options.rerun and not options.paths:
            stands_on = EarlierReport(options.rerun).stands_on
            options.paths = [Path(path) for path in stands_on["options"]["paths"]]
        self.coordinator = (
            make_coordinator(options, print_notice) if options.url is not None else None
        )
        if not options.paths:
            raise WrongCall("there is nothing to replay: give a PATH")
        self.found = _find_replay_inputs(options)
        self.baseline = Baseline(options.baseline) if options.baseline else None
        self.chosen = list_bad_places(options.rerun) if options.rerun else None
        is_handed_out = options.limit is None and self.chosen is None
        if self.coordinator and not options.is_shared:
            is_handed_out = False
        shard = options.shard or (1, 1)
        self.archive = Archive(self.found, options.column, shard, is_handed_out)
        self.foundation = Foundation(self.found, options.describe())
        self.is_over = False

    def replay(self) -> Tally:
        """Replay it all."""
        outputs = Outputs(self.options.reports, self.options.write, print_notice)
        print_passed_files(self.found.passed)
        try:
            with show_progress(self.archive.measure_size(), self.options.is_progress) as show:
                for position, result in self._judge_chunks():
                    verdicts = self._take_result(result)
                    outputs.add(verdicts, _name_fixtures(result))
                    show(position, self.tally)
                    if self.is_over:
                        break
            print_passed_files(self.archive.passed)
            self.tally.passed = len(self.found.passed) + len(self.archive.passed)
            outputs.close(self._make_end)
        finally:
            outputs.drop()
        self.tally.faults = outputs.faults
        if self.coordinator:
            self.coordinator.close()
        return self.tally

    def _judge_chunks(self) -> Iterator[tuple[int, Result]]:
        chunks = self._choose_items(self.archive.cut_chunks(self.options.chunk))
        if self.coordinator:
            return self.coordinator.run(chunks)
        return run_chunks(chunks, self.options.jobs, self.options.order)

    def _choose_items(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """Yield the games that are asked for: the first ones, or those of an earlier report."""
        left = self.options.limit
        for chunk in chunks:
            items = [item for item in chunk.items if self._is_chosen(item)]
            if left is not None:
                items = items[:left]
                left -= len(items)
            yield Chunk(chunk.number, items, chunk.position, chunk.span)
            if left == 0:
                return

    def _is_chosen(self, item: Item) -> bool:
        return self.chosen is None or format_item_place(self.found, item) in self.chosen

    def _format_place(self, place: Place) -> str:
        return f"{self.found.files[place.file].label}{place.mark}{place.number or ''}"

    def _take_result(self, result: Result) -> list[Verdict]:
        """Count what came of some games; return what reports tell of it."""
        told = []
        lines = self.foundation.lines
        for place, verdict in zip(result.places, result.verdicts, strict=True):
            if place.mark == ":":
                place = Place(place.file, ":", place.number + lines.get(place.file, 0))
            verdict.at = self._format_place(place)
            verdict.id = verdict.id or verdict.at
            if self.baseline:
                verdict.since = self.baseline.compare(verdict)
            self.tally.add(verdict)
            if not self.options.only_different or verdict.kind in BAD or verdict.since:
                told.append(verdict)
                self.foundation.add_told(place.file)
            if self.options.fail_fast and verdict.kind in BAD:
                self.is_over = True
                break
        for file, count in result.lines.items():
            lines[file] = lines.get(file, 0) + count
        self.foundation.add_shares(result.shares)
        return told

    def _make_end(self) -> End:
        files = self.foundation.list_files(self.options.shard is not None)
        stands_on = describe_judges() | {"options": self.foundation.options}
        stands_on |= {"inputs": describe_inputs(files), "shard": self.options.shard}
        return End(stands_on, self.tally, {"files": files})


def _name_fixtures(result: Result) -> list[bytes]:
    """Return fixtures, named by where the game was read where it has no name of its own."""
    sound = [verdict.at for verdict in result.verdicts if verdict.ok]
    return [
        line if line.startswith(b'{"id":') else b'{"id":%b,%b' % (orjson.dumps(at), line[1:])
        for line, at in zip(result.fixtures, sound, strict=False)
    ]


def _find_replay_inputs(options: Options) -> Inputs:
    for path in map(str, options.paths):
        if path != STDIN and "://" not in path and not Path(path).exists():
            raise WrongCall(f"{path}: there is no such file")
    found = find_inputs(options.paths, options.column is not None, options.ignored)
    check_outputs(found, [*options.reports, *([options.write] if options.write else [])])
    return found
