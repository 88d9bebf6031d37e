"""Commands for who runs the service: start it, look at its settings, make keys and addresses."""

import sys
from time import time
from typing import NoReturn

import click

from plyhost.cli.failures import FAILED, exit_with_failure
from plyhost.web import config
from plyhost.web.config import Misconfigured, Settings
from plyhost.web.gates import access
from plyhost.web.setting_types import KEY_NAME


def _exit_with_faults(error: Misconfigured) -> NoReturn:
    for fault in error.faults:
        click.echo(f"plyhost: {fault}", err=True)
    sys.exit(FAILED)


def _load_settings_or_exit() -> Settings:
    try:
        return config.load_settings()
    except Misconfigured as error:
        _exit_with_faults(error)


@click.command("serve")
@click.option("--host", help="The address to listen on.  [PLYHOST_HOST, or 127.0.0.1]")
@click.option("--port", type=click.IntRange(1, 65535), help="[PLYHOST_PORT, or 8000]")
@click.option("--workers", type=click.IntRange(1, 256), help="[PLYHOST_WORKERS, or 1]")
def run_serve_command(host: str | None, port: int | None, workers: int | None) -> None:
    """Run the service."""
    from plyhost.web.serving.server import run_server

    settings = _load_settings_or_exit()
    try:
        run_server(host or settings.host, port or settings.port, workers or settings.workers)
    except Misconfigured as error:
        _exit_with_faults(error)


@click.command("config")
def print_settings() -> None:
    """Print the settings in effect, secrets masked, as lines of an environment file."""
    for name, value, told in config.describe_settings(_load_settings_or_exit()):
        click.echo(f"# {told}\n{name}={value}")


@click.command("key")
@click.argument("name")
def print_new_key(name: str) -> None:
    """Make a key for the caller NAME: the key itself, and what PLYHOST_API_KEYS holds of it."""
    if not KEY_NAME.fullmatch(name):
        exit_with_failure("a name has 1 to 32 letters, digits, dots, dashes")
    made = access.make_caller_key()
    click.echo(f"key for the caller, shown this once: {made}", err=True)
    click.echo(f"{name}:{access.hash_caller_key(made)}")


@click.command("sign")
@click.argument("address")
@click.option(
    "--days", default=30.0, show_default=True, type=click.FloatRange(0, min_open=True, max=36500)
)
def print_signed_address(address: str, days: float) -> None:
    """Print the ADDRESS of a picture, its path and query, with a signature.

    PLYHOST_PICTURE_SECRET is what it is signed with.
    """
    path = address.partition("?")[0]
    if not access.is_picture_path(path):
        exit_with_failure("only addresses such as /v1/games/…/picture.svg?… are signed")
    secret = _load_settings_or_exit().picture_secret
    if not secret:
        _exit_with_faults(Misconfigured(["PLYHOST_PICTURE_SECRET is not set."]))
    click.echo(access.sign_address(secret, address, int(time() + days * 86400)))


COMMANDS = (run_serve_command, print_settings, print_new_key, print_signed_address)
