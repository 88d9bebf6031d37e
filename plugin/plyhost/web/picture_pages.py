"""Pictures over HTTP: as answers of `render`, and by GET at addresses that pages can show."""

from collections.abc import Callable

from flask import Flask, Response, request

from plyhost.contract import picture_requests
from plyhost.contract.picture_requests import Picture
from plyhost.contract.view import Answer
from plyhost.games import registry
from plyhost.games.game import AnyGame
from plyhost.schemas.requests import PICTURE
from plyhost.web import access, request_body
from plyhost.web.middleware import CALL
from plyhost.web.store import Store

Draw = Callable[[AnyGame, Answer], Picture]

DRAWS: dict[str, Draw] = {
    "picture.svg": lambda game, asked: picture_requests.make_position_picture(
        game, asked, picture_requests.SVG
    ),
    "picture.png": lambda game, asked: picture_requests.make_position_picture(
        game, asked, picture_requests.PNG
    ),
    "film.svg": picture_requests.make_game_film,
}


def install_picture_routes(app: Flask, store: Store) -> None:
    """Add the addresses of pictures."""
    for name, draw in DRAWS.items():
        path = f"/v1/games/<uid>/{name}"
        app.add_url_rule(path, path, _make_picture_view(draw, store))


def _make_picture_view(draw: Draw, store: Store) -> Callable[[str], Response]:
    def view(uid: str) -> Response:
        given = request.args.to_dict(flat=False)
        for name in access.SIGNING_FIELDS:
            given.pop(name, None)
        request.environ[CALL].stay.begin_work()
        fields = request_body.load_checked_fields(
            PICTURE, picture_requests.parse_picture_query(given)
        )
        answer = make_picture_response(draw(registry.find_game(uid), fields), store)
        if request.environ[CALL].key:
            # What a key opened is not for a cache that others ask too.
            answer.cache_control.private = True
        else:
            answer.cache_control.public = True
        answer.cache_control.max_age = picture_requests.MAX_AGE
        return answer

    return view


def make_picture_response(drawn: Picture, store: Store) -> Response:
    """Return a picture, or 304 without painting it to a caller that has it."""
    if request.if_none_match.contains_weak(drawn.etag):
        answer = Response(status=304)
    else:
        answer = Response(_fetch_picture_bytes(drawn, store), mimetype=drawn.kind)
        answer.headers["Content-Security-Policy"] = "default-src 'none'"
    answer.set_etag(drawn.etag)
    answer.headers["Vary"] = "Accept"
    return answer


def _fetch_picture_bytes(drawn: Picture, store: Store) -> bytes:
    """Return the bytes; a PNG, which takes ten times as long as its SVG, is painted once."""
    if drawn.kind != picture_requests.PNG:
        return drawn.body
    name = f"picture:{drawn.etag}"
    known = store.get(name)
    if known is None:
        known = drawn.body
        store.put(name, known, picture_requests.MAX_AGE)
    return known
