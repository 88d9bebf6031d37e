"""Commands that ask something of a state, or end its game."""

import sys
from typing import Any

import click

from plyhost.cli.calling import (
    BAD_INPUT,
    add_view_options,
    print_json,
    print_view,
    read_plan,
    read_state_input,
    run_operation,
    state_argument,
    turn_tuples_into_lists,
)
from plyhost.contract import chat
from plyhost.games import registry
from plyhost.states.steps import ENDINGS


@click.command("games")
def print_games() -> None:
    """Print the games at hand, with their variants."""
    for uid, game in registry.load_games().items():
        click.echo(f"{uid}: {' '.join(one.uid for one in game.info.variants)}")


@click.command("view")
@state_argument
@add_view_options
def print_state_view(state: Any, bare: bool, **fields: Any) -> None:
    """Print the view of a STATE."""
    fields.pop("timestamp")
    asked = {"state": read_state_input(state), **turn_tuples_into_lists(fields)}
    print_view(run_operation("view", None, asked), bare)


@click.command("end")
@state_argument
@click.argument("how", type=click.Choice(ENDINGS))
@click.option("--player", type=int, help="With resign and timeout: the seat that loses.")
@click.option("--expected-ply", type=int)
@add_view_options
def print_ended_game(state: Any, bare: bool, **fields: Any) -> None:
    """End the game of a STATE by HOW."""
    asked = {"state": read_state_input(state), **turn_tuples_into_lists(fields)}
    print_view(run_operation("end", None, asked), bare)


@click.command("validate")
@state_argument
@click.argument("move")
def print_move_verdict(state: Any, move: str) -> None:
    """Print what is to be said of a MOVE on a STATE; exit with 1 if it is not valid."""
    verdict = run_operation("validate", None, {"state": read_state_input(state), "move": move})
    print_json(verdict)
    sys.exit(0 if verdict["valid"] else BAD_INPUT)


@click.command("click")
@state_argument
@click.argument("cell")
@click.option("--move", default="", help="The text so far.")
def print_click_verdict(state: Any, **fields: Any) -> None:
    """Print what a click on a CELL makes of a text, and where to click next."""
    asked = {"state": read_state_input(state), "include": ["targets"], **fields}
    print_json(run_operation("click", None, asked))


@click.command("history")
@state_argument
def print_history(state: Any) -> None:
    """Print every ply of a STATE and what was said of it."""
    print_json(run_operation("history", None, {"state": read_state_input(state)}))


@click.command("record")
@state_argument
@click.option("--gameid", default="1", show_default=True)
@click.option("--name", "names", multiple=True, help="A player's name, once for each seat.")
@click.option("--site")
@click.option("--running", is_flag=True, help="Though the game is not over.")
def print_record(state: Any, names: tuple[str, ...], **fields: Any) -> None:
    """Print the game record of a STATE."""
    players = [{"name": name} for name in names or chat.DEFAULT_NAMES]
    asked = {"state": read_state_input(state), "players": players, **fields}
    print_json(run_operation("record", None, asked)["record"])


@click.command("random")
@state_argument
@click.option("--seed", type=int, help="The same seed picks the same move.")
def print_random_move(state: Any, seed: int | None) -> None:
    """Print one of the legal moves of a STATE."""
    asked = {"state": read_state_input(state), "seed": seed}
    click.echo(run_operation("random", None, asked)["move"])


@click.command("plan")
@state_argument
@click.argument("plan", callback=read_plan)
def print_plan_verdict(state: Any, plan: Any) -> None:
    """Print what is to be said of a PLAN, as JSON, on a STATE; exit with 1 if it is not valid."""
    verdict = run_operation("plan", None, {"state": read_state_input(state), "plan": plan})
    print_json(verdict)
    sys.exit(0 if verdict["valid"] else BAD_INPUT)


COMMANDS = (
    print_games,
    print_state_view,
    print_ended_game,
    print_move_verdict,
    print_click_verdict,
    print_history,
    print_record,
    print_random_move,
    print_plan_verdict,
)
