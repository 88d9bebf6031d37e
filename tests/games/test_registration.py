"""Installed games that cannot be hosted are left out, each kind of fault with its words."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from plyhost.games import registration, registry
from plyhost.games.control.info import INFO
from plyhost.games.control.rules import Control
from plyhost.games.game import Advice, Boards, Display, Variant
from plyhost.pictures import layout
from plyhost.pictures.palettes import PALETTES
from tests.tools import site_games
from tests.tools.serving import BIN

NUMBER: Any = 7
OTHER = replace(INFO, uid="other", name="Other")
CONTROL = EntryPoint("control", "plyhost.games.control.rules:GAME", registry.GROUP)


class Other(Control):
    """Control under another name, fit to be hosted."""

    info = OTHER


def make_game(**members: Any) -> Any:
    changed: Any = type("Changed", (Other,), members)
    return changed()


@pytest.fixture
def collect(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], Any]:
    """Return what collects a game beside Control, by an entry point of a real module."""

    def collect(game: Any) -> Any:
        module = ModuleType("outside_game")
        module.__dict__["GAME"] = game
        monkeypatch.setitem(sys.modules, "outside_game", module)
        point = EntryPoint("outside", "outside_game:GAME", registry.GROUP)
        return registry.collect_games([CONTROL, point])

    return collect


def test_a_fit_game_is_hosted(collect: Callable[[Any], Any]) -> None:
    games, left_out = collect(Other())
    assert (list(games), left_out) == (["control", "other"], ())


UNFIT: dict[str, tuple[Callable[[], Any], str]] = {
    "no game": (lambda: 7, "is a int"),
    "a class": (lambda: Control, "is a "),
    "uid taken": (
        lambda: make_game(info=replace(OTHER, uid="control")),
        "another game has: control",
    ),
    "name taken": (lambda: make_game(info=replace(OTHER, name="CONTROL")), "another game has"),
    "uid odd": (lambda: make_game(info=replace(OTHER, uid="a:b")), "needs a uid"),
    "uid no text": (lambda: make_game(info=replace(OTHER, uid=NUMBER)), "cannot be described"),
    "words no text": (lambda: make_game(reasons={"malformed": 7}), "cannot be described"),
    "words not to encode": (
        lambda: make_game(info=replace(OTHER, rules="\ud800")),
        "cannot be described",
    ),
    "no info": (lambda: make_game(info=None), "cannot be described"),
    "fields without schema": (
        lambda: make_game(shown_types={"x": complex | bytearray}),
        "cannot be described",
    ),
    "no version": (lambda: make_game(info=replace(OTHER, versions=())), "no engine version"),
    "no default board": (
        lambda: make_game(info=replace(OTHER, variants=(Variant("a", "A", "", 5),))),
        "begins with #",
    ),
    "side": (
        lambda: make_game(info=replace(OTHER, variants=(Variant("#board", "A", "", 31),))),
        "side 31",
    ),
    "style": (
        lambda: make_game(info=replace(OTHER, displays=(Display("a", "A", "", "go"),))),
        "style go",
    ),
    "palette": (lambda: make_game(info=replace(OTHER, boards=Boards(dark="pink"))), "pink"),
    "breaks": (lambda: make_game(start=lambda game, side: 1 / 0), "ZeroDivisionError"),
    "no position": (lambda: make_game(start=lambda game, side: None), "for a Position"),
    "scores": (lambda: make_game(scores=lambda game, position: None), "a wrong scores"),
    "shown": (lambda: make_game(shown=lambda game, position: {"x": {1, 2}}), "a wrong shown"),
    "winners": (lambda: make_game(winners=lambda game, position: 1), "a wrong winners"),
    "text": (lambda: make_game(text=lambda game, position, move: 5), "a wrong text"),
    "pack": (lambda: make_game(pack=lambda game, position, move: "a"), "a wrong pack"),
    "unpack": (lambda: make_game(unpack=lambda game, on, data, start: (0, 1)), "does not unpack"),
    "undo": (lambda: make_game(undo=lambda game, position, move, ply: position), "back"),
    "events": (lambda: make_game(events=lambda game, position, move: [{}]), "without a type"),
    "hint": (
        lambda: make_game(advise=lambda game, position, text: Advice(1, True, "no", "")),
        "none of its hints",
    ),
}


@pytest.mark.parametrize("kind", UNFIT)
def test_an_unfit_game_is_left_out_and_the_others_stay(
    kind: str, collect: Callable[[Any], Any]
) -> None:
    make, why = UNFIT[kind]
    games, (left_out,) = collect(make())
    assert list(games) == ["control"]
    assert type(games["control"]) is Control
    assert left_out.name == "outside"
    assert why in left_out.why


def test_a_board_of_another_kind_and_a_third_stone_are_refused(
    collect: Callable[[Any], Any],
) -> None:
    fit = Other().start(5)
    odd = {
        "cannot be drawn": lambda game, side: _change(fit, board=object()),
        "two kinds of stone": lambda game, side: _change(fit, stones=(0, 0, 0)),
        "two on a cell": lambda game, side: _change(fit, stones=(1, 1)),
    }
    for why, start in odd.items():
        _, (left_out,) = collect(make_game(start=start))
        assert why in left_out.why


def _change(position: Any, **fields: Any) -> Any:
    members = {name: getattr(position, name) for name in position.__struct_fields__}
    return type(position)(**(members | fields))


@pytest.mark.parametrize("value", ["no_such_module:GAME", "json:GAME", "antigravity_:", "a b"])
def test_code_that_cannot_be_loaded_is_left_out(value: str) -> None:
    games, (left_out,) = registry.collect_games([CONTROL, EntryPoint("x", value, registry.GROUP)])
    assert list(games) == ["control"]
    assert left_out.why.startswith("cannot be loaded: ")


def test_what_can_be_drawn_is_what_the_pictures_draw() -> None:
    assert registration.STYLES == layout.STYLES
    assert tuple(PALETTES) == registration.PALETTES


#: Asks a service in its process what it hosts.
READY = """
from plyhost.web.app import create_app
client = create_app().test_client()
print(client.get("/readyz").get_data(as_text=True))
print(client.get("/v1/games").status_code, client.get("/openapi.json").status_code)
print(list(client.get("/v1").get_json()["engines"]))
"""


@pytest.mark.parametrize("text", ["raise SystemExit(3)", "GAME = '\\udcff'", "GAME = 1 / 0"])
def test_a_service_with_a_broken_game_tells_so_or_does_not_start(text: str, tmp_path: Path) -> None:
    env = site_games.install(tmp_path, "broken", "broken:GAME")
    (tmp_path / "broken.py").write_text(text)
    told = subprocess.run(
        [sys.executable, "-c", READY], env=env, capture_output=True, text=True, check=True
    )
    assert '"games_left_out":[{"name":"broken","why":"' in told.stdout
    assert '"a game is left out"' in told.stdout
    assert "\n200 200\n" in told.stdout
    assert told.stdout.endswith("\n['congeners', 'control']\n")
    strict = subprocess.run(
        [str(BIN / "plyhost"), "serve", "--port", "1"],
        env=env | {"PLYHOST_STRICT_GAMES": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert strict.returncode == 2, strict.stderr
    assert "PLYHOST_STRICT_GAMES is set, and the game broken " in strict.stderr
