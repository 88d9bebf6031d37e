"""A whole game as an animated image: WebP, GIF and APNG.

All positions share one palette, which is chosen from a few of them.  Only what changed since the
position before is looked at again, and only that is written.
"""

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any

from PIL import Image, ImageChops

from plyhost import deadline
from plyhost.pictures.film import Timing
from plyhost.pictures.png import reduce_colours
from plyhost.pictures.scene import Scene
from plyhost.pictures.stamps import paint_scene

#: Colours that all positions share; in an APNG the next number is for nothing.
COLOURS = 127
#: From how many positions, spread evenly, the colours are chosen.
_SAMPLES = 4
_BAR = 6

#: What Pillow is told for each media type.
_ENCODINGS: dict[str, dict[str, Any]] = {
    "image/webp": {"format": "WEBP", "lossless": True, "quality": 40, "method": 1},
    "image/gif": {"format": "GIF", "optimize": True, "disposal": 1},
    "image/apng": {"format": "PNG", "disposal": 0, "blend": 1, "transparency": COLOURS},
}


def encode_film(scenes: Sequence[Scene], kind: str, timing: Timing) -> bytes:
    """Return the animated image of scenes of one board, as one of the media types.

    Raises Overdue between positions.
    """
    frames, file = _paint_frames(scenes), BytesIO()
    if kind == "image/apng":
        frames = _leave_out_unchanged(frames)
    first = next(frames)
    first.save(
        file,
        save_all=True,
        # Pillow goes through those of an APNG twice.
        append_images=list(frames) if kind == "image/apng" else frames,
        duration=_list_durations(len(scenes), timing),
        **_ENCODINGS[kind],
        **_tell_loops(kind, timing.loops),
    )
    return file.getvalue()


def _list_durations(frames: int, timing: Timing) -> list[int]:
    """Return how many milliseconds each position stands, the last one with the rest."""
    return [timing.step] * (frames - 1) + [timing.step + timing.rest]


def _tell_loops(kind: str, loops: bool) -> dict[str, Any]:
    """Return how often it is played; a GIF that says nothing plays once."""
    if loops:
        return {"loop": 0}
    return {} if kind == "image/gif" else {"loop": 1}


def _paint_frames(scenes: Sequence[Scene]) -> Iterator[Image.Image]:
    """Yield the positions in the palette that they share, each with the bar of its time."""
    palette = _choose_palette(scenes)
    before = kept = None
    for number, scene in enumerate(scenes, 1):
        deadline.check_deadline()
        image = _paint_bar(paint_scene(scene).convert("RGB"), scene, number / len(scenes))
        if before is None or kept is None:
            kept = _map_colours(image, palette)
        elif box := ImageChops.difference(image, before).getbbox():
            kept = kept.copy()
            kept.paste(_map_colours(image.crop(box), palette), box[:2])
        before = image
        yield kept


def _leave_out_unchanged(frames: Iterator[Image.Image]) -> Iterator[Image.Image]:
    """Yield frames after the first with nothing where they are as the one before."""
    before: Image.Image | None = None
    for frame in frames:
        shown = frame.copy()
        colours = (frame.getpalette() or [])[: 3 * COLOURS]
        shown.putpalette(colours + [0] * (3 * COLOURS + 3 - len(colours)))
        if before is not None:
            shown.paste(COLOURS, mask=_find_equal(frame, before))
        before = frame
        yield shown


def _find_equal(one: Image.Image, other: Image.Image) -> Image.Image:
    """Return where two images have the same number in the palette that they share."""
    numbers = [Image.frombytes("L", image.size, image.tobytes()) for image in (one, other)]
    return ImageChops.difference(*numbers).point([255] + [0] * 255)


def _choose_palette(scenes: Sequence[Scene]) -> Image.Image:
    """Return an image whose palette suits all scenes."""
    last = len(scenes) - 1
    samples = [
        paint_scene(scenes[last * at // (_SAMPLES - 1)]).convert("RGB") for at in range(_SAMPLES)
    ]
    width, height = samples[0].size
    sheet = Image.new("RGB", (width, height * _SAMPLES))
    for at, sample in enumerate(samples):
        sheet.paste(sample, (0, height * at))
    return reduce_colours(sheet, COLOURS, scenes[0].look)


def _map_colours(image: Image.Image, palette: Image.Image) -> Image.Image:
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def _paint_bar(image: Image.Image, scene: Scene, played: float) -> Image.Image:
    """Paint a bar along the lower edge that grows with the game."""
    across, _ = scene.layout.box(scene.is_labelled)
    height = max(2, round(_BAR * image.width / (2 * across)))
    box = (0, image.height - height, round(image.width * played), image.height)
    image.paste(scene.palette.label, box)
    return image
