"""How the commands call the contract: states in from files and pipes, answers and problems out."""

import sys
from collections.abc import Callable
from typing import Any, NoReturn

import click
import orjson

from plyhost import limits
from plyhost.cli.failures import exit_with_failure
from plyhost.contract.operations import OPERATIONS
from plyhost.errors import PlyhostError
from plyhost.games import registry
from plyhost.schemas.requests import INCLUDES, REQUESTS, load_request
from plyhost.states import forms, strict_json

BAD_INPUT = 1
#: What a text file may begin with.
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
state_argument = click.argument("state", type=click.File("rb"), default="-")


def print_json(answer: Any) -> None:
    """Print an answer as indented JSON."""
    click.echo(orjson.dumps(answer, option=orjson.OPT_INDENT_2))


def exit_with_problem(error: PlyhostError) -> NoReturn:
    """Print a refusal to standard error and end with 1."""
    click.echo(orjson.dumps(error.body(), option=orjson.OPT_INDENT_2), err=True)
    sys.exit(BAD_INPUT)


def read_state_input(source: Any) -> Any:
    """Return the state of a file: the text itself, or the object, or an answer's `state`."""
    data: bytes = source.read().removeprefix(BYTE_ORDER_MARK).strip()
    if len(data) > limits.BODY_BYTES:
        exit_with_failure(f"the input is over {limits.BODY_BYTES} bytes")
    if not data.startswith((b"{", b'"')):
        try:
            return data.decode()
        except UnicodeDecodeError:
            exit_with_failure("the input is no text")
    try:
        found = strict_json.parse_strict_json(data)
    except strict_json.Ambiguous as error:
        exit_with_failure(f"the input cannot be read: {error}")
    return found["state"] if isinstance(found, dict) and "contract" in found else found


def read_plan(_context: click.Context, _parameter: click.Parameter, text: str | None) -> Any:
    """Return what the JSON of a plan says; a callback of arguments and options."""
    if text is None:
        return None
    try:
        return strict_json.parse_strict_json(text.encode(errors="surrogateescape"))
    except strict_json.Ambiguous as error:
        exit_with_failure(f"the plan cannot be read: {error}")


def run_operation(operation: str, uid: str | None, fields: dict[str, Any]) -> Any:
    """Check the fields as a request and run an operation; a refusal ends the program."""
    wanted = {name: value for name, value in fields.items() if value not in (None, ())}
    try:
        game = registry.find_game(uid or forms.find_state_game(wanted["state"]))
        return OPERATIONS[operation](game, load_request(REQUESTS[operation], wanted))
    except PlyhostError as error:
        exit_with_problem(error)


def add_view_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of every command that prints a view."""
    for option in (
        click.option("--include", multiple=True, type=click.Choice(INCLUDES), help="Add to it."),
        click.option("--timestamp", help="The time of the new entry instead of now."),
        click.option("--bare", is_flag=True, help="Print the state alone."),
    ):
        command = option(command)
    return command


def print_view(view: dict[str, Any], bare: bool) -> None:
    """Print a view, or with `bare` its state alone."""
    if not bare:
        print_json(view)
    elif isinstance(view["state"], str):
        click.echo(view["state"])
    else:
        click.echo(orjson.dumps(view["state"]))


def turn_tuples_into_lists(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields as a request holds them."""
    return {
        key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()
    }
