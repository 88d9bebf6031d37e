"""The client for TypeScript: its types are the contract's, and node tries it on a real service."""

import os
import re
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from tests.tools import ROOT
from tests.tools.games import VECTORS
from tests.tools.node import install_packages, need_npm, run_npm
from tests.tools.serving import serving

KEY = "ply_of_the_site"
SECRET = "0123456789abcdef0123456789abcdef"
SOURCE = ROOT / "clients" / "typescript"
#: What is neither code of ours nor a cast: the generated types, comments, texts.
NO_CODE = re.compile(r'//.*|/\*.*?\*/|"[^"\n]*"|`[^`]*`|^ *\*.*', re.MULTILINE)
CAST = re.compile(r"\bas\b|@ts-")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the package with its tools, beside the published documents."""
    need_npm()
    folder = tmp_path_factory.mktemp("clone")
    left = shutil.ignore_patterns("node_modules", "dist")
    copied = shutil.copytree(SOURCE, folder / "clients" / "typescript", ignore=left)
    shutil.copytree(ROOT / "schemas", folder / "schemas")
    install_packages(copied)
    return copied


@pytest.mark.long
def test_node_plays_whole_games_with_it(package: Path) -> None:
    secrets = {
        "PLYHOST_API_KEYS": f"site:{sha256(KEY.encode()).hexdigest()}",
        "PLYHOST_PICTURE_SECRET": SECRET,
        "PLYHOST_RATE_LIMIT": "off",
    }
    with serving(env=os.environ | secrets) as url:
        put_readme_under_test(package, url)
        told = {"PLYHOST_URL": url, "PLYHOST_KEY": KEY, "PLYHOST_SECRET": SECRET}
        said = run_npm(package, "test", env=told | {"PLYHOST_VECTORS": str(VECTORS)})
    assert re.search("^# fail 0$", said, re.MULTILINE)
    passed = re.search(r"^# pass (\d+)$", said, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) >= 30


def put_readme_under_test(package: Path, url: str) -> None:
    """Write each program of the README beside the tests, where it is type-checked and run."""
    programs = re.findall(r"```ts\n(.*?)```", (SOURCE / "README.md").read_text(), re.DOTALL)
    assert len(programs) == 3
    for number, program in enumerate(programs):
        here = program.replace("http://localhost:8000", url)
        (package / "test" / f"readme{number}.test.ts").write_text(here)


@pytest.mark.long
def test_its_types_are_made_of_the_published_contract(package: Path) -> None:
    run_npm(package, "run", "types")
    made, kept = package / "src" / "schema.ts", SOURCE / "src" / "schema.ts"
    assert made.read_text() == kept.read_text()


def test_nothing_in_it_is_cast() -> None:
    files = [*SOURCE.glob("src/*.ts"), *SOURCE.glob("test/*.ts")]
    ours = [file for file in files if file.name != "schema.ts"]
    assert len(ours) >= 8
    for file in ours:
        assert CAST.search(NO_CODE.sub("", file.read_text())) is None, file


def test_it_needs_nothing_at_run_time_and_has_the_release_of_the_rest() -> None:
    told = (SOURCE / "package.json").read_text()
    release = re.search('^version = "(.*)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert '"dependencies"' not in told
    assert release is not None
    assert f'"version": "{release[1]}"' in told
