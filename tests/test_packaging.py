"""What an installation puts where: one import name, the documents and the page beside the code."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from shutil import copytree, ignore_patterns
from tarfile import TarFile
from zipfile import ZipFile

import pytest

from tests.tools import ROOT

SOURCE = ROOT / "plugin"
#: Packages that lie beside the source root.
BESIDE = ("plyhost.documents", "plyhost.published")
BUILD = """
from sys import argv
from setuptools.build_meta import build_sdist, build_wheel
{"sdist": build_sdist, "wheel": build_wheel}[argv[1]](argv[2])
"""


def build_distribution(kind: str, source: Path, folder: Path) -> Path:
    """Build the project that lies at `source`; return the file made."""
    folder.mkdir()
    command = [sys.executable, "-c", BUILD, kind, str(folder)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the source distribution, unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    clone = folder / "clone"
    clone.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        (clone / name).write_bytes((ROOT / name).read_bytes())
    for name in ("plugin", "schemas", "docs"):
        copytree(ROOT / name, clone / name, ignore=ignore_patterns("__pycache__", "*.egg-info"))
    with TarFile.open(build_distribution("sdist", clone, folder / "made")) as packed:
        packed.extractall(folder, filter="data")
    (unpacked,) = folder.glob("plyhost-*")
    return unpacked


@pytest.fixture(scope="module")
def installed(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what the wheel that is made of the source distribution installs."""
    folder = tmp_path_factory.mktemp("wheel")
    with ZipFile(build_distribution("wheel", sdist, folder / "made")) as wheel:
        wheel.extractall(folder / "site")
    return folder / "site"


def list_files(folder: Path) -> set[str]:
    """Return the files below a folder, by their path in it."""
    files = (file.relative_to(folder) for file in folder.rglob("*") if file.is_file())
    return {str(file) for file in files if "__pycache__" not in file.parts}


def test_every_room_is_installed() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    rooms = {file.parent.relative_to(SOURCE) for file in SOURCE.rglob("__init__.py")}
    assert told == sorted([*(".".join(room.parts) for room in rooms), *BESIDE])


@pytest.mark.long
def test_one_name_is_installed(installed: Path) -> None:
    names = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert names == {"plyhost"}


def test_code_page_and_documents_are_installed(installed: Path) -> None:
    published = {f"published/{name}" for name in list_files(ROOT / "schemas")}
    told = {
        f"documents/{name}"
        for name in list_files(ROOT / "docs")
        if "/" not in name or re.fullmatch(r"games/\w+\.md", name)
    }
    assert list_files(installed / "plyhost") == list_files(SOURCE / "plyhost") | published | told


def test_a_site_keeps_its_own_modules(installed: Path, tmp_path: Path) -> None:
    for name in ("plugin", "schemas"):
        (tmp_path / f"{name}.py").write_text("MINE = True\n")
    code = (
        "import plugin, plyhost, schemas, sys; assert plugin.MINE and schemas.MINE;"
        "from plyhost.web.app import create_app; client = create_app().test_client();"
        "paths = ('/schemas/v1-view.schema.json', '/playground', '/docs/contract');"
        "codes = [client.get(path).status_code for path in paths];"
        "print(plyhost.__file__, *codes, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.split() == [str(installed / "plyhost" / "__init__.py"), *["200"] * 3]


def test_the_command_takes_nothing_from_where_it_is_called(tmp_path: Path) -> None:
    for name in ("flask", "plugin", "schemas", "plyhost", "orjson"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not this one')\n")
    command = [str(Path(sys.executable).with_name("plyhost")), "new", "control", "--bare"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert '"game":"control"' in done.stdout
