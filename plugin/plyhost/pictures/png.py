"""A picture as PNG with a palette of its own.

Its labels are lines, so no font is looked for: every machine gives the same bytes.
"""

from collections.abc import Iterator, Mapping
from io import BytesIO
from math import dist
from typing import Any

import PIL
import resvg_py
from PIL import Image

from plyhost import deadline, limits
from plyhost.pictures import svg
from plyhost.pictures.layout import Undrawable
from plyhost.pictures.look import Look
from plyhost.pictures.stamps import paint_scene

DEFAULT_WIDTH = 480
SMALLEST_WIDTH, LARGEST_WIDTH = limits.NARROWEST_PICTURE, limits.WIDEST_PICTURE

#: Names what turns the SVG into pixels and these into bytes; another one may give other bytes.
MAKER = f"resvg_py {resvg_py.__version__}, Pillow {PIL.__version__}"
#: Colours of a PNG: the inks and their blends at the edges.
COLOURS = 128
#: How far a colour of the palette may be from one that it stands for.
_NEAR = 20.0


def draw_png(render: Mapping[str, Any], look: Look | None = None) -> bytes:
    """Return the PNG of a render JSON, as wide as its look says; raises Undrawable."""
    look = look or Look(width=DEFAULT_WIDTH)
    if not SMALLEST_WIDTH <= look.width <= LARGEST_WIDTH:
        raise Undrawable(f"the width must be from {SMALLEST_WIDTH} to {LARGEST_WIDTH} pixels")
    return encode_png(paint_scene(svg.draw_scene(render, look)), look)


def encode_png(image: Image.Image, look: Look) -> bytes:
    """Return the PNG of an image of a look; one in RGB is brought down to few colours."""
    deadline.check_deadline()
    file = BytesIO()
    few = reduce_colours(image, COLOURS, look) if image.mode == "RGB" else image
    few.save(file, "PNG")
    return file.getvalue()


def reduce_colours(image: Image.Image, most: int, look: Look) -> Image.Image:
    """Return an image in RGB with so many colours at most, its large areas as they are.

    The library's choice is a little off everywhere, which shows where a page has the same colour.
    """
    few = image.quantize(most, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    flat = few.getpalette() or []
    entries = [tuple(flat[at : at + 3]) for at in range(0, len(flat), 3)]
    free = set(range(len(entries)))
    for colour in _list_areas(look):
        at = min(free, key=lambda at: dist(entries[at], colour), default=-1)
        if at >= 0 and dist(entries[at], colour) < _NEAR:
            entries[at] = colour
            free.remove(at)
    few.putpalette([part for entry in entries for part in entry])
    return few


def _list_areas(look: Look) -> Iterator[tuple[int, int, int]]:
    """Yield the colours of what is large on a picture."""
    palette = look.palette
    behind = palette.background if look.background in ("", "none") else look.background
    parts = (behind, palette.cell, palette.shade, palette.board, palette.rim)
    for colour in (*parts, *(ink.fill for ink in palette.players[:2]), palette.glow, palette.gone):
        red, green, blue = bytes.fromhex(colour[1:])
        yield red, green, blue
