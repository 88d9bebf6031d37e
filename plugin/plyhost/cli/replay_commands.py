"""Commands for archives: replay them, judge for others, merge reports, explain a difference.

What they need is imported when they run, as that takes a while.
"""

import sys
from pathlib import Path
from typing import Any

import click

from plyhost.cli.failures import exit_with_failure
from plyhost.replay.options import HEARTBEAT

FILE = click.Path(dir_okay=False, path_type=Path)

heartbeat_option = click.option(
    "--heartbeat",
    default=HEARTBEAT,
    show_default=True,
    type=click.FloatRange(0.5, 3600),
    help="Seconds after which a silent worker counts as dead; the same for all.",
)
report_option = click.option(
    "--report",
    "reports",
    multiple=True,
    type=FILE,
    help="Write a report: .jsonl (every verdict), .xml (JUnit) or .json (the totals).",
)


class Share(click.ParamType):  # type: ignore[type-arg]  # Older ones cannot take an argument.
    """A share of an archive, as `3/16`."""

    name = "I/N"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, int]:
        """Return the two numbers."""
        number, _, count = str(value).partition("/")
        if not (number.isdecimal() and count.isdecimal() and 0 < int(number) <= int(count)):
            self.fail(f"{value!r} is no share as 3/16 is", param, ctx)
        return int(number), int(count)


@click.command("replay")
@click.argument("paths", nargs=-1)
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(0, 256), help="Cores.")
@report_option
@click.option("--write", type=FILE, help="Write what came out as fixtures, .jsonl or .jsonl.gz.")
@click.option("--only-different", is_flag=True, help="Reports leave out what came out.")
@click.option("--baseline", type=FILE, help="Say what is new since this report, and what mended.")
@click.option("--rerun", type=FILE, help="Judge what was not good in this report.")
@click.option("--game", help="Judge games of this uid alone.")
@click.option("--engine", help="Judge by the rules of this engine, whatever a game names.")
@click.option("--limit", type=click.IntRange(1), help="Judge so many games.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first game that is not good.")
@click.option("--column", help="Where games are in tables or in items of a database.")
@click.option("--ignore", "ignored", multiple=True, help="Names in folders to leave out: '*.md'.")
@click.option("--shard", type=Share(), help="Judge a share of the archive, to be merged.")
@click.option("--game-seconds", default=60.0, show_default=True, type=click.FloatRange(0.1, 86400))
@click.option(
    "--game-memory", default=2048, show_default=True, type=click.IntRange(256), help="MiB."
)
@click.option("--progress", "is_progress", is_flag=True, help="In a pipe too, a line at times.")
@click.option(
    "--chunk",
    default=256,
    show_default=True,
    type=click.IntRange(1, 16384),
    help="KiB of games that are judged together.",
)
@click.option("--redis", "url", help="Let workers judge, through this Redis.")
@click.option(
    "--shared", "is_shared", is_flag=True, help="Workers see the files under these paths."
)
@click.option("--resume", help="Go on with a run that was interrupted.")
@heartbeat_option
def run_replay_command(chunk: int, **fields: Any) -> None:
    """Replay archived games: records and states, files or folders, however they are packed.

    PATHS may be addresses (s3://...) and - for standard input.  The exit status is 0 when every
    game comes out, 1 when some differ, 2 when something cannot be read, when nothing was found, or
    when something failed here.
    """
    from plyhost.replay.options import Options
    from plyhost.replay.running.chunks import prepare_judging
    from plyhost.replay.running.run import replay_archive
    from plyhost.replay.running.run_errors import RunFailed, WrongCall

    prepare_judging()
    try:
        tally = replay_archive(
            Options(chunk=chunk * 1024, **{**fields, "paths": [*fields["paths"]]})
        )
    except (WrongCall, RunFailed) as error:
        exit_with_failure(str(error))
    click.echo(tally.text())
    sys.exit(tally.status)


@click.command("worker")
@click.option("--redis", "url", required=True, envvar="PLYHOST_REDIS_URL", help="Its address.")
@heartbeat_option
def run_worker_command(url: str, heartbeat: float) -> None:
    """Judge games for `plyhost replay --redis` until stopped; start one for every core."""
    from plyhost.replay.reporting.notices import print_notice
    from plyhost.replay.running.run_errors import RunFailed
    from plyhost.replay.running.worker import Worker

    try:
        Worker(url, heartbeat, print_notice).run()
    except RunFailed as error:
        exit_with_failure(str(error))


@click.command("merge")
@click.argument("shares", nargs=-1, required=True, type=FILE)
@report_option
def run_merge_command(shares: tuple[Path, ...], reports: tuple[Path, ...]) -> None:
    """Merge the .jsonl reports of all shards into the report of the whole run."""
    from plyhost.replay.reporting.merging import merge_reports
    from plyhost.replay.reporting.report_reading import BadReport

    try:
        tally = merge_reports(list(shares), list(reports))
    except BadReport as error:
        exit_with_failure(str(error))
    click.echo(tally.text())
    sys.exit(tally.status)


@click.command("explain")
@click.argument("report", type=FILE)
@click.argument("name")
@click.option("--site", default="http://localhost:8000", show_default=True, help="For the link.")
def run_explain_command(report: Path, name: str, site: str) -> None:
    """Show game NAME of a REPORT (.jsonl), by its id or place, at the ply where it differs."""
    from plyhost.replay.reporting.explaining import explain_game
    from plyhost.replay.reporting.report_reading import BadReport

    try:
        lines = explain_game(report, name, site)
    except BadReport as error:
        exit_with_failure(str(error))
    for line in lines:
        click.echo(line)


REPLAY_COMMANDS = (
    run_replay_command,
    run_worker_command,
    run_merge_command,
    run_explain_command,
)
