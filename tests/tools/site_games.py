"""Games of a site's own, installed beside ours for the processes of a test."""

import os
from pathlib import Path

from tests.tools import ROOT


def install(folder: Path, name: str, target: str) -> dict[str, str]:
    """Make a game an installed one for processes with the environment that is returned."""
    about = folder / f"{name}-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[plyhost.games]\n{name} = {target}\n")
    return dict(os.environ) | {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
