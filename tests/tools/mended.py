"""A game whose rules were mended: the worked example of `CONTRIBUTING.md`.

Engine 1 allows captures and dots territory; engine 2 does neither any more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec.structs import replace as changed

from plyhost.board.bits import Bits
from plyhost.board.hexes import Board
from plyhost.games.control.info import INFO
from plyhost.games.control.rules import Control, ControlPosition
from plyhost.games.game import Event, Mark, Seat


class EngineOne(Control):
    """The rules as they were."""

    info = replace(INFO, uid="mended", name="Mended", versions=("1", "2"))


class EngineTwo(EngineOne):
    """The rules as they are: stones are placed on empty cells alone, and nothing is dotted."""

    def restore(
        self, on: Board, stones: tuple[Bits, Bits], seat: Seat, stored: Mapping[str, Any]
    ) -> ControlPosition:
        return _forbid_captures(super().restore(on, stones, seat, stored))

    def play(self, position: ControlPosition, move: int) -> ControlPosition:
        return _forbid_captures(super().play(position, move))

    def undo(self, position: ControlPosition, move: int, ply: int) -> ControlPosition:
        return _forbid_captures(super().undo(position, move, ply))

    def marks(self, position: ControlPosition, events: Sequence[Event], display: str) -> list[Mark]:
        return super().marks(position, events, "hide-control")


def _forbid_captures(position: ControlPosition) -> ControlPosition:
    one, two = position.stones
    return changed(position, legal=position.legal & ~(one | two))


GAME = EngineTwo()
GAME.keep_rules("1", EngineOne())
