"""The rules inside of a picture: for readers whose scheme is dark, or who want no motion.

Colours are found by what they are in the light palette, so nothing in a picture needs a name, and a
viewer that knows no rules shows the light one.
"""

from collections.abc import Iterator

from plyhost.pictures.look import Look
from plyhost.pictures.palettes import Palette

#: The attribute that tells in which of a film's first and last position a piece is seen.
SEEN = "data-seen"

#: Without motion a film is its first position for a while, and then its last.
_STILL = (
    f"[{SEEN}=never]{{display:none}}[{SEEN}=both]{{opacity:1!important}}"
    f"[{SEEN}=first]{{animation:plyhost-first 3s step-end both}}"
    f"[{SEEN}=last]{{animation:plyhost-last 3s step-end both}}"
    "@keyframes plyhost-first{from{opacity:1}to{opacity:0}}"
    "@keyframes plyhost-last{from{opacity:0}to{opacity:1}}"
)


def name_scheme(look: Look) -> str:
    """Return the attribute by which the rules find their own picture and no other on a page."""
    return f' data-scheme="{_name_colours(look)}"' if look.night else ""


def _name_colours(look: Look) -> str:
    return f"{look.palette.cell}{look.night.cell}".replace("#", "") if look.night else ""


def write_style(look: Look, is_film: bool) -> str:
    """Return the rules, empty for a picture that is the same for all."""
    rules = _write_night(look) if look.night else ""
    if is_film:
        rules += f"@media (prefers-reduced-motion:reduce){{{_STILL}}}"
    return f"<style>{rules}</style>" if rules else ""


def _write_night(look: Look) -> str:
    rules = "".join(
        f'[data-scheme="{_name_colours(look)}"] [{where}="{day}"]{{{where}:{night}}}'
        for day, night in sorted(set(pair_colours(look.palette, look.night or look.palette)))
        if day != night
        for where in ("fill", "stroke")
    )
    return f"@media (prefers-color-scheme:dark){{{rules}}}"


def pair_colours(day: Palette, night: Palette) -> Iterator[tuple[str, str]]:
    """Yield each colour of a palette with the one that has its place in another."""
    for name in _PLAIN:
        yield getattr(day, name), getattr(night, name)
    for one, other in zip(day.players, night.players, strict=True):
        for name in ("fill", "edge", "shine", "sign"):
            if getattr(one, name):
                yield getattr(one, name), getattr(other, name)


_PLAIN = [name for name in Palette.__dataclass_fields__ if name != "players"]
