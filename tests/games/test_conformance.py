"""`plyhost check-game` passes our games, and names what does not hold of a faulty one."""

import sys
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from plyhost.cli.commands import main
from plyhost.games import registry
from tests.games.test_registration import make_game


def check(target: str, *options: str) -> Any:
    return CliRunner().invoke(main, ["check-game", target, *options])


@pytest.mark.parametrize("uid", sorted(registry.load_games()))
def test_our_games_pass(uid: str) -> None:
    told = check(f"plyhost.games.{uid}.rules:GAME", "--games", "1")
    assert (told.exit_code, told.output) == (0, "")


FAULTS: dict[str, Any] = {
    "count says": {"count": lambda game, position: 3},
    "not allowed": {"allows": lambda game, position, move: False},
    "unlike targets": {"targets": lambda game, position, text: iter(())},
    "nobody has won": {"moves": lambda game, position: iter(())},
    "ZeroDivisionError": {"play": lambda game, position, move: 1 // 0},
}


@pytest.mark.parametrize("told", FAULTS)
def test_a_fault_is_named(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("outside_game")
    module.__dict__["GAME"] = make_game(**FAULTS[told])
    monkeypatch.setitem(sys.modules, "outside_game", module)
    found = check("outside_game:GAME", "--games", "1")
    assert found.exit_code == 1
    assert told in found.output


def test_what_is_not_there_is_a_wrong_call() -> None:
    assert check("no_such_module:GAME").exit_code == 2
