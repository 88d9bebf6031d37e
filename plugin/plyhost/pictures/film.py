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
from plyhost.pictures.schemes import SEEN
from plyhost.pictures.svg import draw_scene, enclose_cells, write_svg_document

MOST_FRAMES = limits.FILMED_POSITIONS
#: Milliseconds that a position stands, that a long game takes at most, and that its end stays.
STEP, LONGEST, REST = 800, 90_000, 4_000
_BAR = 6

#: Whether a piece is seen in the first and in the last position, as `schemes` needs it.
_SEEN = {
    (True, True): "both",
    (True, False): "first",
    (False, True): "last",
    (False, False): "never",
}


@dataclass(frozen=True)
class Timing:
    """How long each position stands and the last one rests, in milliseconds; and whether it loops.

    Without `loops` a film plays once and stays at its end.
    """

    step: int = STEP
    rest: int = REST
    loops: bool = True


def choose_timing(frames: int, step: int | None = None, loops: bool = True) -> Timing:
    """Return the times of so many positions; without a `step` a long game plays faster."""
    return Timing(step or min(STEP, LONGEST // frames), REST, loops)


def draw_film_scenes(renders: Sequence[Mapping[str, Any]], look: Look) -> list[Scene]:
    """Return the scenes of render JSONs of one board.

    Raises Undrawable for no frames, too many, or frames that are not of one board.
    """
    if not 1 <= len(renders) <= MOST_FRAMES:
        raise Undrawable(f"there must be from 1 to {MOST_FRAMES} positions")
    scenes = [draw_scene(render, look) for render in renders]
    if any(drawn.layout.kind != scenes[-1].layout.kind for drawn in scenes):
        raise Undrawable("all positions must be on one board")
    return scenes


def draw_film(scenes: Sequence[Scene], title: str = "", timing: Timing | None = None) -> str:
    """Return the animated SVG of scenes of one board, in their order."""
    last, clock = scenes[-1], Clock(len(scenes), timing or choose_timing(len(scenes)))
    last.words.insert(0, f"{len(scenes)} positions in turn, the last of them:")
    over = _draw_film_overlay(scenes, clock) + _draw_film_bar(last, clock)
    return write_svg_document(last, _draw_film_cells(scenes, clock), over, title, is_film=True)


@dataclass(frozen=True)
class Clock:
    """The times of `frames` positions."""

    frames: int
    timing: Timing

    @property
    def length(self) -> float:
        """How long one round takes, in seconds."""
        return (self.frames * self.timing.step + self.timing.rest) / 1000

    def find_time(self, frame: int) -> float:
        """Return when a position begins, as a part of the round."""
        return frame * self.timing.step / 1000 / self.length

    def animation(self, attribute: str, values: str, more: str = "") -> str:
        """Return the element that lets an attribute take some values over one round."""
        end = 'repeatCount="indefinite"' if self.timing.loops else 'fill="freeze"'
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
        times = ";".join(f"{self.find_time(at):.4g}" for _, at in runs)
        changing = self.animation("opacity", values, f' calcMode="discrete" keyTimes="{times}"')
        named = f' {SEEN}="{_SEEN[seen[0], seen[-1]]}"'
        return f'<g opacity="{int(seen[-1])}"{named}>{drawn}{changing}</g>'


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
    played = f"{clock.find_time(clock.frames):.4g}"
    growing = clock.animation("width", f"0;{2 * across};{2 * across}", f' keyTimes="0;{played};1"')
    return (
        f'<rect x="{-across}" y="{down - _BAR}" width="{2 * across}" height="{_BAR}"'
        f' fill="{last.palette.label}" {SEEN}="never">{growing}</rect>'
    )
