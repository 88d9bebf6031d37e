"""Pictures over HTTP: as answers of `render`, and by GET at addresses that pages can show."""

from collections.abc import Callable
from urllib.parse import quote

from flask import Flask, Response, request

from plyhost.contract import picture_requests
from plyhost.contract.picture_query import parse_picture_query
from plyhost.contract.picture_requests import Picture
from plyhost.contract.view import Answer
from plyhost.games import registry
from plyhost.games.game import AnyGame
from plyhost.schemas.requests import FILM, PICTURE, RequestSchema, load_request
from plyhost.web.gates import access
from plyhost.web.gates.rates import is_heavy_request
from plyhost.web.memory.store import Store
from plyhost.web.middleware import CALL, Call

Draw = Callable[[AnyGame, Answer, str], Picture]

#: The header that says a picture in words.
ALT = "Picture-Alt"
#: A picture loads nothing; the rules inside of it are its own.
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

#: By the name of an address but for its ending: what draws, the kinds, and the schema of its query.
DRAWS: dict[str, tuple[Draw, tuple[str, ...], RequestSchema]] = {
    "picture": (picture_requests.make_position_picture, picture_requests.STILLS, PICTURE),
    "film": (picture_requests.make_game_film, picture_requests.FILMS, FILM),
}


def install_picture_routes(app: Flask, store: Store) -> None:
    """Add the addresses of pictures."""
    for name, (draw, kinds, schema) in DRAWS.items():
        for ending, kind in picture_requests.KINDS.items():
            if kind in kinds:
                path = f"/v1/games/<uid>/{name}.{ending}"
                app.add_url_rule(path, path, _make_picture_view(draw, kind, schema, store))


def _make_picture_view(
    draw: Draw, kind: str, schema: RequestSchema, store: Store
) -> Callable[[str], Response]:
    def view(uid: str) -> Response:
        given = request.args.to_dict(flat=False)
        for name in access.SIGNING_FIELDS:
            given.pop(name, None)
        call: Call = request.environ[CALL]
        call.ticket.begin_work(is_heavy_request(call.operation, call.game))
        fields = load_request(schema, parse_picture_query(given))
        drawn = draw(registry.find_game(uid), fields, kind)
        answer = make_picture_response(drawn, store)
        if call.key:
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
        answer.headers["Content-Security-Policy"] = PICTURE_POLICY
    answer.set_etag(drawn.etag)
    answer.headers["Vary"] = "Accept"
    # Percent-encoded UTF-8, as RFC 8187 has it: a header holds ASCII alone.
    answer.headers[ALT] = f"UTF-8''{quote(drawn.alt)}"
    return answer


def _fetch_picture_bytes(drawn: Picture, store: Store) -> bytes:
    """Return the bytes; what takes far longer than its SVG is painted once."""
    if drawn.kind == picture_requests.SVG:
        return drawn.body
    name = f"picture:{drawn.etag}"
    known = store.get(name)
    if known is None:
        known = drawn.body
        store.put(name, known, picture_requests.MAX_AGE)
    return known
