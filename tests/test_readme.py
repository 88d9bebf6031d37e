"""Every command and request of the README and the contract, run as it stands there."""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from plyhost.client import Client, Problem, calls
from tests.tools import ROOT
from tests.tools.serving import BIN, free_port, running, serving, wait_for

README = (ROOT / "README.md").read_text()
CONTRACT = (ROOT / "docs" / "contract.md").read_text()
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
BLOCKS = BLOCK.findall(README)


def blocks(kind: str, text: str = README) -> list[str]:
    return [inner for name, inner in BLOCK.findall(text) if name == kind]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as address:
        yield address


def sessions() -> Iterator[tuple[str, str]]:
    """Yield each command with the output that stands below it."""
    for block in blocks("console") + blocks("console", CONTRACT):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def matches(expected: str, found: str) -> bool:
    pattern = ".*".join(map(re.escape, expected.strip().split("...")))
    return re.fullmatch(pattern, found.strip(), re.DOTALL) is not None


def test_the_commands_print_what_stands_below_them(url: str, tmp_path: Path) -> None:
    env = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    seen = 0
    for command, expected in sessions():
        here = command.replace("localhost:8000", url.removeprefix("http://"))
        done = subprocess.run(
            ["bash", "-ec", here],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert matches(expected, done.stdout), f"{command}\n{done.stdout}"
        seen += 1
    assert seen >= 5


def test_the_python_runs_and_prints_what_is_said(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for block in blocks("python") + blocks("python", CONTRACT):
        exec(block.replace("http://localhost:8000", url), {})
    said = capsys.readouterr().out.replace("\n", "")
    assert said in README.replace("\n", " ")


def test_two_submits_at_the_same_moment_make_one_move(url: str, tmp_path: Path) -> None:
    """The contract's recipe, by two connections to one database that have both read the state."""
    (recipe,) = [block for block in blocks("python", CONTRACT) if "def submit" in block]
    place: dict[str, Any] = {}
    exec(recipe.replace("http://localhost:8000", url), place)
    both = [sqlite3.connect(tmp_path / "games", check_same_thread=False) for _ in range(2)]
    both[0].execute("CREATE TABLE games (id INTEGER PRIMARY KEY, state TEXT, ply INTEGER)")
    start = place["ask"]("new", variants=["size-5"])["state"]
    both[0].execute("INSERT INTO games VALUES (1, ?, 0)", [start])
    both[0].commit()
    met, ask = Barrier(2, timeout=30), place["ask"]

    def ask_together(operation: str, **fields: Any) -> Any:
        found = ask(operation, **fields)
        if operation == "move":
            met.wait()
        return found

    place["ask"] = ask_together
    with ThreadPoolExecutor() as pool:
        tried = [
            pool.submit(place["submit"], games, 1, 1, 0, move)
            for games, move in zip(both, ("a1", "e9"), strict=True)
        ]
        views = [one.result() for one in tried]
    assert views[0]["state"] == views[1]["state"]
    assert both[0].execute("SELECT state, ply FROM games").fetchall() == [(views[0]["state"], 1)]


@pytest.mark.parametrize("uid", ["control", "congeners"])
def test_the_bot_of_the_recipe_plays_a_game_to_its_end(url: str, uid: str) -> None:
    (recipe,) = blocks("python", (ROOT / "docs" / "site.md").read_text())
    place: dict[str, Any] = {}
    exec(recipe, place)
    with Client(url, timeout=20) as client:
        view = client.ask(calls.new(uid, variants=["size-5"]))
        for _ in range(200):
            if view.to_move is None:
                break
            games = [(uid, view.state, view.ply)]
            (state,) = place["play_bot_turns"](client, games, view.to_move, 1)
            view = client.ask(calls.view(uid, state))
        assert view.gameover
        over = [(uid, view.state, view.ply)]
        with pytest.raises(Problem, match="game-over"):
            list(place["play_bot_turns"](client, over, 1, 1))


def test_every_kind_of_block_is_run() -> None:
    assert {name for name, _ in BLOCKS} == {"sh", "console", "python"}
    commands = {line for block in blocks("sh") for line in block.splitlines()}
    assert commands == {"make serve", "make test", "make lint", "make bench"}


@pytest.mark.long
def test_make_serve_in_a_fresh_clone_sets_everything_up(tmp_path: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in listed.stdout.splitlines():
        if not name.startswith(("fixtures/", "tests/")) and (ROOT / name).exists():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    port = free_port()
    env = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    serve = ["make", "serve", f"PORT={port}"]
    with running(serve, cwd=tmp_path, env=env, stdout=subprocess.DEVNULL) as process:
        wait_for(f"http://127.0.0.1:{port}", process, seconds=300)
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)
