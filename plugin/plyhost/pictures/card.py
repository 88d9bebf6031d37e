"""A position as a card of a given size: the board, and beside it the game and its players.

Nothing on it is in any language but names: whoever is to move has an arrow, who has won a star, and
after a draw both have an equals sign.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from plyhost.pictures.layout import make_render_layout
from plyhost.pictures.letters import (
    format_coordinate,
    is_writable,
    measure_text,
    write_line,
)
from plyhost.pictures.look import Look
from plyhost.pictures.scene import Scene
from plyhost.pictures.schemes import name_scheme, write_style
from plyhost.pictures.shapes import STONE, draw_stone
from plyhost.pictures.strokes import STROKE
from plyhost.pictures.svg import draw_board, draw_scene, enclose_cells

#: Parts of the lesser side: the margin, capitals of the game's name and of players', their rows.
_MARGIN, _TITLE, _NAME, _ROW = 0.07, 0.075, 0.05, 0.14
#: The part of a wide card that the board may take, and of a high one.
_WIDE_PART, _HIGH_PART = 0.62, 0.68
#: The height of a capital letter as it is drawn.
_CAPITAL = 14

_ARROW = "M-6-8L8 0-6 8z"
_STAR = "M0-9.4 2.6-3.2 9.2-2.8 4.2 1.4 5.8 8 0 4.4-5.8 8-4.2 1.4-9.2-2.8-2.6-3.2z"
_EQUALS = "M-7-4.6H7V-1.6H-7zM-7 1.6H7V4.6H-7z"

Pair = tuple[float, float]


@dataclass(frozen=True)
class Standing:
    """What a card tells beside the board.

    By seat: the `players`' names, and the numbers of their `colours`.  `to_move` is the seat whose
    turn it is, None when nobody's; `winners` are seats.
    """

    game: str
    players: Sequence[str]
    colours: Sequence[int]
    to_move: int | None = None
    winners: Sequence[int] = ()


def draw_card(
    render: Mapping[str, Any], look: Look, height: int, standing: Standing, title: str
) -> str:
    """Return the SVG of a card, as wide as its look says; raises Undrawable."""
    size = (look.width, height)
    room = _find_board_room(size)
    across, down = make_render_layout(render["board"]).box(look.labelled)
    wide = max(1, round(min(room[0], room[1] * across / down)))
    return _write_card(draw_scene(render, replace(look, width=wide)), size, standing, title)


def _is_wide(size: Pair) -> bool:
    return size[0] > 1.2 * size[1]


def _find_board_room(size: Pair) -> Pair:
    """Return the pixels that a board may take."""
    width, height = size
    margin = 2 * _MARGIN * min(size)
    if _is_wide(size):
        return width * _WIDE_PART - margin, height - margin
    return width - margin, height * _HIGH_PART - margin


def _write_card(scene: Scene, size: Pair, standing: Standing, title: str) -> str:
    (width, height), look = size, scene.look
    colour = look.background or look.palette.background
    ground = "" if colour == "none" else f'<path d="M0 0H{width}V{height}H0z" fill="{colour}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img"{name_scheme(look)}><title>{escape(title)}</title>'
        f"<desc>{escape(' '.join(scene.words))}</desc>{write_style(look, is_film=False)}{ground}"
        f"{_place_board(scene, size)}{_write_panel(scene, size, standing)}</svg>"
    )


def _place_board(scene: Scene, size: Pair) -> str:
    margin, room = _MARGIN * min(size), _find_board_room(size)
    across, down = scene.layout.box(scene.is_labelled)
    scale = min(room[0] / (2 * across), room[1] / (2 * down))
    x = margin + (across * scale if _is_wide(size) else room[0] / 2)
    cells = enclose_cells(scene, scene.list_contents())
    board = draw_board(scene, cells, "".join(scene.above))
    return _place(board, (x, margin + room[1] / 2), scale)


def _write_panel(scene: Scene, size: Pair, standing: Standing) -> str:
    """Return the game's name and a row for each player, in the room that the board leaves."""
    unit, (across, down) = min(size), scene.layout.box(scene.is_labelled)
    margin, (wide, high) = _MARGIN * unit, _find_board_room(size)
    left, top = margin, size[1] - margin - unit * (2 * _ROW + _NAME)
    if _is_wide(size):
        left = 2 * margin + min(wide, high * across / down)
        top = size[1] / 2 - unit * (_ROW - _TITLE / 2)
    room, label = size[0] - margin - left, scene.palette.label
    drawn = _write_text(standing.game, (left, top), (room, unit * _TITLE), label)
    names = [_choose_name(scene, standing, seat) for seat in (1, 2)]
    # Both as large as the longer one can be.
    longest = max(map(measure_text, names)) / _CAPITAL
    high = min(unit * _NAME, (room - 4.4 * unit * _NAME) / max(1.0, longest))
    for seat, name in enumerate(names, 1):
        middle = top + unit * seat * _ROW
        drawn += _write_row(scene, standing, seat, (left, middle), (unit * _NAME, high), name)
    return f'<g stroke-linecap="round" stroke-linejoin="round">{drawn}</g>'


def _choose_name(scene: Scene, standing: Standing, seat: int) -> str:
    """Return a player's name, or the colour's where the name cannot be drawn or is not known."""
    name = standing.players[seat - 1]
    ink = scene.palette.of(standing.colours[seat - 1])
    return name if is_writable(name) else ink.name.capitalize()


def _write_row(
    scene: Scene, standing: Standing, seat: int, start: Pair, sizes: Pair, name: str
) -> str:
    """Return a player's stone, name and sign; `sizes` are those of the stone and of the name."""
    (left, middle), (unit, high) = start, sizes
    number, label = standing.colours[seat - 1], scene.palette.label
    stone = draw_stone(scene.palette.of(number), number)
    after, told = left + 2.6 * unit, measure_text(name) * high / _CAPITAL
    sign = f'<path d="{_choose_sign(standing, seat)}" fill="{label}"/>'
    return (
        _place(stone, (left + 0.9 * unit, middle), 0.9 * unit / STONE)
        + _write_text(name, (after, middle + high / 2), (told, high), label)
        + _place(sign, (after + told + 1.2 * unit, middle), unit / 15)
    )


def _choose_sign(standing: Standing, seat: int) -> str:
    """Return the path of what tells whose turn it is or who won; it stands after the name."""
    if seat in standing.winners:
        return _EQUALS if len(standing.winners) > 1 else _STAR
    return _ARROW if seat == standing.to_move else "M0 0"


def _place(drawn: str, spot: Pair, scale: float) -> str:
    x, y = map(format_coordinate, spot)
    return f'<g transform="translate({x} {y}) scale({scale:.4g})">{drawn}</g>'


def _write_text(text: str, start: Pair, room: Pair, ink: str) -> str:
    """Return a text from its left end on the base line, as high as the room, smaller if it must."""
    wide, high = room
    scale = min(high / _CAPITAL, wide / max(1.0, measure_text(text)))
    path = write_line(text, 0, 0)
    drawn = f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{STROKE}"/>'
    return _place(drawn, start, scale)
