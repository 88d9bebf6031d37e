"""The things that lie on a cell or cross several, each as a piece of SVG.

Everything on a cell is drawn around the origin: the cell's group moves it into place.
"""

from collections.abc import Sequence
from math import atan2, cos, sin

from plyhost.pictures.layout import HALF, Layout, Spot, format_line_path
from plyhost.pictures.letters import format_coordinate
from plyhost.pictures.palettes import Ink

#: The width of every line that says no other.
FINE = 2.4

#: What lies on a stone beside its colour, by the colour's number: nothing on the first, a second
#: rim on the second, then a dot, a bar and a cross.
_SIGNS = (
    "",
    '<circle r="14.4"/>',
    '<circle r="6"/>',
    '<path d="M-12 0H12"/>',
    '<path d="M-12 0H12M0-12V12"/>',
)

_POINTED = {
    "chevron": "M-10 7 0-10 10 7 0 2z",
    "explosion": "M0-12 3-5 10-7 7 0 10 7 3 5 0 12-3 5-10 7-7 0-10-7-3-5z",
}


def draw_stone(ink: Ink, sign: int, scale: float = 1.0) -> tuple[str, str]:
    """Return a stone as attributes and what is to be put inside; `sign` counts from 0, plain."""
    sized = f' transform="scale({scale:g})"' if scale != 1 else ""
    drawn = '<circle r="20"/>' + _SIGNS[sign % len(_SIGNS)]
    return f' fill="{ink.fill}" stroke="{ink.edge}"{sized}', drawn


def draw_highlight(layout: Layout, fill: str, opacity: float = 1.0) -> str:
    """Return what fills a cell under its stone."""
    shape = f'circle r="{HALF}"' if layout.on_vertices else f'path d="{layout.hexagon}"'
    sheer = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
    return f'<{shape} fill="{fill}"{sheer}/>'


def draw_ring(
    layout: Layout, spot: Spot, colours: tuple[str, str], bold: float, dashed: bool
) -> str:
    """Return a line around a cell, in the room that stones leave; `colours` are core and edge."""
    x, y = spot
    if layout.on_vertices:
        shape = f'circle cx="{format_coordinate(x)}" cy="{format_coordinate(y)}" r="{HALF}"'
    else:
        shape = (
            f'path d="{format_line_path((x + right, y + down) for right, down in layout.corners)}z"'
        )
    dashes = ' stroke-dasharray="12 6"' if dashed else ""
    core, edge = colours
    return (
        f'<{shape} fill="none" stroke="{edge}" stroke-width="{format_coordinate(bold + 3.5)}"/>'
        f'<{shape} fill="none" stroke="{core}" stroke-width="{format_coordinate(bold)}"{dashes}/>'
    )


def draw_dot(shape: str, ink: Ink, casing: str, name: str) -> str:
    """Return a small mark in the middle of a cell, its `name` an attribute or two.

    An unknown shape is a disc.
    """
    if shape in ("ring", "ring-large"):
        radius = 7 if shape == "ring" else 10
        return (
            f'<g{name} fill="none"><circle r="{radius}" stroke="{ink.edge}" stroke-width="7"/>'
            f'<circle r="{radius}" stroke="{ink.fill}" stroke-width="3.5"/></g>'
        )
    lined = f'fill="{ink.fill}" stroke="{casing}"/>'
    if shape in _POINTED:
        return f'<path{name} d="{_POINTED[shape]}" {lined}'
    return f'<circle{name} r="7.5" {lined}'


def draw_arrow(spots: Sequence[Spot], ink: str, casing: str, dashed: bool = False) -> str:
    """Return an arrow from a knob on the first spot to just inside the stone on the last."""
    *way, (end_x, end_y) = spots
    angle = atan2(end_y - way[-1][1], end_x - way[-1][0])
    right, down = cos(angle), sin(angle)
    neck = (end_x - right * 28, end_y - down * 28)
    head = [
        (neck[0] - down * 9, neck[1] + right * 9),
        (end_x - right * 12, end_y - down * 12),
        (neck[0] + down * 9, neck[1] - right * 9),
    ]
    knob = (
        f'<circle cx="{format_coordinate(way[0][0])}" cy="{format_coordinate(way[0][1])}" r="6"/>'
    )
    tip = f'<path d="{format_line_path(head)}z"/>'
    return draw_stroke([*way, neck], ink, casing, dashed) + (
        f'<g fill="{ink}" stroke="{casing}" stroke-width="1.5">{knob}{tip}</g>'
    )


def draw_stroke(spots: Sequence[Spot], ink: str, casing: str, dashed: bool = False) -> str:
    """Return a line through some spots, with a casing that keeps it apart from what it crosses."""
    path, dashes = format_line_path(spots), ' stroke-dasharray="9 7"' if dashed else ""
    return (
        f'<g fill="none"><path d="{path}" stroke="{casing}" stroke-width="8"/>'
        f'<path d="{path}" stroke="{ink}" stroke-width="5"{dashes}/></g>'
    )
