"""Bad requests about one game, each with the code of the problem that it must get."""

from collections.abc import Iterator

import orjson

from plyhost import limits
from tests.tools.soak.asking import Asked, Position


def bad(at: Position) -> Iterator[Asked]:
    """Yield requests that are bad whatever the position."""
    yield at.post("new", "unknown-variant", variants=["size-99"])
    yield at.post("new", "invalid-request", nonsense=1)
    yield at.post("move", "invalid-request", state=at.wire())
    yield at.post("moves", "invalid-state", state="p1:nothing")
    yield at.post("verify", "invalid-request")
    yield at.sent("new", b'{"form": "compact"', "not-json")
    yield at.sent("new", b'{"form": "full", "form": "compact"}', "not-json")
    yield at.sent("new", b"{}", "unsupported-media-type", "text/plain")
    yield Asked("/v1/games/nogame/new", b"{}", {"Content-Type": "application/json"}, "unknown-game")
    yield Asked("/v1/nothing", code="not-found", method="GET")
    yield Asked(f"/v1/games/{at.uid}/move", code="method-not-allowed", method="GET")
    yield Asked("/v1", headers={"Accept": "text/csv"}, code="not-acceptable", method="GET")
    long = "x" * limits.URI_BYTES
    yield Asked(f"/v1/games/{at.uid}/picture.svg?state={long}", code="uri-too-long", method="GET")
    yield from damaged(at)
    yield from out_of_turn(at)


def damaged(at: Position) -> Iterator[Asked]:
    """Yield states that were damaged on their way."""
    compact = at.wire("compact")
    place = at.pick.randrange(len(compact) - 10, len(compact))
    other = "A" if compact[place] != "A" else "B"
    hurt = compact[:place] + other + compact[place + 1 :]
    yield at.post("moves", "invalid-state", state=hurt)
    full = orjson.loads(at.wire("full-string"))
    full["stack"][-1]["_version"] = "1"
    yield at.post("moves", "unsupported-engine", state=full)
    text = orjson.loads(at.wire("full-string"))
    text["stack"][-1]["board"] = {"dataType": "Map", "value": [["z99", 1]]}
    yield at.post("history", "invalid-state", state=orjson.dumps(text).decode())


def out_of_turn(at: Position) -> Iterator[Asked]:
    """Yield calls that do not fit the position."""
    stale = at.ply + 1
    yield at.on("move", "stale-ply", move=at.next, expected_ply=stale)
    yield at.on("at", "invalid-request", ply=stale)
    if at.last.is_over:
        yield at.on("move", "game-over", move="a1")
        yield at.on("end", "game-over", how="draw")
        return
    yield at.on("move", "illegal-move", move="?!")
    yield at.on("move", "not-your-turn", move=at.next, player=3 - at.last.position.seat)
    yield at.on("record", "not-over", gameid="g", players=[{"name": "a"}, {"name": "b"}])
    if at.ply < 4:
        yield at.on("end", "not-repeated", how="repetition")
