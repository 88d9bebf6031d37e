"""The render JSON as a picture: one SVG that stands alone and fits any size.

It knows no game: whatever is drawn is said in the render JSON, and everything is in the one text;
no script, no reference, no font, no id that could meet another picture's on a page; rules only for
readers whose scheme is dark and who want no motion.
Where the players' stones differ in hue alone, they carry signs as well.

What is drawn can be read back: each cell is one `<g data-cell="d4" data-row="5" data-col="3">`, by
the names that a click takes, in it a stone as `<g data-piece="A">` (its legend id) and dots as an
element with `data-mark="dots"`.  Marks that reach out of their cells come last, as
`<g data-mark="move" data-cells="d4 e5">`.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from plyhost import deadline
from plyhost.pictures.look import Look
from plyhost.pictures.marks import draw_annotation, draw_marker
from plyhost.pictures.scene import Scene, set_up_scene
from plyhost.pictures.schemes import name_scheme, write_style
from plyhost.pictures.strokes import STROKE

#: How wide the lines are that make the board, and its rim, reach beyond the outermost cells.
_PLATE, _RIM = 70, 78


def draw_svg(render: Mapping[str, Any], look: Look | None = None, title: str = "") -> str:
    """Return the SVG of a render JSON; without a width it fills what it is put into.

    Raises Undrawable for another board, or a cell off the board.
    """
    return write_scene(draw_scene(render, look or Look()), title)


def draw_scene(render: Mapping[str, Any], look: Look) -> Scene:
    """Return a render JSON as pieces of SVG by layer and cell; raises Undrawable."""
    deadline.check_deadline()
    drawn = set_up_scene(render, look)
    for marker in render["board"].get("markers", ()):
        draw_marker(drawn, marker)
    for annotation in render.get("annotations", ()):
        draw_annotation(drawn, annotation)
    return drawn


def enclose_cells(drawn: Scene, contents: Sequence[str]) -> str:
    """Return the cells' groups, each with its hexagon and what is in it."""
    place = drawn.layout
    is_plain = drawn.is_small or place.on_vertices
    ends = "/>", "/>" if is_plain else f' fill="{drawn.palette.shade}"/>'
    cells = zip(place.openings, place.is_odd, contents, strict=True)
    return "".join([f"{opening}{ends[odd]}{inner}</g>" for opening, odd, inner in cells])


def write_scene(drawn: Scene, title: str = "") -> str:
    """Return the SVG of a scene."""
    cells = enclose_cells(drawn, drawn.list_contents())
    return write_svg_document(drawn, cells, "".join(drawn.above), title)


def write_empty_board(drawn: Scene) -> str:
    """Return the SVG of what lies under everything else."""
    return write_svg_document(drawn, enclose_cells(drawn, [""] * len(drawn.stones)), "")


def write_overlay(drawn: Scene) -> str:
    """Return an SVG of what crosses cells alone."""
    return f"{open_svg(drawn)}>{_wrap_svg_overlay(''.join(drawn.above))}</svg>"


def open_svg(drawn: Scene) -> str:
    """Return how an SVG of a scene's size begins, as far as its own attributes."""
    across, down = drawn.layout.box(drawn.is_labelled)
    width = drawn.look.width
    size = f' width="{width}" height="{round(width * down / across)}"' if width else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-across} {-down} {2 * across}'
        f' {2 * down}"{size}'
    )


def write_svg_document(
    drawn: Scene, cells: str, above: str, title: str = "", is_film: bool = False
) -> str:
    """Return the whole SVG around the cells of a scene and what crosses them."""
    return (
        f'{open_svg(drawn)} role="img"{name_scheme(drawn.look)}>'
        f"<title>{escape(title or _title_board(drawn))}</title>"
        f"<desc>{escape(' '.join(drawn.words))}</desc>{write_style(drawn.look, is_film)}"
        f"{_draw_background(drawn)}{draw_board(drawn, cells, above)}</svg>"
    )


def draw_board(drawn: Scene, cells: str, above: str) -> str:
    """Return the board around its middle, without what is behind it."""
    lettering = _draw_board_labels(drawn) if drawn.is_labelled else ""
    inner, over = _wrap_svg_cells(drawn, cells), _wrap_svg_overlay(above)
    return f"{_draw_board_plate(drawn)}{lettering}{inner}{over}"


def _draw_background(drawn: Scene) -> str:
    colour = drawn.look.background or drawn.palette.background
    if colour == "none":
        return ""
    across, down = drawn.layout.box(drawn.is_labelled)
    return (
        f'<rect x="{-across}" y="{-down}" width="{2 * across}" height="{2 * down}"'
        f' fill="{colour}"/>'
    )


def _title_board(drawn: Scene) -> str:
    return f"Hexagonal board with {drawn.layout.board.side} cells to a side"


def _draw_board_plate(drawn: Scene) -> str:
    palette, path = drawn.palette, drawn.layout.plate
    fill = palette.cell if drawn.layout.on_vertices else palette.board
    layers = ((palette.rim, _RIM), (fill, _PLATE))
    return (
        '<g stroke-linejoin="round">'
        + "".join(
            f'<path d="{path}" fill="{colour}" stroke="{colour}" stroke-width="{bold}"/>'
            for colour, bold in layers
        )
        + "</g>"
    )


def _draw_board_labels(drawn: Scene) -> str:
    return (
        f'<g fill="none" stroke="{drawn.palette.label}" stroke-width="{STROKE}"'
        ' stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">'
        f'{drawn.layout.lettering}<path d="{drawn.layout.ticks}"/></g>'
    )


def _wrap_svg_cells(drawn: Scene, cells: str) -> str:
    palette = drawn.palette
    if not drawn.layout.on_vertices:
        return f'<g fill="{palette.cell}">{cells}</g>'
    # The hexagons are there for clicks and for readers of the picture; the lines are what is seen.
    grid = (
        f'<g fill="none" stroke="{palette.line}"><path d="{drawn.layout.grid}" stroke-width="2"/>'
        f'<path d="{drawn.layout.columns}" stroke-width="3.4"/></g>'
    )
    return f'{grid}<g fill="none" pointer-events="all">{cells}</g>'


def _wrap_svg_overlay(above: str) -> str:
    if not above:
        return ""
    return f'<g stroke-linecap="round" stroke-linejoin="round" pointer-events="none">{above}</g>'
