"""Drawing: a position's SVG and PNG, and the film of its game."""

import gzip

from bench import games, timing
from plyhost.contract import picture_requests
from plyhost.contract.picture_steps import list_picture_steps
from plyhost.games.registry import find_game
from plyhost.pictures import png, render_json, svg
from plyhost.pictures.look import Look

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
    control, played = find_game("control"), games.of_side(side)
    moves = played["moves"][: len(played["moves"]) // 2]
    request = {"moves": moves, "variants": played["variants"]}
    last = list_picture_steps(control, request)[-1]
    shown = render_json.render_position(control, last.position, last.results)
    works = {
        "svg": timing.repeat(lambda: svg.draw_svg(shown), 20),
        "png": lambda: png.draw_png(shown, Look(width=PIXELS)),
        "film": lambda: picture_requests.make_game_film(control, request),
    }
    taken = timing.cpu(works, rounds)
    text, image = svg.draw_svg(shown).encode(), png.draw_png(shown, Look(width=PIXELS))
    return (
        side,
        f"{taken['svg'] / 20 * 1e6:.0f}",
        len(text),
        len(gzip.compress(text)),
        f"{taken['png'] * 1e3:.1f}",
        len(image),
        f"{taken['film'] * 1e3:.1f}",
        len(picture_requests.make_game_film(control, request).body),
    )
