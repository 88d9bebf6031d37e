"""What a request says of the looks of a picture, checked also where no schema stands before it."""

from collections.abc import Mapping
from typing import Any

from plyhost import limits
from plyhost.errors import InvalidRequest
from plyhost.games.game import Info
from plyhost.pictures.look import Look
from plyhost.pictures.palettes import PALETTES, Palette

Request = Mapping[str, Any]

#: The palettes that a request may name: each game says which board each one is, and `auto` follows
#: the reader's scheme.
PALETTE_NAMES = ("light", "dark", "safe", "mono", "auto")
DEFAULT_PALETTE, AUTO = "light", "auto"


def read_look(info: Info, request: Request, default_width: int) -> Look:
    """Return the looks that a request asks for; raises InvalidRequest."""
    name = request.get("palette", DEFAULT_PALETTE)
    if name not in PALETTE_NAMES:
        raise InvalidRequest({"palette": [f"Must be one of {', '.join(PALETTE_NAMES)}."]})
    return Look(
        palette=find_palette(info, DEFAULT_PALETTE if name == AUTO else name),
        night=find_palette(info, "dark") if name == AUTO else None,
        width=_read_width(request, default_width),
        joined=info.boards.joined,
    )


def find_palette(info: Info, name: str) -> Palette:
    """Return the palette of the board that a game has under one of the names."""
    return PALETTES[getattr(info.boards, name)]


def _read_width(request: Request, default: int) -> int:
    width: int = request.get("width") or default
    least, most = limits.NARROWEST_PICTURE, limits.WIDEST_PICTURE
    if width and not least <= width <= most:
        raise InvalidRequest({"width": [f"Must be from {least} to {most}."]})
    return width
