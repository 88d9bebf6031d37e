"""Drawing: a position's SVG and PNG, and the film of its game."""

import gzip

from bench import games, timing
from plugin import pictures, render
from plugin.pictures import png, svg
from plugin.registry import game

SIDES = (5, 7, 9)
PIXELS = 400


def drawn(rounds: int = 15) -> None:
    """Print what a picture of a game's middle costs and weighs, by side."""
    rows = [_row(side, rounds) for side in SIDES]
    head = (
        "side",
        "SVG us",
        "bytes",
        "gzipped",
        f"PNG {PIXELS} px ms",
        "bytes",
        "film ms",
        "bytes",
    )
    timing.table("drawing Control, the middle of a game", head, rows)


def _row(side: int, rounds: int) -> tuple[object, ...]:
    control, played = game("control"), games.of_side(side)
    moves = played["moves"][: len(played["moves"]) // 2]
    request = {"moves": moves, "variants": played["variants"]}
    last = pictures.steps(control, request)[-1]
    shown = render.draw(control, last.position, last.results)
    works = {
        "svg": timing.repeat(lambda: svg.draw(shown), 20),
        "png": lambda: png.draw(shown, width=PIXELS),
        "film": lambda: pictures.film(control, request),
    }
    taken = timing.cpu(works, rounds)
    text, image = svg.draw(shown).encode(), png.draw(shown, width=PIXELS)
    return (
        side,
        f"{taken['svg'] / 20 * 1e6:.0f}",
        len(text),
        len(gzip.compress(text)),
        f"{taken['png'] * 1e3:.1f}",
        len(image),
        f"{taken['film'] * 1e3:.1f}",
        len(pictures.film(control, request).body),
    )
