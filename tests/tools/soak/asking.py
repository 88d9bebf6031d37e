"""Requests about one seeded game: every operation, form and picture, the 2018 contract, bad ones.

A request that is bad carries the code of the problem it must get.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import orjson

from plyhost.legacy.state_string import format_legacy_state
from plyhost.schemas.requests import INCLUDES
from plyhost.states import clock, conversion, forms
from plyhost.states.forms import FORMS
from tests import naive
from tests.tools.replay_games import PLAYERS, Played

JSON = "application/json"
USERS = ["u-7f3a", "Zoë <b>"]
START: dict[str, Callable[[int], Any]] = {
    "control": naive.Control.start,
    "congeners": naive.Congeners.start,
}
#: The rules written a second time are slow; on larger boards they are not asked.
LARGEST_NAIVE = {"control": 9, "congeners": 5}
#: Moves of one listing in most requests; some ask for all.
FEW = 60


@dataclass
class Asked:
    """A request; `code` is the problem it must get, `legal` the moves it must list."""

    path: str
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    code: str = ""
    method: str = "POST"
    is_clocked: bool = False
    legal: list[str] | None = None


class Position:
    """A ply of a game as it is asked about: in any form, with the next move where there is one."""

    def __init__(self, one: Played, ply: int, pick: random.Random) -> None:
        self.one, self.ply, self.pick = one, ply, pick
        self.uid, self.steps = one.game.info.uid, one.steps[: ply + 1]
        self.last = self.steps[-1]
        self.is_last = ply == len(one.steps) - 1
        full = forms.start_state(one.game, one.variants, "full", self.steps[0].timestamp)
        self.full = full.with_steps(self.steps[1:]) if ply else full

    def wire(self, form: str = "") -> Any:
        """Return its state in a form, by default any."""
        form = form or self.pick.choice(FORMS)
        return forms.dump_state(conversion.convert_state(self.full, form).state)

    @property
    def next(self) -> str:
        """The move that was made here, or some text when none was."""
        following = self.one.steps[self.ply + 1 :][:1]
        return str(following[0].text) if following else "a1"

    @property
    def later(self) -> str:
        """A moment after the last entry."""
        return clock.format_stamp(
            clock.parse_stamp(self.last.timestamp) + self.pick.randrange(10**7)
        )

    def post(self, operation: str, code: str = "", **fields: Any) -> Asked:
        """Return a call of an operation."""
        return self.sent(operation, orjson.dumps(fields), code)

    def sent(self, operation: str, body: bytes, code: str = "", kind: str = JSON) -> Asked:
        """Return a call with a body as it is."""
        path = f"/v1/games/{self.uid}/{operation}"
        return Asked(path, body, {"Content-Type": kind}, code)

    def on(self, operation: str, code: str = "", form: str = "", **fields: Any) -> Asked:
        """Return a call of an operation on this state."""
        return self.post(operation, code, state=self.wire(form), **fields)


def _clocked(asked: Asked) -> Asked:
    asked.is_clocked = True
    return asked


def operations(at: Position) -> Iterator[Asked]:
    """Yield calls of all operations that are, as far as the game allows, in order."""
    pick, one = at.pick, at.one
    some = pick.sample(INCLUDES, pick.randrange(4))
    texts = [at.next, at.next[: pick.randrange(len(at.next) + 1)], "zz", "pass", "a1"]
    seat = pick.choice((1, 2))
    form = pick.choice(FORMS)
    yield at.post("new", variants=one.variants, form=form, timestamp=at.later, include=some)
    yield _clocked(at.post("new", variants=one.variants, form=form, include=some))
    yield at.on("move", move=at.next, timestamp=at.later, include=some, perspective=seat)
    yield at.on("move", move=f" {at.next.upper()} ", timestamp=at.later, auto="forced")
    yield _clocked(at.on("move", move=at.next, include=some, auto="pass"))
    yield at.on("moves", limit=FEW, offset=pick.randrange(40), prefix=pick.choice(("", "b", "x")))
    yield at.on("validate", move=pick.choice(texts))
    row, col = pick.randrange(-1, 14), pick.randrange(14)
    yield at.on("click", move=pick.choice(texts), row=row, col=col)
    yield at.on("click", row=row, col=col, verify=True)
    yield at.on("render", display=pick.choice(("", "vertex-style")), perspective=seat)
    yield at.on("render", plies=[max(0, at.ply - 5), -1])
    yield at.on("render", ply=pick.randrange(at.ply + 1))
    yield at.on("render", move=pick.choice(texts))
    how = pick.choice(("draw", "abandoned", "settle", "repetition"))
    yield at.on("end", how=how, timestamp=at.later)
    yield _clocked(at.on("end", how="resign", player=seat, include=some))
    yield at.on("at", ply=pick.randrange(at.ply + 1), include=some)
    yield at.on("history", players=["Ann", "<b>"])
    yield at.on("same", move=at.next, other=pick.choice(texts))
    yield at.on("record", gameid="g1", players=PLAYERS, timestamp=at.later)
    moves = [step.text for step in at.steps[1:]]
    told: dict[str, Any] = {"variants": one.variants, "moves": moves, "form": form}
    yield at.post("replay", **told, timestamp=at.later)
    yield _clocked(at.post("replay", **told))
    yield at.on("verify")
    yield at.on("convert", form=form, normalise=pick.random() < 0.5)
    if at.is_last:
        yield at.post("replay", record=one.record(), form=form, timestamp=at.later)


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
    asked = at.on("moves")
    asked.legal = slow.legal()
    yield asked


def pictures(at: Position) -> Iterator[Asked]:
    """Yield pictures by POST and by GET."""
    width = at.pick.choice((60, 120, 300))
    drawn = at.on("render", palette="safe", width=width)
    drawn.headers["Accept"] = at.pick.choice(("image/svg+xml", "image/svg+xml", "image/png"))
    yield drawn
    look = {"state": at.wire("compact"), "palette": at.pick.choice(("light", "dark", "mono"))}
    names = ("picture.svg", "picture.svg", "picture.png", "film.svg", "film.gif")
    address = f"/v1/games/{at.uid}/{at.pick.choice(names)}?"
    yield Asked(address + urlencode(look), method="GET")


def pages(at: Position) -> Iterator[Asked]:
    """Yield some of what is read with GET beside pictures."""
    paths = ["/v1", "/v1/games", f"/v1/games/{at.uid}", "/docs/index.css", "/openapi.json"]
    paths += ["/schemas/v1-view.schema.json", "/healthz", "/playground", "/errors"]
    for path in at.pick.sample(paths, 2):
        yield Asked(path, method="GET")


def old(at: Position) -> Iterator[Asked]:
    """Yield calls of the 2018 contract."""
    state = format_legacy_state(USERS, at.wire("compact"))
    seat = at.last.position.seat
    asked: list[tuple[bool, dict[str, Any]]] = [
        (False, {"mode": "metadata"}),
        (True, {"mode": "init", "players": USERS, "variants": at.one.variants}),
        (True, {"mode": "move", "player": USERS[seat - 1], "move": at.next, "state": state}),
        (True, {"mode": "move", "player": USERS[2 - seat], "move": at.next, "state": state}),
        (True, {"mode": "archive", "states": [state]}),
        (False, {"mode": "nonsense"}),
    ]
    for is_clocked, fields in asked:
        body, kind = orjson.dumps(fields), {"Content-Type": JSON}
        yield Asked(f"/ap/{at.uid}", body, kind, is_clocked=is_clocked)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    yield Asked(f"/ap/{at.uid}", b"mode=ping", form)
