"""The command: `python -m tests.tools.soak MINUTES [--callers N] [--seed S]`."""

import sys
import time

import click

from tests.tools.soak.report import lines
from tests.tools.soak.run import Run


@click.command()
@click.argument("minutes", type=click.FloatRange(0, min_open=True))
@click.option("--callers", default=6, show_default=True, type=click.IntRange(1))
@click.option("--seed", type=int, help="Games and faults; another each time by default.")
def main(minutes: float, callers: int, seed: int | None) -> None:
    """Soak the service; the exit status is 1 when a promise was broken."""
    seed = int(time.time()) if seed is None else seed
    click.echo(f"seed {seed}")
    outcome = Run(minutes, callers, seed)()
    click.echo("\n".join(lines(outcome)))
    sys.exit(1 if outcome.tally.broken else 0)


if __name__ == "__main__":
    main()
