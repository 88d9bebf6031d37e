"""A command for who writes a game."""

import sys
from importlib.metadata import EntryPoint

import click

from plyhost.cli.failures import exit_with_failure
from plyhost.games import conformance, registry
from plyhost.games.registration import Unfit

FAULTY = 1


@click.command("check-game")
@click.argument("target")
@click.option("--games", default=3, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--seed", default=0, show_default=True)
def check_game_command(target: str, games: int, seed: int) -> None:
    """Play games of TARGET, as mypackage.mymodule:GAME, and say what does not hold."""
    try:
        game = EntryPoint("", target, registry.GROUP).load()
    except Exception as error:
        exit_with_failure(f"{target} cannot be loaded: {type(error).__name__}: {error}")
    try:
        faults = list(conformance.check_rules(game, games, seed))
    except Unfit as unfit:
        faults = [f"{target} {unfit}"]
    for fault in faults:
        click.echo(fault)
    sys.exit(FAULTY if faults else 0)
