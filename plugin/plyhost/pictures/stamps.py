"""Scenes as pixels, put together from stamps: what lies on cells is painted once and kept.

A board has many stones and few kinds of them.  A stamp is what lies on one cell, without what is
around it; it is laid where the cell is, to half a pixel.  What a picture costs is then its board,
which is kept as well, and a few dozen stamps in one small sheet.  Whether they were kept or not,
the pixels are the same.
"""

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from math import ceil, isqrt

import resvg_py
from PIL import Image

from plyhost import deadline
from plyhost.pictures.layout import Layout
from plyhost.pictures.look import Look
from plyhost.pictures.scene import Scene
from plyhost.pictures.svg import write_empty_board, write_overlay

#: How far from a cell's middle anything reaches that lies on it, in units.
REACH = 31
#: How many bytes of stamps are kept for each of a few boards and looks.
KEPT_BYTES, KEPT_BOARDS = 4_000_000, 6

#: What lies on a cell as SVG, and by how many half pixels it stands right of and below a whole one.
Kind = tuple[str, int, int]


def paint_svg(drawn: str, look: Look) -> Image.Image:
    """Return an SVG as an image as wide as its look says, in RGBA where anything shows through."""
    return _leave_out_alpha(_paint_layer(drawn, look.width), look)


def _leave_out_alpha(image: Image.Image, look: Look) -> Image.Image:
    return image if look.background == "none" else image.convert("RGB")


def _paint_layer(drawn: str, width: int) -> Image.Image:
    """Return an SVG as an image in RGBA, `width` pixels wide."""
    deadline.check_deadline()
    data = resvg_py.svg_to_bytes(svg_string=drawn, width=width, skip_system_fonts=True)
    return Image.open(BytesIO(data)).convert("RGBA")


def paint_scene(scene: Scene) -> Image.Image:
    """Return a scene as an image as wide as its look says, in RGBA where anything shows through."""
    stamps = _keep_stamps(scene.layout, scene.look, scene.is_labelled)
    image = stamps.empty.copy()
    stamps.lay(image, scene.list_contents())
    if scene.above:
        image.alpha_composite(_paint_layer(write_overlay(scene), scene.look.width))
    return _leave_out_alpha(image, scene.look)


@lru_cache(maxsize=KEPT_BOARDS)
def _keep_stamps(layout: Layout, look: Look, is_labelled: bool) -> "Stamps":
    return Stamps(Scene.of_empty_board(layout, look, is_labelled))


class Stamps:
    """The empty board of one layout and look as `empty`, and stamps for it."""

    def __init__(self, bare: Scene) -> None:
        width, (across, down) = bare.look.width, bare.layout.box(bare.is_labelled)
        self.empty = _paint_layer(write_empty_board(bare), width)
        self._scale = width / (2 * across)
        self._reach = ceil(REACH * self._scale) + 1
        #: Where each cell's middle is, in half pixels.
        self._halves = [
            (round(2 * (across + x) * self._scale), round(2 * (down + y) * self._scale))
            for x, y in bare.layout.spots
        ]
        self._known: dict[Kind, Image.Image] = {}
        self._bytes = 0

    def lay(self, image: Image.Image, contents: Sequence[str]) -> None:
        """Paint what lies on each cell, by rank, over an image of the empty board."""
        placed = [
            ((content, x % 2, y % 2), (x // 2 - self._reach, y // 2 - self._reach))
            for content, (x, y) in zip(contents, self._halves, strict=True)
            if content
        ]
        stamps = self._find_stamps({kind: None for kind, _ in placed})
        for kind, place in placed:
            image.alpha_composite(stamps[kind], place)

    def _find_stamps(self, kinds: dict[Kind, None]) -> dict[Kind, Image.Image]:
        known = self._known
        if missing := [kind for kind in kinds if kind not in known]:
            painted = self._paint_stamps(missing)
            self._keep(painted)
            return known | painted
        return known

    def _paint_stamps(self, kinds: Sequence[Kind]) -> dict[Kind, Image.Image]:
        """Paint stamps side by side on one sheet, and cut it."""
        size, across = 2 * self._reach, isqrt(len(kinds) - 1) + 1
        corners = [(size * (at % across), size * (at // across)) for at in range(len(kinds))]
        sheet = _paint_layer(self._write_sheet(kinds, corners), size * across)
        return {
            kind: sheet.crop((left, top, left + size, top + size))
            for kind, (left, top) in zip(kinds, corners, strict=True)
        }

    def _write_sheet(self, kinds: Sequence[Kind], corners: Sequence[tuple[int, int]]) -> str:
        across, down = (max(edges) + 2 * self._reach for edges in zip(*corners, strict=True))
        inner = "".join(
            f'<g transform="translate({left + self._reach + right / 2:g}'
            f' {top + self._reach + below / 2:g}) scale({self._scale:.6g})">{content}</g>'
            for (content, right, below), (left, top) in zip(kinds, corners, strict=True)
        )
        opening = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0'
        return f'{opening} {across} {down}" width="{across}" height="{down}">{inner}</svg>'

    def _keep(self, painted: dict[Kind, Image.Image]) -> None:
        added = sum(4 * stamp.width * stamp.height for stamp in painted.values())
        if self._bytes + added > KEPT_BYTES:
            self._known, self._bytes = {}, 0
        if added <= KEPT_BYTES:
            self._known, self._bytes = self._known | painted, self._bytes + added
