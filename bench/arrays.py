"""How fast the games of a JSON array are found in it, megabytes a processor second by form."""

import json
import time
from collections.abc import Iterator
from itertools import cycle, islice

from bench import timing
from plyhost.replay.reading.json_stream import BLOCK, read_json_values
from tests.tools.replay_games import played

#: Bytes of an array that is read.
SIZE = 60_000_000
SEEDS = range(60)
FORMS = ("record", "full", "compact")


def array_speed() -> None:
    """Print the speed for every game and form, written close together and spread over lines."""
    rows: list[tuple[object, ...]] = []
    forms = list[list[bytes]]()
    for uid in ("control", "congeners"):
        games = [played(seed, uid=uid) for seed in SEEDS]
        for form in FORMS:
            close = [_quote(game.line(form)) for game in games]
            spread = [json.dumps(json.loads(value), indent=2).encode() for value in close]
            forms.append(close)
            told = (_measure(close, b","), _measure(close, b",\n"), _measure(spread, b",\n  "))
            rows.append((uid, form, *(f"{rate:.0f}" for rate in told)))
    mixed = [value for values in zip(*forms, strict=True) for value in values]
    rows.append(("both", "in turn", f"{_measure(mixed, b','):.0f}", "", ""))
    head = ("game", "form", "close", "a line each", "indented")
    timing.table("JSON arrays: MB a processor second", head, rows)


def _quote(line: bytes) -> bytes:
    return line if line[:1] in b'"{' else b'"%b"' % line


def _measure(values: list[bytes], comma: bytes, rounds: int = 3) -> float:
    """Return the best of some rounds."""
    count = SIZE * len(values) // sum(map(len, values))
    data = b"[%b]" % comma.join(islice(cycle(values), count))
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        found = sum(1 for _ in read_json_values(_cut_blocks(data)))
        best = min(best, time.process_time() - start)
        if found != count:
            raise RuntimeError(f"{found} values of {count} were found")
    return len(data) / best / 1e6


def _cut_blocks(data: bytes) -> Iterator[bytes]:
    return (data[at : at + BLOCK] for at in range(0, len(data), BLOCK))
