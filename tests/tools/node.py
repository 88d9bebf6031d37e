"""Node's tools for tests; where they cannot be had a test says so, and CI may require them."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest


def need_npm() -> None:
    """Skip where there is no npm, or fail where `TEST_NODE=required` says that there is to be."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        _leave("there is no node with npm here, so the client for TypeScript is not tried")


def install_packages(folder: Path) -> None:
    """Install what a package is developed with; skips where nothing can be fetched."""
    done = _run(folder, ["install", "--no-audit", "--no-fund", "--ignore-scripts"], {})
    if done.returncode != 0:
        _leave(f"npm fetches nothing here: {done.stderr[-300:]}")


def run_npm(folder: Path, *command: str, env: Mapping[str, str] | None = None) -> str:
    """Run npm in a folder and return what it printed; it must succeed."""
    done = _run(folder, command, env or {})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _run(
    folder: Path, command: list[str] | tuple[str, ...], env: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["npm", *command],
        cwd=folder,
        env=os.environ | env,
        capture_output=True,
        text=True,
        check=False,
    )


def _leave(told: str) -> None:
    if os.environ.get("TEST_NODE") == "required":
        pytest.fail(f"TEST_NODE=required, but {told}")
    pytest.skip(told)
