"""Games of Congeners for the tests: recorded ones, and new ones played by simple policies."""

import json
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from plyhost.board.bits import Bits, scan_cells
from plyhost.board.hexes import Board
from plyhost.games.congeners.rules import GAME, CongenersPosition
from plyhost.games.game import Advice, Illegal
from tests import naive
from tests.tools import games

SETUP = "b1,b2/g3,g4"
# On side 5: Black b1,c2 and c5; White g3,h3 and h1; Black to move.
TURNS = [SETUP, "b2-c2,c5", "g4-h3,h1"]


@cache
def recorded(name: str) -> list[dict[str, Any]]:
    """Return the objects of a file of vectors, one a line."""
    return [json.loads(line) for line in (games.VECTORS / name).read_text().splitlines()]


def side_of(game: dict[str, Any]) -> int:
    """Return the side of a recorded game's board."""
    return games.side_of("congeners", game)


def replayed(side: int, moves: list[str]) -> list[CongenersPosition]:
    """Return the positions before the first of some moves, and after each."""
    positions = [GAME.start(side)]
    for text in moves:
        positions.append(GAME.play(positions[-1], GAME.read(positions[-1], text)))
    return positions


def reached(side: int, moves: list[str]) -> CongenersPosition:
    """Return the position after some moves."""
    return replayed(side, moves)[-1]


def listing(position: CongenersPosition) -> list[str]:
    """Return the texts of the legal moves in the contract's order."""
    return [GAME.text(position, move) for move in GAME.moves(position)]


def names(board: Board, cells: Bits) -> list[str]:
    """Return the labels of a set of cells in board order."""
    return [board.labels[cell] for cell in scan_cells(cells)]


@cache
def varied() -> list[CongenersPosition]:
    """Return every seventh position of the recorded games, from the choice on."""
    return [
        position
        for game in recorded("congeners_games.jsonl")
        for position in replayed(side_of(game), game["moves"])[1:-1:7]
    ]


def _lonely(position: CongenersPosition, text: str) -> bool:
    """Tell whether a turn's placed stone stands alone."""
    board = position.board
    cells = [board.cell(name) for name in re.split("[-x,]", text)]
    if len(cells) < 3 or cells[1] is None or cells[2] is None:
        return False
    mine = position.stones[position.colour] | 1 << cells[1]
    return not board.neighbours[cells[2]] & mine


POLICIES: dict[str, Callable[[CongenersPosition, str], bool]] = {
    "random": lambda position, text: True,
    "bite": lambda position, text: "x" in text,
    "peace": lambda position, text: "x" not in text,
    "isolate": _lonely,
    "grow": lambda position, text: not _lonely(position, text),
}


def played(side: int, policy: str, seed: int) -> Iterator[tuple[CongenersPosition, Any, list[str]]]:
    """Yield position, naive position and listing at every ply after the setup, to the end."""
    choose = random.Random(f"{side} {policy} {seed}")
    position, slow = GAME.start(side), naive.Congeners.start(side)
    texts = slow.legal()
    while texts:
        liked = [text for text in texts if "/" in text or POLICIES[policy](position, text)]
        text = choose.choice(liked or texts)
        position = GAME.play(position, GAME.read(position, text))
        slow = slow.after(text)
        texts = listing(position)
        yield position, slow, texts


def unadvised(position: CongenersPosition, text: str) -> Illegal:
    """Return the refusal of a text that is not even the beginning of a move."""
    with pytest.raises(Illegal) as caught:
        GAME.advise(position, text)
    return caught.value


def begun(position: CongenersPosition, text: str) -> Advice:
    """Return the advice on a text that must be a beginning."""
    advice = GAME.advise(position, text)
    assert advice.complete == -1
    return advice
