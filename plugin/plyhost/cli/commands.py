"""The command `plyhost`: the server, and the contract on files and pipes.

A STATE is a file or `-` for standard input, and holds a state in any form or an answer that
carries one, so that commands can be joined by pipes.  The exit status is 0 for success, 1 when
the input is refused or differs (the problem goes to standard error), 2 for a wrong call or input
that cannot be read.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import click
import orjson

from plyhost import limits
from plyhost.cli.service_commands import COMMANDS
from plyhost.contract import picture_requests
from plyhost.contract import text_board as pictures_text
from plyhost.contract.operations import OPERATIONS
from plyhost.errors import PlyhostError
from plyhost.games import counting, registry, variants
from plyhost.games.game import AnyGame
from plyhost.pictures.asking import PALETTE_NAMES
from plyhost.schemas.requests import INCLUDES, REQUESTS, load_request
from plyhost.states import forms, strict_json
from plyhost.states.forms import FORMS

BAD_INPUT, BAD_CALL = 1, 2
#: As shells tell it: 128 and the number of SIGINT.
INTERRUPTED = 130

heartbeat_option = click.option(
    "--heartbeat",
    default=20.0,
    show_default=True,
    type=click.FloatRange(0.5, 3600),
    help="Seconds after which a silent worker counts as dead; the same for all.",
)
state_argument = click.argument("state", type=click.File("rb"), default="-")


@click.group(help=__doc__)
@click.version_option(package_name="plyhost")
def main() -> None:
    """Run the command line."""


for command in COMMANDS:
    main.add_command(command)


def _print_json(answer: Any) -> None:
    click.echo(orjson.dumps(answer, option=orjson.OPT_INDENT_2))


def _exit_with_problem(error: PlyhostError) -> NoReturn:
    click.echo(orjson.dumps(error.body(), option=orjson.OPT_INDENT_2), err=True)
    sys.exit(BAD_INPUT)


def _exit_as_unreadable(why: str) -> NoReturn:
    click.echo(f"plyhost: {why}", err=True)
    sys.exit(BAD_CALL)


def _read_state_input(source: Any) -> Any:
    """Return the state of a file: the text itself, or the object, or an answer's `state`."""
    data: bytes = source.read().strip()
    if len(data) > limits.BODY_BYTES:
        _exit_as_unreadable(f"the input is over {limits.BODY_BYTES} bytes")
    if not data.startswith((b"{", b'"')):
        try:
            return data.decode()
        except UnicodeDecodeError:
            _exit_as_unreadable("the input is no text")
    try:
        found = strict_json.parse_strict_json(data)
    except strict_json.Ambiguous as error:
        _exit_as_unreadable(f"the input cannot be read: {error}")
    return found["state"] if isinstance(found, dict) and "contract" in found else found


def _run_operation(operation: str, uid: str | None, fields: dict[str, Any]) -> Any:
    """Check the fields as a request and run an operation; a refusal ends the program."""
    wanted = {name: value for name, value in fields.items() if value not in (None, ())}
    try:
        game = registry.find_game(uid or forms.find_state_game(wanted["state"]))
        return OPERATIONS[operation](game, load_request(REQUESTS[operation], wanted))
    except PlyhostError as error:
        _exit_with_problem(error)


def add_view_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of every command that prints a view."""
    for option in (
        click.option("--include", multiple=True, type=click.Choice(INCLUDES), help="Add to it."),
        click.option("--timestamp", help="The time of the new entry instead of now."),
        click.option("--bare", is_flag=True, help="Print the state alone."),
    ):
        command = option(command)
    return command


def _print_view(view: dict[str, Any], bare: bool) -> None:
    if not bare:
        _print_json(view)
    elif isinstance(view["state"], str):
        click.echo(view["state"])
    else:
        click.echo(orjson.dumps(view["state"]))


@main.command("new")
@click.argument("game")
@click.option("--variant", "variants", multiple=True, help="A variant's uid.")
@click.option("--form", type=click.Choice(FORMS))
@add_view_options
def print_new_game(game: str, bare: bool, **fields: Any) -> None:
    """Print a new game."""
    _print_view(_run_operation("new", game, _turn_tuples_into_lists(fields)), bare)


def _turn_tuples_into_lists(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()
    }


@main.command("move")
@state_argument
@click.argument("move")
@click.option("--player", type=int)
@click.option("--expected-ply", type=int)
@click.option("--auto", type=click.Choice(("none", "pass", "forced")))
@add_view_options
def print_made_move(state: Any, bare: bool, **fields: Any) -> None:
    """Make a MOVE on a STATE."""
    _print_view(
        _run_operation(
            "move", None, {"state": _read_state_input(state), **_turn_tuples_into_lists(fields)}
        ),
        bare,
    )


@main.command("moves")
@state_argument
@click.option("--prefix", help="Only moves that begin with this.")
def print_legal_moves(state: Any, prefix: str | None) -> None:
    """Print the legal moves of a STATE, one a line."""
    fields = {"state": _read_state_input(state), "prefix": prefix, "limit": limits.LISTED_MOVES}
    for text in _run_operation("moves", None, fields)["moves"]:
        click.echo(text)


@main.command("render")
@state_argument
@click.option("--display", help="One of the game's displays.")
@click.option("--perspective", type=int)
@click.option("--ply", type=int)
@click.option("--move", help="Draw this move without making it.")
def print_render_json(state: Any, **fields: Any) -> None:
    """Print the render JSON of a STATE."""
    _print_json(
        _run_operation("render", None, {"state": _read_state_input(state), **fields})["render"]
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
    wire = _read_state_input(state)
    shown = _run_operation("render", None, {"state": wire, **fields})["render"]
    click.echo(pictures_text.draw_text_board(shown, coloured=sys.stdout.isatty()))
    if fields["ply"] is None and fields["move"] is None:
        view = _run_operation("at", None, {"state": wire, "ply": -1, "include": ["text"]})
        click.echo("\n".join(view["text"].splitlines()[shown["board"]["maxWidth"] :]))


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
    wire, ending = _read_state_input(state), kind or output.rpartition(".")[2].lower()
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
        _exit_with_problem(error)
    with click.open_file(output, "wb") as file:
        file.write(body)


@main.command("convert")
@state_argument
@click.option("--form", required=True, type=click.Choice(FORMS))
@click.option("--normalise", is_flag=True, help="Make it canonical where it is not.")
def print_converted_state(state: Any, **fields: Any) -> None:
    """Print a STATE in another form."""
    answer = _run_operation("convert", None, {"state": _read_state_input(state), **fields})
    for loss in answer["dropped"]:
        click.echo(f"plyhost: dropped {loss['where']}: {loss['what']}", err=True)
    _print_view(answer, bare=True)


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
    _print_json(_run_operation("suggest", None, {"state": _read_state_input(state), **fields}))


@main.command("verify")
@state_argument
def print_state_verdict(state: Any) -> None:
    """Print the verdict on a STATE's whole history; exit with 1 if something is wrong."""
    verdict = _run_operation("verify", None, {"state": _read_state_input(state)})
    _print_json(verdict)
    sys.exit(0 if verdict["ok"] else BAD_INPUT)


@main.command("replay")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1, 256), help="Cores.")
@click.option(
    "--report",
    "reports",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a report: .jsonl (every verdict), .xml (JUnit) or .json (the totals).",
)
@click.option(
    "--write",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write what came out as fixtures, .jsonl or .jsonl.gz.",
)
@click.option(
    "--chunk",
    default=256,
    show_default=True,
    type=click.IntRange(1, 16384),
    help="KiB of games that are judged together.",
)
@click.option("--redis", "url", help="Let workers judge, through this Redis.")
@click.option("--resume", help="Go on with a run that was interrupted.")
@heartbeat_option
def run_replay_command(chunk: int, **fields: Any) -> None:
    """Replay archived games: records and states, files or folders, plain or gzipped.

    The exit status is 0 when every game comes out, 1 when some differ, 2 when something cannot be
    read or nothing was found.
    """
    from plyhost.replay.chunks import prepare_judging
    from plyhost.replay.run import Options, WrongCall
    from plyhost.replay.run import replay_archive as run

    prepare_judging()
    try:
        tally = run(Options(chunk=chunk * 1024, **{**fields, "paths": list(fields["paths"])}))
    except (WrongCall, OSError) as error:
        _exit_as_unreadable(str(error))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    click.echo(tally.text())
    sys.exit(tally.status)


@main.command("worker")
@click.option("--redis", "url", required=True, envvar="PLYHOST_REDIS_URL", help="Its address.")
@heartbeat_option
def run_worker_command(url: str, heartbeat: float) -> None:
    """Judge games for `plyhost replay --redis` until stopped; start one for every core."""
    from plyhost.replay.run import print_notice
    from plyhost.replay.worker import Worker

    try:
        Worker(url, heartbeat, print_notice).run()
    except ValueError as error:
        _exit_as_unreadable(f"{url}: {error}")


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
        _exit_with_problem(error)
    if split and depth:
        for text, number in counting.count_by_first_move(game, position, depth).items():
            click.echo(f"{text} {number}")
    click.echo(counting.count_sequences(game, position, depth))


def _find_counted_position(state: Any, uid: str, uids: tuple[str, ...]) -> tuple[AnyGame, Any]:
    if state is None:
        game = registry.find_game(uid)
        chosen = variants.normalise_variant_uids(game.info, uids)
        return game, game.start(variants.find_board_variant(game.info, chosen).side)
    wire = _read_state_input(state)
    game = registry.find_game(forms.find_state_game(wire))
    last = forms.parse_state(game, wire).last
    return game, last.position
