"""The things that lie on a cell or cross several, each as a piece of SVG.

Everything on a cell is drawn around the origin: the cell's group moves it into place.
"""

from collections.abc import Sequence
from math import atan2, cos, sin

from plyhost.pictures.layout import HALF, Layout, Spot, format_line_path
from plyhost.pictures.letters import format_coordinate, outline_text
from plyhost.pictures.palettes import Ink

#: The radius of a stone, of what its edge leaves of it, and of a plain stone on a small picture.
STONE, INNER, PLAIN = 20.4, 18.7, 21.0

#: The side of a stone that lies away from the light.
_DUSK = "M13.5-12.9A18.7 18.7 0 1 1-12.9 13.5A22 22 0 0 0 13.5-12.9z"

#: Makes a bridge a little longer, so that its halves meet without a gap between them.
_OVERLAP = ' transform="scale(1.15)"'

#: How the players' signs are drawn on stones, by the colour's number, as their dots are.
_SIGNS = (
    '<circle r="5.2" fill="{0}"/>',
    '<circle r="7.2" fill="none" stroke="{0}" stroke-width="3.2"/>',
    '<path d="M-9 0H9" stroke="{0}" stroke-width="3.4"/>',
    '<path d="M-9 0H9M0-9V9" stroke="{0}" stroke-width="3.4"/>',
    '<path d="M0-8 8 6H-8z" fill="{0}"/>',
    '<path d="M-7-7H7V7H-7z" fill="{0}"/>',
)

_POINTED = {
    "chevron": "M-10 7 0-10 10 7 0 2z",
    "explosion": "M0-12 3-5 10-7 7 0 10 7 3 5 0 12-3 5-10 7-7 0-10-7-3-5z",
}


def draw_stone(ink: Ink, number: int, bridge: str = "") -> str:
    """Return a stone of the colour `number`, from 1; `bridge` is the path to stones it joins."""
    joined = _draw_bridge(bridge, ink.edge, 20.8) + _draw_bridge(bridge, ink.fill, 15.2, _OVERLAP)
    sign = _SIGNS[(number - 1) % len(_SIGNS)].format(ink.sign) if ink.sign else ""
    return (
        f'<circle cx="1" cy="2.6" r="{STONE}" fill="#000" fill-opacity=".22"/>'
        f'<circle r="{STONE}" fill="{ink.edge}"/>{joined}<circle r="{INNER}" fill="{ink.fill}"/>'
        f'<path d="{_DUSK}" fill="#000" fill-opacity=".12"/><ellipse cy="-9" rx="10" ry="6.4"'
        f' fill="{ink.shine}" fill-opacity=".14" transform="rotate(-35)"/>{sign}'
    )


def draw_plain_stone(ink: Ink, bridge: str = "") -> str:
    """Return a stone for pictures so small that nothing on it could be seen."""
    joined = _draw_bridge(bridge, ink.fill, 19, _OVERLAP)
    return f'{joined}<circle r="{format_coordinate(PLAIN)}" fill="{ink.fill}"/>'


def shrink_stone(drawn: str) -> str:
    """Return a stone made smaller, so that more of its cell can be seen."""
    return f'<g transform="scale(.68)">{drawn}</g>'


def draw_letters(text: str, colour: str, is_small: bool) -> str:
    """Return a short text in the middle of a stone; where it could not be read, a dot."""
    if is_small:
        return f'<circle r="7" fill="{colour}"/>'
    scale = 1.35 if len(text) == 1 else 0.9
    return (
        f'<path d="{outline_text(text, 0, 0)}" fill="none" stroke="{colour}" stroke-width="2.2"'
        f' stroke-linecap="round" stroke-linejoin="round" transform="scale({scale:g})"/>'
    )


def _draw_bridge(path: str, colour: str, bold: float, more: str = "") -> str:
    if not path:
        return ""
    return f'<path d="{path}" stroke="{colour}" stroke-width="{format_coordinate(bold)}"{more}/>'


def fill_cell(layout: Layout, fill: str, opacity: float = 1.0, name: str = "") -> str:
    """Return what fills a cell under its stone."""
    shape = f'circle r="{HALF}"' if layout.on_vertices else f'path d="{layout.hexagon}"'
    sheer = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
    return f'<{shape}{name} fill="{fill}"{sheer}/>'


def outline_cell(layout: Layout, colour: str, bold: float, name: str = "") -> str:
    """Return a line around a cell, inside it: here a stone came."""
    shape = 'circle r="23.6"' if layout.on_vertices else f'path d="{layout.inset}"'
    return (
        f'<{shape}{name} fill="none" stroke="{colour}" stroke-width="{format_coordinate(bold)}"/>'
    )


def draw_ghost(colour: str, bold: float, is_empty: bool, name: str = "") -> str:
    """Return a dashed circle: here a stone went, and perhaps another stands."""
    return (
        f'<circle r="{16 if is_empty else 23.4}"{name} fill="none" stroke="{colour}"'
        f' stroke-width="{format_coordinate(bold)}" stroke-dasharray="6.3 4.2"/>'
    )


def draw_dot(shape: str, ink: Ink, behind: str, name: str, is_on_stone: bool = False) -> str:
    """Return a small mark in the middle of a cell, its `name` an attribute or two.

    `behind` is the colour that it is told from, also where it lies on a stone.  An unknown shape is
    a disc.
    """
    if is_on_stone:
        inner = draw_dot(shape, ink, behind, "")
        return f'<g{name}><circle r="11.4" fill="{behind}"/>{inner}</g>'
    if shape in ("ring", "ring-large"):
        radius = 6.6 if shape == "ring" else 8.5
        return f'<circle{name} r="{radius}" fill="{behind}" stroke="{ink.fill}" stroke-width="4"/>'
    if shape in _POINTED:
        return f'<path{name} d="{_POINTED[shape]}" fill="{ink.fill}"/>'
    return f'<circle{name} r="6.8" fill="{ink.fill}"/>'


def draw_arrow(spots: Sequence[Spot], ink: str, casing: str, dashed: bool = False) -> str:
    """Return an arrow from a knob on the first spot to just inside the stone on the last."""
    *way, (end_x, end_y) = spots
    angle = atan2(end_y - way[-1][1], end_x - way[-1][0])
    right, down = cos(angle), sin(angle)
    neck = (end_x - right * 27, end_y - down * 27)
    head = [
        (neck[0] - down * 8, neck[1] + right * 8),
        (end_x - right * 13, end_y - down * 13),
        (neck[0] + down * 8, neck[1] - right * 8),
    ]
    knob = (
        f'<circle cx="{format_coordinate(way[0][0])}" cy="{format_coordinate(way[0][1])}" r="5"/>'
    )
    tip = f'<path d="{format_line_path(head)}z"/>'
    return draw_stroke([*way, neck], ink, casing, dashed) + (
        f'<g fill="{ink}" stroke="{casing}" stroke-width="1.5">{knob}{tip}</g>'
    )


def draw_stroke(spots: Sequence[Spot], ink: str, casing: str, dashed: bool = False) -> str:
    """Return a line through some spots, with a casing that keeps it apart from what it crosses."""
    path, dashes = format_line_path(spots), ' stroke-dasharray="9 7"' if dashed else ""
    return (
        f'<g fill="none"><path d="{path}" stroke="{casing}" stroke-width="6.5"/>'
        f'<path d="{path}" stroke="{ink}" stroke-width="3.5"{dashes}/></g>'
    )
