"""`plyhost replay`: an archive of any length replayed, counted and reported.

Below it: `reading` and `values` read archives, `forms` tells what a line is,
`judging` and what it stands on judge one game, `work` runs that over this machine's
cores, `remote`, `worker` and `store` over any number of machines,
`tally`, `reports` and `writer` say what came of it.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex

import redis
from rich.console import Console
from rich.progress import Progress

from plyhost.replay.archive_files import CHUNK_BYTES, Archive
from plyhost.replay.chunks import run_chunks
from plyhost.replay.fixture_writer import open_fixture_file
from plyhost.replay.remote import Coordinator
from plyhost.replay.reports import KINDS, open_report
from plyhost.replay.run_store import Store
from plyhost.replay.tally import Tally
from plyhost.replay.worker import HEARTBEAT, Queue

Show = Callable[[int, Tally], None]


class WrongCall(ValueError):
    """The options do not fit together, or cannot be followed; the message says why."""


@dataclass
class Options:
    """What is asked for; `url` is the address of a Redis, `resume` a run that was begun there."""

    paths: list[Path]
    jobs: int = 1
    reports: list[Path] = field(default_factory=list)
    write: Path | None = None
    chunk: int = CHUNK_BYTES
    url: str | None = None
    resume: str | None = None
    heartbeat: float = HEARTBEAT


def print_notice(text: str) -> None:
    """Tell the user something on standard error."""
    print(f"plyhost: {text}", file=sys.stderr, flush=True)


def replay_archive(options: Options) -> Tally:
    """Replay an archive and write its reports; raises WrongCall, or OSError for a file to write."""
    _check_replay_options(options)
    coordinator = _make_coordinator(options) if options.url else None
    if not options.paths:
        raise WrongCall("there is nothing to replay: give a PATH")
    tally = Tally()
    reports = [open_report(path) for path in options.reports]
    with ExitStack() as stack:
        write = stack.enter_context(open_fixture_file(options.write))
        archive = Archive(options.paths)
        show = stack.enter_context(_show_progress(archive))
        chunks = archive.chunks(options.chunk)
        if coordinator:
            results = coordinator.run(chunks)
        else:
            results = run_chunks(chunks, options.jobs, options.write is not None)
        for position, result in results:
            for verdict in result.verdicts:
                tally.add(verdict)
            for one in reports:
                one.add(result.verdicts)
            write(result.fixtures)
            show(position, tally)
    for one in reports:
        one.close(tally)
    if coordinator:
        coordinator.close()
    return tally


def _check_replay_options(options: Options) -> None:
    for path in options.reports:
        if path.suffix.lower() not in KINDS:
            raise WrongCall(f"a report ends in {', '.join(KINDS)}, not as {path.name} does")
    if options.resume and not options.url:
        raise WrongCall("--resume needs the --redis that the run was begun with")
    if options.url and (options.write or options.jobs > 1):
        raise WrongCall("--write and --jobs are for a replay on this machine, not with --redis")


def _make_coordinator(options: Options) -> Coordinator:
    """Return the coordinator of a run; a resumed one knows its paths and chunks."""
    try:
        queue = Queue(f"{options.url}", options.heartbeat)
        queue.server.ping()
        store = Store(queue.server, options.resume or token_hex(4))
        about = store.about() if options.resume else None
    except (redis.RedisError, OSError, ValueError) as error:
        raise WrongCall(f"Redis cannot be reached: {error}") from error
    if about:
        options.chunk = about["chunk"]
        options.paths = options.paths or [Path(name) for name in about["paths"]]
    elif options.resume:
        print_notice(f"nothing is kept of run {options.resume}; it begins anew")
    print_notice(f"run {store.run}; if this is interrupted, go on with --resume {store.run}")
    about = {"paths": [str(path) for path in options.paths], "chunk": options.chunk}
    return Coordinator(queue, store, about, print_notice)


@contextmanager
def _show_progress(archive: Archive) -> Iterator[Show]:
    """Yield what shows the bytes read and the tally: a bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda position, tally: None
        return
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("reading", total=archive.size() or None)

        def show(position: int, tally: Tally) -> None:
            bad = tally.read - tally.kinds["good"]
            told = f"{tally.read:,} games, {bad:,} not good"
            bar.update(task, completed=position, description=told)

        yield show
