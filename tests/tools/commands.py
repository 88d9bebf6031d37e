"""The command line in this process, which saves its start."""

import os
from pathlib import Path
from subprocess import CompletedProcess

from click.testing import CliRunner

from plyhost.cli.commands import main


def run(
    *arguments: Path | str, given: str | bytes = "", env: dict[str, str] | None = None
) -> CompletedProcess[bytes]:
    """Call `plyhost` with arguments, standard input and, beside what is no setting, variables."""
    unset = {name: None for name in os.environ if name.startswith("PLYHOST_")}
    words = [str(one) for one in arguments]
    done = CliRunner().invoke(main, words, input=given, env={**unset, **(env or {})})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return CompletedProcess(words, done.exit_code, done.stdout_bytes, done.stderr_bytes)
