"""A damaged state is refused with its place: every field, every form, every depth."""

import base64
import copy
import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

import pytest
from flask.testing import FlaskClient

from plugin import limits
from tests.conftest import Post, posted, problem, sent
from tests.vectors import (
    FORMS,
    FULL_FORMS,
    LATER,
    cut,
    game,
    in_form,
    read,
    tight,
    zipped,
)

GAME = game()
LAST = 20
NEXT = GAME["moves"][LAST]
#: The first entry, a middle one, the one before the last, the last.
DEPTHS = (0, 9, LAST - 1, LAST)
CODES = {"invalid-state", "unsupported-engine"}
ON_STATE: dict[str, dict[str, Any]] = {
    "move": {"move": NEXT},
    "moves": {},
    "validate": {"move": NEXT},
    "click": {"row": 0, "col": 0},
    "render": {},
    "end": {"how": "draw"},
    "at": {"ply": 3},
    "history": {},
    "same": {"move": NEXT, "other": NEXT},
    "convert": {"form": "compact"},
}
#: Those that look at the whole history without being asked to.
ON_HISTORY = ("at", "history", "convert")
GONE = object()

NO_TEXTS = [GONE, None, 1, True, [], {}, ["20240909"]]
NO_STAMPS = [
    "",
    "2026-11-29",
    "2026-11-29T22:57:21Z",
    "2026-11-29T22:57:21.65Z",
    "2026-11-29T22:57:21.6550Z",
    "2026-11-29T22:57:21.655",
    "2026-11-29T22:57:21.655z",
    "2026-11-29 22:57:21.655Z",
    "2026-11-29t22:57:21.655Z",
    "2026-11-29T22:57:21,655Z",
    "2026-11-29T22:57:21.6+00",
    "2026-02-30T22:57:21.655Z",
    "2026-13-01T22:57:21.655Z",
    "2026-11-29T24:00:00.000Z",
    "2026-11-29T22:57:60.000Z",
    "0000-11-29T22:57:21.655Z",
    "2026-W48-7T22:57:21.655Z",
    "٢٠٢٦-11-29T22:57:21.655Z",
    "-026-11-29T22:57:21.655Z",
    " 2026-11-29T22:57:21.65Z",
]
NO_PAIRS = [GONE, None, 1, "", {}, [], ["a1"], ["a1", 1, 1], "a1", {"a1": 1}]
NO_CELLS = [None, 1, True, "", "A1", "a0", "a01", "a6", "j1", "z9", "a1 ", "a1x", ["a1"], "\uff411"]
NO_VALUES = [None, 0, 3, -1, 1.0, 1.5, "1", True, [1]]

ENTRY: dict[str, list[Any]] = {
    "_version": [*NO_TEXTS, "", "20240910", "20240909 ", "2024", "control"],
    "_results": [GONE, None, 1, "", {}, [], [{}], [None], [[]], "[]"],
    "_timestamp": [*NO_TEXTS, 0, 1764457041655, *NO_STAMPS],
    "currplayer": [GONE, None, 0, 3, -1, 1.0, 2.0, "1", "2", True, [1], {}],
    "lastmove": [GONE, None, 1, True, [], {}, "", "zz", "j1", "a0", "a1x1", "resign", "pass", " "],
    "board": [GONE, None, 1, "", [], {}, {"dataType": "Map"}, {"value": []}, [["a1", 1]]],
    "scores": [GONE, None, 1, "", {}, [], [0], [-1, -1], [0, 0, 0], ["0", "0"], [None, None]],
}
HEADER: dict[str, list[Any]] = {
    "game": [*NO_TEXTS, "", "Control", "control ", "congeners", "<b>"],
    "numplayers": [GONE, None, 0, 1, 3, -2, 2.0, "2", True, [2]],
    "variants": [
        *[GONE, None, 1, "size-5", {}, {"0": "size-5"}, [1], [None], [["size-5"]]],
        *[["size-6"], ["size-1000000"], ["size-0"], ["SIZE-5"], ["size-5 "], [""], ["#size-5"]],
        *[["size-5", "size-9"], ["size-5", "size-5"], ["#board", "#board"], ["size-5", "#board"]],
    ],
    "gameover": [GONE, None, 0, 1, "false", "", [], True],
    "winner": [GONE, None, 1, "", {}, [1], [2], [1, 2], [True], [1.0], ["1"], [None], [[]]],
    "stack": [GONE, None, 1, "", {}, [], [None], [1], [[]], [{}], {"0": {}}],
}


def damaged(place: dict[str, Any], key: str, value: Any) -> bool:
    """Put a value, or none, into a place; tell whether that made a difference."""
    if value is GONE:
        return place.pop(key, GONE) is not GONE
    if key in place and tight(place[key]) == tight(value):
        return False
    place[key] = value
    return True


def entry_damages(depth: int) -> Iterator[tuple[str, Any]]:
    """Yield each field's bad values for an entry at a depth."""
    for field, values in ENTRY.items():
        for value in values:
            if depth or value is not GONE or field != "lastmove":
                yield field, value


def refuses(client: FlaskClient, operation: str, wire: Any, **fields: Any) -> dict[str, Any]:
    """Return the problem of an operation that has to refuse a state."""
    response = sent(client, operation, {"state": wire, **ON_STATE[operation], **fields})
    code = read(response.data).get("code")
    assert code in CODES, (operation, response.text[:300])
    return problem(response, code)


def judged(client: FlaskClient, wire: Any) -> dict[str, Any]:
    """Return the verdict of `verify` on a state that is broken."""
    response = sent(client, "verify", {"state": wire})
    assert response.status_code == 200
    verdict: dict[str, Any] = read(response.data)
    assert not verdict["ok"]
    assert verdict["code"] in CODES
    assert not set("<>") & set(verdict["message"])
    return verdict


@pytest.mark.parametrize("depth", DEPTHS)
def test_each_field_of_an_entry_is_named_when_it_is_wrong(depth: int, client: FlaskClient) -> None:
    sound = cut(GAME, LAST)
    for number, (field, value) in enumerate(entry_damages(depth)):
        state = copy.deepcopy(sound)
        if not damaged(state["stack"][depth], field, value):
            continue
        wire = in_form(state, FULL_FORMS[number % 3])
        verdict = judged(client, wire)
        where = verdict["where"]
        assert where.startswith(f"/stack/{depth}/"), (field, value, where)
        assert where.split("/")[3] == field or field == "lastmove", (field, value, where)
        assert (verdict["ply"], verdict["plies_ok"]) == (depth, max(depth - 1, 0))
        named = refuses(client, "move", wire, verify=True)
        assert (named["where"], named["code"]) == (where, verdict["code"])
        for operation in ON_HISTORY:
            assert refuses(client, operation, wire)["where"] == where


@pytest.mark.parametrize("form", FULL_FORMS)
def test_a_damaged_last_entry_is_refused_by_every_operation(form: str, client: FlaskClient) -> None:
    sound = cut(GAME, LAST)
    for number, (field, value) in enumerate(entry_damages(LAST)):
        state = copy.deepcopy(sound)
        assert damaged(state["stack"][LAST], field, value)
        operation = list(ON_STATE)[number % len(ON_STATE)]
        where = refuses(client, operation, in_form(state, form))["where"]
        assert where.startswith(f"/stack/{LAST}/")


@pytest.mark.parametrize("form", FULL_FORMS)
def test_each_field_of_the_header_is_named_when_it_is_wrong(form: str, client: FlaskClient) -> None:
    for field, values in HEADER.items():
        for value in values:
            state = cut(GAME, LAST)
            if not damaged(state, field, value):
                continue
            wire = in_form(state, form)
            for operation in ("move", "moves", "convert"):
                assert refuses(client, operation, wire)["where"].startswith(f"/{field}")
            assert judged(client, wire)["where"].startswith(f"/{field}")


@pytest.mark.parametrize("wire", [None, 1, True, [], [[]], 1.5])
def test_what_is_no_object_and_no_text_is_no_state(wire: Any, refused: Post) -> None:
    body = refused("moves", "invalid-request", state=wire)
    assert list(body["errors"]) == ["state"]


@pytest.mark.parametrize(
    "wire", ["", " ", "null", "[]", "1", '"{}"', "{", "{}x", "\ufeff{}", "gz", "p1", "p1:::::", ":"]
)
def test_other_texts_are_refused_as_states(wire: str, client: FlaskClient) -> None:
    problem(sent(client, "moves", {"state": wire}), "invalid-state")
    assert not judged(client, wire)["ok"]


def board_damages() -> Iterator[tuple[str, Callable[[list[Any]], Any]]]:
    """Yield what can be wrong with a Map, with the place within it that has to be named."""
    for wrong in NO_PAIRS[1:]:
        yield "/value/3", lambda pairs, wrong=wrong: pairs.__setitem__(3, wrong)
    for wrong in NO_CELLS:
        yield "/value/3/0", lambda pairs, wrong=wrong: pairs[3].__setitem__(0, wrong)
    for wrong in NO_VALUES:
        yield "/value/3", lambda pairs, wrong=wrong: pairs[3].__setitem__(1, wrong)
    yield "/value/4/0", lambda pairs: pairs.insert(4, list(pairs[1]))
    yield "/value/4/0", lambda pairs: pairs.insert(4, [pairs[1][0], 3 - pairs[1][1]])
    yield "", lambda pairs: pairs.pop()
    yield "", lambda pairs: pairs.append(["a3", 1])
    yield "", lambda pairs: pairs.clear()
    yield "", lambda pairs: pairs[0].__setitem__(1, 3 - pairs[0][1])


@pytest.mark.parametrize("depth", DEPTHS[1:])
def test_each_flaw_of_a_map_is_named(depth: int, client: FlaskClient) -> None:
    for number, (place, damage) in enumerate(board_damages()):
        state = cut(GAME, LAST)
        damage(state["stack"][depth]["board"]["value"])
        wire = in_form(state, FULL_FORMS[number % 3])
        where = judged(client, wire)["where"]
        assert where.startswith(f"/stack/{depth}/board{place}"), where
        assert refuses(client, "move", wire, verify=True)["where"] == where
        if depth >= LAST - 1:
            assert refuses(client, "moves", wire)["where"].startswith("/stack/")


@pytest.mark.parametrize(
    "value", ["resign", "timeout", "draw", "abandoned", "settle", "repetition", "a1", "i4", "i4x"]
)
@pytest.mark.parametrize("depth", DEPTHS[1:])
def test_another_last_move_is_found_out(depth: int, value: str, client: FlaskClient) -> None:
    state = cut(GAME, LAST)
    state["stack"][depth]["lastmove"] = value
    wire = in_form(state, "full-string")
    assert judged(client, wire)["where"].startswith(f"/stack/{depth}/")
    if depth == LAST:
        refuses(client, "moves", wire)


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_missing_doubled_or_swapped_entry_is_found_out(depth: int, client: FlaskClient) -> None:
    for damage in ("missing", "doubled", "swapped", "null"):
        state = cut(GAME, LAST)
        stack = state["stack"]
        if damage == "missing":
            del stack[depth]
        elif damage == "doubled":
            stack.insert(depth, stack[depth])
        elif damage == "swapped":
            stack[depth], stack[depth - 1] = stack[depth - 1], stack[depth]
        else:
            stack[depth] = None
        if damage == "missing" and depth == LAST:
            continue
        for form in FULL_FORMS:
            assert judged(client, in_form(state, form))["where"].startswith("/stack/")


@pytest.mark.parametrize("form", FULL_FORMS)
def test_a_finished_state_stays_finished(form: str, client: FlaskClient) -> None:
    last = len(GAME["moves"])
    for gameover, winner in ((False, []), (False, [2]), (True, []), (True, [1]), (True, [1, 2])):
        state = cut(GAME, last) | {"gameover": gameover, "winner": winner}
        assert refuses(client, "moves", in_form(state, form))["where"] in ("/gameover", "/winner")
    state = cut(GAME, last)
    state["stack"].append(copy.deepcopy(state["stack"][-1]) | {"lastmove": "a1", "currplayer": 1})
    assert refuses(client, "moves", in_form(state, form))["where"] == f"/stack/{last + 1}/lastmove"


# --- the text of the JSON ---------------------------------------------------------------------

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
            for text in (doubled, again, spread):
                for body in bodies(text.encode(), b"}"):
                    assert problem(posted(client, "moves", body), "invalid-state")["where"] == ""


@pytest.mark.parametrize("key", ["x", "5", "-1", "9" * 5000, "٣", "²", "", "a/b~c", "<b>"])
def test_a_doubtful_value_elsewhere_is_named_too(key: str, client: FlaskClient) -> None:
    named = key.replace("~", "~0").replace("/", "~1").replace("<", "&lt;").replace(">", "&gt;")
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


# --- forms ------------------------------------------------------------------------------------


def test_every_flipped_bit_of_a_compact_state_is_found(client: FlaskClient) -> None:
    for ply in (0, 7):
        wire = in_form(cut(GAME, ply), "compact")
        for at, letter in enumerate(wire):
            for bit in range(7):
                flipped = wire[:at] + chr(ord(letter) ^ 1 << bit) + wire[at + 1 :]
                refuses(client, "moves", flipped)


def test_a_cut_stretched_or_otherwise_spelt_compact_state_is_refused(client: FlaskClient) -> None:
    wire = in_form(cut(GAME, 5), "compact")
    header, _, code = wire.rpartition(":")
    others = [wire[:length] for length in range(len(wire))]
    others += [wire + more for more in ("A", "=", "==", "\n", " ", "AAAA", ":", "\0", "é")]
    others += [" " + wire, "\n" + wire, wire.upper(), wire * 2]
    others += [f"{header}:{code.replace('-', '+').replace('_', '/')}="]
    others += [f"{header}:{code[:9]}\n{code[9:]}", f"{header}:{'A' * 2_000_000}"]
    others += [wire.replace(":20240909:", end) for end in (":20240910:", "::", ":20240909:draw")]
    others += [wire.replace("p1:", form) for form in ("p2:", "p1:p1:", ":", "P1:", "p01:")]
    others += [wire.replace(":size-5:", f":{one}:") for one in ("size-9", "", "size-5+size-5", "+")]
    for other in others:
        refuses(client, "moves", other)
        judged(client, other)


@pytest.mark.parametrize("ply", [0, 1, 20, len(GAME["moves"])])
def test_a_forged_compact_state_breaks_nothing(ply: int, client: FlaskClient) -> None:
    wire = in_form(cut(GAME, ply), "compact")
    header, _, code = wire.rpartition(":")
    payload = base64.urlsafe_b64decode(code + "==")[:-8]
    for at in range(len(payload)):
        for byte in {0, 1, 0x7F, 0x80, 0xFF, payload[at] ^ 1, payload[at] ^ 0x40} - {payload[at]}:
            survives(client, sealed(f"{header}:", payload[:at] + bytes([byte]) + payload[at + 1 :]))
        survives(client, sealed(f"{header}:", payload[:at]))
        survives(client, sealed(f"{header}:", payload + payload[at:]))


def sealed(header: str, payload: bytes) -> str:
    """Return a compact state with a true check, whatever it says."""
    check = blake2b(header.encode() + payload, digest_size=8).digest()
    return header + base64.urlsafe_b64encode(payload + check).rstrip(b"=").decode()


def survives(client: FlaskClient, wire: str) -> None:
    """Assert that a state is refused, or gives an answer that is read again."""
    response = sent(client, "at", {"state": wire, "ply": -1})
    if response.status_code != 200:
        assert problem(response, read(response.data)["code"])["code"] in CODES
        judged(client, wire)
        response = sent(client, "end", {"state": wire, "how": "draw"})
        if response.status_code == 200:
            judged(client, read(response.data)["state"])
        return
    assert read(sent(client, "verify", {"state": wire}).data)["ok"]
    turned = sent(client, "convert", {"state": wire, "form": "full"})
    assert read(sent(client, "verify", {"state": read(turned.data)["state"]}).data)["ok"]


@pytest.mark.parametrize(
    ("uids", "endings", "fine"),
    [
        ("size-5", "", True),
        ("size-5", "draw", False),
        ("size-9", "", False),
        ("", "", False),
        ("#board", "", False),
        ("size-5+size-5", "", False),
        ("size-5", "resign", False),
        ("size-5", "resign3", False),
        ("size-5", "draw1", False),
        ("size-5", "+", False),
        ("size-5", "nothing", False),
        ("size-5", "repetition", False),
    ],
)
def test_a_forged_compact_header_is_judged_by_what_it_says(
    uids: str, endings: str, fine: bool, client: FlaskClient
) -> None:
    wire = in_form(cut(GAME, 20), "compact")
    payload = base64.urlsafe_b64decode(wire.rpartition(":")[2] + "==")[:-8]
    forged = sealed(f"p1:control:{uids}:20240909:{endings}:", payload)
    response = sent(client, "moves", {"state": forged})
    assert (response.status_code == 200) == fine
    assert fine or problem(response, "invalid-state")


def test_gzip_that_is_cut_or_followed_by_more_is_refused(client: FlaskClient) -> None:
    data = tight(cut(GAME, 6)).encode()
    packed = gzip.compress(data)
    others = [packed[:length] for length in range(0, len(packed), 3)]
    others += [packed + b"\0", packed + packed, packed + gzip.compress(b""), b"\0" + packed]
    others += [zlib.compress(data), data, packed[:-1] + bytes([packed[-1] ^ 1])]
    others += [packed[:100] + bytes([packed[100] ^ 16]) + packed[101:]]
    for other in others:
        wire = "gz:" + base64.b64encode(other).decode()
        assert refuses(client, "moves", wire)["where"] == ""
    code = base64.b64encode(packed).decode()
    for text in (code[:-1], code[1:], code + "=", f" {code}", code[:8] + "\n" + code[8:], "", "é"):
        assert refuses(client, "moves", f"gz:{text}")["where"] == ""


def test_gzip_that_unpacks_without_end_is_refused(client: FlaskClient) -> None:
    for size in (limits.STATE_BYTES + 1, 64 * 2**20):
        bomb = zipped(b" " * size)
        assert "unpacks" in refuses(client, "moves", bomb)["detail"]
    twice = zipped(gzip.compress(b"{}"))
    assert refuses(client, "moves", twice)["where"] == ""


def test_a_state_of_just_the_longest_size_is_read(client: FlaskClient) -> None:
    text = tight(cut(GAME, 3))
    for size, fine in ((limits.STATE_BYTES, True), (limits.STATE_BYTES + 1, False)):
        wire = zipped(text + " " * (size - len(text)))
        response = sent(client, "moves", {"state": wire})
        assert (response.status_code == 200) == fine


def test_a_stack_of_just_the_longest_length_is_read(client: FlaskClient) -> None:
    state = cut(GAME, 4)
    for length, fine in ((limits.LAST_PLY + 1, True), (limits.LAST_PLY + 2, False)):
        middle = [{} for _ in range(length - 5)]
        long = state | {"stack": [state["stack"][0], *middle, *state["stack"][1:]]}
        for form in FULL_FORMS:
            response = sent(client, "moves", {"state": in_form(long, form)})
            if fine:
                assert response.status_code == 200, response.text
            else:
                assert problem(response, "invalid-state")["where"] == "/stack"
            judged(client, in_form(long, form))


def test_clocks_that_ran_backwards_are_kept_but_no_new_entry_is_earlier(
    post: Post, refused: Post
) -> None:
    state = cut(GAME, LAST)
    state["stack"][9]["_timestamp"] = "2031-01-01T00:00:00.000Z"
    state["stack"][LAST]["_timestamp"] = "2030-01-01T00:00:00.000Z"
    for form in FORMS:
        wire = in_form(state, form)
        assert post("verify", state=wire)["ok"]
        made = post("move", state=wire, move=NEXT)
        assert made["timestamp"] == made["previous_timestamp"] == "2030-01-01T00:00:00.000Z"
        body = refused("move", "invalid-request", state=wire, move="zz", timestamp=LATER)
        assert list(body["errors"]) == ["timestamp"]
        assert refused("end", "invalid-request", state=wire, how="draw", timestamp=LATER)
        exact = post("move", state=wire, move=NEXT, timestamp="2030-01-01T00:00:00.000Z")
        assert exact["state"] == made["state"]
    state["stack"][LAST]["_timestamp"] = "9999-12-31T23:59:59.999Z"
    for form in FORMS:
        made = post("move", state=in_form(state, form), move=NEXT)
        assert made["timestamp"] == "9999-12-31T23:59:59.999Z"
        assert post("verify", state=made["state"])["ok"]
    state["stack"][0]["_timestamp"] = "0001-01-01T00:00:00.000Z"
    for form in FORMS:
        assert post("at", state=in_form(state, form), ply=0)["started"].startswith("0001-01-01")
