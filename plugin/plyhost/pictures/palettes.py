"""The boards that pictures are drawn on, and what a colour of the render JSON is on each.

A game names its boards in `Info.boards`.  Player 1 is always the darker one and player 2 the
lighter, so that they stay apart without hue.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


@dataclass(frozen=True)
class Ink:
    """What one player's things are drawn with.

    `edge` is the line around them, `shine` the light on stones, `sign` what is drawn on stones to
    tell the players apart, empty where they need none.
    """

    name: str
    fill: str
    edge: str
    shine: str = "#fffefa"
    sign: str = ""


@dataclass(frozen=True)
class Palette:
    """The colours of one board.

    Cells of every other column are `shade`, so that a column can be followed.  `rim` is around the
    board, `line` the grid where stones stand on points.  `ink` draws annotations and `casing`
    keeps them apart from what they cross.  `accent` marks the cells of the last turn; `glow` fills
    those where a stone came, `gone` those where one went.
    """

    background: str
    rim: str
    board: str
    cell: str
    shade: str
    line: str
    label: str
    ink: str
    casing: str
    accent: str
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
    Ink("green", "#2e9b63", "#14502f", sign="#14502f"),
    Ink("yellow", "#f0e05a", "#6e6410", sign="#6e6410"),
    Ink("purple", "#8a58b8", "#43255f", sign="#43255f"),
    Ink("orange", "#ef9440", "#7a4110", sign="#7a4110"),
)
_BLACK = Ink("black", "#1c1a19", "#050505")
_IVORY = Ink("white", "#f8f3e8", "#5d5140")

PALETTES: Mapping[str, Palette] = {
    "light": Palette(
        background="#ffffff",
        rim="#a3937a",
        board="#bfae90",
        cell="#f8f2e6",
        shade="#f3ebdc",
        line="#b5a482",
        label="#6b6355",
        ink="#2a2622",
        casing="#fffaf0",
        accent="#9a6700",
        glow="#ffedb8",
        gone="#f3ead8",
        players=(
            Ink("red", "#981826", "#5a0d17", sign="#f3b8b2"),
            Ink("blue", "#3480cd", "#123f70", sign="#dcecfb"),
            *_OTHERS,
        ),
    ),
    "dark": Palette(
        background="#14171c",
        rim="#2f3741",
        board="#4b5563",
        cell="#262c34",
        shade="#222830",
        line="#59626f",
        label="#a9b1bd",
        ink="#f4f6f8",
        casing="#14171c",
        accent="#ffd84a",
        glow="#353019",
        gone="#2b2a2e",
        players=(
            Ink("red", "#f26b70", "#6e1a20", sign="#5c0f14"),
            Ink("light blue", "#a4d4ff", "#1f4f7c", sign="#1c517f"),
            *_OTHERS,
        ),
    ),
    "safe": Palette(
        background="#ffffff",
        rim="#8f8f8f",
        board="#aeaeae",
        cell="#f4f4f4",
        shade="#ececec",
        line="#a2a2a2",
        label="#4a4a4a",
        ink="#000000",
        casing="#ffffff",
        accent="#6a2aa8",
        glow="#f0e8ff",
        gone="#e9e9ec",
        players=(
            Ink("blue", "#0a4f86", "#022a4a", sign="#b9dcf7"),
            Ink("orange", "#bd5f00", "#5e3000", sign="#fff0dc"),
            *_OTHERS,
        ),
    ),
    "mono": Palette(
        background="#ffffff",
        rim="#3a3a3a",
        board="#555555",
        cell="#8a8a8a",
        shade="#848484",
        line="#555555",
        label="#4a4a4a",
        ink="#000000",
        casing="#ffffff",
        accent="#ffffff",
        glow="#8f8f8f",
        gone="#808080",
        players=(
            Ink("black", "#161616", "#000000"),
            Ink("white", "#ffffff", "#1b1b1b"),
            *_OTHERS,
        ),
    ),
    "wood": Palette(
        background="#ffffff",
        rim="#4d2c12",
        board="#6f4520",
        cell="#b27c46",
        shade="#aa7540",
        line="#6a411d",
        label="#6b5138",
        ink="#1f130a",
        casing="#f6e3c4",
        accent="#fff6df",
        glow="#b07f30",
        gone="#a37d56",
        players=(_BLACK, _IVORY, *_OTHERS),
    ),
    "night": Palette(
        background="#14171c",
        rim="#0a0c0f",
        board="#2f3a42",
        cell="#62747f",
        shade="#5b6d78",
        line="#33404a",
        label="#a9b1bd",
        ink="#f6fafc",
        casing="#1b2329",
        accent="#ffe9a0",
        glow="#6b7a5c",
        gone="#64707a",
        players=(
            Ink("black", "#12100f", "#000000"),
            Ink("white", "#f5f1e8", "#2b333a"),
            *_OTHERS,
        ),
    ),
}
