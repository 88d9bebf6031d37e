"""The command `plyhost`: the server, and the contract on files and pipes.

A STATE is a file or `-` for standard input, and holds a state in any form or an answer that
carries one, so that commands can be joined by pipes.  The exit status is 0 for success, 1 when
the input is refused or differs (the problem goes to standard error), 2 for a wrong call or input
that cannot be read.
"""

import sys
from collections.abc import Callable
from typing import Any

import click

from plyhost import limits
from plyhost.cli import service_commands, state_commands
from plyhost.cli.calling import (
    BAD_INPUT,
    add_view_options,
    exit_with_problem,
    print_json,
    print_view,
    read_plan,
    read_state_input,
    run_operation,
    state_argument,
    turn_tuples_into_lists,
)
from plyhost.cli.failures import Commands
from plyhost.cli.game_commands import check_game_command
from plyhost.cli.replay_commands import REPLAY_COMMANDS
from plyhost.contract import picture_requests
from plyhost.contract import text_board as pictures_text
from plyhost.contract.operations import OPERATIONS
from plyhost.errors import PlyhostError
from plyhost.games import counting, registry, variants
from plyhost.games.game import AnyGame
from plyhost.pictures.asking import PALETTE_NAMES
from plyhost.schemas.requests import REQUESTS, load_request
from plyhost.states import forms
from plyhost.states.forms import FORMS


@click.group(help=__doc__, cls=Commands)
@click.version_option(package_name="plyhost")
def main() -> None:
    """Run the command line."""


for command in (
    check_game_command,
    *service_commands.COMMANDS,
    *state_commands.COMMANDS,
    *REPLAY_COMMANDS,
):
    main.add_command(command)


@main.command("new")
@click.argument("game")
@click.option("--variant", "variants", multiple=True, help="A variant's uid.")
@click.option("--form", type=click.Choice(FORMS))
@add_view_options
def print_new_game(game: str, bare: bool, **fields: Any) -> None:
    """Print a new game."""
    print_view(run_operation("new", game, turn_tuples_into_lists(fields)), bare)


@main.command("move")
@state_argument
@click.argument("move")
@click.option("--player", type=int)
@click.option("--expected-ply", type=int)
@click.option("--auto", type=click.Choice(("none", "pass", "forced")))
@click.option("--plan", callback=read_plan, help="The plan of the player who waits, as JSON.")
@add_view_options
def print_made_move(state: Any, bare: bool, **fields: Any) -> None:
    """Make a MOVE on a STATE."""
    print_view(
        run_operation(
            "move", None, {"state": read_state_input(state), **turn_tuples_into_lists(fields)}
        ),
        bare,
    )


@main.command("moves")
@state_argument
@click.option("--prefix", help="Only moves that begin with this.")
def print_legal_moves(state: Any, prefix: str | None) -> None:
    """Print the legal moves of a STATE, one a line."""
    fields = {"state": read_state_input(state), "prefix": prefix, "limit": limits.LISTED_MOVES}
    for text in run_operation("moves", None, fields)["moves"]:
        click.echo(text)


@main.command("render")
@state_argument
@click.option("--display", help="One of the game's displays.")
@click.option("--perspective", type=int)
@click.option("--ply", type=int)
@click.option("--move", help="Draw this move without making it.")
def print_render_json(state: Any, **fields: Any) -> None:
    """Print the render JSON of a STATE."""
    print_json(
        run_operation("render", None, {"state": read_state_input(state), **fields})["render"]
    )


def add_board_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of every command that shows a board."""
    for option in (
        click.option("--display", help="One of the game's displays."),
        click.option("--perspective", type=click.IntRange(0, 2), help="The seat that looks."),
    ):
        command = option(command)
    return command


@main.command("show")
@state_argument
@add_board_options
@click.option("--ply", type=int)
@click.option("--move", help="Show this move without making it.")
def print_text_board(state: Any, **fields: Any) -> None:
    """Print the board of a STATE as text."""
    wire = read_state_input(state)
    shown = run_operation("render", None, {"state": wire, **fields})["render"]
    board = pictures_text.draw_text_board(shown, coloured=sys.stdout.isatty())
    click.echo(board)
    if fields["ply"] is None and fields["move"] is None:
        view = run_operation("at", None, {"state": wire, "ply": -1, "include": ["text"]})
        click.echo("\n".join(view["text"].splitlines()[len(board.splitlines()) :]))


@main.command("draw")
@state_argument
@add_board_options
@click.option("--output", "-o", type=click.Path(dir_okay=False, writable=True), default="-")
@click.option(
    "--kind", type=click.Choice(tuple(picture_requests.KINDS)), help="Else by the file's name."
)
@click.option("--palette", type=click.Choice(PALETTE_NAMES))
@click.option(
    "--colour", "colours", multiple=True, help="One part's own: cell:f0d9b5, one:a51d2a …"
)
@click.option("--background", help="none, or a colour.")
@click.option("--labels/--no-labels", default=None, help="Letters and numbers around the board.")
@click.option("--width", type=int, help="In pixels.")
@click.option("--height", type=int, help="In pixels: a card, with the players beside the board.")
@click.option("--player", "players", multiple=True, help="Twice, for a card: their names.")
@click.option("--ply", type=int)
@click.option("--move", help="Draw this move without making it.")
@click.option("--film", is_flag=True, help="The whole game; WebP, GIF and APNG are films always.")
@click.option("--last", type=click.IntRange(min=1), help="Of a film, the last moves alone.")
@click.option("--step", type=int, help="Of a film, milliseconds for each position.")
@click.option("--once", is_flag=True, help="Of a film: it plays once and stays at its end.")
def write_drawing(
    state: Any,
    output: str,
    kind: str | None,
    film: bool,
    last: int | None,
    once: bool,
    **fields: Any,
) -> None:
    """Draw a STATE as SVG or PNG, or its game as a film."""
    wire, ending = read_state_input(state), kind or output.rpartition(".")[2].lower()
    medium = picture_requests.KINDS.get(ending, picture_requests.SVG)
    asked = {name: value for name, value in fields.items() if value not in (None, ())}
    asked |= {"state": wire, "loops": not once}
    try:
        game, loaded = (
            registry.find_game(forms.find_state_game(wire)),
            load_request(REQUESTS["render"], asked),
        )
        if film or medium not in picture_requests.STILLS:
            loaded |= {"last": last} if last else {}
            drawn = picture_requests.make_game_film(game, loaded, medium)
        else:
            answer = OPERATIONS["render"](game, loaded)
            drawn = picture_requests.make_answer_picture(game, answer, loaded, medium)
        body = drawn.body
    except PlyhostError as error:
        exit_with_problem(error)
    with click.open_file(output, "wb") as file:
        file.write(body)


@main.command("convert")
@state_argument
@click.option("--form", required=True, type=click.Choice(FORMS))
@click.option("--normalise", is_flag=True, help="Make it canonical where it is not.")
def print_converted_state(state: Any, **fields: Any) -> None:
    """Print a STATE in another form."""
    answer = run_operation("convert", None, {"state": read_state_input(state), **fields})
    for loss in answer["dropped"]:
        click.echo(f"plyhost: dropped {loss['where']}: {loss['what']}", err=True)
    print_view(answer, bare=True)


@main.command("suggest")
@state_argument
@click.option("--level", type=int, help="From 1 to 6, which is the default.")
@click.option("--seed", type=int, help="Of what is drawn by lot.")
@click.option("--visits", type=int, help="How many places to look at, instead of the level's.")
@click.option("--seconds", type=float, help="How long to think at most.")
@click.option("--limit", type=int, help="How many moves to tell.")
@click.option("--move", help="Say what is expected of this move, too.")
def print_suggestion(state: Any, **fields: Any) -> None:
    """Print the best moves for a STATE, as far as a search finds them."""
    print_json(run_operation("suggest", None, {"state": read_state_input(state), **fields}))


@main.command("verify")
@state_argument
def print_state_verdict(state: Any) -> None:
    """Print the verdict on a STATE's whole history; exit with 1 if something is wrong."""
    verdict = run_operation("verify", None, {"state": read_state_input(state)})
    print_json(verdict)
    sys.exit(0 if verdict["ok"] else BAD_INPUT)


@main.command("count")
@click.argument("depth", type=click.IntRange(0, limits.COUNT_DEPTH))
@click.argument("state", type=click.File("rb"), required=False)
@click.option("--game", "uid", default="control", show_default=True, help="Without a STATE.")
@click.option("--variant", "uids", multiple=True, help="Without a STATE: a variant's uid.")
@click.option("--split", is_flag=True, help="Print the count of each first move as well.")
def print_sequence_count(
    depth: int, state: Any, uid: str, uids: tuple[str, ...], split: bool
) -> None:
    """Print how many legal sequences of DEPTH moves a new game, or a STATE, has."""
    try:
        game, position = _find_counted_position(state, uid, uids)
    except PlyhostError as error:
        exit_with_problem(error)
    if split and depth:
        for text, number in counting.count_by_first_move(game, position, depth).items():
            click.echo(f"{text} {number}")
    click.echo(counting.count_sequences(game, position, depth))


def _find_counted_position(state: Any, uid: str, uids: tuple[str, ...]) -> tuple[AnyGame, Any]:
    if state is None:
        game = registry.find_game(uid)
        chosen = variants.normalise_variant_uids(game.info, uids)
        return game, game.start(variants.find_board_variant(game.info, chosen).side)
    wire = read_state_input(state)
    game = registry.find_game(forms.find_state_game(wire))
    last = forms.parse_state(game, wire).last
    return game, last.position
