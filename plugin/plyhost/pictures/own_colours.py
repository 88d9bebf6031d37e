"""A palette with colours that a caller gives, the others chosen to suit; refused if not seen."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from plyhost.pictures.contrast import (
    LABELS,
    LINES,
    NOTES,
    blend_colours,
    list_flaws,
    measure_contrast,
)
from plyhost.pictures.palettes import Ink, Palette

#: What may be coloured: `one` and `two` are the stones of players 1 and 2.
PARTS = ("background", "board", "cell", "label", "one", "two", "accent")

_GIVEN = re.compile(r"([a-z]+):#?([0-9a-fA-F]{6}|[0-9a-fA-F]{3})")
#: Where stones differ at least so in grey they need no sign to be told apart.
_PLAIN = 7.0
#: The contrast that they need with signs.
_SIGNED = 1.3


class Unsuitable(ValueError):
    """The colours cannot be used: `reasons` are sentences."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__(" ".join(reasons))
        self.reasons = list(reasons)


def parse_colours(texts: Sequence[str]) -> dict[str, str]:
    """Return colours by part from texts such as `cell:f0d9b5`; raises Unsuitable."""
    found: dict[str, str] = {}
    for text in texts:
        given = _GIVEN.fullmatch(text)
        if not given or given[1] not in PARTS or given[1] in found:
            parts = ", ".join(PARTS)
            raise Unsuitable([f"Write each as part:rrggbb, the parts once each, of {parts}."])
        found[given[1]] = expand_colour(given[2])
    return found


def expand_colour(digits: str) -> str:
    """Return three or six hexadecimal digits as `#rrggbb`."""
    whole = digits if len(digits) == 6 else "".join(2 * digit for digit in digits)
    return f"#{whole.lower()}"


def colour_palette(base: Palette, given: Mapping[str, str]) -> Palette:
    """Return a palette with given colours by part; raises Unsuitable with every reason."""
    palette = _colour_board(base, given)
    if "background" in given or "label" in given:
        background = given.get("background", base.background)
        label = given.get("label") or _pick_readable(base.label, background, LABELS)
        palette = replace(palette, background=background, label=label)
    one, two = (
        _make_ink(ink, given[part]) if part in given else ink
        for part, ink in zip(("one", "two"), base.players, strict=False)
    )
    players = _add_signs(one, two)
    palette = replace(palette, players=(*players, *base.players[2:]))
    if flaws := list(list_flaws(palette, _SIGNED)):
        # One for each thing that cannot be seen, whatever kinds of cells it cannot be seen on.
        raise Unsuitable(list({flaw.partition(":")[0]: flaw for flaw in flaws}.values()))
    return palette


def _colour_board(base: Palette, given: Mapping[str, str]) -> Palette:
    """Return the palette with its cells and what is drawn on them."""
    cell, accent = given.get("cell", base.cell), given.get("accent", base.accent)
    if not given.keys() & {"cell", "board", "accent"}:
        return base
    if "accent" not in given:
        accent = _pick_readable(accent, cell, NOTES + 0.5)
    board = given.get("board") or _pick_readable(base.board, cell, LINES + 0.1, 0.45)
    light, dark = ("#ffffff", "#000000")
    is_light = measure_contrast(cell, dark) > measure_contrast(cell, light)
    return replace(
        base,
        board=board,
        rim=blend_colours(board, "#000000", 0.3),
        line=board,
        cell=cell,
        shade=blend_colours(cell, board, 0.08),
        glow=blend_colours(cell, accent, 0.03),
        gone=blend_colours(cell, board, 0.03),
        accent=accent,
        ink=dark if is_light else light,
        casing=light if is_light else dark,
    )


def _pick_readable(wanted: str, behind: str, least: float, strength: float = 1.0) -> str:
    """Return a colour if it has the contrast, else a step towards black or white that has more."""
    if measure_contrast(wanted, behind) >= least:
        return wanted
    steps = [blend_colours(behind, end, strength) for end in ("#000000", "#ffffff")]
    return max(steps, key=lambda step: measure_contrast(step, behind))


def _make_ink(base: Ink, fill: str) -> Ink:
    return replace(base, name=fill, fill=fill, edge=blend_colours(fill, "#000000", 0.5))


def _add_signs(one: Ink, two: Ink) -> tuple[Ink, Ink]:
    """Return both players' inks, with signs where lightness alone does not tell them apart."""
    if measure_contrast(one.fill, two.fill, "grey") >= _PLAIN:
        return replace(one, sign=""), replace(two, sign="")
    first, second = (_pick_readable(ink.sign or ink.fill, ink.fill, 3, 0.8) for ink in (one, two))
    return replace(one, sign=first), replace(two, sign=second)
