"""Contact sheets: `python -m tests.tools.sheets FOLDER` draws everything that pictures can show.

Every game in every palette and display at sizes from 48 to 1200 pixels, both schemes, cards, films
and simulations of colour blindness, each sheet one PNG.  They are to be looked at, not kept.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from plyhost.contract import picture_requests
from plyhost.contract.picture_requests import KINDS, PNG
from plyhost.games.registry import find_game
from plyhost.pictures.asking import AUTO, PALETTE_NAMES
from plyhost.pictures.contrast import SIGHTS, simulate_sight
from tests.tools import golden
from tests.tools.games import recorded

SIZES = (48, 64, 96, 160, 240, 400)
GROUND, GAP = "#7f7f7f", 10
PALETTES = tuple(name for name in PALETTE_NAMES if name != AUTO)

#: Positions that are worth a look: game, number of the recorded game, moves made.
POSITIONS: Mapping[str, tuple[str, int, int]] = {
    "control-5": ("control", 0, 46),
    "control-7": ("control", 15, 90),
    "control-9": ("control", 22, 120),
    "congeners-setup": ("congeners", 6, 1),
    "congeners-5": ("congeners", 1, 60),
    "congeners-bite": ("congeners", 6, 25),
}
DISPLAYS = {
    "control": ("", "hide-control", "vertex-style"),
    "congeners": ("", "kin", "vertex-style"),
}
NAMES = ["Ada Löwe", "Bo Çelik"]

Row = Sequence[Image.Image]


def paint(position: tuple[str, int, int], **look: Any) -> Image.Image:
    """Return a position as an image."""
    uid, number, made = position
    request = golden.asked(uid, number, made, look)
    data = picture_requests.make_position_picture(find_game(uid), request, PNG).body
    return Image.open(BytesIO(data)).convert("RGBA")


def lay_out(rows: Sequence[Row]) -> Image.Image:
    """Return rows of images on one sheet."""
    width = max(sum(image.width + GAP for image in row) for row in rows) + GAP
    height = sum(max(image.height for image in row) + GAP for row in rows) + GAP
    sheet, top = Image.new("RGBA", (width, height), GROUND), GAP
    for row in rows:
        left = GAP
        for image in row:
            sheet.alpha_composite(image, (left, top))
            left += image.width + GAP
        top += max(image.height for image in row) + GAP
    return sheet


def simulate(image: Image.Image, sight: str) -> Image.Image:
    """Return an image in few colours as one of `SIGHTS` sees it."""
    few = image.convert("RGB").quantize(128, dither=Image.Dither.NONE)
    parts = few.getpalette() or []
    colours = ["#" + bytes(parts[at : at + 3]).hex() for at in range(0, len(parts), 3)]
    seen = b"".join(bytes.fromhex(simulate_sight(colour, sight)[1:]) for colour in colours)
    few.putpalette(seen)
    return few.convert("RGBA")


def draw_sheets() -> Iterator[tuple[str, Image.Image]]:
    """Yield every sheet with its name."""
    for name, position in POSITIONS.items():
        for display in DISPLAYS[position[0]]:
            rows = [
                [paint(position, palette=palette, display=display, width=width) for width in SIZES]
                for palette in PALETTES
            ]
            yield f"{name}-{display or 'default'}", lay_out(rows)
        seen = [
            [simulate(paint(position, palette=palette, width=300), sight) for sight in SIGHTS]
            for palette in PALETTES
        ]
        yield f"{name}-sights", lay_out(seen)
        large = [paint(position, palette=palette, width=1200) for palette in ("light", "dark")]
        yield f"{name}-large", lay_out([large])
    yield (
        "backgrounds",
        lay_out(
            [
                [
                    paint(position, width=300, background="none", palette=palette)
                    for palette in ("light", "dark")
                ]
                for position in POSITIONS.values()
            ]
        ),
    )
    whole = [
        paint((uid, 0, len(recorded(uid)[0]["moves"]) - less), height=630, players=NAMES, **look)
        for uid in DISPLAYS
        for less, look in ((0, {}), (12, {"palette": "dark"}))
    ]
    yield "cards", lay_out([whole[:2], whole[2:]])


def write_sheets(folder: Path) -> None:
    """Write every sheet, and a film of each game in each kind."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, sheet in draw_sheets():
        sheet.convert("RGB").save(folder / f"{name}.png")
    for uid in DISPLAYS:
        request = golden.asked(uid, 0, 30)
        for ending in ("svg", "webp", "gif", "apng"):
            film = picture_requests.make_game_film(find_game(uid), request, KINDS[ending])
            (folder / f"film-{uid}.{ending}").write_bytes(film.body)


if __name__ == "__main__":
    write_sheets(Path(sys.argv[1] if len(sys.argv) > 1 else "sheets"))
