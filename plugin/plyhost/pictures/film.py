"""A whole game as one SVG that plays by itself, without a script (SMIL).

Whatever lies on a cell at some time is in the picture once, with the times when it is seen.  A
viewer that does not animate shows the last position.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any

from plyhost import limits
from plyhost.pictures.layout import Undrawable
from plyhost.pictures.look import Look
from plyhost.pictures.scene import Scene
from plyhost.pictures.svg import draw_scene, enclose_cells, write_svg_document

MOST_FRAMES = limits.FILMED_POSITIONS
#: Seconds that a position stands, that a long game takes at most, and that its end stays.
STEP, LONGEST, REST = 0.8, 90.0, 4.0
_BAR = 6


def draw_film(
    renders: Sequence[Mapping[str, Any]],
    look: Look | None = None,
    title: str = "",
    step: float | None = None,
    loops: bool = True,
) -> str:
    """Return the animated SVG of render JSONs of one board, in their order.

    `step` is how many seconds each one stands; without `loops` it plays once and stays at the end.
    Raises Undrawable for no frames, too many, or frames that are not of one board.
    """
    if not 1 <= len(renders) <= MOST_FRAMES:
        raise Undrawable(f"there must be from 1 to {MOST_FRAMES} positions")
    scenes = [draw_scene(render, look or Look()) for render in renders]
    last = scenes[-1]
    if any(drawn.layout.kind != last.layout.kind for drawn in scenes):
        raise Undrawable("all positions must be on one board")
    clock = Clock(len(scenes), step or min(STEP, LONGEST / len(scenes)), loops)
    last.words.insert(0, f"{len(scenes)} positions in turn, the last of them:")
    return write_svg_document(
        last,
        _draw_film_cells(scenes, clock),
        _draw_film_overlay(scenes, clock) + _draw_film_bar(last, clock),
        title,
    )


@dataclass(frozen=True)
class Clock:
    """The times of `frames` positions."""

    frames: int
    step: float
    loops: bool

    @property
    def length(self) -> float:
        """How long one round takes, in seconds."""
        return self.frames * self.step + REST

    def animation(self, attribute: str, values: str, more: str = "") -> str:
        """Return the element that lets an attribute take some values over one round."""
        end = 'repeatCount="indefinite"' if self.loops else 'fill="freeze"'
        return (
            f'<animate attributeName="{attribute}" values="{values}" dur="{self.length:.5g}s"'
            f"{more} {end}/>"
        )

    def shown(self, drawn: str, seen: Sequence[bool]) -> str:
        """Return a piece of SVG that is seen in some frames only."""
        if all(seen):
            return drawn
        runs = [
            (flag, next(frames)[0]) for flag, frames in groupby(enumerate(seen), lambda at: at[1])
        ]
        values = ";".join("1" if flag else "0" for flag, _ in runs)
        times = ";".join(f"{at * self.step / self.length:.4g}" for _, at in runs)
        changing = self.animation("opacity", values, f' calcMode="discrete" keyTimes="{times}"')
        return f'<g opacity="{int(seen[-1])}">{drawn}{changing}</g>'


def _draw_film_cells(scenes: Sequence[Scene], clock: Clock) -> str:
    layers = [_draw_film_layer(clock, [getattr(one, name) for one in scenes]) for name in LAYERS]
    return enclose_cells(scenes[-1], ["".join(drawn) for drawn in zip(*layers, strict=True)])


LAYERS = ("under", "stones", "over")


def _draw_film_layer(clock: Clock, frames: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield, for each cell, everything that a layer ever has on it."""
    for course in zip(*frames, strict=True):
        yield "".join(
            clock.shown(drawn, [one == drawn for one in course])
            for drawn in dict.fromkeys(course)
            if drawn
        )


def _draw_film_overlay(scenes: Sequence[Scene], clock: Clock) -> str:
    """Return whatever crosses cells, each with its times."""
    frames = [one.above for one in scenes]
    return "".join(
        clock.shown(drawn, [drawn in shown for shown in frames])
        for drawn in dict.fromkeys(chain.from_iterable(frames))
    )


def _draw_film_bar(last: Scene, clock: Clock) -> str:
    """Return a bar along the lower edge that grows with the game."""
    across, down = last.layout.box(last.is_labelled)
    played = f"{clock.frames * clock.step / clock.length:.4g}"
    growing = clock.animation("width", f"0;{2 * across};{2 * across}", f' keyTimes="0;{played};1"')
    return (
        f'<rect x="{-across}" y="{down - _BAR}" width="{2 * across}" height="{_BAR}"'
        f' fill="{last.palette.label}">{growing}</rect>'
    )
