"""Pictures over HTTP: as answers of `render`, and by GET at addresses that pages can show."""

from collections.abc import Callable

from flask import Flask, Response, request

from plugin import pictures, registry
from plugin.history import AnyGame
from plugin.pictures import Picture
from plugin.view import Answer
from plugin.web import access, intake
from plugin.web.frame import CALL
from plugin.web.store import Store
from schemas.v1 import PICTURE

Draw = Callable[[AnyGame, Answer], Picture]

DRAWS: dict[str, Draw] = {
    "picture.svg": lambda game, asked: pictures.picture(game, asked, pictures.SVG),
    "picture.png": lambda game, asked: pictures.picture(game, asked, pictures.PNG),
    "film.svg": pictures.film,
}


def install(app: Flask, store: Store) -> None:
    """Add the addresses of pictures."""
    for name, draw in DRAWS.items():
        path = f"/v1/games/<uid>/{name}"
        app.add_url_rule(path, path, _picture(draw, store))


def _picture(draw: Draw, store: Store) -> Callable[[str], Response]:
    def view(uid: str) -> Response:
        given = request.args.to_dict(flat=False)
        for name in access.SIGNING_FIELDS:
            given.pop(name, None)
        request.environ[CALL].stay.begin_work()
        fields = intake.checked(PICTURE, pictures.query(given))
        answer = painted(draw(registry.game(uid), fields), store)
        if request.environ[CALL].key:
            # What a key opened is not for a cache that others ask too.
            answer.cache_control.private = True
        else:
            answer.cache_control.public = True
        answer.cache_control.max_age = pictures.MAX_AGE
        return answer

    return view


def painted(drawn: Picture, store: Store) -> Response:
    """Return a picture, or 304 without painting it to a caller that has it."""
    if drawn.etag in request.if_none_match:
        answer = Response(status=304)
    else:
        answer = Response(_body(drawn, store), mimetype=drawn.kind)
        answer.headers["Content-Security-Policy"] = "default-src 'none'"
    answer.set_etag(drawn.etag)
    answer.headers["Vary"] = "Accept"
    return answer


def _body(drawn: Picture, store: Store) -> bytes:
    """Return the bytes; a PNG, which takes ten times as long as its SVG, is painted once."""
    if drawn.kind != pictures.PNG:
        return drawn.body
    name = f"picture:{drawn.etag}"
    known = store.get(name)
    if known is None:
        known = drawn.body
        store.put(name, known, pictures.MAX_AGE)
    return known
