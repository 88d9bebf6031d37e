"""Pictures that follow the reader's scheme, light or dark, by a rule inside of them.

The rule goes by the colours of the light palette, so that nothing in a picture needs a name, and a
viewer that knows no rules shows the light one.
"""

from collections.abc import Iterator

from plyhost.pictures.look import Look
from plyhost.pictures.palettes import Palette

Pair = tuple[str, str]


def name_scheme(look: Look) -> str:
    """Return the attribute by which the rule finds its own picture and no other on a page."""
    return f' data-scheme="{_name_colours(look)}"' if look.night else ""


def _name_colours(look: Look) -> str:
    return f"{look.palette.cell}{look.night.cell}".replace("#", "") if look.night else ""


def write_scheme(look: Look) -> str:
    """Return the rule, empty for a picture that is the same in both schemes."""
    if not look.night:
        return ""
    rules = "".join(
        f'[data-scheme="{_name_colours(look)}"] [{where}="{day}"]{{{where}:{night}}}'
        for day, night in sorted(set(pair_colours(look.palette, look.night)))
        if day != night
        for where in ("fill", "stroke")
    )
    return f"<style>@media (prefers-color-scheme:dark){{{rules}}}</style>"


def pair_colours(day: Palette, night: Palette) -> Iterator[Pair]:
    """Yield each colour of a palette with the one that has its place in another."""
    for name in _PLAIN:
        yield getattr(day, name), getattr(night, name)
    for one, other in zip(day.players, night.players, strict=True):
        for name in ("fill", "edge", "shine", "sign"):
            if getattr(one, name):
                yield getattr(one, name), getattr(other, name)


_PLAIN = [name for name in Palette.__dataclass_fields__ if name != "players"]
