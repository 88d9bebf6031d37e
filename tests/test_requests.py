"""Requests: bodies, media types, methods, what is accepted, and each limit at and one past it."""

from io import BytesIO
from typing import Any

import pytest
from flask.testing import FlaskClient

from plugin import limits
from plugin.contract import OPERATIONS
from schemas.v1 import REQUESTS
from tests.conftest import Post, posted, problem, sent
from tests.vectors import FORMS, FULL_FORMS, LATER, cut, game, in_form, read, tight

GAME = game()
NEXT = GAME["moves"][20]
JSON = "application/json"
PATH = "/v1/games/control/new"


def state(ply: int = 20, form: str = "full-string") -> Any:
    return in_form(cut(GAME, ply), form)


# --- bodies -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        *[b"", b" ", b"{", b"}", b"{}{}", b"{}x", b"{} {}", b"\xef\xbb\xbf{}", b"{}\0", b"\0{}"],
        *[b"\xff", b'{"form":"\xff"}', b'{"form":"\xed\xa0\x80"}', b'{"form":"\\ud800"}'],
        *[b"NaN", b'{"timestamp":NaN}', b'{"timestamp":1e999}', b'{"form":Infinity}'],
        *[b"{'form':'full'}", b'{"form":"full",}', b"{form:1}", b'{"form"}', b"// {}", b"()"],
        *["{}".encode(code) for code in ("utf-16", "utf-16-le", "utf-32-le", "utf-32-be")],
        *[b'{"form":"full","form":"full"}', b'{"form":"full","f\\u006frm":"compact"}'],
        *[b'{"variants":' + b"[" * 100_000 + b"]" * 100_000 + b"}", b"[" * 100_000],
        *[b'{"timestamp":' + b"9" * 5000 + b"}", b'{"timestamp":9007199254740993}'],
    ],
    ids=lambda body: repr(body[:24]),
)
def test_a_body_that_readers_differ_on_is_no_json(body: bytes, client: FlaskClient) -> None:
    problem(posted(client, "new", body), "not-json")


@pytest.mark.parametrize("body", [b"[]", b"null", b"1", b'""', b"true", b"[{}]", b"1.5", b" [ ] "])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_body_that_is_no_object_is_refused(
    body: bytes, operation: str, client: FlaskClient
) -> None:
    answer = problem(posted(client, operation, body), "invalid-request")
    assert list(answer["errors"]) == ["_schema"]


@pytest.mark.parametrize("form", FORMS)
def test_a_key_that_stands_twice_is_refused_wherever_it_stands(
    form: str, client: FlaskClient
) -> None:
    wire = tight(state(20, form))
    fields = {"state": wire, "move": tight(NEXT), "expected_ply": "20", "timestamp": tight(LATER)}
    for separator in (",", ", ", " ,\n"):
        pairs = [f'"{key}":{value}' for key, value in fields.items()]
        assert posted(client, "move", body_of(pairs, separator)).status_code == 200
        for key, value in fields.items():
            for name in (key, f"\\u{ord(key[0]):04x}{key[1:]}"):
                for again in ([f'"{name}":{value}', *pairs], [*pairs, f'"{name}":{value}']):
                    problem(posted(client, "move", body_of(again, separator)), "not-json")


def body_of(pairs: list[str], separator: str) -> bytes:
    return f"{{{separator.join(pairs)}}}".encode()


@pytest.mark.parametrize("form", FORMS)
def test_a_body_may_be_written_in_any_way_that_says_the_same(
    form: str, client: FlaskClient
) -> None:
    fields = {"state": state(20, form), "move": f"{NEXT} ", "timestamp": LATER, "player": 1}
    expected = sent(client, "move", fields).data
    turned = dict(reversed(fields.items()))
    text = tight(fields)
    others = [
        tight(turned),
        text.replace('"move"', '"m\\u006fve"').replace('"state"', '"\\u0073tate"'),
        text.replace(NEXT, "".join(f"\\u{ord(letter):04x}" for letter in NEXT)),
        text.replace(LATER, LATER.replace("-", "\\u002d")),
        text.replace(f'{NEXT} "', f'{NEXT}\u00a0"'),
        f"\r\n\t {text} \n",
        text.replace('"player":1', '"player" \t:\n1 '),
    ]
    for other in others:
        assert posted(client, "move", other.encode()).data == expected, other[-200:]


def test_text_states_may_escape_more_than_they_must(client: FlaskClient) -> None:
    for form in ("full-string", "full-gz", "compact"):
        wire = state(20, form)
        expected = sent(client, "moves", {"state": wire}).data
        escaped = "".join(f"\\u{ord(letter):04x}" for letter in wire)
        slashed = wire.replace("\\", "\\\\").replace('"', '\\"').replace("/", "\\/")
        for text in (escaped, slashed):
            assert posted(client, "moves", f'{{"state":"{text}"}}'.encode()).data == expected


def test_chunked_bodies_are_read_and_bounded(client: FlaskClient) -> None:
    for size, status in ((2, 200), (limits.BODY_BYTES, 200), (limits.BODY_BYTES + 1, 413)):
        response = client.post(
            PATH,
            input_stream=BytesIO(b"{}" + b" " * (size - 2)),
            content_type=JSON,
            headers={"Transfer-Encoding": "chunked"},
            environ_overrides={"wsgi.input_terminated": True, "CONTENT_LENGTH": ""},
        )
        assert response.status_code == status
        assert status == 200 or problem(response, "too-large")["limit"] == limits.BODY_BYTES


@pytest.mark.parametrize("length", ["abc", "-5", "1", "100", "9" * 30, "", "0", "0x2", "1.5"])
def test_a_false_length_is_refused(length: str, client: FlaskClient) -> None:
    response = client.post(
        PATH,
        input_stream=BytesIO(b"{}"),
        content_type=JSON,
        environ_overrides={"CONTENT_LENGTH": length},
    )
    problem(response, "too-large" if len(length) == 30 else "not-json")


# --- headers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind",
    [JSON, "APPLICATION/JSON", f"{JSON}; charset=utf-8", f"{JSON};charset=UTF-8", f"{JSON};"],
)
def test_json_may_be_called_so_in_several_ways(kind: str, client: FlaskClient) -> None:
    assert client.post(PATH, data=b"{}", content_type=kind).status_code == 200


@pytest.mark.parametrize(
    "kind",
    [
        *["", ";", "json", "text/json", "text/plain", f"{JSON}x", "application/problem+json"],
        *["application/x-www-form-urlencoded", "multipart/form-data", "application/*", "*/*"],
        *["multipart/form-data; boundary=x", "application/ld+json", f"x{JSON}", "\xff\xfe"],
    ],
)
def test_other_media_types_are_refused(kind: str, client: FlaskClient) -> None:
    response = client.post(PATH, data=b"{}", headers={"Content-Type": kind})
    problem(response, "unsupported-media-type")
    problem(client.post(PATH, data=b"{}"), "unsupported-media-type")


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "gzip, identity", "x"])
def test_coded_bodies_are_refused(coding: str, client: FlaskClient) -> None:
    coded = {"Content-Encoding": coding}
    response = client.post(PATH, data=b"{}", content_type=JSON, headers=coded)
    problem(response, "unsupported-media-type")


@pytest.mark.parametrize(
    "accept",
    [
        *["*/*", JSON, "application/*", "", f"{JSON}; charset=utf-8", "APPLICATION/JSON"],
        *["text/html, application/json;q=0.1", "text/html,*/*;q=0.8", "application/problem+json"],
    ],
)
def test_what_accepts_json_gets_it(accept: str, client: FlaskClient) -> None:
    for method, path in (("GET", "/v1"), ("POST", PATH)):
        response = client.open(
            path, method=method, data=b"{}", content_type=JSON, headers={"Accept": accept}
        )
        assert response.status_code == 200
        assert response.content_type == JSON


@pytest.mark.parametrize(
    "accept",
    [
        *["text/html", "text/*", "image/svg+xml", f"{JSON};q=0", "*/*;q=0", "application/xml", ";"],
        *[";;;,,q=abc", f"{JSON};q=nan", "a" * 3000, "\xff\xfe", f"{JSON};version=2", "x/" * 999],
    ],
)
def test_what_does_not_accept_json_is_told_so_in_json(accept: str, client: FlaskClient) -> None:
    problem(client.get("/v1", headers={"Accept": accept}), "not-acceptable")
    response = client.post(PATH, data=b"{}", content_type=JSON, headers={"Accept": accept})
    problem(response, "not-acceptable")


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "TRACE", "BREW"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_operations_take_post_alone(method: str, operation: str, client: FlaskClient) -> None:
    response = client.open(f"/v1/games/control/{operation}", method=method)
    assert response.status_code == 405
    assert "POST" in response.headers["Allow"]
    assert response.content_type == "application/problem+json"


@pytest.mark.parametrize(
    "path",
    [
        *["/", "/v1/", "/V1", "/v2", "/v1x", "/v1/game", "/v1/games/control/zap", "//v1"],
        *["/v1//games", "/v1/games//control", "/v1/games/control//move", "/v1/../v1/games", "/%00"],
        *["/v1/games/control/move/x", "/v1/games/control/Move", "/docs/%00", "/docs/..%2f..%2fx"],
        *["/docs/nothing", "/v1/games/%E0%A4%A", "/%ff%fe", "/v1/games/" + "a" * 3000],
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_other_addresses_hold_nothing(path: str, method: str, client: FlaskClient) -> None:
    response = client.open(path, method=method, data=b"{}", content_type=JSON)
    if path == "/v1/":
        assert response.status_code == (200 if method == "GET" else 405)
    elif response.status_code == 405:
        problem(response, "method-not-allowed")
    else:
        code = read(response.data)["code"]
        assert code in ("not-found", "unknown-game")
        problem(response, code)


@pytest.mark.parametrize("uid", ["nogame", "Control", "control ", "%00", "%ff", "<b>", "*"])
def test_unknown_games_are_told_so(uid: str, client: FlaskClient) -> None:
    for operation in OPERATIONS:
        response = client.post(f"/v1/games/{uid}/{operation}", data=b"{}", content_type=JSON)
        problem(response, "unknown-game")


@pytest.mark.parametrize(
    "headers",
    [
        {"Range": "bytes=99999999-"},
        {"Range": "bytes=-"},
        {"If-Modified-Since": "then", "If-None-Match": '"'},
        {"If-Match": '"x"'},
        {"Expect": "nonsense"},
        {"Host": "a b/<"},
        {"Cookie": "=;;=\xff"},
        {"X-Forwarded-Host": "\xff"},
    ],
    ids=str,
)
def test_odd_headers_break_nothing(headers: dict[str, str], client: FlaskClient) -> None:
    for path in ("/v1", "/docs/swagger-ui.css", "/openapi.json", "/healthz"):
        response = client.get(path, headers=headers)
        assert response.status_code < 500
        response.close()


# --- limits -----------------------------------------------------------------------------------


def test_a_body_of_just_the_longest_size_is_read(client: FlaskClient) -> None:
    for size, status in ((limits.BODY_BYTES, 200), (limits.BODY_BYTES + 1, 413)):
        response = posted(client, "new", b"{}" + b" " * (size - 2))
        assert response.status_code == status


def test_an_address_of_just_the_longest_size_is_read(client: FlaskClient) -> None:
    for size, status in ((limits.URI_BYTES, 200), (limits.URI_BYTES + 1, 414)):
        assert client.get("/v1?" + "a" * (size - len("/v1?"))).status_code == status
    assert client.get("/" + "a" * limits.URI_BYTES).status_code == 414


#: A field with a value at its limit, and one that is just past it.
EDGES: list[tuple[str, str, Any, Any]] = [
    ("move", "move", " " * (limits.MOVE_CHARACTERS - len(NEXT)) + NEXT, " " * 3997 + f"{NEXT}    "),
    ("move", "player", 1, 3),
    ("move", "player", 1, 0),
    ("move", "expected_ply", 20, limits.LAST_PLY + 1),
    ("move", "expected_ply", 20, -1),
    ("move", "timestamp", "9999-12-31T23:59:59.999Z", "10000-01-01T00:00:00.000Z"),
    ("moves", "limit", limits.LISTED_MOVES, limits.LISTED_MOVES + 1),
    ("moves", "limit", 0, -1),
    ("moves", "offset", 10**9, 10**9 + 1),
    ("moves", "offset", 0, -1),
    ("moves", "prefix", " " * limits.MOVE_CHARACTERS, " " * (limits.MOVE_CHARACTERS + 1)),
    ("validate", "move", "é" * limits.MOVE_CHARACTERS, "é" * (limits.MOVE_CHARACTERS + 1)),
    ("click", "row", 10**6, 10**6 + 1),
    ("click", "col", -(10**6), -(10**6) - 1),
    ("click", "piece", "p" * limits.NAME_CHARACTERS, "p" * (limits.NAME_CHARACTERS + 1)),
    ("render", "display", "d" * limits.NAME_CHARACTERS, "d" * (limits.NAME_CHARACTERS + 1)),
    ("render", "perspective", 2, 3),
    ("render", "plies", [0, -1], [0, 1, 2]),
    ("render", "plies", [20, -1], [20, 19]),
    ("render", "plies", [3, 3], [-1, 3]),
    ("render", "ply", -1, -2),
    ("at", "ply", 20, 21),
    ("at", "include", ["text"] * 16, ["text"] * 17),
    ("at", "include", ["chat", "moves"], ["chat", "board"]),
    ("history", "players", ["a" * limits.NAME_CHARACTERS, ""], ["a", "b", "c"]),
    ("history", "players", ["", ""], ["a" * (limits.NAME_CHARACTERS + 1), ""]),
    ("new", "variants", ["#"] * 16, ["#"] * 17),
    ("new", "form", "compact", "full "),
    ("replay", "moves", ["a1"] * limits.REPLAYED_MOVES, ["a1"] * (limits.REPLAYED_MOVES + 1)),
    ("replay", "variants", ["size-5"], "size-5"),
]
NEEDED: dict[str, dict[str, Any]] = {
    "move": {"move": NEXT},
    "click": {"row": 0, "col": 0},
    "at": {"ply": 0},
    "replay": {"moves": []},
}


@pytest.mark.parametrize(("operation", "field", "fine", "wrong"), EDGES, ids=repr)
def test_a_field_is_taken_at_its_limit_and_refused_past_it(
    operation: str, field: str, fine: Any, wrong: Any, post: Post, refused: Post
) -> None:
    fields = NEEDED.get(operation, {})
    if "state" in REQUESTS[operation].fields:
        fields = fields | {"state": state()}
    post(operation, **fields | {field: fine})
    body = refused(operation, "invalid-request", **fields | {field: wrong})
    assert {name.split(".")[0] for name in body["errors"]} == {field}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_field_of_another_type_is_refused(operation: str, refused: Post) -> None:
    for name, field in REQUESTS[operation].fields.items():
        if name == "state":
            continue
        key = field.data_key or name
        kinds: list[Any] = [None, 1, 1.0, 1.5, True, "1", "true", [], [1], {}, {"a": 1}, [[]]]
        fine = {
            "Whole": (int,),
            "Truth": (bool,),
            "Few": (list,),
            "Dict": (dict,),
        }.get(type(field).__name__, (str,))
        for value in kinds:
            if type(value) in fine or (value is None and field.allow_none):
                continue
            body = refused(operation, "invalid-request", **{key: value})
            assert key in {one.split(".")[0] for one in body["errors"]}, (key, value)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_unknown_and_missing_fields_are_named(operation: str, refused: Post) -> None:
    needed = {
        field.data_key or name
        for name, field in REQUESTS[operation].fields.items()
        if field.required
    }
    body = refused(operation, "invalid-request", nonsense=1, State={})
    assert body["errors"].keys() >= {"nonsense", "State"} | needed


def test_what_excludes_each_other_is_refused(refused: Post) -> None:
    for operation, fields, field in (
        ("render", {"ply": 1, "move": "a1"}, "move"),
        ("render", {"ply": 1, "plies": [0, 1]}, "plies"),
        ("end", {"how": "resign"}, "player"),
        ("end", {"how": "draw", "player": 1}, "player"),
        ("end", {"how": "surrender"}, "how"),
    ):
        body = refused(operation, "invalid-request", state=state(), **fields)
        assert list(body["errors"]) == [field]
    assert list(refused("replay", "invalid-request")["errors"]) == ["record"]
    both = refused("replay", "invalid-request", record={}, moves=[])
    assert list(both["errors"]) == ["record"]
    named = refused("replay", "invalid-request", record={}, variants=[])
    assert list(named["errors"]) == ["variants"]


#: Bodies with a crowd of something at the `@`: of entries that are alike, or of numbered keys.
CROWDS = [
    ('{"state":"x",@}', "keys"),
    ('{"state":"x","include":[@]}', "1"),
    ('{"state":"","gameid":"","players":[@]}', "{}"),
    ('{"state":"","gameid":"","players":[{},{@}]}', "keys"),
    ('{"state":"x","plies":[@]}', "[]"),
    ('{"moves":[@]}', "1"),
    ('{"variants":[@]}', "1"),
    ('{"state":{@,"0":1}}', "keys"),
    ('{"record":{@}}', "keys"),
    ('{"record":{"header":{"game":{"name":"control"},"players":[{},{}]},"moves":[@]}}', '"a1"'),
]


def crowded(template: str, entry: str) -> bytes:
    keys = (f'"{number}":1' for number in range(200_000))
    return template.replace("@", ",".join(keys if entry == "keys" else [entry] * 700_000)).encode()


@pytest.mark.parametrize(("template", "entry"), CROWDS)
@pytest.mark.parametrize("operation", ["move", "render", "record", "replay", "new"])
def test_crowds_are_refused_in_few_words(
    template: str, entry: str, operation: str, client: FlaskClient
) -> None:
    response = posted(client, operation, crowded(template, entry))
    assert response.status_code in (400, 422)
    problem(response, read(response.data)["code"])
    assert len(response.data) < 10_000


@pytest.mark.parametrize("form", FULL_FORMS)
def test_a_game_of_the_most_plies_takes_no_move_and_can_be_ended(
    form: str, client: FlaskClient
) -> None:
    one = cut(GAME, 4)
    first, *rest = one["stack"]
    for plies, move, end in (
        (limits.PLIES - 2, 200, 200),
        (limits.PLIES, 413, 200),
        (limits.LAST_PLY - 2, 413, 200),
        (limits.LAST_PLY, 413, 413),
    ):
        long = one | {"stack": [first, *[{}] * (plies - 4), *rest]}
        wire = in_form(long, form)
        for operation, fields, status in (
            ("move", {"move": GAME["moves"][4]}, move),
            ("end", {"how": "draw"}, end),
        ):
            response = sent(client, operation, {"state": wire, **fields})
            assert response.status_code == status, response.text[:300]
            if status == 413:
                assert problem(response, "too-large")["limit"] in (limits.PLIES, limits.LAST_PLY)
            else:
                after = sent(client, "moves", {"state": read(response.data)["state"]})
                assert after.status_code == 200


def test_every_limit_is_shown(client: FlaskClient) -> None:
    shown = read(client.get("/v1").data)["limits"]
    assert shown.items() >= limits.shown().items()
    assert all(value > 0 for value in shown.values())
