"""The pieces of the render JSON on the cells of a board, before marks and before writing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from plyhost.pictures.layout import Layout, Undrawable, make_render_layout
from plyhost.pictures.look import Look
from plyhost.pictures.palettes import Palette
from plyhost.pictures.shapes import draw_letters, draw_plain_stone, draw_stone


@dataclass
class Scene:
    """A picture before it is written: its pieces of SVG by layer, its words for `desc`.

    `under`, `stones` and `over` have one text for each cell, by rank; `above` lies over all of
    them.  `legend` holds the drawn pieces by id.  `unit` is the size of a pixel, if known.
    """

    layout: Layout
    look: Look
    legend: Mapping[str, str]
    stones: list[str]
    words: list[str]
    is_labelled: bool
    is_small: bool = field(init=False)
    unit: float = field(init=False)
    under: list[str] = field(init=False)
    over: list[str] = field(init=False)
    above: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        width, (across, _) = self.look.width, self.layout.box(self.is_labelled)
        self.is_small = self.look.is_small(self.layout)
        self.unit = 2 * across / width if width else 0.0
        self.under = [""] * len(self.stones)
        self.over = [""] * len(self.stones)

    @classmethod
    def of_empty_board(cls, place: Layout, look: Look, is_labelled: bool) -> "Scene":
        """Return a board with nothing on it."""
        return cls(place, look, {}, [""] * len(place.spots), [], is_labelled)

    def list_contents(self) -> list[str]:
        """Return all that lies on each cell, by rank."""
        layers = zip(self.under, self.stones, self.over, strict=True)
        return [f"{under}{stone}{over}" for under, stone, over in layers]

    @property
    def palette(self) -> Palette:
        """The palette of the look."""
        return self.look.palette

    def is_empty(self, rank: int) -> bool:
        """Tell whether a cell has no stone."""
        return not self.stones[rank]

    def ranks(self, points: Iterable[Mapping[str, int]]) -> list[int]:
        """Return the ranks of points or targets; Undrawable for one off the board."""
        rank = self.layout.rank
        return [rank(point["row"], point["col"]) for point in points]

    def names(self, ranks: Iterable[int]) -> str:
        """Return the names of cells, joined by spaces."""
        return " ".join([self.layout.names[rank] for rank in ranks])


def set_up_scene(render: Mapping[str, Any], look: Look) -> Scene:
    """Return the board of a render JSON with its pieces; raises Undrawable."""
    board, legend = render["board"], render["legend"]
    place = make_render_layout(board)
    cells = parse_render_pieces(place, render["pieces"])
    unknown = set(cells) - legend.keys() - {"-"}
    if unknown:
        raise Undrawable(f"the legend lacks {', '.join(sorted(unknown))}")
    hides = "hide-labels" in render.get("options", ())
    is_labelled = look.has_labels(place) and not hides
    pieces = _Pieces(legend, look, look.is_small(place))
    words = [
        _describe_stones(place, cells, key, _describe_piece_colour(legend[key], look.palette))
        for key in legend
        if "text" not in _list_piece_glyphs(legend[key])[0]
    ]
    stones = _join_pieces(place, cells, pieces) if look.joined else list(map(pieces, cells))
    drawn = {key: pieces.draw_inner(key, "") for key in legend}
    return Scene(place, look, drawn, stones, words, is_labelled)


def _join_pieces(place: Layout, cells: Sequence[str], pieces: "_Pieces") -> list[str]:
    """Return the pieces, those of one kind that are neighbours with bridges between them."""
    drawn = []
    for rank, key in enumerate(cells):
        near = place.neighbours[rank] if key != "-" else ()
        ways = [way for way, other in enumerate(near) if other >= 0 and cells[other] == key]
        drawn.append(pieces(key, place.bridge(tuple(ways))))
    return drawn


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
    return f"colour {colour} ({palette.of(colour).name})"


def _list_piece_glyphs(glyphs: Any) -> Sequence[Mapping[str, Any]]:
    return [glyphs] if isinstance(glyphs, Mapping) else glyphs


class _Pieces:
    """The pieces of a legend as they are drawn, each once."""

    def __init__(self, legend: Mapping[str, Any], look: Look, is_small: bool) -> None:
        self.legend, self.palette, self.is_small = legend, look.palette, is_small
        self.drawn: dict[tuple[str, str], str] = {("-", ""): ""}

    def __call__(self, key: str, bridge: str = "") -> str:
        """Return a piece in one group; a stack of several glyphs has a group for each in it."""
        known = self.drawn.get((key, bridge))
        if known is None:
            known = self.drawn[key, bridge] = self._draw_piece(key, bridge)
        return known

    def _draw_piece(self, key: str, bridge: str) -> str:
        return f'<g data-piece="{escape(key)}">{self.draw_inner(key, bridge)}</g>'

    def draw_inner(self, key: str, bridge: str) -> str:
        """Return what is in a piece's group."""
        stack = [self._draw_glyph(glyph, bridge) for glyph in _list_piece_glyphs(self.legend[key])]
        return stack[0] if len(stack) == 1 else "".join(f"<g>{one}</g>" for one in stack)

    def _draw_glyph(self, glyph: Mapping[str, Any], bridge: str) -> str:
        """Return one glyph: a stone, whatever its name, or a text in our own letters."""
        colour = glyph.get("colour")
        ink, scale = self.palette.of(colour), glyph.get("scale", 1)
        if "text" in glyph:
            drawn = draw_letters(str(glyph["text"]), ink.fill, self.is_small)
        elif self.is_small:
            drawn = draw_plain_stone(ink, bridge)
        else:
            drawn = draw_stone(ink, colour if isinstance(colour, int) else 1, bridge)
        return drawn if scale == 1 else f'<g transform="scale({scale:g})">{drawn}</g>'
