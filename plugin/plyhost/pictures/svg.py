"""The render JSON as a picture: one SVG that stands alone and fits any size.

It knows no game: whatever is drawn is said in the render JSON, and everything is in the one text;
no script, no style sheet, no reference, no font, no id that could meet another picture's on a page.
The players differ by a ring on the stones of colour 2 as well.

What is drawn can be read back: each cell is one `<g data-cell="d4">`, in it a stone as
`<g data-piece="A">` (its legend id) and dots as an element with `data-mark="dots"`.  Marks that
reach out of their cells come last, as `<g data-mark="move" data-cells="d4 e5">`.
"""

from collections.abc import Mapping
from html import escape
from typing import Any

from plyhost import deadline
from plyhost.pictures.layout import Layout, Undrawable
from plyhost.pictures.letters import DIGIT_HEIGHT, STROKE
from plyhost.pictures.marks import draw_annotation, draw_marker
from plyhost.pictures.palettes import DEFAULT, PALETTES
from plyhost.pictures.scene import Scene, set_up_scene
from plyhost.pictures.shapes import FINE

#: Labels that would be lower than this many pixels are left out.
LEGIBLE = 4.5


def draw_svg(
    render: Mapping[str, Any], palette: str = DEFAULT, title: str = "", width: int | None = None
) -> str:
    """Return the SVG of a render JSON.

    `width` in pixels is the size it asks for; without one it fills what it is put into.  Raises
    Undrawable for another board, a cell off the board, or a palette that is none of `PALETTES`.
    """
    drawn = draw_scene(render, palette, width)
    layers = zip(drawn.layout.openings, drawn.under, drawn.stones, drawn.over, strict=True)
    cells = "".join(
        [f"{opening}{under}{stone}{over}</g>" for opening, under, stone, over in layers]
    )
    return write_svg_document(drawn, cells, "".join(drawn.rings + drawn.above), title, width)


def draw_scene(render: Mapping[str, Any], palette: str, width: int | None = None) -> Scene:
    """Return a render JSON as pieces of SVG by layer and cell; raises Undrawable."""
    deadline.check_deadline()
    if palette not in PALETTES:
        raise Undrawable(f"the palette must be one of {', '.join(PALETTES)}")
    drawn = set_up_scene(render, PALETTES[palette])
    hidden = "hide-labels" in render.get("options", ())
    drawn.is_labelled = not hidden and _has_legible_labels(drawn.layout, width)
    drawn.unit = 2 * drawn.layout.box(drawn.is_labelled)[0] / width if width else 0
    for marker in render["board"].get("markers", ()):
        draw_marker(drawn, marker)
    for annotation in render.get("annotations", ()):
        draw_annotation(drawn, annotation)
    return drawn


def write_svg_document(
    drawn: Scene, cells: str, above: str, title: str = "", width: int | None = None
) -> str:
    """Return the whole SVG around the cells of a scene and what crosses them."""
    across, down = drawn.layout.box(drawn.is_labelled)
    size = f' width="{width}" height="{round(width * down / across)}"' if width else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-across} {-down} {2 * across}'
        f' {2 * down}"{size} role="img"><title>{escape(title or _title_board(drawn))}</title>'
        f"<desc>{escape(' '.join(drawn.words))}</desc>"
        f'<rect x="{-across}" y="{-down}" width="{2 * across}" height="{2 * down}"'
        f' fill="{drawn.palette.background}"/>'
        f"{_draw_board_plate(drawn)}{_draw_board_labels(drawn) if drawn.is_labelled else ''}"
        f"{_wrap_svg_cells(drawn, cells)}{_wrap_svg_overlay(above)}</svg>"
    )


def _has_legible_labels(layout: Layout, width: int | None) -> bool:
    return width is None or DIGIT_HEIGHT * width / (2 * layout.box(True)[0]) >= LEGIBLE


def _title_board(drawn: Scene) -> str:
    return f"Hexagonal board with {drawn.layout.board.side} cells to a side"


def _draw_board_plate(drawn: Scene) -> str:
    palette = drawn.palette
    fill = palette.cell if drawn.layout.on_vertices else palette.board
    return (
        f'<path d="{drawn.layout.plate}" fill="{fill}" stroke="{fill}" stroke-width="72"'
        ' stroke-linejoin="round"/>'
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
        return f'<g fill="{palette.cell}" stroke-width="{FINE}">{cells}</g>'
    # The hexagons are there for clicks and for readers of the picture; the lines are what is seen.
    grid = f'<path d="{drawn.layout.grid}" stroke="{palette.line}" stroke-width="3"/>'
    return f'{grid}<g fill="none" stroke-width="{FINE}" pointer-events="all">{cells}</g>'


def _wrap_svg_overlay(above: str) -> str:
    if not above:
        return ""
    return f'<g stroke-linecap="round" stroke-linejoin="round" pointer-events="none">{above}</g>'
