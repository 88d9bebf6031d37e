"""A game that does to its process what a game must not, to see that nothing else suffers.

It is Control under another name; the first move of a game says what is done.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from plyhost.games.control import rules
from plyhost.games.control.info import INFO
from tests.tools import site_games


def loop() -> None:
    """Go on for ever."""
    while True:
        pass


def fill() -> None:
    """Take more memory than a game may, in one piece, which takes no time."""
    bytearray(1 << 40)


#: What a first move does.
DEEDS: dict[str, Callable[[], Any]] = {
    "a1": lambda: os._exit(0),
    "a2": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "a3": loop,
    "a4": lambda: time.sleep(10_000),
    "a5": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "b1": fill,
    "b6": lambda: sys.exit(1),
    "c1": lambda: 1 / 0,
    "c7": lambda: sys.setrecursionlimit(10**9),
}


class Unruly(rules.Control):
    """Control, until a deed is read."""

    info = replace(INFO, uid="unruly", name="Unruly")

    def read(self, position: rules.ControlPosition, text: str, version: str | None = None) -> int:
        if not any(position.stones) and text in DEEDS:
            DEEDS[text]()
        return super().read(position, text, version)


GAME = Unruly()


def install(folder: Path) -> dict[str, str]:
    """Make the game an installed one for processes with the environment that is returned."""
    return site_games.install(folder, "unruly", "tests.tools.unruly:GAME")


def record(*moves: str) -> dict[str, Any]:
    """Return the record of a game that begins with some moves and is drawn."""
    texts = [*moves, "draw"]
    return {
        "header": {
            "game": {"name": "Unruly", "variants": ["size-5"]},
            "site": {"name": "Test", "gameid": "-".join(moves)},
            "players": [{"name": "A", "result": 0.5}, {"name": "B", "result": 0.5}],
        },
        "moves": [texts[at : at + 2] for at in range(0, len(texts), 2)],
    }
