"""`move` with render over HTTP, beside an echo of the same body; and the same in process."""

from collections.abc import Callable, Sequence
from itertools import cycle

import orjson

from bench import games, timing
from bench.service import Service, served
from plyhost.contract.operations import OPERATIONS
from plyhost.games.registry import find_game
from plyhost.schemas.requests import REQUESTS
from plyhost.states import forms
from plyhost.states.conversion import convert_state
from plyhost.web import request_body

SHARES = (10, 40, 90)
FORMS = ("full", "full-string", "full-gz", "compact")
BATCH = 40
#: Milliseconds of one read-move-write-render by the engine that sites run today, as handed down.
TODAY = {(5, 40): 1.1, (7, 40): 3.0, (9, 40): 8.3, (5, 90): 2.9, (7, 90): 10.4, (9, 90): 33.0}


def body(side: int, share: int, form: str) -> bytes:
    """Return a `move` request with render, at a share of a recorded game, in a form."""
    played = games.of_side(side)
    ply = len(played["moves"]) * share // 100
    state = forms.parse_state(
        find_game("control"), orjson.dumps(games.full_at(played, ply)).decode()
    )
    wire = forms.dump_state(convert_state(state, form).state)
    asked = {"state": wire, "move": played["moves"][ply], "include": ["render"]}
    return orjson.dumps(asked)


def over_http(rounds: int = 25) -> None:
    """Print processor time per request of the worker, `move` beside echo."""
    rows = []
    with served() as service:
        for side in (5, 7, 9):
            for form in FORMS:
                for share in SHARES:
                    data = body(side, share, form)
                    move, echo = pair(service, "control", [data], rounds)
                    size = f"{len(data) / 1000:.1f}"
                    ratio = f"{move / echo:.2f}"
                    rows.append((side, form, f"{share} %", size, us(move), us(echo), ratio))
    head = ("side", "form", "at", "kB", "move us", "echo us", "ratio")
    timing.table("move with render: worker's processor time a request", head, rows)


def pair(
    service: Service,
    uid: str,
    bodies: Sequence[bytes],
    rounds: int,
    more: dict[str, str] | None = None,
) -> tuple[float, float]:
    """Return the worker's seconds for one `move` of a game, and for one echo of the same body.

    Several bodies are asked in turn, `BATCH` requests in all; `more` are headers of each.
    """

    def calls(path: str) -> Callable[[], object]:
        turn = cycle(bodies)
        return timing.repeat(lambda: service.request("POST", path, next(turn), more), BATCH)

    works = {"move": calls(f"/v1/games/{uid}/move"), "echo": calls("/echo")}
    for work in works.values():
        work()
    taken = timing.turns(works, rounds, service.processor_seconds)
    return taken["move"] / BATCH, taken["echo"] / BATCH


def in_process(rounds: int = 30) -> None:
    """Print the time of one request from its bytes to the bytes of its answer, without HTTP."""
    rows = []
    for (side, share), today in TODAY.items():
        works = {form: _call(body(side, share, form)) for form in FORMS}
        taken = timing.cpu({form: timing.repeat(work, 20) for form, work in works.items()}, rounds)
        times = [us(seconds / 20) for seconds in taken.values()]
        factor = f"{today / (taken['full-string'] / 20 * 1000):.0f}"
        rows.append((side, f"{share} %", *times, f"{today * 1000:.0f}", factor))
    head = ("side", "at", *FORMS, "today's engine", "times (full-string)")
    timing.table("move with render in process: processor microseconds", head, rows)


def _call(data: bytes) -> Callable[[], object]:
    run, schema, control = OPERATIONS["move"], REQUESTS["move"], find_game("control")
    return lambda: orjson.dumps(run(control, request_body.read_request_body(schema, data)))


def us(seconds: float) -> str:
    """Return seconds as whole microseconds."""
    return f"{seconds * 1e6:.0f}"
