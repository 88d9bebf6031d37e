"""Requests that ask for the most: the largest listings, games, bodies, pictures, and junk.

Each is sound, or is refused with the documented problem; `bench.worst` weighs them.
"""

import gzip
from base64 import b64encode
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple
from urllib.parse import quote

import orjson

from plyhost import limits
from plyhost.contract.operations import check_requested_state
from plyhost.legacy.state_string import format_legacy_state
from plyhost.schemas.requests import INCLUDES
from plyhost.states import forms
from plyhost.states.conversion import convert_state
from plyhost.states.forms import FORMS, State
from tests.tools.worst_games import circle, crowded, drawn, swollen, wide

JSON = "application/json"
SVG, PNG = "image/svg+xml", "image/png"
#: Every character takes six in an answer, where names stand in sentences.
NAMES = ["'" * limits.NAME_CHARACTERS] * 2
PLAYERS = [{"name": name} for name in NAMES]


class Case(NamedTuple):
    """A request; no `body` is a GET.

    `code` is that of the problem which it must meet, empty for a success, None for either.
    """

    name: str
    path: str
    body: bytes | None = None
    code: str | None = ""
    accept: str = JSON


def post(name: str, uid: str, operation: str, code: str = "", **fields: Any) -> Case:
    """Return a call of an operation; `accept` may be among the fields."""
    accept = fields.pop("accept", JSON)
    path = f"/v1/games/{uid}/{operation}"
    return Case(f"{operation}: {name}", path, orjson.dumps(fields), code, accept)


def cases() -> Iterator[Case]:
    """Yield all of them."""
    yield from listings()
    yield from histories()
    yield from pictures()
    yield from plans()
    yield from texts()
    yield from contract_2018()
    yield from junk()


def _wire(state: State, form: str) -> Any:
    return forms.dump_state(convert_state(state, form).state)


def listings() -> Iterator[Case]:
    empty = forms.dump_state(
        forms.start_state(circle(1000).game, ["size-7"], "compact", "2026-01-01T00:00:00.000Z")
    )
    most = limits.LISTED_MOVES
    for name, state in (
        ("setup of side 7", empty),
        ("the 3,315 turns", _wire(crowded(), "compact")),
    ):
        for prefix in ("", "b", "zz"):
            yield post(
                f"{name}, {prefix!r}", "congeners", "moves", state=state, limit=most, prefix=prefix
            )
        yield post(
            f"{name}, the end of it", "congeners", "moves", state=state, limit=9, offset=most
        )
    included = [*INCLUDES, *["moves"] * (limits.LISTED_NAMES - len(INCLUDES))]
    yield post("setup, all", "congeners", "new", variants=["size-7"], include=included)


def histories() -> Iterator[Case]:
    for form in FORMS:
        is_text = form == "full-string"
        for name, state in (
            ("1,000 plies in a circle", circle(1000)),
            ("the most plies in a circle", circle(limits.PLIES - 1)),
            ("the 3,315 turns, swollen", swollen(crowded, is_text)),
            ("side 9, swollen", swollen(wide, is_text)),
        ):
            yield from _uses(f"{name}, {form}", state, form)


def _uses(name: str, state: State, form: str) -> Iterator[Case]:
    uid, last = state.game.info.uid, state.last
    fields = {"state": _wire(state, form)}
    yield post(name, uid, "verify", **fields)
    yield post(name, uid, "history", players=NAMES, **fields)
    yield post(name, uid, "render", plies=[0, min(last.ply, limits.RENDERED_PLIES - 1)], **fields)
    everything = [*INCLUDES, *["chat"] * (limits.LISTED_NAMES - len(INCLUDES))]
    yield post(name, uid, "at", ply=last.ply, include=everything, players=NAMES, **fields)
    for target in FORMS:
        yield post(f"{name} to {target}", uid, "convert", form=target, normalise=True, **fields)
    if last.is_over:
        yield post(name, uid, "record", site="s", gameid="g", players=PLAYERS, **fields)
        return
    move = next(state.game.text(last.position, one) for one in state.game.moves(last.position))
    yield post(name, uid, "move", move=move, verify=True, include=everything, **fields)
    yield post(name, uid, "end", how="repetition", verify=True, **fields)
    over = _wire(drawn(state), form)
    yield post(name, uid, "record", site="s", gameid="g", players=PLAYERS, state=over)


def contract_2018() -> Iterator[Case]:
    """Yield a move in the longest game, and a report from as many of its states as a body holds."""
    state, users = circle(limits.PLIES - 1), ["ann", "bob"]
    game, last = state.game, state.last
    path, told = (
        f"/ap/{game.info.uid}",
        {"players": [{"name": user} for user in users], "site": "s"},
    )
    over = drawn(state)
    _, steps = check_requested_state(game, {"state": _wire(over, "compact")})
    start = forms.start_state(game, ["size-7"], "compact", steps[0].timestamp)
    for form, apart in (("compact", 3), ("full-string", 400)):
        kept = [start.with_steps(steps[1 : ply + 1]) for ply in range(1, last.ply, apart)]
        move = game.text(last.position, next(game.moves(last.position)))
        asked = {"mode": "move", "player": users[last.position.seat - 1], "move": move}
        asked["state"] = format_legacy_state(users, _wire(state, form))
        yield Case(f"2018 move: the most plies, {form}", path, orjson.dumps(asked))
        states = [format_legacy_state(users, _wire(one, form)) for one in (*kept, over)]
        body = orjson.dumps({"mode": "archive", "states": states, **told})
        yield Case(f"2018 archive: {len(states)} states, {form}", path, body)


def pictures() -> Iterator[Case]:
    widest = limits.WIDEST_PICTURE
    for uid, state in (("congeners", crowded()), ("control", wide())):
        fields = {"state": _wire(state, "compact"), "display": "kin", "width": widest}
        yield post("widest", uid, "render", accept=PNG, **fields)
        yield post("widest", uid, "render", accept=SVG, **fields)
        film = [0, min(state.last.ply, limits.RENDERED_PLIES - 1)]
        yield post("film", uid, "render", accept=SVG, plies=film, **fields)
    long = {"state": _wire(swollen(wide), "full-gz"), "plies": [0, limits.RENDERED_PLIES - 1]}
    yield post("longest film", "control", "render", accept=SVG, **long)
    round_ = {"state": _wire(circle(1000), "compact"), "plies": [0, limits.RENDERED_PLIES - 1]}
    yield post("longest film", "congeners", "render", accept=SVG, **round_)
    webp = {"state": _wire(swollen(wide), "full-gz"), "plies": [0, 299], "width": 400}
    yield post("longest film as an image", "control", "render", accept="image/webp", **webp)
    card = {"state": _wire(wide(), "compact"), "width": widest, "height": widest}
    yield post("largest card", "control", "render", accept=PNG, **card)
    asked = quote(_wire(circle(1000), "compact"))
    path = f"/v1/games/congeners/film.svg?state={asked}"
    yield Case("film.svg of too many positions", path, None, "too-large", SVG)
    texts = [step.text for step in circle(1000).walk() if step.text][: limits.FILMED_POSITIONS - 1]
    path = f"/v1/games/congeners/film.svg?variants=size-7&moves={';'.join(texts)}"
    yield Case("film.svg", path, None, "", SVG)
    moves = ";".join(step.text or "" for step in wide().walk())
    for name, kind in (("picture.png", PNG), ("film.svg", SVG)):
        path = f"/v1/games/control/{name}?variants=size-9&moves={moves}"
        yield Case(f"{name} of side 9", f"{path}&width={widest}", None, "", kind)


def _fill_plan(text: str) -> dict[str, Any]:
    """Return a plan of the most answers, each of its texts as long as this one."""
    return {
        f"{text[:-3]}{one:03}"[-limits.MOVE_CHARACTERS :]: {"move": text}
        for one in range(limits.PLAN_NODES)
    }


def plans() -> Iterator[Case]:
    for uid, state in (("congeners", crowded()), ("control", wide())):
        position = state.last.position
        moved, *moves = [state.game.text(position, one) for one in state.game.moves(position)]
        plan = {one: {"move": moves[0]} for one in moves[-limits.PLAN_NODES :]}
        fields = {"state": _wire(state, "compact"), "plan": plan}
        yield post("widest", uid, "plan", **fields)
        yield post("widest plan", uid, "move", move=moved, **fields)


def texts() -> Iterator[Case]:
    most, state = limits.MOVE_CHARACTERS, _wire(crowded(), "compact")
    for text in (
        "a" * most,
        "1" * most,
        "é" * most,
        " " * most,
        "a1-" * (most // 3),
        "\ud83d\ude00",
    ):
        shown = f"{text[:3]!r} and so on"
        text = text.encode("utf-16", "surrogatepass").decode("utf-16")
        for operation, fields in (
            ("validate", {"move": text}),
            ("same", {"move": text, "other": text}),
            ("click", {"move": text, "row": 3, "col": 3}),
            ("moves", {"prefix": text}),
            ("plan", {"plan": _fill_plan(text)}),
        ):
            yield post(shown, "congeners", operation, state=state, **fields)
    texts = [step.text or "" for step in circle(1000).walk()][1:]
    yield post(
        "long texts",
        "congeners",
        "replay",
        variants=["size-7"],
        moves=[one.ljust(most) for one in texts],
    )
    texts = [step.text or "" for step in circle(limits.PLIES).walk()][1:]
    for form in FORMS:
        yield post(
            f"most moves to {form}",
            "congeners",
            "replay",
            variants=["size-7"],
            moves=texts,
            form=form,
        )


def _filled(template: bytes, entry: bytes) -> bytes:
    """Return a body of the most bytes: a template with a list of entries in place of its `@`."""
    room = limits.BODY_BYTES - len(template) + 1
    return template.replace(b"@", b",".join([entry] * (room // (len(entry) + 1))))


def junk() -> Iterator[Case]:
    deep = limits.JSON_DEPTH - 4
    entries = {
        "empty lists": b"[]",
        "empty objects": b"{}",
        "small objects": b'{"":0}',
        "numbers": b"0",
        "long numbers": b"1234567890123456",
        "decimals": b"0.1",
        "texts": b'""',
        "escapes": b'"\\ud83d\\ude00"',
        "deep lists": b"[" * deep + b"]" * deep,
        "deep objects": b'{"":' * deep + b"0" + b"}" * deep,
    }
    header = b'"game":"congeners","numplayers":2,"gameover":false,"winner":[]'
    one = b'"variants":[],"stack":[{"_version":"20261130","_results":[@]}]'
    places = {
        "record": ("replay", b'{"record":{"header":[@]}}'),
        "moves": ("replay", b'{"moves":[@]}'),
        "stack": ("verify", b'{"state":{%s,"variants":[],"stack":[@]}}' % header),
        "variants": ("verify", b'{"state":{%s,"variants":[@],"stack":[{}]}}' % header),
        "entry": ("verify", b'{"state":{%s,%s}}' % (header, one)),
        "state": ("moves", b'{"state":{"junk":[@],"stack":[]}}'),
    }
    for (place, (operation, template)), (name, entry) in product(places.items(), entries.items()):
        path, name = f"/v1/games/congeners/{operation}", f"{operation}: {name} in {place}"
        yield Case(name, path, _filled(template, entry), None)
        if operation == "verify":
            state = _filled(template.removeprefix(b'{"state":')[:-1], entry)
            packed = "gz:" + b64encode(gzip.compress(state)).decode()
            yield Case(f"{name}, gz", path, orjson.dumps({"state": packed}), None)
    bomb = "gz:" + b64encode(gzip.compress(bytes(256 * 1024 * 1024), 9)).decode()
    yield post("a bomb", "congeners", "moves", "invalid-state", state=bomb)
    yield post(
        "a large text", "congeners", "moves", "invalid-state", state="x" * (limits.BODY_BYTES - 20)
    )
