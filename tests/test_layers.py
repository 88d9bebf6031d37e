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
        "plyhost.errors",
        "plyhost.board.bits",
        "plyhost.states.compact.varints",
        "plyhost.states.clock",
        "plyhost.states.strict_json",
        "plyhost.limits",
        "plyhost.deadline",
    ],
    ["plyhost.web.config", "plyhost.schemas.document_diff"],
    ["plyhost.board.hexes"],
    ["plyhost.games.game"],
    ["plyhost.games.control.rules", "plyhost.games.congeners.rules"],
    ["plyhost.states.steps", "plyhost.games.registry", "plyhost.games.counting"],
    ["plyhost.games.variants", "plyhost.states.full.entry", "plyhost.states.full.raw_stack"],
    ["plyhost.states.full.full_state", "plyhost.states.compact"],
    ["plyhost.states.forms"],
    [
        "plyhost.states.conversion",
        "plyhost.contract.chat",
        "plyhost.pictures.render_json",
        "plyhost.contract.records",
    ],
    ["plyhost.pictures.palettes"],
    ["plyhost.contract.view", "plyhost.contract.picture_requests"],
    [
        "plyhost.schemas.fields",
        "plyhost.schemas.field_types",
        "plyhost.schemas.requests",
        "plyhost.schemas.requests_2018",
    ],
    ["plyhost.schemas.answers", "plyhost.schemas.links"],
    ["plyhost.contract.operations"],
    ["plyhost.schemas.examples"],
    ["plyhost.schemas.openapi", "plyhost.legacy.modes", "plyhost.replay.run"],
    ["plyhost.web", "plyhost.legacy.legacy_http"],
    ["plyhost.schemas.publish"],
    ["plyhost.web.app", "plyhost.web.server"],
    ["plyhost.cli.commands"],
]
#: Modules that know HTTP; nothing else may import Flask or what it stands on.
WEB = {
    "plyhost.web.app",
    "plyhost.legacy.legacy_http",
    "plyhost.web.bodies",
    "plyhost.web.picture_pages",
    "plyhost.web.guard",
    "plyhost.web.idempotency_http",
    "plyhost.web.pages",
    "plyhost.web.playground_pages",
    "plyhost.web.problems",
    "plyhost.web.rates",
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
