"""A damaged state is refused with its place: JSON that is broken, or that readers differ on."""

import json
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from tests.conftest import posted, problem, sent
from tests.tools.damage import DEPTHS, GAME, LAST, NEXT
from tests.tools.vectors import cut, read, tight, zipped

#: JSON that some readers refuse, round, or read in their own way.
DOUBTFUL = [
    b"1e999",
    b"-1e999",
    b"NaN",
    b"Infinity",
    b"-Infinity",
    b"9" * 5000,
    b"-" + b"9" * 5000,
    b"9007199254740993",
    b"-9007199254740993",
    b"18446744073709551616",
    b'"\xff"',
    b'"\xc3"',
    b'"\xed\xa0\x80"',
    b'"\xc0\xaf"',
    b'"\\ud800"',
    b'"\\udc00\\ud800"',
    b'{"\\ud800":1}',
    b'{"\xff":1}',
    b'{"a":1,"a":1}',
    b'{"a":1,"\\u0061":2}',
    b'[{"a":{"b":[{"c":1,"c":2}]}}]',
    b"[" * 100 + b"]" * 100,
    b'{"a":' * 100 + b"1" + b"}" * 100,
]
#: No JSON at all; strict readers stop there.
BROKEN = [
    *[b"01", b"1.", b".5", b"+1", b"-", b"1e", b"1e+", b"--1", b"0x10", b"1_0", b"tru", b"nul"],
    *[b"'a'", b"[1,]", b'{"a":1,}', b"{a:1}", b"/**/1", b"1 2", b'"\\q"', b'"\\u12"', b'"\x00"'],
    *[b'"\n"', b'"\t"', b"", b"undefined", b"\xef\xbb\xbf1", b'"', b"]", b"}", b"\\u0031"],
]
#: Odd, but every reader takes it alike.
PLAIN = [
    *[b"-0", b"1.0", b"0.5", b"1e5", b"1E+5", b"9007199254740991", b'"\\ud83d\\ude00"', b'"\\/"'],
    *['"é\u2028"'.encode(), b'"\\u0000"', b'"\x7f"', b"[" * 50 + b"]" * 50, b'{"":{"":""}}'],
]


def with_text(depth: int, text: bytes, field: str = "more") -> bytes:
    """Return a serialized state whose entry has that JSON for a member."""
    state = cut(GAME, LAST)
    state["stack"][depth][field] = "@"
    return tight(state).encode().replace(b'"@"', text)


def bodies(serialized: bytes, rest: bytes) -> Iterator[bytes]:
    """Yield request bodies with a serialized state in each full form that can hold it."""
    yield b'{"state":' + serialized + rest
    yield b'{"state":' + json.dumps(zipped(serialized)).encode() + rest
    try:
        yield b'{"state":' + json.dumps(serialized.decode()).encode() + rest
    except UnicodeDecodeError:
        return


@pytest.mark.parametrize("text", DOUBTFUL, ids=lambda text: repr(text[:12]))
def test_json_that_readers_differ_on_is_refused_with_its_place(
    text: bytes, client: FlaskClient
) -> None:
    for field in ("more", "currplayer", "_results"):
        for depth in DEPTHS:
            where = f"/stack/{depth}/{field}"
            for body in bodies(with_text(depth, text, field), b',"verify":true}'):
                found = problem(posted(client, "moves", body), "invalid-state")
                assert found["where"] == where, found["detail"]
            for body in bodies(with_text(depth, text, field), b"}"):
                response = posted(client, "verify", body)
                if response.status_code == 200:
                    verdict = read(response.data)
                    assert (verdict["where"], verdict["ply"]) == (where, depth)
                else:
                    assert problem(response, "invalid-state")["where"] == where


@pytest.mark.parametrize("entry", [b"5", b"true", b"null", b'"{}"', b"[]", b"[{}]", b"[[[1]]]"])
@pytest.mark.parametrize("depth", DEPTHS)
def test_an_entry_that_is_no_object_is_refused_with_its_place(
    entry: bytes, depth: int, client: FlaskClient
) -> None:
    state = cut(GAME, LAST)
    state["stack"][depth] = "@"
    for shown in (tight(state), json.dumps(state, indent=1)):
        serialized = shown.encode().replace(b'"@"', entry)
        for body in bodies(serialized, b',"move":"' + NEXT.encode() + b'"}'):
            response = client.post(
                "/v1/games/control/move", data=body, content_type="application/json"
            )
            found = problem(response, "invalid-state")
            assert found["where"] == f"/stack/{depth}"
            assert "object" in found["detail"]


@pytest.mark.parametrize("text", BROKEN, ids=repr)
def test_what_is_no_json_is_refused(text: bytes, client: FlaskClient) -> None:
    for depth in DEPTHS:
        whole, *strings = bodies(with_text(depth, text), b"}")
        problem(posted(client, "moves", whole), "not-json")
        for body in strings:
            assert problem(posted(client, "moves", body), "invalid-state")["where"] == ""


@pytest.mark.parametrize("text", PLAIN, ids=lambda text: repr(text[:12]))
def test_odd_json_that_all_take_alike_is_kept(text: bytes, client: FlaskClient) -> None:
    rest = b',"verify":true,"move":"%s"}' % NEXT.encode()
    for depth in DEPTHS:
        for body in bodies(with_text(depth, text), rest):
            answer = read(posted(client, "move", body).data)
            again = sent(client, "verify", {"state": answer["state"]})
            assert read(again.data)["ok"], text


@pytest.mark.parametrize("key", ["game", "stack", "winner", "gameover", "variants", "numplayers"])
def test_a_doubled_key_at_the_top_is_refused(key: str, client: FlaskClient) -> None:
    state = cut(GAME, LAST)
    spelt = [key, f"\\u{ord(key[0]):04x}{key[1:]}"]
    for name in spelt:
        for value in (state[key], "other", None):
            doubled = f'{{"{name}":{tight(value)},{tight(state)[1:]}'
            again = f'{tight(state)[:-1]},"{name}":{tight(value)}}}'
            spread = again.replace('","', '", "')
            loose = json.dumps(state)[:-1] + f', "{name}": {json.dumps(value)}}}'
            last = json.dumps(state["stack"][-1])
            hidden = f'{loose[:-1]}, "x": [{last}, {last}]}}'
            for text in (doubled, again, spread, loose, hidden):
                for body in bodies(text.encode(), b"}"):
                    assert problem(posted(client, "moves", body), "invalid-state")["where"] == ""


@pytest.mark.parametrize("key", ["x", "5", "-1", "9" * 5000, "٣", "²", "", "a/b~c", "<b>"])
def test_a_doubtful_value_elsewhere_is_named_too(key: str, client: FlaskClient) -> None:
    named = key.replace("~", "~0").replace("/", "~1")
    for top in ("stack", "winner", "other"):
        text = f'{{"game":"control","{top}":{{{json.dumps(key)}:1e999}}}}'
        for body in bodies(text.encode(), b"}"):
            where = problem(posted(client, "moves", body), "invalid-state")["where"]
            assert where.startswith(f"/{top}/{named[:100]}")


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_doubled_key_in_an_entry_is_found(depth: int, client: FlaskClient) -> None:
    state = cut(GAME, LAST)
    for key in state["stack"][depth]:
        entry = tight(state["stack"][depth])
        text = tight(state).replace(entry, f'{entry[:-1]},"{key}":{tight(state["stack"][0])}}}')
        for body in bodies(text.encode(), b"}"):
            verdict = read(posted(client, "verify", body).data)
            assert verdict["where"] == f"/stack/{depth}"
            if depth >= LAST - 1:
                problem(posted(client, "moves", body), "invalid-state")


def test_nesting_without_end_is_refused(client: FlaskClient) -> None:
    for levels in (150, 300, 900, 5_000, 400_000):
        for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
            text = opening * levels + b"1" + closing * levels
            for depth in DEPTHS:
                for body in bodies(with_text(depth, text), b',"verify":true}'):
                    response = posted(client, "moves", body)
                    assert response.status_code in (400, 413, 422)
                    problem(response, read(response.data)["code"])
