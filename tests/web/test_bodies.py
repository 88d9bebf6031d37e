"""Requests: bodies, media types, what is accepted, methods, addresses and other headers."""

import json
from io import BytesIO

import pytest
from flask.testing import FlaskClient

from plyhost import limits
from plyhost.contract.operations import OPERATIONS
from tests.conftest import posted, problem, sent
from tests.tools.damage import NEXT, state_at
from tests.tools.vectors import FORMS, LATER, contract, read, tight

JSON = "application/json"
PATH = "/v1/games/control/new"


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
    wire = tight(state_at(20, form))
    fields = {"state": wire, "move": tight(NEXT), "expected_ply": "20", "timestamp": tight(LATER)}
    for separator in (",", ", ", " ,\n"):
        pairs = [f'"{key}":{value}' for key, value in fields.items()]
        assert posted(client, "move", body_of(pairs, separator)).status_code == 200
        for key, value in fields.items():
            for name in (key, f"\\u{ord(key[0]):04x}{key[1:]}"):
                for again in ([f'"{name}":{value}', *pairs], [*pairs, f'"{name}":{value}']):
                    problem(posted(client, "move", body_of(again, separator)), "not-json")


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_a_key_that_stands_twice_within_a_field_is_refused(
    separators: tuple[str, str], client: FlaskClient
) -> None:
    record, players = contract()["finished"][0]["record_full"], [{"name": "A"}, {"name": "B"}]
    asked = {
        "replay": {"record": record},
        "record": {"state": state_at(78), "gameid": "1", "players": players},
    }
    for operation, fields in asked.items():
        text = json.dumps(fields, separators=separators)
        assert posted(client, operation, text.encode()).status_code == 200
        twice = text.replace('"name"', f'"name"{separators[1]}1{separators[0]}"name"', 1)
        problem(posted(client, operation, twice.encode()), "not-json")


def test_a_field_beside_a_state_nests_only_so_deep(client: FlaskClient) -> None:
    for depth in (100, 5000):
        fields = {"state": state_at(20, "full"), "move": NEXT, "include": "@"}
        body = tight(fields).replace('"@"', "[" * depth + "]" * depth)
        response = posted(client, "move", body.encode())
        problem(response, "not-json")


def body_of(pairs: list[str], separator: str) -> bytes:
    return f"{{{separator.join(pairs)}}}".encode()


@pytest.mark.parametrize("form", FORMS)
def test_a_body_may_be_written_in_any_way_that_says_the_same(
    form: str, client: FlaskClient
) -> None:
    fields = {"state": state_at(20, form), "move": f"{NEXT} ", "timestamp": LATER, "player": 1}
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
        wire = state_at(20, form)
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
        *[";;;,,q=abc", f"{JSON};q=nan", "a" * 500, "\xff\xfe", f"{JSON};version=2", "x/" * 250],
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
        *["/v1/", "/V1", "/v2", "/v1x", "/v1/game", "/v1/games/control/zap", "/%2fv1"],
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
