"""Commands for who runs the service: start it, look at its settings, make keys and addresses."""

import sys
from time import time
from typing import NoReturn

import click

from plugin import config
from plugin.config import Misconfigured, Settings
from plugin.config_kinds import KEY_NAME
from plugin.web import access

BAD_CALL = 2


def _unusable(error: Misconfigured) -> NoReturn:
    for fault in error.faults:
        click.echo(f"plyhost: {fault}", err=True)
    sys.exit(BAD_CALL)


def _settings() -> Settings:
    try:
        return config.load()
    except Misconfigured as error:
        _unusable(error)


@click.command()
@click.option("--host", help="The address to listen on.  [PLYHOST_HOST, or 127.0.0.1]")
@click.option("--port", type=click.IntRange(1, 65535), help="[PLYHOST_PORT, or 8000]")
@click.option("--workers", type=click.IntRange(1, 256), help="[PLYHOST_WORKERS, or 1]")
def serve(host: str | None, port: int | None, workers: int | None) -> None:
    """Run the service."""
    from plugin.server import run

    settings = _settings()
    try:
        run(host or settings.host, port or settings.port, workers or settings.workers)
    except Misconfigured as error:
        _unusable(error)


@click.command(name="config")
def show() -> None:
    """Print the settings in effect, secrets masked, as lines of an environment file."""
    for name, value, told in config.shown(_settings()):
        click.echo(f"# {told}\n{name}={value}")


@click.command()
@click.argument("name")
def key(name: str) -> None:
    """Make a key for the caller NAME: the key itself, and what PLYHOST_API_KEYS holds of it."""
    if not KEY_NAME.fullmatch(name):
        click.echo("plyhost: a name has 1 to 32 letters, digits, dots, dashes", err=True)
        sys.exit(BAD_CALL)
    made = access.new_key()
    click.echo(f"key for the caller, shown this once: {made}", err=True)
    click.echo(f"{name}:{access.hashed(made)}")


@click.command()
@click.argument("address")
@click.option(
    "--days", default=30.0, show_default=True, type=click.FloatRange(0, min_open=True, max=36500)
)
def sign(address: str, days: float) -> None:
    """Print the ADDRESS of a picture, its path and query, with a signature.

    PLYHOST_PICTURE_SECRET is what it is signed with.
    """
    path = address.partition("?")[0]
    if not access.is_picture(path):
        click.echo("plyhost: only addresses such as /v1/games/…/picture.svg?… are signed", err=True)
        sys.exit(BAD_CALL)
    secret = _settings().picture_secret
    if not secret:
        _unusable(Misconfigured(["PLYHOST_PICTURE_SECRET is not set."]))
    click.echo(access.sign(secret, address, int(time() + days * 86400)))


COMMANDS = (serve, show, key, sign)
