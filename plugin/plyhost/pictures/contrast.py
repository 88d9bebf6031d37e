"""How well the colours of a palette can be told apart, also by eyes that see colours otherwise.

Contrast is WCAG's ratio of two luminances, from 1 to 21.  Sight without one kind of cones is
simulated by the matrices of Machado, Oliveira and Fernandes (2009) on linear RGB.
"""

from collections.abc import Iterator, Mapping, Sequence

from plyhost.pictures.palettes import Palette

Linear = tuple[float, float, float]

_CONES: Mapping[str, Sequence[Linear]] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
#: How colours are looked at: as they are, in three simulations, and in grey.
SIGHTS = (*_CONES, "grey")

#: The least contrast of a palette: stones, dots and marks with their cell, lines with cells, the
#: sides with each other, labels with the background, annotations with cells.
STONES, LINES, SIDES, LABELS, NOTES = 3.0, 1.7, 1.8, 4.5, 3.0


def parse_colour(colour: str) -> Linear:
    """Return the linear red, green and blue, from 0 to 1, of a colour such as `#1b6ac9`."""
    red, green, blue = (_decode_light(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return red, green, blue


def format_colour(linear: Linear) -> str:
    """Return linear red, green and blue, cut to what can be shown, as `#rrggbb`."""
    return "#" + "".join(
        f"{round(255 * _encode_light(min(1, max(0, part)))):02x}" for part in linear
    )


def _decode_light(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _encode_light(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def simulate_sight(colour: str, sight: str) -> str:
    """Return a colour as one of `SIGHTS` sees it."""
    linear = parse_colour(colour)
    if sight == "grey":
        grey = _measure_light(linear)
        return format_colour((grey, grey, grey))
    red, green, blue = (_sum_products(row, linear) for row in _CONES[sight])
    return format_colour((red, green, blue))


def _sum_products(one: Linear, two: Linear) -> float:
    return sum(left * right for left, right in zip(one, two, strict=True))


def _measure_light(linear: Linear) -> float:
    return _sum_products((0.2126, 0.7152, 0.0722), linear)


def measure_contrast(one: str, two: str, sight: str = "usual") -> float:
    """Return the contrast of two colours for one of `SIGHTS`."""
    lights = [_measure_light(parse_colour(simulate_sight(each, sight))) for each in (one, two)]
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def list_flaws(palette: Palette, sides: float = SIDES) -> Iterator[str]:
    """Yield a sentence for each pair of a palette's colours that is too much alike.

    `sides` is the least contrast of the players' stones, for which signs may stand in.
    """
    for what, one, other, least in _list_colour_pairs(palette, sides):
        # The sides differ in hue as well; where nobody sees hue they must do without.
        sights = SIGHTS if least != sides else ("usual", "grey")
        worst = min(sights, key=lambda sight: measure_contrast(one, other, sight))
        found = measure_contrast(one, other, worst)
        if found < least:
            seen = "" if worst == "usual" else f" ({worst})"
            yield f"{what}: {one} and {other} have a contrast of {found:.2f}{seen}, not {least:g}."


def _list_colour_pairs(palette: Palette, sides: float) -> Iterator[tuple[str, str, str, float]]:
    one, two = palette.players[:2]
    cells = (palette.cell, palette.shade, palette.glow, palette.gone)
    for cell in cells:
        yield "Stones of player 1 on a cell", one.fill, cell, STONES
        yield "Stones of player 2 on a cell", two.fill, cell, STONES
        yield "The mark of the last turn on a cell", palette.accent, cell, NOTES
        yield "Annotations on a cell", palette.ink, cell, NOTES
    for cell in cells[:2]:
        yield "Lines between cells", palette.board, cell, LINES
        yield "Lines of a grid", palette.line, cell, LINES
    yield "The stones of both players", one.fill, two.fill, sides
    yield "Labels on the background", palette.label, palette.background, LABELS


def blend_colours(one: str, other: str, part: float) -> str:
    """Return a colour between two, at a part of the way from the first, as eyes see steps."""
    parts = (
        round(int(one[at : at + 2], 16) * (1 - part) + int(other[at : at + 2], 16) * part)
        for at in (1, 3, 5)
    )
    return "#" + "".join(f"{each:02x}" for each in parts)
