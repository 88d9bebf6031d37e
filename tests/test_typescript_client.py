"""The client for TypeScript: its types are the contract's, and node tries it on a real service."""

import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from tests.tools import ROOT
from tests.tools.serving import serving

KEY = "ply_of_the_site"
SECRET = "0123456789abcdef0123456789abcdef"
SOURCE = ROOT / "clients" / "typescript"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the package with its tools; without node only CI is told of a defect."""
    if shutil.which("npm") is None:
        told = "node is needed"
        pytest.fail(told) if os.environ.get("CI") == "true" else pytest.skip(told)
    folder = tmp_path_factory.mktemp("clone")
    left = shutil.ignore_patterns("node_modules", "dist")
    copied = shutil.copytree(SOURCE, folder / "clients" / "typescript", ignore=left)
    shutil.copytree(ROOT / "schemas", folder / "schemas")
    run_npm(copied, "install", "--no-audit", "--no-fund", "--no-package-lock")
    return copied


def run_npm(folder: Path, *command: str, **env: str) -> None:
    done = subprocess.run(
        ["npm", *command],
        cwd=folder,
        env=os.environ | env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_node_plays_whole_games_with_it(package: Path) -> None:
    env = {
        "PLYHOST_API_KEYS": f"site:{sha256(KEY.encode()).hexdigest()}",
        "PLYHOST_PICTURE_SECRET": SECRET,
    }
    with serving(env=os.environ | env | {"PLYHOST_RATE_LIMIT": "off"}) as url:
        run_npm(package, "test", PLYHOST_URL=url, PLYHOST_KEY=KEY, PLYHOST_PICTURE_SECRET=SECRET)


@pytest.mark.long
def test_its_types_are_made_of_the_published_contract(package: Path) -> None:
    run_npm(package, "run", "types")
    made, kept = package / "src" / "schema.ts", SOURCE / "src" / "schema.ts"
    assert made.read_text() == kept.read_text()
