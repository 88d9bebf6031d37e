"""Seeded games of our own engine in every form an archive may hold, as many as are asked for."""

import gzip
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from plyhost.contract import records
from plyhost.games import registry, variants
from plyhost.games.game import AnyGame
from plyhost.states import clock, conversion, forms
from plyhost.states.forms import State
from plyhost.states.steps import BY_SEAT, Step, make_ending_step, make_first_step, make_move_step
from tests import naive
from tests.tools.games import LEAD, ROUND

PLAYERS = [{"name": "Ann", "userid": "u1"}, {"name": "Bob", "userid": "u2", "is_ai": True}]
ENDINGS = (
    *(("natural", None),) * 8,
    *((how, seat) for how in ("resign", "timeout") for seat in (1, 2)),
    ("draw", None),
    ("abandoned", None),
    ("settle", None),
    ("repetition", None),
)
FORMS = ("record", "told", "full", "full-string", "full-gz", "compact", "fixture")
#: No game is ended before this ply, so that there is something on the board.
EARLIEST = 12
START = clock.parse_stamp("2026-01-01T00:00:00.000Z")


@dataclass
class Played:
    """A game with its steps from the start, and how it ended."""

    name: str
    game: AnyGame
    variants: list[str]
    how: str
    steps: list[Step]

    @property
    def state(self) -> State:
        """The full state."""
        state = forms.start_state(self.game, self.variants, "full", self.steps[0].timestamp)
        return state.with_steps(self.steps[1:])

    def record(self) -> dict[str, Any]:
        """Return its record."""
        site = {"site": "Test", "gameid": self.name, "players": PLAYERS}
        stamp = {"timestamp": self.steps[-1].timestamp}
        return records.make_game_record(self.state, self.steps, site | stamp)

    def told(self) -> dict[str, Any]:
        """Return its record in the widest form: uids, and objects with sequence and result."""
        record = self.record()
        record["header"]["game"]["variants"] = self.variants
        objects: list[Any] = [
            {"sequence": step.ply, "move": step.text, "result": step.results}
            for step in self.steps[1:]
        ]
        objects += [None] * (len(objects) % 2)
        record["moves"] = [objects[at : at + 2] for at in range(0, len(objects), 2)]
        return record

    def line(self, form: str) -> bytes:
        """Return the game in a form, in one line."""
        if form in ("record", "told"):
            return orjson.dumps(self.record() if form == "record" else self.told())
        if form == "fixture":
            parts = {
                "id": self.name,
                "record": self.record(),
                "state": forms.dump_state(self.state),
            }
            return orjson.dumps(parts | {"compact": self.wire("compact")})
        return orjson.dumps(self.wire(form))

    def wire(self, form: str) -> Any:
        """Return its state in a form."""
        return forms.dump_state(conversion.convert_state(self.state, form).state)


@cache
def _openings(uid: str, side: int) -> list[Any]:
    game = registry.find_game(uid)
    return list(game.moves(game.start(side)))


@cache
def _circle(side: int) -> list[str]:
    """Return the moves of a game of Congeners whose last position stood twice before."""
    return circling(side, LEAD + 2 * ROUND)


def circling(side: int, moves: Sequence[str]) -> list[str]:
    """Return moves of a board of side 5 as they are in the middle of another one."""
    names = {point: name for name, point in naive.points(side).items()}
    there = {name: names[x + side - 5, y + side - 5] for name, (x, y) in naive.points(5).items()}
    return [re.sub("[a-z][0-9]+", lambda cell: there[cell[0]], text) for text in moves]


def followed(uid: str, uids: Sequence[str], moves: Sequence[str]) -> list[Step]:
    """Return the steps of some moves, a millisecond apart."""
    game = registry.find_game(uid)
    side = variants.find_board_variant(game.info, uids).side
    steps = [make_first_step(game, side, clock.format_stamp(START), game.info.version)]
    for text in moves:
        made = game.read(steps[-1].position, text)
        steps.append(make_move_step(game, steps[-1], made, clock.format_stamp(START + len(steps))))
    return steps


def played(seed: int, uid: str = "", variant: str = "", how: str = "") -> Played:
    """Return the game of a seed; what is not asked for is drawn."""
    pick = random.Random(seed)
    game = registry.find_game(uid or pick.choice(sorted(registry.load_games())))
    drawn, seat = pick.choice(ENDINGS)
    how = how or drawn
    if how == "repetition" and not game.repeats:
        how = "draw"
    sizes = [one.uid for one in game.info.variants]
    # Small boards are short, so they are the most.
    uids = variants.normalise_variant_uids(
        game.info, [variant or pick.choice([sizes[0]] * 3 + sizes)]
    )
    if how == "repetition":
        moves = _circle(variants.find_board_variant(game.info, uids).side)
        steps = followed(game.info.uid, uids, moves)
    else:
        steps = _random(game, uids, pick, how)
    if how != "natural" and not steps[-1].is_over:
        seat = (seat or pick.choice((1, 2))) if how in BY_SEAT else None
        stamp = _later(steps[-1].timestamp, pick)
        steps.append(make_ending_step(game, steps[-1], how, seat, stamp))
    elif how != "repetition":
        how = "natural"
    return Played(f"{game.info.uid}-{seed}", game, uids, how, steps)


def _random(game: AnyGame, uids: list[str], pick: random.Random, how: str) -> list[Step]:
    side = variants.find_board_variant(game.info, uids).side
    steps = [
        make_first_step(game, side, clock.format_stamp(START + seconds(pick)), game.info.version)
    ]
    last = pick.randrange(EARLIEST, 60) if how != "natural" else 10_000
    while not steps[-1].is_over and len(steps) <= last:
        position = steps[-1].position
        moves = list(game.moves(position)) if len(steps) > 1 else _openings(game.info.uid, side)
        stamp = _later(steps[-1].timestamp, pick)
        steps.append(make_move_step(game, steps[-1], pick.choice(moves), stamp))
    return steps


def seconds(pick: random.Random) -> int:
    """Return milliseconds from none to days."""
    return int(10 ** pick.uniform(0, 8))


def _later(stamp: str, pick: random.Random) -> str:
    return clock.format_stamp(clock.parse_stamp(stamp) + seconds(pick))


def lines(count: int, start: int = 0) -> Iterator[tuple[Played, str, bytes]]:
    """Yield games from a seed on, each in one form, with its line."""
    for seed in range(start, start + count):
        one, form = played(seed), FORMS[seed % len(FORMS)]
        yield one, form, one.line(form)


def write(folder: Path, found: Sequence[bytes], files: int = 4) -> None:
    """Write lines as an archive of several files: lines and arrays, plain and gzipped."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        share = list(found[number::files])
        name, data = f"{number}.jsonl", b"\n".join(share) + b"\n"
        if number % 4 == 1:
            name, data = f"{number}.json", b"[\n" + b",\n".join(share) + b"\n]\n"
        if number % 2:
            name, data = f"{name}.gz", gzip.compress(data, 1, mtime=0)
        (folder / name).write_bytes(data)
