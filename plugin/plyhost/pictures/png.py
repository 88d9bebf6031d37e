"""A picture as PNG.

Its labels are lines, so no font is looked for: every machine gives the same bytes.
"""

from collections.abc import Mapping
from typing import Any

import resvg_py

from plyhost import deadline, limits
from plyhost.pictures import svg
from plyhost.pictures.layout import Undrawable
from plyhost.pictures.palettes import DEFAULT

DEFAULT_WIDTH = 480
SMALLEST_WIDTH, LARGEST_WIDTH = limits.NARROWEST_PICTURE, limits.WIDEST_PICTURE

#: Names what turns the SVG into pixels; another one may give other bytes.
MAKER = f"resvg_py {resvg_py.__version__}"


def draw_png(
    render: Mapping[str, Any],
    palette: str = DEFAULT,
    title: str = "",
    width: int = DEFAULT_WIDTH,
) -> bytes:
    """Return the PNG of a render JSON, `width` pixels wide; raises Undrawable."""
    return rasterize_svg(svg.draw_svg(render, palette, title, width), width)


def rasterize_svg(drawn: str, width: int) -> bytes:
    """Return one of our SVGs as PNG; raises Undrawable for a width out of bounds."""
    if not SMALLEST_WIDTH <= width <= LARGEST_WIDTH:
        raise Undrawable(f"the width must be from {SMALLEST_WIDTH} to {LARGEST_WIDTH} pixels")
    deadline.check_deadline()
    return resvg_py.svg_to_bytes(svg_string=drawn, width=width, skip_system_fonts=True)
