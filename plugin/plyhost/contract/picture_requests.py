"""Pictures as they are asked for: a game's position or its whole course, as SVG or PNG.

Requests are mappings with `state`, or `moves` and perhaps `variants`; and perhaps `display`,
`perspective`, `palette` and `width`.  A `Picture` has its tag before it is painted, so a caller who
holds it already costs little.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from plyhost import deadline, limits
from plyhost.contract import records
from plyhost.contract.record_reading import Source
from plyhost.errors import GameOver, InvalidRequest, TooLarge
from plyhost.games import variants
from plyhost.games.game import AnyGame
from plyhost.pictures import film, png, render_json, svg
from plyhost.pictures.asking import read_look
from plyhost.states import forms
from plyhost.states.forms import State
from plyhost.states.steps import Step, make_first_step

Request = Mapping[str, Any]

SVG, PNG = "image/svg+xml", "image/png"
#: The kind of picture behind each ending of an address or of a file's name.
KINDS = {"svg": SVG, "png": PNG}

#: Seconds that an answer to a GET may be kept: what it shows changes with a release at most.
MAX_AGE = 86400

#: No picture shows a time; positions made from moves carry this one.
_THEN = "1970-01-01T00:00:00.000Z"


@dataclass(frozen=True)
class Picture:
    """A picture: `kind` is its media type, `width` in pixels is 0 where an SVG fits any."""

    kind: str
    drawn: str
    width: int

    @cached_property
    def etag(self) -> str:
        """The strong tag, without the quotes that the header puts around it."""
        maker = png.MAKER if self.kind == PNG else ""
        text = f"{self.kind} {self.width} {maker} {self.drawn}"
        return sha256(text.encode()).hexdigest()[:32]

    @cached_property
    def body(self) -> bytes:
        """The bytes, painted when they are first wanted."""
        if self.kind == PNG:
            return png.rasterize_svg(self.drawn, self.width)
        return self.drawn.encode()


def parse_picture_query(found: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the fields of an address's query, each given as a list of texts, for the schema.

    Moves may be repeated, or stand between spaces or semicolons, variants also between commas.
    Raises InvalidRequest for any other field given twice.
    """
    fields: dict[str, Any] = {}
    for name, texts in found.items():
        if name in _LISTS:
            fields[name] = [one for one in re.split(_LISTS[name], ";".join(texts)) if one]
        elif len(texts) != 1:
            raise InvalidRequest({name: ["Give it once."]})
        else:
            is_number = name in ("width", "perspective") and _NUMBER.fullmatch(texts[0])
            fields[name] = int(texts[0]) if is_number else texts[0]
    return fields


_LISTS = {"moves": r"[;\s]+", "variants": r"[;,\s]+"}
_NUMBER = re.compile("[0-9]{1,5}")


def make_position_picture(game: AnyGame, request: Request, kind: str = SVG) -> Picture:
    """Return the position that a state, or moves from the start, reach; raises PlyhostError."""
    last = _find_picture_step(game, request)
    return make_render_picture(
        game, _render_picture_step(game, last, request), request, kind, _title_picture(game, last)
    )


def make_game_film(game: AnyGame, request: Request) -> Picture:
    """Return the whole game up to a state, or through moves, as an animation."""
    course = list_picture_steps(game, request)
    renders = [_render_picture_step(game, step, request) for step in course]
    return make_renders_film(game, renders, request, _title_picture(game, course[-1]))


def make_answer_picture(game: AnyGame, answer: Request, request: Request, kind: str) -> Picture:
    """Return an answer of `render` as a picture; one of several plies as an animation."""
    if "render" in answer:
        return make_render_picture(game, answer["render"], request, kind, game.info.name)
    if kind == PNG:
        raise InvalidRequest({"plies": ["Only SVG can show several."]})
    return make_renders_film(game, answer["renders"], request, game.info.name)


def make_render_picture(
    game: AnyGame, drawn: Request, request: Request, kind: str, title: str
) -> Picture:
    """Return a render JSON as a picture; raises InvalidRequest."""
    look = read_look(game.info, request, png.DEFAULT_WIDTH if kind == PNG else 0)
    return Picture(kind, svg.draw_svg(drawn, look, title), look.width)


def make_renders_film(
    game: AnyGame, drawn: Sequence[Request], request: Request, title: str
) -> Picture:
    """Return render JSONs as an animation; raises InvalidRequest, TooLarge."""
    look = read_look(game.info, request, 0)
    most = film.MOST_FRAMES
    if len(drawn) > most:
        raise TooLarge({"limit": most}, what="The number of positions in a film", limit=most)
    return Picture(SVG, film.draw_film(drawn, look, title), look.width)


def _find_picture_step(game: AnyGame, request: Request) -> Step:
    return (
        _play_picture_moves(game, request)[-1]
        if "moves" in request
        else _load_picture_state(game, request).last
    )


def list_picture_steps(game: AnyGame, request: Request) -> list[Step]:
    """Return every step up to a state, or through moves; raises PlyhostError."""
    if "moves" in request:
        return _play_picture_moves(game, request)
    return list(_load_picture_state(game, request).walk())


def _load_picture_state(game: AnyGame, request: Request) -> State:
    return forms.parse_state(game, request["state"])


def _render_picture_step(game: AnyGame, step: Step, request: Request) -> dict[str, Any]:
    deadline.check_deadline()
    display, perspective = request.get("display", ""), request.get("perspective", 0)
    return render_json.render_position(game, step.position, step.results, display, perspective)


def _title_picture(game: AnyGame, step: Step) -> str:
    last = f", ply {step.ply}: {step.text}" if step.text else ", before the first move"
    return game.info.name + last


def _play_picture_moves(game: AnyGame, request: Request) -> list[Step]:
    """Return the steps that moves, and perhaps an ending, make from the start.

    Raises UnknownVariant, IllegalMove.
    """
    moves = request["moves"]
    if len(moves) > limits.REPLAYED_MOVES:
        limit = limits.REPLAYED_MOVES
        raise TooLarge({"limit": limit}, what="The number of moves", limit=limit)
    uids = variants.normalise_variant_uids(game.info, request.get("variants", ()))
    side = variants.find_board_variant(game.info, uids).side
    steps = [make_first_step(game, side, _THEN, game.info.version)]
    source = Source(uids, list(moves), _THEN)
    for text in moves:
        if steps[-1].is_over:
            raise GameOver(steps[-1].ply, None)
        steps.append(records.play_source_text(game, source, steps, text))
    return steps
