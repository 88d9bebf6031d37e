"""Imports point one way down: HTTP, contract, states, games, board."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

#: The rows of the house, the lowest first; a module may import from its own row and below.
ROWS = [
    [
        "plugin.errors",
        "plugin.bits",
        "plugin.clock",
        "plugin.strict",
        "plugin.limits",
        "plugin.error_page",
        "plugin.deadline",
        "plugin.config",
        "plugin.cors",
        "plugin.logs",
        "plugin.metrics",
        "plugin.access",
        "plugin.redis_link",
        "schemas.guard",
    ],
    ["plugin.store", "plugin.frame"],
    ["plugin.idempotency"],
    ["plugin.hexes"],
    ["plugin.game"],
    ["plugin.control", "plugin.control_info", "plugin.congeners", "plugin.polyhex"],
    ["plugin.history", "plugin.registry", "plugin.counting"],
    ["plugin.variants", "plugin.entries"],
    ["plugin.full", "plugin.compact"],
    ["plugin.codec"],
    ["plugin.convert", "plugin.chat", "plugin.render", "plugin.archive"],
    ["plugin.palettes"],
    ["plugin.view", "plugin.svg"],
    ["schemas.fields", "schemas.v1", "schemas.answers", "schemas.v2018"],
    ["plugin.contract", "plugin.pictures", "plugin.png", "plugin.animate"],
    ["schemas.openapi", "plugin.intake", "plugin.legacy", "plugin.replay"],
    ["plugin.legacy_http", "plugin.playground_http", "plugin.drawing_http"],
    ["plugin.service", "plugin.rates", "plugin.guard"],
    ["plugin.problems"],
    ["plugin.pages", "schemas.publish"],
    ["plugin.app", "plugin.server"],
    ["plugin.cli"],
]
#: Modules that know HTTP; nothing else may import Flask or what it stands on.
WEB = {
    "plugin.app",
    "plugin.drawing_http",
    "plugin.guard",
    "plugin.idempotency_http",
    "plugin.pages",
    "plugin.problems",
    "plugin.rates",
    "plugin.legacy_http",
    "plugin.playground_http",
}


def modules() -> dict[str, Path]:
    files = [*ROOT.glob("plugin/*.py"), *ROOT.glob("schemas/*.py")]
    return {f"{file.parent.name}.{file.stem}": file for file in files if file.stem != "__init__"}


def imported(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def row(name: str) -> int:
    """Return a module's row; a part of a game or of the drawing stands where its whole does."""
    for height, names in enumerate(ROWS):
        if any(name == one or name.startswith(f"{one}_") for one in names):
            return height
    raise AssertionError(f"{name} stands in no row")


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
