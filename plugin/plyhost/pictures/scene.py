"""The pieces of the render JSON on the cells of a board, before marks and before writing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from plyhost.pictures.layout import Layout, Undrawable, make_board_layout
from plyhost.pictures.letters import outline_text
from plyhost.pictures.palettes import Palette
from plyhost.pictures.shapes import draw_stone


@dataclass
class Scene:
    """A picture before it is written: its pieces of SVG by layer, its words for `desc`.

    `under`, `stones` and `over` have one text for each cell, by rank; `rings` and then `above` lie
    over all of them.  `legend` holds the drawn pieces by id.  `unit` is the size of a pixel, if
    known.
    """

    layout: Layout
    palette: Palette
    legend: Mapping[str, str]
    stones: list[str]
    words: list[str]
    under: list[str] = field(init=False)
    over: list[str] = field(init=False)
    rings: list[str] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    is_labelled: bool = True
    unit: float = 0.0

    def __post_init__(self) -> None:
        self.under = [""] * len(self.stones)
        self.over = [""] * len(self.stones)

    def ranks(self, points: Iterable[Mapping[str, int]]) -> list[int]:
        """Return the ranks of points or targets; Undrawable for one off the board."""
        rank = self.layout.rank
        return [rank(point["row"], point["col"]) for point in points]

    def names(self, ranks: Iterable[int]) -> str:
        """Return the names of cells, joined by spaces."""
        return " ".join([self.layout.names[rank] for rank in ranks])


def set_up_scene(render: Mapping[str, Any], palette: Palette) -> Scene:
    """Return the board of a render JSON with its pieces; raises Undrawable."""
    board, legend = render["board"], render["legend"]
    place = make_board_layout(board["style"], board["minWidth"], board.get("rotate", 0) % 360)
    cells = parse_render_pieces(place, render["pieces"])
    drawn = {key: _draw_legend_piece(key, glyphs, palette) for key, glyphs in legend.items()}
    unknown = set(cells) - drawn.keys() - {"-"}
    if unknown:
        raise Undrawable(f"the legend lacks {', '.join(sorted(unknown))}")
    words = [
        _describe_stones(place, cells, key, _describe_piece_colour(legend[key], palette))
        for key in drawn
    ]
    shown = {"-": "", **drawn}
    return Scene(place, palette, drawn, [shown[cell] for cell in cells], words)


def parse_render_pieces(place: Layout, pieces: str) -> list[str]:
    """Return the legend id, or `-`, of each cell by rank; Undrawable if the rows do not fit."""
    on, rows = place.board, pieces.split("\n")
    if len(rows) != on.rows:
        raise Undrawable(f"the pieces have {len(rows)} rows, the board {on.rows}")
    cells: list[str] = []
    for number, row in enumerate(rows):
        length = on.row_length(number)
        found = ["-"] * length if row == "_" else row.split(",")
        if len(found) != length:
            raise Undrawable(f"row {number} of the pieces has {len(found)} cells, not {length}")
        cells += found
    return cells


def _describe_stones(place: Layout, cells: Sequence[str], key: str, called: str) -> str:
    names = [name for name, cell in zip(place.names, cells, strict=True) if cell == key]
    return f"{called} stones ({len(names)}): {' '.join(names) or 'none'}."


def _describe_piece_colour(glyphs: Any, palette: Palette) -> str:
    colour = _list_piece_glyphs(glyphs)[0].get("colour")
    ringed = ", with a ring" if colour == 2 else ""
    return f"colour {colour} ({palette.of(colour).name}{ringed})"


def _list_piece_glyphs(glyphs: Any) -> Sequence[Mapping[str, Any]]:
    return [glyphs] if isinstance(glyphs, Mapping) else glyphs


def _draw_legend_piece(key: str, glyphs: Any, palette: Palette) -> str:
    """Return a piece in one group; a stack of several glyphs has a group for each in it."""
    stack = [_draw_piece_glyph(glyph, palette) for glyph in _list_piece_glyphs(glyphs)]
    named = f' data-piece="{escape(key)}"'
    if len(stack) > 1:
        return f"<g{named}>{''.join(_wrap_group(*one) for one in stack)}</g>"
    attributes, drawn = stack[0]
    return _wrap_group(named + attributes, drawn)


def _wrap_group(attributes: str, drawn: str) -> str:
    return f"<g{attributes}>{drawn}</g>"


def _draw_piece_glyph(glyph: Mapping[str, Any], palette: Palette) -> tuple[str, str]:
    """Return one glyph: a stone, whatever its name, or a text in our own letters."""
    colour = glyph.get("colour")
    ink = palette.of(colour)
    if "text" in glyph:
        path = outline_text(str(glyph["text"]).lower(), 0, 0)
        return f' fill="none" stroke="{ink.fill}"', f'<path d="{path}"/>'
    sign = colour - 1 if isinstance(colour, int) else 0
    return draw_stone(ink, sign, glyph.get("scale", 1))
