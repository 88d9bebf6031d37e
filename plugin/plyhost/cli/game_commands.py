"""A command for who writes a game."""

import sys
from importlib.metadata import EntryPoint

import click

from plyhost.games import conformance, registry
from plyhost.games.registration import Unfit

FAULTY, BAD_CALL = 1, 2


@click.command("check-game")
@click.argument("target")
@click.option("--games", default=3, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--seed", default=0, show_default=True)
def check_game_command(target: str, games: int, seed: int) -> None:
    """Play games of TARGET, as mypackage.mymodule:GAME, and say what does not hold."""
    try:
        game = EntryPoint("", target, registry.GROUP).load()
    except Exception as error:
        click.echo(f"plyhost: {target} cannot be loaded: {type(error).__name__}: {error}", err=True)
        sys.exit(BAD_CALL)
    try:
        faults = list(conformance.check_rules(game, games, seed))
    except Unfit as unfit:
        faults = [f"{target} {unfit}"]
    for fault in faults:
        click.echo(fault)
    sys.exit(FAULTY if faults else 0)
