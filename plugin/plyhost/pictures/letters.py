"""Texts as paths, so that a picture needs no font."""

from unicodedata import normalize

from plyhost.pictures.strokes import ACCENTS, BELOW, DIGIT_HEIGHT, LOW, SIGNS, SMALL_HEIGHT

_GAP = 4.0


def outline_text(text: str, x: float, y: float) -> str:
    """Return the path of a text centred on a point; what has no sign here is left out."""
    is_low = text == text.lower() and not text.isdigit()
    base = y + (SMALL_HEIGHT if is_low else DIGIT_HEIGHT) / 2
    return write_line(text, x - measure_text(text) / 2, base)


def write_line(text: str, x: float, base: float) -> str:
    """Return the path of a text from its left end on the base line."""
    pen, path = x, ""
    for sign in normalize("NFD", text):
        if sign in SIGNS:
            width, drawn = SIGNS[sign]
            path += f"M{format_coordinate(pen)} {format_coordinate(base)}{drawn}"
            middle, height = pen + width / 2, _find_height(sign)
            pen += width + _GAP
        elif path and sign in ACCENTS:
            top = format_coordinate(base - height)
            path += f"M{format_coordinate(middle)} {top}{ACCENTS[sign]}"
        elif path and sign in BELOW:
            path += f"M{format_coordinate(middle)} {format_coordinate(base)}{BELOW[sign]}"
    return path.replace(" -", "-")


def _find_height(sign: str) -> int:
    return SMALL_HEIGHT if sign in LOW else DIGIT_HEIGHT


def measure_text(text: str) -> float:
    """Return how long a line of text is."""
    widths = [SIGNS[sign][0] + _GAP for sign in normalize("NFD", text) if sign in SIGNS]
    return max(0.0, sum(widths) - _GAP)


def is_writable(text: str) -> bool:
    """Tell whether every sign of a text can be drawn."""
    signs = normalize("NFD", text)
    return bool(signs.strip()) and all(
        sign in SIGNS or sign in ACCENTS or sign in BELOW for sign in signs
    )


def format_coordinate(value: float) -> str:
    """Return a coordinate to a tenth, written as short as it can be."""
    return f"{round(value, 1) + 0:g}"
