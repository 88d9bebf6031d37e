"""Pictures as PNG."""

import json
import struct
import subprocess
import sys
from typing import Any

import pytest
from PIL import ImageChops, ImageStat

from plyhost.pictures import png, stamps, svg
from plyhost.pictures.layout import Undrawable, make_board_layout
from plyhost.pictures.look import Look
from plyhost.pictures.palettes import PALETTES
from tests.tools import golden
from tests.tools.games import recorded
from tests.tools.picture_reading import expected, pixels


def render(number: int = 0, display: str = "default") -> dict[str, Any]:
    found: dict[str, Any] = recorded("control")[number]["positions"][5]["render"][display]
    return found


@pytest.mark.parametrize("width", [40, 120, 400])
@pytest.mark.parametrize("display", ["default", "vertex-style"])
def test_a_png_is_as_wide_as_asked(width: int, display: str) -> None:
    data = png.draw_png(render(display=display), Look(width=width))
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    found = struct.unpack(">II", data[16:24])
    assert found[0] == width
    assert 0.8 < found[1] / width < 1


def test_the_same_render_gives_the_same_bytes_in_another_process() -> None:
    code = (
        "import sys, orjson; from plyhost.pictures import png; from plyhost.pictures.look import *;"
    )
    code += "shown = orjson.loads(sys.stdin.read());"
    code += "sys.stdout.buffer.write(png.draw_png(shown, Look(width=200)))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(render()).encode(),
        capture_output=True,
        check=True,
        env={"FONTCONFIG_FILE": "/nonexistent", "HOME": "/nonexistent"},
    )
    assert done.stdout == png.draw_png(render(), Look(width=200))


@pytest.mark.parametrize("palette", PALETTES)
def test_large_areas_have_their_very_colours(palette: str) -> None:
    drawn, colours = golden.renders("control", 15, 60)[-1], PALETTES[palette]
    rows = pixels(png.draw_png(drawn, Look(colours, width=300)))[2]
    seen = {row[at : at + 3].hex() for row in rows for at in range(0, len(row), 4)}
    one, two = colours.players[:2]
    parts = (colours.background, colours.cell, colours.shade, colours.board, one.fill, two.fill)
    assert {colour[1:] for colour in parts} <= seen


def test_pictures_are_the_same_whatever_was_painted_before() -> None:
    renders, look = (
        golden.renders("congeners", 0, 30),
        Look(PALETTES["wood"], width=180, joined=True),
    )
    warm = [png.draw_png(drawn, look) for drawn in renders]
    for drawn, known in zip(renders[::5], warm[::5], strict=True):
        stamps._keep_stamps.cache_clear()
        assert png.draw_png(drawn, look) == known


def test_a_png_shows_what_its_svg_shows() -> None:
    for drawn, look in (
        (render(22), Look(width=400)),
        (golden.renders("congeners", 0, 30)[-1], Look(PALETTES["wood"], width=400, joined=True)),
    ):
        scene = svg.draw_scene(drawn, look)
        whole = stamps.paint_svg(svg.write_scene(scene), look)
        off = ImageChops.difference(stamps.paint_scene(scene), whole).convert("L")
        # Stamps lie where they should to a quarter of a pixel: edges are a little off.
        assert ImageStat.Stat(off).mean[0] < 3
        assert sum(off.histogram()[128:]) == 0


def test_a_png_is_small() -> None:
    for width, most in ((64, 2_500), (400, 25_000)):
        drawn = golden.renders("control", 3, 34)[-1]
        assert len(png.draw_png(drawn, Look(width=width))) < most


def test_labels_show_though_no_font_is_looked_for() -> None:
    width, height, rows = pixels(png.draw_png(render(), Look(width=500)))
    place = make_board_layout("hex-of-hex", 5, 0)
    scale = width / (2 * place.box(True)[0])
    background = bytes.fromhex(PALETTES["light"].background[1:])
    for text, (x, y) in place.labels:
        left, top = round(width / 2 + x * scale), round(height / 2 + y * scale)
        around = [rows[top + down][4 * (left - 7) : 4 * (left + 8)] for down in range(-7, 8)]
        ink = [row[at : at + 3] for row in around for at in range(0, len(row), 4)]
        assert sum(pixel != background for pixel in ink) > 8, text


def lightness(rows: list[bytes], x: float, y: float) -> float:
    """Return the mean of nine pixels around a place, from 0 to 255."""
    left, top = int(x) - 1, int(y) - 1
    found = [rows[top + down][4 * left : 4 * left + 12] for down in range(3)]
    return sum(0.3 * r + 0.59 * g + 0.11 * b for row in found for r, g, b in thirds(row)) / 9


def thirds(row: bytes) -> list[tuple[int, int, int]]:
    return [(row[at], row[at + 1], row[at + 2]) for at in range(0, len(row), 4)]


@pytest.mark.parametrize("palette", PALETTES)
def test_stones_can_be_told_apart_on_a_thumbnail(palette: str) -> None:
    drawn = render(22, "hide-control")
    width, height, rows = pixels(png.draw_png(drawn, Look(PALETTES[palette], width=120)))
    place = make_board_layout("hex-of-hex", 9, 0)
    scale = width / (2 * place.box(False)[0])
    stones, _ = expected(drawn)
    found: dict[str, list[float]] = {"A": [], "B": []}
    for name, (x, y) in zip(place.names, place.spots, strict=True):
        if name in stones:
            seen = lightness(rows, width / 2 + x * scale, height / 2 + y * scale)
            found[stones[name]].append(seen)
    assert max(found["A"]) + 25 < min(found["B"])


@pytest.mark.parametrize("palette", PALETTES)
def test_the_last_move_can_be_seen_on_a_thumbnail(palette: str) -> None:
    drawn = render(22, "hide-control")
    rows = pixels(png.draw_png(drawn, Look(PALETTES[palette], width=120)))[2]
    accent = tuple(bytes.fromhex(PALETTES[palette].accent[1:]))
    near = [
        pixel
        for row in rows
        for pixel in thirds(row)
        if all(abs(one - other) < 40 for one, other in zip(pixel, accent, strict=True))
    ]
    assert len(near) >= 6
    look = Look(PALETTES[palette], width=120)
    assert png.draw_png({**drawn, "annotations": []}, look) != png.draw_png(drawn, look)


@pytest.mark.parametrize("width", [0, 39, 2049, -1])
def test_a_width_out_of_bounds_is_refused(width: int) -> None:
    with pytest.raises(Undrawable):
        png.draw_png(render(), Look(width=width))
