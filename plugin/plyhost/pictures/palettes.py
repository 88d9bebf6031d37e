"""The colours of a picture: four palettes, and what a colour of the render JSON is in each.

Player 1 is always the darker one and player 2 the lighter, so that they stay apart without hue.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DEFAULT = "light"

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


@dataclass(frozen=True)
class Ink:
    """What one player's things are drawn with: `edge` is the line around them and on them."""

    name: str
    fill: str
    edge: str


@dataclass(frozen=True)
class Palette:
    """The colours of one look.

    `ink` draws annotations and `casing` keeps them apart from what they cross.  `accent` in its
    `surround` rings the cells of the last turn; `glow` fills those where a stone came, `gone` those
    where one went.
    """

    background: str
    board: str
    cell: str
    line: str
    label: str
    ink: str
    casing: str
    accent: str
    surround: str
    glow: str
    gone: str
    players: tuple[Ink, ...]

    def of(self, colour: Any) -> Ink:
        """Return the ink of a player's number, a `#rgb` or a context word; `ink` for others."""
        if isinstance(colour, int):
            return self.players[(colour - 1) % len(self.players)]
        if isinstance(colour, str) and _HEX.fullmatch(colour):
            return Ink(colour, colour, self.ink)
        fill = self._context.get(colour, self.ink) if isinstance(colour, str) else self.ink
        return Ink("plain", fill, self.casing)

    @property
    def _context(self) -> Mapping[str, str]:
        return {
            "_context_background": self.background,
            "_context_strokes": self.line,
            "_context_labels": self.label,
            "_context_annotations": self.ink,
            "_context_fill": self.cell,
            "_context_board": self.board,
        }


#: Players 3 to 6, for renders of other games.
_OTHERS = (
    Ink("green", "#2e9b63", "#14502f"),
    Ink("yellow", "#f0e05a", "#6e6410"),
    Ink("purple", "#8a58b8", "#43255f"),
    Ink("orange", "#ef9440", "#7a4110"),
)

PALETTES: Mapping[str, Palette] = {
    "light": Palette(
        background="#ffffff",
        board="#d9cfbd",
        cell="#f6f1e7",
        line="#d9cfbd",
        label="#6b6355",
        ink="#1c1a17",
        casing="#ffffff",
        accent="#ffc400",
        surround="#1c1a17",
        glow="#fff0b5",
        gone="#e4d9c4",
        players=(
            Ink("red", "#b3262e", "#6d0f17"),
            Ink("light blue", "#8cc4f0", "#1d4e79"),
            *_OTHERS,
        ),
    ),
    "dark": Palette(
        background="#14171c",
        board="#0d0f13",
        cell="#2c323b",
        line="#0d0f13",
        label="#a9b1bd",
        ink="#f4f6f8",
        casing="#14171c",
        accent="#ffd84a",
        surround="#0d0f13",
        glow="#5a5128",
        gone="#454d59",
        players=(
            Ink("red", "#d8434b", "#ff9a9a"),
            Ink("light blue", "#a9d9ff", "#0f3454"),
            *_OTHERS,
        ),
    ),
    "safe": Palette(
        background="#ffffff",
        board="#b9b9b9",
        cell="#f2f2f2",
        line="#b9b9b9",
        label="#4a4a4a",
        ink="#000000",
        casing="#ffffff",
        accent="#000000",
        surround="#ffffff",
        glow="#e6dcff",
        gone="#dcdcdc",
        players=(
            Ink("blue", "#00538c", "#002a47"),
            Ink("orange", "#f5b324", "#5c3d00"),
            *_OTHERS,
        ),
    ),
    "mono": Palette(
        background="#ffffff",
        board="#8f8f8f",
        cell="#d2d2d2",
        line="#8f8f8f",
        label="#4a4a4a",
        ink="#000000",
        casing="#ffffff",
        accent="#cc1230",
        surround="#ffffff",
        glow="#f0d4d4",
        gone="#bfbfbf",
        players=(
            Ink("black", "#1b1b1b", "#000000"),
            Ink("white", "#ffffff", "#1b1b1b"),
            *_OTHERS,
        ),
    ),
}
