"""A picture as PNG with a palette of its own.

Its labels are lines, so no font is looked for: every machine gives the same bytes.
"""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import PIL
import resvg_py
from PIL import Image

from plyhost import deadline, limits
from plyhost.pictures import svg
from plyhost.pictures.layout import Undrawable
from plyhost.pictures.look import Look
from plyhost.pictures.stamps import paint_scene, paint_svg

DEFAULT_WIDTH = 480
SMALLEST_WIDTH, LARGEST_WIDTH = limits.NARROWEST_PICTURE, limits.WIDEST_PICTURE

#: Names what turns the SVG into pixels and these into bytes; another one may give other bytes.
MAKER = f"resvg_py {resvg_py.__version__}, Pillow {PIL.__version__}"
#: Colours of a PNG: the inks and their blends at the edges.
COLOURS = 128


def draw_png(render: Mapping[str, Any], look: Look | None = None) -> bytes:
    """Return the PNG of a render JSON, as wide as its look says; raises Undrawable."""
    look = look or Look(width=DEFAULT_WIDTH)
    _check_width(look.width)
    return encode_png(paint_scene(svg.draw_scene(render, look)))


def rasterize_svg(drawn: str, width: int) -> bytes:
    """Return one of our SVGs as PNG; raises Undrawable for a width out of bounds."""
    _check_width(width)
    return encode_png(paint_svg(drawn, width))


def _check_width(width: int) -> None:
    if not SMALLEST_WIDTH <= width <= LARGEST_WIDTH:
        raise Undrawable(f"the width must be from {SMALLEST_WIDTH} to {LARGEST_WIDTH} pixels")


def encode_png(image: Image.Image) -> bytes:
    """Return the PNG of an image; one in RGB is brought down to few colours."""
    deadline.check_deadline()
    file = BytesIO()
    few = reduce_colours(image, COLOURS) if image.mode == "RGB" else image
    few.save(file, "PNG")
    return file.getvalue()


def reduce_colours(image: Image.Image, most: int) -> Image.Image:
    """Return an image in RGB with a palette of at most so many colours."""
    how = Image.Quantize.MAXCOVERAGE
    return image.quantize(most, method=how, dither=Image.Dither.NONE)
