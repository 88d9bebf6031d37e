"""A game as it stands, as a program reads it: fields that only one game has are unset in others."""

from typing import Any

from msgspec import UNSET, UnsetType

from plyhost.games.congeners.view_shape import Scoring
from plyhost.schemas.answers import (
    AppliedPly,
    ClickVerdict,
    CommonView,
    GameVerdict,
    Pair,
    Result,
    Seat,
)


class GameView(CommonView, kw_only=True):
    """A game as it stands: Control has `territory`, Congeners `black` and `scoring`."""

    game: str
    winner: list[Seat]
    results: list[Result]
    territory: Pair | UnsetType = UNSET
    black: Seat | UnsetType | None = UNSET
    scoring: Scoring | UnsetType = UNSET


class GameViewAfterMove(GameView, kw_only=True):
    """The view after a move, the plies that were made, and what remains of a plan."""

    applied: list[AppliedPly]
    plan: dict[str, Any] | UnsetType = UNSET


class ClickedText(ClickVerdict, kw_only=True):
    """The verdict on a click, and with `make` the view after the move that it completed."""

    view: GameViewAfterMove | UnsetType | None = UNSET


class ReplayedGame(GameVerdict, kw_only=True):
    """The verdict on a replay, and the view that was reached."""

    view: GameView
