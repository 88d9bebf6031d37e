"""Markers and annotations of the render JSON, laid onto a scene.

Those of a type that is not known here are left out.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from plugin.pictures.layout import Undrawable
from plugin.pictures.scene import Scene
from plugin.pictures.shapes import arrow, dot, highlight, ring, stroked

#: A ring is at least this many pixels thick, where the picture's width is known.
BOLD = 1.25

Note: TypeAlias = Mapping[str, Any]
Painter: TypeAlias = Callable[[Scene, Note, list[int]], None]


def annotate(scene: Scene, note: Note) -> None:
    """Draw an annotation over the stones; raises Undrawable."""
    paint, ranks = _ANNOTATIONS.get(note["type"]), scene.ranks(note["targets"])
    if paint:
        paint(scene, note, ranks)
        scene.words.append(f"{note['type']}: {scene.names(ranks)}.")


def mark(scene: Scene, note: Note) -> None:
    """Draw a marker under the stones; raises Undrawable."""
    drawn = _MARKERS[note["type"]](scene, note) if note["type"] in _MARKERS else ""
    for rank in scene.ranks(note["points"]):
        scene.under[rank] += drawn


def _colour(scene: Scene, note: Note) -> str:
    return scene.palette.of(note.get("colour", "_context_annotations")).fill


def _enter(scene: Scene, note: Note, ranks: list[int]) -> None:
    _frame(scene, note, ranks, scene.palette.glow, dashed=False)


def _exit(scene: Scene, note: Note, ranks: list[int]) -> None:
    _frame(scene, note, ranks, scene.palette.gone, dashed=True)


def _frame(scene: Scene, note: Note, ranks: list[int], fill: str, dashed: bool) -> None:
    layout, palette = scene.layout, scene.palette
    core = _colour(scene, note) if "colour" in note else palette.accent
    look = (core, palette.surround), max(4.5, BOLD * scene.unit), dashed
    under = highlight(layout, fill)
    for rank in ranks:
        scene.under[rank] += under
    spots = [layout.spots[rank] for rank in ranks]
    drawn = [ring(layout, spot, *look) for spot in spots]
    scene.rings.append(_named(scene, note, ranks, "".join(drawn)))


def _dots(scene: Scene, note: Note, ranks: list[int]) -> None:
    colour = note.get("colour")
    numbered = f' data-colour="{colour}"' if isinstance(colour, int) else ""
    drawn = _dot(scene, note, f' data-mark="dots"{numbered}')
    for rank in ranks:
        scene.over[rank] += drawn


def _dot(scene: Scene, note: Note, name: str = "") -> str:
    """Return one dot; without a shape of its own it is a ring for colour 2, as on the stones."""
    colour = note.get("colour", "_context_annotations")
    shape = note.get("dotShape") or ("ring" if colour == 2 else "circle")
    return dot(shape, scene.palette.of(colour), scene.palette.casing, name)


def _glyph(scene: Scene, note: Note, ranks: list[int]) -> None:
    for rank in ranks:
        scene.over[rank] += f'<g data-mark="glyph">{scene.legend.get(note["glyph"], "")}</g>'


def _move(scene: Scene, note: Note, ranks: list[int]) -> None:
    _need(ranks, 2, note)
    spots = [scene.layout.spots[rank] for rank in ranks]
    dashed = note.get("style") == "dashed"
    _cross(scene, note, ranks, arrow(spots, _colour(scene, note), scene.palette.casing, dashed))


def _line(scene: Scene, note: Note, ranks: list[int]) -> None:
    _need(ranks, 2, note)
    spots = [scene.layout.spots[rank] for rank in ranks]
    _cross(scene, note, ranks, stroked(spots, _colour(scene, note), scene.palette.casing))


def _outline(scene: Scene, note: Note, ranks: list[int]) -> None:
    _need(ranks, 3, note)
    spots = [scene.layout.spots[rank] for rank in (*ranks, ranks[0])]
    _cross(scene, note, ranks, stroked(spots, _colour(scene, note), scene.palette.casing))


def _need(ranks: list[int], least: int, note: Note) -> None:
    if len(ranks) < least:
        raise Undrawable(f"{note['type']} needs {least} cells")


def _cross(scene: Scene, note: Note, ranks: list[int], drawn: str) -> None:
    scene.above.append(_named(scene, note, ranks, drawn))


def _named(scene: Scene, note: Note, ranks: list[int], drawn: str) -> str:
    return f'<g data-mark="{note["type"]}" data-cells="{scene.names(ranks)}">{drawn}</g>'


_ANNOTATIONS: dict[str, Painter] = {
    "enter": _enter,
    "exit": _exit,
    "dots": _dots,
    "glyph": _glyph,
    "move": _move,
    "eject": _move,
    "line": _line,
    "outline": _outline,
}

_MARKERS: dict[str, Callable[[Scene, Note], str]] = {
    "flood": lambda scene, note: highlight(scene.layout, _colour(scene, note), 0.25),
    "dots": _dot,
}
