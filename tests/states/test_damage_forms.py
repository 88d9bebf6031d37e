"""Damaged states in each form: compact, gzip, the longest ones, clocks that ran backwards."""

import base64
import gzip
import zlib
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyhost import limits
from tests.conftest import Post, problem, sent
from tests.tools.damage import CODES, GAME, LAST, NEXT, judged, refuses
from tests.tools.forging import sealed
from tests.tools.vectors import FORMS, FULL_FORMS, LATER, cut, in_form, read, tight, zipped


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


def test_the_bits_that_base64_leaves_over_must_be_zero(client: FlaskClient) -> None:
    lengths = set()
    for ply in range(1, 12):
        wire = in_form(cut(GAME, ply), "compact")
        header, _, code = wire.rpartition(":")
        lengths.add(len(code) % 4)
        padding = "=" * (-len(code) % 4)
        meant = base64.urlsafe_b64decode(code + padding)
        for last in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_":
            other = code[:-1] + last
            if other != code and base64.urlsafe_b64decode(other + padding) == meant:
                detail = refuses(client, "moves", f"{header}:{other}")["detail"]
                assert "canonical" in detail
    assert lengths == {0, 2, 3}


@pytest.mark.parametrize("ply", [0, 1, 20, len(GAME["moves"])])
def test_a_forged_compact_state_breaks_nothing(ply: int, client: FlaskClient) -> None:
    wire = in_form(cut(GAME, ply), "compact")
    header, _, code = wire.rpartition(":")
    payload = base64.urlsafe_b64decode(code + "==")[:-8]
    for at in range(len(payload)):
        for byte in {0, 1, 0x7F, 0x80, 0xFF, payload[at] ^ 1, payload[at] ^ 0x40} - {payload[at]}:
            survives(client, sealed((header,), payload[:at] + bytes([byte]) + payload[at + 1 :]))
        survives(client, sealed((header,), payload[:at]))
        survives(client, sealed((header,), payload + payload[at:]))


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
    forged = sealed(("p1", "control", uids, "20240909", endings), payload)
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
        middle: list[dict[str, Any]] = [{} for _ in range(length - 5)]
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
