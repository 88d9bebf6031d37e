"""Markers and annotations of the render JSON, laid onto a scene.

Those of a type that is not known here are left out.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from plyhost.pictures.layout import Undrawable
from plyhost.pictures.scene import Scene
from plyhost.pictures.shapes import draw_arrow, draw_dot, draw_highlight, draw_ring, draw_stroke

#: A ring is at least this many pixels thick, where the picture's width is known.
BOLD = 1.25

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


def _draw_enter_note(scene: Scene, note: Note, ranks: list[int]) -> None:
    _draw_note_rings(scene, note, ranks, scene.palette.glow, dashed=False)


def _draw_exit_note(scene: Scene, note: Note, ranks: list[int]) -> None:
    _draw_note_rings(scene, note, ranks, scene.palette.gone, dashed=True)


def _draw_note_rings(scene: Scene, note: Note, ranks: list[int], fill: str, dashed: bool) -> None:
    layout, palette = scene.layout, scene.palette
    core = _find_note_colour(scene, note) if "colour" in note else palette.accent
    look = (core, palette.surround), max(4.5, BOLD * scene.unit), dashed
    under = draw_highlight(layout, fill)
    for rank in ranks:
        scene.under[rank] += under
    spots = [layout.spots[rank] for rank in ranks]
    drawn = [draw_ring(layout, spot, *look) for spot in spots]
    scene.rings.append(_wrap_note(scene, note, ranks, "".join(drawn)))


def _draw_dots_note(scene: Scene, note: Note, ranks: list[int]) -> None:
    colour = note.get("colour")
    numbered = f' data-colour="{colour}"' if isinstance(colour, int) else ""
    drawn = _draw_single_dot(scene, note, f' data-mark="dots"{numbered}')
    for rank in ranks:
        scene.over[rank] += drawn


def _draw_single_dot(scene: Scene, note: Note, name: str = "") -> str:
    """Return one dot; without a shape of its own it is a ring for colour 2, as on the stones."""
    colour = note.get("colour", "_context_annotations")
    shape = note.get("dotShape") or ("ring" if colour == 2 else "circle")
    return draw_dot(shape, scene.palette.of(colour), scene.palette.casing, name)


def _draw_glyph_note(scene: Scene, note: Note, ranks: list[int]) -> None:
    for rank in ranks:
        scene.over[rank] += f'<g data-mark="glyph">{scene.legend.get(note["glyph"], "")}</g>'


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
    scene.above.append(_wrap_note(scene, note, ranks, drawn))


def _wrap_note(scene: Scene, note: Note, ranks: list[int], drawn: str) -> str:
    return f'<g data-mark="{note["type"]}" data-cells="{scene.names(ranks)}">{drawn}</g>'


_ANNOTATIONS: dict[str, Painter] = {
    "enter": _draw_enter_note,
    "exit": _draw_exit_note,
    "dots": _draw_dots_note,
    "glyph": _draw_glyph_note,
    "move": _draw_move_note,
    "eject": _draw_move_note,
    "line": _draw_line_note,
    "outline": _draw_outline_note,
}

_MARKERS: dict[str, Callable[[Scene, Note], str]] = {
    "flood": lambda scene, note: draw_highlight(scene.layout, _find_note_colour(scene, note), 0.25),
    "dots": _draw_single_dot,
}
