"""What a request says of the looks of a picture, checked also where no schema stands before it."""

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from plyhost import limits
from plyhost.errors import InvalidRequest
from plyhost.games.game import Info
from plyhost.pictures.look import Look
from plyhost.pictures.own_colours import Unsuitable, colour_palette, expand_colour, parse_colours
from plyhost.pictures.palettes import PALETTES, Palette

#: The fields of a request that a schema has let through, by name.
Fields: TypeAlias = Mapping[str, Any]

#: The palettes that a request may name: each game says which board each one is, and `auto` follows
#: the reader's scheme.
PALETTE_NAMES = ("light", "dark", "safe", "mono", "auto")
DEFAULT_PALETTE, AUTO = "light", "auto"

_BACKGROUND = re.compile("none|#?([0-9a-fA-F]{6}|[0-9a-fA-F]{3})")


def read_look(info: Info, request: Fields, default_width: int) -> Look:
    """Return the looks that a request asks for; raises InvalidRequest."""
    name = request.get("palette", DEFAULT_PALETTE)
    if name not in PALETTE_NAMES:
        raise InvalidRequest({"palette": [f"Must be one of {', '.join(PALETTE_NAMES)}."]})
    is_auto = name == AUTO
    return Look(
        palette=_read_palette(info, request, DEFAULT_PALETTE if is_auto else name),
        night=find_palette(info, "dark") if is_auto else None,
        width=_read_width(request, default_width),
        labelled=request.get("labels", True),
        background=_read_background(request),
        joined=info.boards.joined,
    )


def find_palette(info: Info, name: str) -> Palette:
    """Return the palette of the board that a game has under one of the names."""
    return PALETTES[getattr(info.boards, name)]


def list_player_colours(info: Info) -> dict[str, list[str]]:
    """Return what colours 1 and 2 of a render are by the palette's name, as `#rrggbb`."""
    return {
        name: [ink.fill for ink in find_palette(info, name).players[:2]]
        for name in PALETTE_NAMES
        if name != AUTO
    }


def _read_palette(info: Info, request: Fields, name: str) -> Palette:
    palette, texts = find_palette(info, name), request.get("colours") or ()
    if not texts:
        return palette
    if request.get("palette") == AUTO:
        raise InvalidRequest({"colours": ["Colours of your own follow no scheme: drop auto."]})
    try:
        return colour_palette(palette, parse_colours(texts))
    except Unsuitable as unsuitable:
        raise InvalidRequest({"colours": unsuitable.reasons}) from unsuitable


def read_height(request: Fields) -> int:
    """Return the height of a card; raises InvalidRequest."""
    height: int = request["height"]
    least, most = limits.NARROWEST_PICTURE, limits.WIDEST_PICTURE
    if not least <= height <= most:
        raise InvalidRequest({"height": [f"Must be from {least} to {most}."]})
    return height


def _read_width(request: Fields, default: int) -> int:
    width: int = request.get("width") or default
    least, most = limits.NARROWEST_PICTURE, limits.WIDEST_PICTURE
    if width and not least <= width <= most:
        raise InvalidRequest({"width": [f"Must be from {least} to {most}."]})
    return width


def _read_background(request: Fields) -> str:
    """Return `none`, a colour, or nothing for that of the palette."""
    text: str = request.get("background") or ""
    found = _BACKGROUND.fullmatch(text)
    if text and not found:
        raise InvalidRequest({"background": ["Must be none, or a colour such as f4f3ef."]})
    return expand_colour(found[1]) if found and found[1] else text
