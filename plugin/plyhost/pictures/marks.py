"""Markers and annotations of the render JSON, laid onto a scene.

Those of a type that is not known here are left out.
"""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any, TypeAlias

from plyhost.pictures.layout import Undrawable
from plyhost.pictures.scene import Scene
from plyhost.pictures.shapes import (
    draw_arrow,
    draw_dot,
    draw_ghost,
    draw_stroke,
    fill_cell,
    outline_cell,
    shrink_stone,
)

#: The lines of the last turn, in units, and on small pictures.
LINE, BROAD = 3.2, 9.0
#: How strongly a cell is tinted that stands for dots on a small picture.
TINT = 0.42

Note: TypeAlias = Mapping[str, Any]
Painter: TypeAlias = Callable[[Scene, Note, list[int]], None]


def draw_annotation(scene: Scene, note: Note) -> None:
    """Draw an annotation over the stones; raises Undrawable."""
    paint, ranks = _ANNOTATIONS.get(note["type"]), scene.ranks(note["targets"])
    if paint:
        paint(scene, note, ranks)
        scene.words.append(f"{note['type']}: {scene.names(ranks)}.")


def draw_marker(scene: Scene, note: Note) -> None:
    """Draw a marker under the stones; raises Undrawable."""
    drawn = _MARKERS[note["type"]](scene, note) if note["type"] in _MARKERS else ""
    for rank in scene.ranks(note["points"]):
        scene.under[rank] += drawn


def _find_note_colour(scene: Scene, note: Note) -> str:
    return scene.palette.of(note.get("colour", "_context_annotations")).fill


def _draw_last_turn_note(scene: Scene, note: Note, ranks: list[int]) -> None:
    """Mark cells of the last turn by what is on them: a stone that came, or where one went."""
    kind, palette, place = note["type"], scene.palette, scene.layout
    colour = _find_note_colour(scene, note) if "colour" in note else palette.accent
    bold, name = BROAD if scene.is_small else LINE, f' data-mark="{kind}"'
    for rank in ranks:
        is_empty = scene.is_empty(rank)
        if kind == "exit" or is_empty:
            drawn = fill_cell(place, palette.gone) + draw_ghost(colour, bold, is_empty, name)
        elif scene.is_small:
            drawn = fill_cell(place, colour, name=name)
            scene.stones[rank] = shrink_stone(scene.stones[rank])
        else:
            drawn = fill_cell(place, palette.glow) + outline_cell(place, colour, bold, name)
        scene.under[rank] += drawn


def _draw_dots_note(scene: Scene, note: Note, ranks: list[int]) -> None:
    colour = note.get("colour")
    numbered = f' data-colour="{colour}"' if isinstance(colour, int) else ""
    name = f' data-mark="dots"{numbered}'
    if scene.is_small and numbered:
        tint = fill_cell(scene.layout, _find_note_colour(scene, note), TINT, name)
        for rank in ranks:
            scene.under[rank] = tint + scene.under[rank]
        return
    bare, held = (_draw_single_dot(scene, note, name, is_on_stone) for is_on_stone in (False, True))
    for rank in ranks:
        scene.over[rank] += bare if scene.is_empty(rank) else held


def _draw_single_dot(scene: Scene, note: Note, name: str = "", is_on_stone: bool = False) -> str:
    """Return one dot; without a shape of its own it is a ring for colour 2, as on the stones."""
    colour = note.get("colour", "_context_annotations")
    shape = note.get("dotShape") or ("ring" if colour == 2 else "circle")
    return draw_dot(shape, scene.palette.of(colour), scene.palette.cell, name, is_on_stone)


def _draw_glyph_note(scene: Scene, note: Note, ranks: list[int]) -> None:
    glyph = note["glyph"]
    named = f'<g data-mark="glyph" data-glyph="{escape(glyph)}">'
    drawn = f"{named}{scene.legend.get(glyph, '')}</g>"
    for rank in ranks:
        scene.over[rank] += drawn


def _draw_move_note(scene: Scene, note: Note, ranks: list[int]) -> None:
    _check_note_cells(ranks, 2, note)
    spots = [scene.layout.spots[rank] for rank in ranks]
    dashed = note.get("style") == "dashed"
    _add_crossing_mark(
        scene,
        note,
        ranks,
        draw_arrow(spots, _find_note_colour(scene, note), scene.palette.casing, dashed),
    )


def _draw_line_note(scene: Scene, note: Note, ranks: list[int]) -> None:
    _check_note_cells(ranks, 2, note)
    spots = [scene.layout.spots[rank] for rank in ranks]
    _add_crossing_mark(
        scene, note, ranks, draw_stroke(spots, _find_note_colour(scene, note), scene.palette.casing)
    )


def _draw_outline_note(scene: Scene, note: Note, ranks: list[int]) -> None:
    _check_note_cells(ranks, 3, note)
    spots = [scene.layout.spots[rank] for rank in (*ranks, ranks[0])]
    _add_crossing_mark(
        scene, note, ranks, draw_stroke(spots, _find_note_colour(scene, note), scene.palette.casing)
    )


def _check_note_cells(ranks: list[int], least: int, note: Note) -> None:
    if len(ranks) < least:
        raise Undrawable(f"{note['type']} needs {least} cells")


def _add_crossing_mark(scene: Scene, note: Note, ranks: list[int], drawn: str) -> None:
    named = f'<g data-mark="{note["type"]}" data-cells="{scene.names(ranks)}">{drawn}</g>'
    scene.above.append(named)


_ANNOTATIONS: dict[str, Painter] = {
    "enter": _draw_last_turn_note,
    "exit": _draw_last_turn_note,
    "dots": _draw_dots_note,
    "glyph": _draw_glyph_note,
    "move": _draw_move_note,
    "eject": _draw_move_note,
    "line": _draw_line_note,
    "outline": _draw_outline_note,
}

_MARKERS: dict[str, Callable[[Scene, Note], str]] = {
    "flood": lambda scene, note: fill_cell(scene.layout, _find_note_colour(scene, note), 0.25),
    "dots": _draw_single_dot,
}
