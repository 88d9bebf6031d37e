"""What must hold of every answer, whatever was asked, and of every state that was accepted."""

import hashlib
import json
from time import perf_counter
from typing import Any

from flask.testing import FlaskClient

from plyhost.schemas.openapi import build_openapi_document
from tests import conftest
from tests.tools import forging, reaching, stepping
from tests.tools.sound import Asked, Fields
from tests.tools.vectors import FORMS, Twice, opened, read, tight, unpacked

#: Seconds, far beyond what any answer takes: an answer that is later hangs.
HANGS = 10
#: Operations that check the whole history of their state.
READ_ALL = {"at", "history", "record", "convert"}
#: What the same state says in any form of it that is full.
_TOLD = ("currplayer", "_timestamp", "scores", "_results")


class Fault(AssertionError):
    """An answer that must not be."""


class Judge:
    """Sends requests and judges the answers; a state is looked at once."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.reached: set[bytes] = set()

    def judge(self, asked: Asked, body: bytes) -> tuple[int, str]:
        """Return the status and code of the answer to a body; raises Fault."""
        began = perf_counter()
        response = conftest.posted(self.client, asked.operation, body, asked.uid)
        _must(perf_counter() - began < HANGS, "the answer took too long")
        shown = build_openapi_document()["paths"][f"/v1/games/{{game}}/{asked.operation}"]["post"][
            "responses"
        ]
        _must(str(response.status_code) in shown, f"{response.status_code} is not documented")
        _must(response.status_code < 500, response.text[:300])
        answer = _loaded(response.data, body)
        if response.status_code != 200:
            conftest.problem(response, answer["code"])
            return response.status_code, answer["code"]
        _must(response.content_type == "application/json", "the answer is no JSON")
        if answer.get("ok", True):
            fields = _loaded(body, body)
            is_whole = _reads_all(asked.operation, fields)
            _must(not is_whole or not _has_twice(body), "a key stood twice in what was read")
            self._accepted(asked, fields, answer, is_whole)
        return 200, ""

    def _accepted(self, asked: Asked, fields: Fields, answer: Fields, is_whole: bool) -> None:
        uid, operation = asked.uid, asked.operation
        if "state" in fields:
            why = stepping.wrong_end(uid, fields["state"])
            _must(not why, f"the end does not follow: {why}")
        if "state" in fields and is_whole:
            self.reach(uid, fields["state"])
        if operation == "move":
            self._moved(uid, fields["state"], answer)
        after = answer.get("view", answer).get("state")
        if after is not None:
            self._stands(uid, after, is_whole)

    def _moved(self, uid: str, wire: Any, answer: Fields) -> None:
        before, after = (stepping.last_position(uid, one) for one in (wire, answer["state"]))
        why = stepping.wrong_step(before, [one["move"] for one in answer["applied"]], after)
        _must(not why, why)

    def call(self, uid: str, operation: str, **fields: Any) -> Fields:
        """Return the answer to a request that must be answered."""
        response = conftest.sent(self.client, operation, fields, uid)
        _must(response.status_code == 200, f"{operation}: {response.text[:300]}")
        found: Fields = read(response.data)
        return found

    def _stands(self, uid: str, wire: Any, is_whole: bool) -> None:
        """See that a state of ours is read, and is reached if it says so or must be."""
        if _digest(uid, wire) in self.reached:
            return
        self.call(uid, "moves", state=wire, limit=1)
        if is_whole or self.call(uid, "verify", state=wire)["ok"]:
            self.reach(uid, wire)

    def reach(self, uid: str, wire: Any) -> None:
        """See that a verified state is one that the rules reach, and the same in every form."""
        if (digest := _digest(uid, wire)) in self.reached:
            return
        self._verified(uid, wire)
        if isinstance(wire, str) and not wire.startswith(forging.FORMAT):
            read(unpacked(wire).encode())
        forms = {form: self._converted(uid, wire, form) for form in FORMS}
        full = forms["full"]
        why = reaching.unreached(full)
        _must(not why, f"the rules do not reach it: {why}")
        _must(opened(forms["full-gz"]) == opened(forms["full-string"]) == full, "forms differ")
        back = self.call(uid, "convert", state=forms["compact"], form="full")["state"]
        _must(back == full, "compact is not the same game")
        self._same_end(uid, wire, full)
        self.reached.add(digest)

    def _verified(self, uid: str, wire: Any) -> None:
        verdict = self.call(uid, "verify", state=wire)
        _must(verdict["ok"], f"accepted as a whole, and not verified: {verdict}")

    def _converted(self, uid: str, wire: Any, form: str) -> Any:
        after = self.call(uid, "convert", state=wire, form=form, normalise=True)["state"]
        self._verified(uid, after)
        return after

    def _same_end(self, uid: str, wire: Any, full: Fields) -> None:
        """See that a state says itself what its canonical form says."""
        if isinstance(wire, str) and wire.startswith(forging.FORMAT):
            stones = stepping.stones_of(stepping.last_position(uid, wire))
            _must(stones == dict(full["stack"][-1]["board"]["value"]), "the board is another")
            return
        state = opened(wire)
        for key in ("game", "variants", "gameover", "winner"):
            _must(state[key] == full[key], f"{key} is another")
        _must(len(state["stack"]) == len(full["stack"]), "the plies are others")
        for ply, (one, other) in enumerate(zip(state["stack"], full["stack"], strict=True)):
            _must(_told(one) == _told(other), f"ply {ply} is another")


def _loaded(data: bytes, body: bytes) -> Any:
    """Return JSON; a key may stand twice only in what was sent so, in entries left unread."""
    try:
        return read(data)
    except Twice:
        _must(_has_twice(body), "a key stands twice in the answer")
        return json.loads(data)


def _has_twice(data: bytes) -> bool:
    try:
        read(data)
    except Twice:
        return True
    return False


def _reads_all(operation: str, fields: Fields) -> bool:
    if operation == "render" and {"ply", "plies"} & fields.keys():
        return True
    is_claim = operation == "end" and fields["how"] == "repetition"
    always = {*READ_ALL, "verify", "new", "replay"}
    return operation in always or is_claim or fields.get("verify", False)


def _told(entry: Fields) -> tuple[Any, ...]:
    return dict(entry["board"]["value"]), *(json.dumps(entry[key]) for key in _TOLD)


def _digest(uid: str, wire: Any) -> bytes:
    text = wire if isinstance(wire, str) else tight(wire)
    return hashlib.blake2b(f"{uid} {text}".encode(errors="surrogatepass")).digest()


def _must(holds: bool, why: str) -> None:
    if not holds:
        raise Fault(why)
