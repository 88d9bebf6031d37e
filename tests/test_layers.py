"""The house has rooms one above the other; the README's table lists them, and this reads it."""

import ast
import re
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from tests.tools import ROOT

SOURCE = ROOT / "plugin" / "plyhost"
#: Only this room knows HTTP, so only it may import Flask or what Flask stands on.
WEB = "web"


@cache
def list_modules() -> dict[str, Path]:
    """Return the files of the code by module; a package is its `__init__`."""
    found = {}
    for file in SOURCE.rglob("*.py"):
        parts = file.relative_to(SOURCE.parent).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = file
    return found


@cache
def list_rooms() -> list[tuple[str, set[str]]]:
    """Return the README's rooms, the highest first, each with the names that its row lists."""
    text = (ROOT / "README.md").read_text()
    table = re.search(r"\| room \| modules \|.*?\n\n", text, re.DOTALL)
    assert table
    rows = [line.split("|")[1:3] for line in table.group().splitlines()[2:] if line]
    return [(room.strip(" `/"), set(re.findall(r"`([\w/]+)`", names))) for room, names in rows]


def find_room(module: str) -> str:
    """Return the room of a module; those that lie beside the rooms are the ground."""
    parts = module.split(".")
    return parts[1] if (SOURCE / parts[-1]).is_dir() or len(parts) > 2 else "plyhost"


def find_height(module: str) -> int:
    """Return how high a module's room lies, the ground 0."""
    names = [room for room, _ in reversed(list_rooms())]
    return names.index(find_room(module))


@cache
def list_imports(file: Path) -> set[str]:
    """Return what a file imports: modules where it names one, else what it takes things from."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names |= {one if one in list_modules() else node.module for one in inner}
    return names


@pytest.mark.parametrize("name", sorted(set(list_modules()) - {"plyhost"}))
def test_a_module_imports_from_its_own_room_and_below(name: str) -> None:
    for other in list_imports(list_modules()[name]) & set(list_modules()):
        assert find_height(other) <= find_height(name), f"{name} imports {other}"


def test_only_the_web_knows_flask() -> None:
    for name, file in list_modules().items():
        roots = {one.split(".")[0] for one in list_imports(file)}
        if find_room(name) != WEB:
            assert not roots & {"flask", "werkzeug"}, name


def test_the_readme_lists_every_module() -> None:
    listed = {name for room, names in list_rooms() for name in place_names(room, names)}
    there = {name.removeprefix("plyhost.") for name in list_modules()} - {"plyhost"}
    packages = {name for name in there if list_modules()[f"plyhost.{name}"].stem == "__init__"}
    assert listed == there - packages


def place_names(room: str, names: set[str]) -> set[str]:
    """Return the modules that a row means: `full/` stands for all that is in that folder."""
    inside = "" if room == "plyhost" else f"{room}."
    folders = {name.rstrip("/") for name in names if name.endswith("/")}
    within = [
        file.relative_to(SOURCE).with_suffix("").parts
        for folder in folders
        for file in (SOURCE / room / folder).glob("*.py")
        if file.stem != "__init__"
    ]
    alone = (f"{inside}{name}" for name in names if not name.endswith("/"))
    return set(chain(alone, map(".".join, within)))


def test_tests_lie_in_rooms_of_the_same_names() -> None:
    for file in (ROOT / "tests").glob("*/test_*.py"):
        assert (SOURCE / file.parent.name).is_dir(), file


def test_no_two_modules_import_each_other() -> None:
    below = {
        name: list_imports(file) & set(list_modules()) for name, file in list_modules().items()
    }
    placed: set[str] = set()
    while waiting := {name for name in below if name not in placed}:
        ready = {name for name in waiting if below[name] - {name} <= placed}
        assert ready, f"a ring among {sorted(waiting)}"
        placed |= ready


def test_no_function_name_stands_twice() -> None:
    homes: dict[str, list[str]] = {}
    for name, file in list_modules().items():
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                homes.setdefault(node.name, []).append(name)
    assert not {name: places for name, places in homes.items() if len(places) > 1}
