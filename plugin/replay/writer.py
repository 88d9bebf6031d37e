"""Fixtures out: the games of an archive that came out, written down to be held against later."""

import gzip
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import orjson

from plugin import archive, codec, convert, render
from plugin.archive_reading import Source
from plugin.codec import State
from plugin.errors import NotConvertible
from plugin.history import AnyGame, Step
from plugin.replay.forms import Entry
from plugin.replay.parts import game_of, source_of
from plugin.replay.verdicts import Verdict

#: The shares of a game at which it is drawn, the end apart.
DRAWN_AT = (0.3, 0.7)
PLAYERS = ({"name": "Player 1"}, {"name": "Player 2"})


def fixture(verdict: Verdict, entry: Entry, steps: Sequence[Step]) -> bytes:
    """Return a sound game as a line: id, record if it is over, full and compact state, drawings."""
    first, *_ = [entry.record] if entry.record is not None else entry.states.values()
    game = game_of(first)
    state = _state(game, first, steps)
    written: dict[str, Any] = {"id": verdict.id, "game": game.info.uid}
    written["engine"] = game.info.version
    if entry.record is not None or state.last.is_over:
        written["record"] = entry.record or _record(state, steps, verdict.id)
    written["state"] = codec.dump(state)
    with suppress(NotConvertible):  # some texts and orders are kept in full alone
        written["compact"] = codec.dump(convert.convert(state, "compact").state)
    written["renders"] = list(_renders(game, steps))
    return orjson.dumps(written)


def _state(game: AnyGame, part: Any, steps: Sequence[Step]) -> State:
    """Return the full state of a part; a stored one stays as it is stored."""
    if isinstance(part, dict):
        source: Source = source_of(game, part)
        state = codec.start(game, source.variants, "full", source.started)
        return state.with_steps(steps[1:]) if len(steps) > 1 else state
    return convert.convert(codec.load(game, part), "full").state


def _record(state: State, steps: Sequence[Step], name: str) -> dict[str, Any]:
    site = {"site": "plyhost", "gameid": name, "players": PLAYERS}
    return archive.record(state, steps, site | {"timestamp": state.last.timestamp})


def _renders(game: AnyGame, steps: Sequence[Step]) -> Iterable[dict[str, Any]]:
    """Yield drawings of two plies on the way, and of the last in every display."""
    last = len(steps) - 1
    for ply in sorted({int(last * share) for share in DRAWN_AT}):
        yield _drawn(game, steps[ply], "")
    for display in ("", *(one.uid for one in game.info.displays)):
        yield _drawn(game, steps[last], display)


def _drawn(game: AnyGame, step: Step, display: str) -> dict[str, Any]:
    drawing = render.draw(game, step.position, step.results, display, 0)
    return {"ply": step.ply, "display": display, "render": drawing}


@contextmanager
def writing(path: Path | None) -> Iterator[Callable[[Sequence[bytes]], None]]:
    """Yield what writes lines to a file, gzipped if its name ends in `.gz`; without one, nothing.

    The same lines give the same bytes.  The file is there when the last line is.
    """
    if path is None:
        yield lambda lines: None
        return
    beside = path.with_name(f"{path.name}.part")
    with ExitStack() as stack:
        file: Any = stack.enter_context(beside.open("wb"))
        if path.suffix == ".gz":
            file = stack.enter_context(gzip.GzipFile("", "wb", 9, file, mtime=0))
        yield lambda lines: file.writelines(line + b"\n" for line in lines)
    beside.replace(path)
