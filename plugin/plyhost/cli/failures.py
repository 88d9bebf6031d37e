"""What ends a command otherwise than it should: a sentence and the status 2, never 1."""

import os
import sys
from typing import Any, NoReturn

import click
from click.exceptions import Abort

from plyhost.interrupts import INTERRUPTED

#: 1 is for input that is refused or differs, and for nothing else.
FAILED = 2


class Commands(click.Group):
    """Commands of which every failure that none of them has told ends in a sentence."""

    def main(self, *arguments: Any, **options: Any) -> NoReturn:
        """Run a command and end the program."""
        options["standalone_mode"], before = False, sys.stdout
        try:
            status = super().main(*arguments, **options)
            sys.stdout.flush()
        except click.ClickException as error:
            error.show()
            sys.exit(FAILED)
        except SystemExit:
            # What click does where nobody reads any more, and then it would end with 1.
            if sys.stdout is not before:
                sys.exit(FAILED)
            raise
        except (KeyboardInterrupt, Abort):
            sys.exit(INTERRUPTED)
        except OSError as error:
            _exit_with_os_error(error)
        except Exception as error:
            exit_with_failure(f"something broke here: {type(error).__name__}: {error}")
        sys.exit(status if isinstance(status, int) else 0)


def _exit_with_os_error(error: OSError) -> NoReturn:
    _abandon_output()
    name = f"{error.filename}: " if error.filename else ""
    exit_with_failure(f"{name}{error.strerror or error}")


def _abandon_output() -> None:
    """Let nothing more be written to standard output, which could fail again at the very end."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):  # there is no such file, as in tests
        return


def exit_with_failure(why: str) -> NoReturn:
    """Say why and end with 2."""
    click.echo(f"plyhost: {why}", err=True)
    sys.exit(FAILED)
