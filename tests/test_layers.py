"""Imports point one way down: HTTP, contract, states, games, board."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

#: The rows of the house, the lowest first; a module may import from its own row and below.  A part
#: of a package stands where the package does, unless it is named itself.
ROWS = [
    [
        "plugin.errors",
        "plugin.bits",
        "plugin.varints",
        "plugin.clock",
        "plugin.strict",
        "plugin.limits",
        "plugin.deadline",
    ],
    ["plugin.config", "schemas.guard"],
    ["plugin.hexes"],
    ["plugin.game"],
    ["plugin.control", "plugin.congeners"],
    ["plugin.history", "plugin.registry", "plugin.counting"],
    ["plugin.variants", "plugin.entries", "plugin.parts"],
    ["plugin.full", "plugin.compact"],
    ["plugin.codec"],
    ["plugin.convert", "plugin.chat", "plugin.render", "plugin.archive"],
    ["plugin.pictures.palettes"],
    ["plugin.view", "plugin.pictures"],
    ["schemas.fields", "schemas.kinds", "schemas.v1", "schemas.v2018"],
    ["schemas.answers", "schemas.links"],
    ["plugin.contract"],
    ["schemas.examples"],
    ["schemas.openapi", "plugin.legacy", "plugin.replay"],
    ["plugin.web", "plugin.legacy.http"],
    ["schemas.publish"],
    ["plugin.app", "plugin.server"],
    ["plugin.cli"],
]
#: Modules that know HTTP; nothing else may import Flask or what it stands on.
WEB = {
    "plugin.app",
    "plugin.legacy.http",
    "plugin.web.bodies",
    "plugin.web.drawing",
    "plugin.web.guard",
    "plugin.web.idempotency_http",
    "plugin.web.pages",
    "plugin.web.playground",
    "plugin.web.problems",
    "plugin.web.rates",
}


@cache
def modules() -> dict[str, Path]:
    """Return the files of the code by module; a package is its `__init__`."""
    found = {}
    for file in [*ROOT.glob("plugin/**/*.py"), *ROOT.glob("schemas/**/*.py")]:
        parts = file.relative_to(ROOT).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = file
    return {name: file for name, file in found.items() if "." in name}


def imported(file: Path) -> set[str]:
    """Return what a file imports: modules where it names one, else what it takes things from."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names |= {one if one in modules() else node.module for one in inner}
    return names


def row(name: str) -> int:
    """Return a module's row."""
    heights = {one: height for height, names in enumerate(ROWS) for one in names}
    around = [one for one in heights if f"{name}.".startswith((f"{one}.", f"{one}_"))]
    assert around, f"{name} stands in no row"
    return heights[max(around, key=len)]


@pytest.mark.parametrize("name", sorted(modules()))
def test_a_module_imports_from_its_own_row_and_below(name: str) -> None:
    for other in imported(modules()[name]) & set(modules()):
        assert row(other) <= row(name), f"{name} imports {other}"


@pytest.mark.parametrize("name", sorted(set(modules()) - WEB))
def test_only_the_transport_knows_flask(name: str) -> None:
    roots = {one.split(".")[0] for one in imported(modules()[name])}
    assert not roots & {"flask", "werkzeug"}


def test_no_two_modules_import_each_other() -> None:
    below = {name: imported(file) & set(modules()) for name, file in modules().items()}
    placed: set[str] = set()
    while waiting := {name for name in below if name not in placed}:
        ready = {name for name in waiting if below[name] - {name} <= placed}
        assert ready, f"a ring among {sorted(waiting)}"
        placed |= ready
