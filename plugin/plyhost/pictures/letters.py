"""Letters and digits as strokes, so that a picture needs no font.

Each sign is a path from its left end on the base line, all steps relative: x to the right, y
downwards, small letters 10 high, digits 14.  They were drawn for this program.
"""

DIGIT_HEIGHT, SMALL_HEIGHT = 14, 10
STROKE = 1.9
_GAP = 4.0

_BOWL = "a4.5 5 0 1 0-9 0a4.5 5 0 1 0 9 0"

#: Width and path of each sign.
_SIGNS: dict[str, tuple[float, str]] = {
    "a": (9, "m9-10v10m0-5" + _BOWL),
    "b": (9, "m0-14v14m9-5" + _BOWL),
    "c": (8, "m8-8.2a4.5 5 0 1 0 0 6.4"),
    "d": (9, "m9-14v14m0-5" + _BOWL),
    "e": (9, "m0-5h9a4.5 5 0 1 0-1.3 3.5"),
    "f": (6, "m6-14h-1a3 3 0 0 0-3 3v11m-2-10h6"),
    "g": (9, "m9-5" + _BOWL + "m0-5v10.5a4 4 0 0 1-4 4h-1a4 4 0 0 1-3.3-1.6"),
    "h": (9, "m0-14v14m0-5.5a4.5 4.5 0 0 1 9 0v5.5"),
    "i": (0, "m0-10v10m0-14v.1"),
    "j": (3, "m3-10v11a3.5 3.5 0 0 1-3.5 3.5m3.5-18.5v.1"),
    "k": (8, "m0-14v14m7.5-10l-7.5 6.2m3-2.5l5 6.3"),
    "l": (3, "m0-14v11a3 3 0 0 0 3 3"),
    "m": (14, "m0-10v10m0-6.5a3.5 3.5 0 0 1 7 0v6.5m0-6.5a3.5 3.5 0 0 1 7 0v6.5"),
    "n": (9, "m0-10v10m0-5.5a4.5 4.5 0 0 1 9 0v5.5"),
    "o": (9, "m9-5" + _BOWL),
    "p": (9, "m0-10v14.5m9-9.5" + _BOWL),
    "q": (9, "m9-10v14.5m0-9.5" + _BOWL),
    "r": (5, "m0-10v10m0-5.5a4.5 4.5 0 0 1 4.5-4.5h.8"),
    "s": (7, "m6.8-8.4q-1-1.6-3.3-1.6q-3.1 0-3.1 2.5q0 2 3.1 2.5q3.5.5 3.5 2.6q0 2.4-3.4 2.4"
             "q-2.6 0-3.6-1.8"),
    "t": (6, "m2.5-13.5v10.5a3 3 0 0 0 3 3h.5m-6-10h6"),
    "u": (9, "m0-10v5.5a4.5 4.5 0 0 0 9 0m0-5.5v10"),
    "v": (8.5, "m0-10l4.2 10l4.3-10"),
    "w": (13, "m0-10l3.2 10l3.3-10l3.3 10l3.2-10"),
    "x": (8, "m0-10l8 10m0-10l-8 10"),
    "y": (8.5, "m0-10l4.3 9.8m4.2-9.8l-5.6 12.4a3.4 3.4 0 0 1-3 2"),
    "z": (8, "m0-10h8l-8 10h8"),
    "0": (9, "m9-7a4.5 7 0 1 0-9 0a4.5 7 0 1 0 9 0"),
    "1": (5, "m0-11.2l4-2.8v14"),
    "2": (8.4, "m.2-10a4 4 0 1 1 7 2.4l-7 7.6h8.2"),
    "3": (8.4, "m.5-12.2q1.2-1.8 3.6-1.8q3.8 0 3.8 3.3q0 3.3-4.1 3.3q4.6 0 4.6 3.6q0 3.8-4.4 3.8"
               "q-2.8 0-4-2"),
    "4": (9, "m6.6 0v-14l-6.6 9.8h9"),
    "5": (8.4, "m7.6-14h-6l-.6 6.2q1.2-1 3-1q4.4 0 4.4 4.2q0 4.6-4.6 4.6q-2.5 0-3.8-1.8"),
    "6": (8.8, "m7.2-14q-7.2 2.5-7.2 9.4m8.8 0a4.4 4.6 0 1 0-8.8 0a4.4 4.6 0 1 0 8.8 0"),
    "7": (8.4, "m0-14h8.4l-5 14"),
    "8": (8.8, "m7.9-10.6a3.5 3.4 0 1 0-7 0a3.5 3.4 0 1 0 7 0"
               "m.9 6.7a4.4 3.9 0 1 0-8.8 0a4.4 3.9 0 1 0 8.8 0"),
    "9": (8.8, "m1.6 0q7.2-2.5 7.2-9.4m0 0a4.4 4.6 0 1 0-8.8 0a4.4 4.6 0 1 0 8.8 0"),
}  # fmt: skip


def outline_text(text: str, x: float, y: float) -> str:
    """Return the path of a text centred on a point; what has no sign here is left out."""
    signs = [_SIGNS[sign] for sign in text if sign in _SIGNS]
    pen = x - (sum(width + _GAP for width, _ in signs) - _GAP) / 2
    base = y + (DIGIT_HEIGHT if text.isdigit() else SMALL_HEIGHT) / 2
    path = ""
    for width, drawn in signs:
        path += f"M{format_coordinate(pen)} {format_coordinate(base)}{drawn}".replace(" -", "-")
        pen += width + _GAP
    return path


def format_coordinate(value: float) -> str:
    """Return a coordinate to a tenth, written as short as it can be."""
    return f"{round(value, 1) + 0:g}"
