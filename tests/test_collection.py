"""The suite itself: whoever collects it, and whenever, finds the same tests in the same order."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools import ROOT


def collected(seed: str, folder: Path) -> list[str]:
    """Return the ids that a process of its own collects, which takes it some seconds."""
    clean = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-o", "addopts=-q"],
        cwd=ROOT,
        env=clean | {"PYTHONHASHSEED": seed, "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.long
def test_names_of_tests_hang_on_no_clock_hash_or_folder(tmp_path: Path) -> None:
    first, second = (collected(seed, tmp_path / seed) for seed in ("1", "2"))
    assert len(first) > 1000
    assert first == second
    assert len(set(first)) == len(first)
