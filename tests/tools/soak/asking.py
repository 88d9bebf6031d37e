"""Requests about one seeded game: every operation, form and picture, the 2018 contract, damage."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import orjson

from plyhost import limits
from plyhost.legacy.state_string import format_legacy_state
from plyhost.states import conversion, forms
from plyhost.states.forms import FORMS
from tests import naive
from tests.tools import mutate, sound
from tests.tools.replay_games import PLAYERS, Played
from tests.tools.vectors import LATER

USERS = ["u-7f3a", "Zoë <b>"]
START: dict[str, Callable[[int], Any]] = {
    "control": naive.Control.start,
    "congeners": naive.Congeners.start,
}
#: The rules written a second time are slow; on larger boards they are not asked.
LARGEST_NAIVE = {"control": 9, "congeners": 5}
#: Operations that take the time from the clock when they are not told it.
CLOCKED = ("new", "move", "end", "replay")
#: Damaged requests about one ply.
DAMAGED = 8


@dataclass
class Asked:
    """A request; `legal` are the moves it must list, `is_damaged` says it is not to be accepted."""

    path: str
    body: bytes | None = None
    kind: str = "application/json"
    accept: str = ""
    method: str = "POST"
    legal: list[str] | None = None
    is_damaged: bool = False

    @property
    def headers(self) -> dict[str, str]:
        kind = {"Content-Type": self.kind} if self.body is not None else {}
        return kind | ({"Accept": self.accept} if self.accept else {})

    @property
    def is_clocked(self) -> bool:
        """Whether the answer may show what the clock says."""
        is_asked = self.path.startswith("/ap/") or self.path.endswith(CLOCKED)
        # A record says when it was generated, whatever the moment of the last entry.
        is_record = self.path.endswith("/record")
        return is_record or (is_asked and b'"timestamp"' not in (self.body or b""))


class Position:
    """A ply of a game as it is asked about: in any form, with the next move where there is one."""

    def __init__(self, one: Played, ply: int, pick: random.Random) -> None:
        self.one, self.ply, self.pick = one, ply, pick
        self.uid, self.steps = one.game.info.uid, one.steps[: ply + 1]
        self.last = self.steps[-1]
        self.is_last = ply == len(one.steps) - 1
        following = one.steps[ply + 1 :][:1]
        #: The move that was made here, or some text when none was.
        self.next = str(following[0].text) if following else "a1"
        full = forms.start_state(one.game, one.variants, "full", self.steps[0].timestamp)
        self.full = full.with_steps(self.steps[1:]) if ply else full
        self._wires = dict[str, Any]()

    def wire(self, form: str = "") -> Any:
        """Return its state in a form, by default any."""
        form = form or self.pick.choice(FORMS)
        if form not in self._wires:
            state = conversion.convert_state(self.full, form).state
            self._wires[form] = forms.dump_state(state)
        return self._wires[form]

    def post(self, operation: str, **fields: Any) -> Asked:
        """Return a call of an operation."""
        return Asked(f"/v1/games/{self.uid}/{operation}", orjson.dumps(fields))

    def fields(self, operation: str) -> sound.Fields:
        """Return what a call of an operation on this state holds."""
        more = sound.ON_STATE[operation](self.pick, self.next, self.ply)
        return {"state": self.wire(), **more}


def operations(at: Position) -> Iterator[Asked]:
    """Yield calls of all operations."""
    variants, form = at.one.variants, at.pick.choice(FORMS)
    for operation in sound.ON_STATE:
        yield at.post(operation, **at.fields(operation))
    moves = [step.text for step in at.steps[1:]]
    for time in ({}, {"timestamp": LATER}):
        yield at.post("new", variants=variants, form=form, include=["text"], **time)
        yield at.post("replay", variants=variants, moves=moves, form=form, **time)
    yield at.post("record", state=at.wire(), gameid="g1", players=PLAYERS)
    yield at.post("suggest", state=at.wire(), visits=2, seed=at.ply)
    if at.is_last:
        yield at.post("replay", record=at.one.record(), form=form, timestamp=LATER)


def damaged(at: Position) -> Iterator[Asked]:
    """Yield calls that were damaged on their way."""
    for _ in range(DAMAGED):
        operation = at.pick.choice(list(sound.ON_STATE))
        asked = sound.Asked(at.uid, operation, orjson.loads(orjson.dumps(at.fields(operation))))
        body = mutate.KINDS[at.pick.choice(list(mutate.KINDS))](at.pick, asked)
        yield Asked(f"/v1/games/{asked.uid}/{asked.operation}", body, is_damaged=True)


def listing(at: Position) -> Iterator[Asked]:
    """Yield the call of `moves` whose answer is known from the rules written a second time."""
    board = at.last.position.board
    if board.side > LARGEST_NAIVE[at.uid] or (at.uid == "congeners" and not at.ply):
        return
    slow = START[at.uid](board.side)
    texts = [step.text for step in at.steps[1:]]
    if at.last.is_over and at.one.how != "natural":
        return
    for text in texts:
        slow = slow.after(text)
    asked = at.post("moves", state=at.wire())
    asked.legal = slow.legal()
    yield asked


def pictures(at: Position) -> Iterator[Asked]:
    """Yield pictures by POST and by GET."""
    width = at.pick.choice((60, 120, 300))
    drawn = at.post("render", state=at.wire(), palette="safe", width=width)
    drawn.accept = at.pick.choice(("image/svg+xml", "image/svg+xml", "image/png"))
    yield drawn
    look = {"state": at.wire("compact"), "palette": at.pick.choice(("light", "dark", "mono"))}
    names = ("picture.svg", "picture.svg", "picture.png", "film.svg", "film.gif")
    address = f"/v1/games/{at.uid}/{at.pick.choice(names)}?"
    yield Asked(address + urlencode(look), method="GET")


def pages(at: Position) -> Iterator[Asked]:
    """Yield some of what is read with GET beside pictures, and of what cannot be."""
    paths = ["/v1", "/v1/games", f"/v1/games/{at.uid}", "/docs/index.css", "/openapi.json"]
    paths += ["/schemas/v1-view.schema.json", "/healthz", "/playground", "/errors"]
    paths += ["/v1/nothing", f"/v1/games/{at.uid}/move", f"/v1?{'x' * limits.URI_BYTES}"]
    for path in at.pick.sample(paths, 3):
        yield Asked(path, method="GET")
    yield Asked("/v1", method="GET", accept="text/csv")


def old(at: Position) -> Iterator[Asked]:
    """Yield calls of the 2018 contract."""
    state = format_legacy_state(USERS, at.wire("compact"))
    seat = at.last.position.seat
    asked: list[dict[str, Any]] = [
        {"mode": "metadata"},
        {"mode": "init", "players": USERS, "variants": at.one.variants},
        {"mode": "move", "player": USERS[seat - 1], "move": at.next, "state": state},
        {"mode": "move", "player": USERS[2 - seat], "move": at.next, "state": state},
        {"mode": "archive", "states": [state]},
        {"mode": "nonsense"},
    ]
    for fields in asked:
        yield Asked(f"/ap/{at.uid}", orjson.dumps(fields))
    yield Asked(f"/ap/{at.uid}", b"mode=ping", "application/x-www-form-urlencoded")
