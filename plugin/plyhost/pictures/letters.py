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
    "A": (11, "m0 0l5.5-14 5.5 14m-2-5h-7"),
    "B": (9, "m0 0v-14h4.5a3.4 3.4 0 0 1 0 6.8h-4.5m4.5 0a3.6 3.6 0 0 1 0 7.2h-4.5"),
    "C": (10.5, "m10.3-11.4a6 7 0 1 0 0 8.8"),
    "D": (10.5, "m0 0v-14h3.5a7 7 0 0 1 0 14z"),
    "E": (8, "m8-14h-8v14h8m-1.2-7.2h-6.8"),
    "F": (7.6, "m7.6-14h-7.6v14m0-7h6.4"),
    "G": (11, "m10.4-11.2a6 7 0 1 0 .4 6.6v-1.8h-4.4"),
    "H": (10, "m0-14v14m10-14v14m0-7.2h-10"),
    "I": (0, "m0-14v14"),
    "J": (6, "m6-14v10a3.9 3.9 0 0 1-6 3"),
    "K": (9, "m0-14v14m8.8-14l-8.8 8.6m3-2.8l6.2 8.2"),
    "L": (7.6, "m0-14v14h7.6"),
    "M": (12, "m0 0v-14l6 9.5 6-9.5v14"),
    "N": (10, "m0 0v-14l10 14v-14"),
    "O": (12, "m12-7a6 7 0 1 0-12 0a6 7 0 1 0 12 0"),
    "P": (9, "m0 0v-14h4.8a3.9 3.9 0 0 1 0 7.8h-4.8"),
    "Q": (12, "m12-7a6 7 0 1 0-12 0a6 7 0 1 0 12 0m-4.8 3.4l4.4 4.6"),
    "R": (9.4, "m0 0v-14h4.8a3.8 3.8 0 0 1 0 7.6h-4.8m4.6 0l4.6 6.4"),
    "S": (8.6, "m8-12q-1.4-2-4-2q-3.7 0-3.7 3.3q0 2.6 3.9 3.5q4.2 1 4.2 3.8q0 3.4-4.1 3.4"
               "q-3 0-4.3-2.4"),
    "T": (10, "m0-14h10m-5 0v14"),
    "U": (10, "m0-14v9a5 5 0 0 0 10 0v-9"),
    "V": (11, "m0-14l5.5 14 5.5-14"),
    "W": (15, "m0-14l3.8 14 3.7-12 3.7 12 3.8-14"),
    "X": (10, "m0-14l10 14m0-14l-10 14"),
    "Y": (10, "m0-14l5 7.4 5-7.4m-5 7.4v6.6"),
    "Z": (9.4, "m0-14h9.4l-9.4 14h9.4"),
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
    is_low = text == text.lower() and not text.isdigit()
    base = y + (SMALL_HEIGHT if is_low else DIGIT_HEIGHT) / 2
    path = ""
    for width, drawn in signs:
        path += f"M{format_coordinate(pen)} {format_coordinate(base)}{drawn}".replace(" -", "-")
        pen += width + _GAP
    return path


def format_coordinate(value: float) -> str:
    """Return a coordinate to a tenth, written as short as it can be."""
    return f"{round(value, 1) + 0:g}"
