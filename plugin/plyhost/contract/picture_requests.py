"""Pictures as they are asked for: a position or a whole game, as SVG, PNG or animated image.

Requests are mappings with `state`, or `moves` and perhaps `variants`; and what says how the picture
is to look.  A `Picture` has its tag before it is painted, so a caller who holds it already costs
little.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from math import isqrt
from typing import Any

from PIL import Image

from plyhost import limits
from plyhost.contract.picture_steps import (
    find_picture_step,
    list_picture_steps,
    render_picture_step,
)
from plyhost.contract.summary import summarise_step
from plyhost.errors import InvalidRequest, TooLarge
from plyhost.games.game import AnyGame
from plyhost.pictures import film, frames, png, svg
from plyhost.pictures.asking import Fields, read_height, read_look
from plyhost.pictures.card import Standing, draw_card
from plyhost.pictures.film import choose_timing
from plyhost.pictures.look import Look
from plyhost.pictures.stamps import paint_scene, paint_svg
from plyhost.states.steps import Step

SVG, PNG = "image/svg+xml", "image/png"
#: The kind of picture behind each ending of an address or of a file's name.
KINDS = {
    "svg": SVG,
    "png": PNG,
    "webp": "image/webp",
    "gif": "image/gif",
    "apng": "image/apng",
}
#: The kinds that a single position, and a film, can have.
STILLS, FILMS = (SVG, PNG), (SVG, KINDS["webp"], KINDS["gif"], KINDS["apng"])

#: Seconds that an answer to a GET may be kept: what it shows changes with a release at most.
MAX_AGE = 86400

#: Pixels across a film that is an image, and a card, where no width is given.
FILM_WIDTH, CARD_WIDTH = 400, 1200


def name_picture(kind: str, request: Fields) -> str:
    """Return the name that what a call of `render` asks for has among the addresses of GET."""
    ending = next(ending for ending, one in KINDS.items() if one == kind)
    is_film = "plies" in request or kind not in STILLS
    return f"{'film' if is_film else 'picture'}.{ending}"


@dataclass(frozen=True)
class Picture:
    """A picture: `kind` is its media type, `alt` its words, `drawn` the SVG of all of it."""

    kind: str
    alt: str
    drawn: str
    paint: Callable[[], bytes]

    @cached_property
    def etag(self) -> str:
        """The strong tag, without the quotes that the header puts around it."""
        maker = "" if self.kind == SVG else png.MAKER
        return sha256(f"{self.kind} {maker} {self.drawn}".encode()).hexdigest()[:32]

    @cached_property
    def body(self) -> bytes:
        """The bytes, painted when they are first wanted; raises Overdue."""
        return self.paint()


def make_position_picture(game: AnyGame, request: Fields, kind: str = SVG) -> Picture:
    """Return the position that a state, or moves from the start, reach; raises PlyhostError."""
    step = find_picture_step(game, request)
    render, title = render_picture_step(game, step, request), summarise_step(game, step)
    if "height" in request:
        return _make_card(game, render, request, kind, title, step)
    return make_render_picture(game, render, request, kind, title)


def make_game_film(game: AnyGame, request: Fields, kind: str = SVG) -> Picture:
    """Return the whole game up to a state, or through moves, or its `last` moves, as a film."""
    steps = list_picture_steps(game, request)
    course = steps[-1 - request.get("last", len(steps)) :]
    _check_film_length(len(course))
    renders = [render_picture_step(game, step, request) for step in course]
    return make_renders_film(game, renders, request, summarise_step(game, steps[-1]), kind)


def make_answer_picture(
    game: AnyGame, answer: Mapping[str, Any], request: Fields, kind: str
) -> Picture:
    """Return an answer of `render` as a picture; one of several plies as a film."""
    if "renders" in answer:
        return make_renders_film(game, answer["renders"], request, game.info.name, kind)
    if "height" in request:
        step = None if "move" in request else find_picture_step(game, request)
        return _make_card(game, answer["render"], request, kind, game.info.name, step)
    if kind not in STILLS:
        return make_renders_film(game, [answer["render"]], request, game.info.name, kind)
    return make_render_picture(game, answer["render"], request, kind, game.info.name)


def make_render_picture(
    game: AnyGame, render: Mapping[str, Any], request: Fields, kind: str, title: str
) -> Picture:
    """Return a render JSON as a picture; raises InvalidRequest."""
    scene = svg.draw_scene(render, _read_look(game, request, kind, png.DEFAULT_WIDTH))
    drawn = svg.write_scene(scene, title)
    painter = _choose_painter(kind, drawn, scene.look, lambda: paint_scene(scene))
    return Picture(kind, title, drawn, painter)


def _choose_painter(
    kind: str, drawn: str, look: Look, paint: Callable[[], Image.Image]
) -> Callable[[], bytes]:
    if kind == SVG:
        return drawn.encode
    return lambda: png.encode_png(paint(), look)


def _make_card(
    game: AnyGame,
    render: Mapping[str, Any],
    request: Fields,
    kind: str,
    title: str,
    step: Step | None,
) -> Picture:
    """Return a render JSON on a card; `step` tells how it stands."""
    if kind not in STILLS:
        raise InvalidRequest({"height": ["A film has the height of its board."]})
    look = _read_look(game, {"width": CARD_WIDTH, **request}, kind, CARD_WIDTH)
    standing = _tell_standing(game, step, request)
    drawn = draw_card(render, look, read_height(request), standing, title)
    painter = _choose_painter(kind, drawn, look, lambda: paint_svg(drawn, look))
    return Picture(kind, title, drawn, painter)


def _tell_standing(game: AnyGame, step: Step | None, request: Fields) -> Standing:
    names = request.get("players", ("", ""))
    if step is None:
        return Standing(game.info.name, names, (1, 2))
    to_move = None if step.is_over else step.position.seat
    colours = game.colours(step.position)
    return Standing(game.info.name, names, colours, to_move, step.winner or ())


def make_renders_film(
    game: AnyGame,
    renders: Sequence[Mapping[str, Any]],
    request: Fields,
    title: str,
    kind: str = SVG,
) -> Picture:
    """Return render JSONs as a film; raises InvalidRequest, TooLarge."""
    if kind not in FILMS:
        raise InvalidRequest({"plies": ["Only SVG, WebP, GIF and APNG can show several."]})
    if "height" in request:
        raise InvalidRequest({"height": ["A film has the height of its board."]})
    _check_film_length(len(renders))
    look = _read_look(game, request, kind, _choose_film_width(len(renders)))
    if kind != SVG:
        _check_film_image(look, len(renders))
    scenes = film.draw_film_scenes(renders, look)
    timing = choose_timing(len(scenes), request.get("step"), request.get("loops", True))
    drawn = film.draw_film(scenes, title, timing)
    if kind == SVG:
        return Picture(kind, title, drawn, drawn.encode)
    return Picture(kind, title, drawn, lambda: frames.encode_film(scenes, kind, timing))


def _read_look(game: AnyGame, request: Fields, kind: str, width: int) -> Look:
    """Return the looks; an image has a width in any case, and follows no scheme."""
    look = read_look(game.info, request, 0 if kind == SVG else width)
    return look if kind == SVG else replace(look, night=None)


def _check_film_length(frames: int) -> None:
    if frames > film.MOST_FRAMES:
        limit = film.MOST_FRAMES
        raise TooLarge({"limit": limit}, what="The number of positions in a film", limit=limit)


def _choose_film_width(frames: int) -> int:
    """Return the usual width, or what the limit leaves a long game."""
    return min(FILM_WIDTH, isqrt(limits.FILM_PIXELS // frames))


def _check_film_image(look: Look, frames: int) -> None:
    if look.background == "none":
        raise InvalidRequest({"background": ["A film that is an image has a background."]})
    limit = limits.FILM_PIXELS
    if frames * look.width**2 > limit:
        what = "The number of pixels in a film, positions by width by width,"
        raise TooLarge({"limit": limit}, what=what, limit=limit)
