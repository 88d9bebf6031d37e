"""The archive of `fixtures/archive`, made anew: `python -m tests.tools.make_archive`.

It is made from the recorded vectors and from our own engine, and every file is the same each time.
`fixtures/README.md` says how each was made.  Read the difference like code before it is committed:
a mistake that is written again passes.
"""

import gzip
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from plyhost.games import registry
from plyhost.replay.options import Options
from plyhost.replay.running.run import replay_archive
from plyhost.states import forms
from plyhost.states.conversion import replace_step_text
from plyhost.states.steps import make_ending_step
from tests.tools import ROOT, vectors
from tests.tools.games import recorded
from tests.tools.replay_games import ENDINGS, Played, followed, played

FOLDER = ROOT / "fixtures" / "archive"
STAMP = "2026-01-01T00:00:00.000Z"
Line = tuple[str, Any]


def engine_games(uid: str) -> Iterator[Played]:
    """Yield games of our own engine: each variant with each ending, by either seat."""
    game = registry.find_game(uid)
    for variant in game.info.variants:
        for how, seat in dict.fromkeys(ENDINGS):
            if how != "repetition" or game.repeats:
                yield _ended(uid, variant.uid, how, seat)


def _ended(uid: str, variant: str, how: str, seat: int | None) -> Played:
    """Return the first seeded game that ended so."""
    for seed in range(1000):
        one = played(seed, uid, variant, how)
        results = one.steps[-1].results
        if one.how == how and (seat is None or results[0].get("player") == seat):
            one.name = "-".join([uid, variant.lstrip("#"), how, *([str(seat)] if seat else [])])
            return one
    raise LookupError(f"no game of {uid} ended so: {how}")


def recorded_games(uid: str) -> Iterator[Line]:
    """Yield the states of recorded games: Control's as they were stored, Congeners' played."""
    for number, one in enumerate(recorded(uid), 1):
        name = f"{uid}-recorded-{number}-{one['policy'].replace('/', '-')}"
        if uid == "control":
            yield name, one["final_state"]
            continue
        steps = followed(uid, one["variants"], one["moves"])
        state = forms.start_state(
            registry.find_game(uid), one["variants"], "compact", steps[0].timestamp
        )
        yield name, forms.dump_state(state.with_steps(steps[1:]))


def reference_records() -> list[Any]:
    """Return the records that the reference engine wrote, of every ending it has."""
    told = vectors.contract()
    ends = [one["record"]["ok"] for name, one in told["endings"].items() if _is_sound(name)]
    return [
        *ends,
        *(one[kind] for one in told["finished"] for kind in ("record_full", "record_min")),
    ]


def reference_states() -> Iterator[Any]:
    """Yield states that the reference engine wrote, running and ended, in every full form."""
    told = vectors.contract()
    ends = [one["state"] for name, one in told["endings"].items() if _is_sound(name)]
    running = [vectors.cut(vectors.game(variant), 30) for variant in ("size-5", "", "size-9")]
    for number, state in enumerate([*ends, *running]):
        state = orjson.loads(state) if isinstance(state, str) else state
        text = vectors.tight(state)
        yield (state, text, forms.zip_state(text.encode()))[number % 3]
    yield old_notation()


def _is_sound(name: str) -> bool:
    """Tell whether an ending's state loads: not the one that a third seat resigned."""
    return name != "resign3_bad_player"


def old_notation() -> Any:
    """Return a state in which the reference engine stored a placement with an `x`."""
    turn = next(one for one in vectors.turns() if one["move"] == "i1x")
    steps = followed("control", turn["variants"], [*turn["moves_so_far"], "i1"])
    steps[-1] = replace_step_text(steps[-1], "i1x")
    control = registry.find_game("control")
    steps.append(make_ending_step(control, steps[-1], "draw", None, steps[-1].timestamp))
    state = forms.start_state(control, turn["variants"], "full", steps[0].timestamp)
    return forms.dump_state(state.with_steps(steps[1:]))


def texts() -> Iterator[str]:
    """Yield games of our own engine as bare texts, compact ones and others."""
    for uid in registry.load_games():
        for number, one in enumerate(engine_games(uid)):
            yield one.wire("full-gz" if number % 9 == 4 else "compact")


def _fixtures(path: Path, found: Iterable[Line]) -> None:
    """Write games as fixtures, with all that the engine makes of them today."""
    with TemporaryDirectory() as folder:
        source = Path(folder) / "games.jsonl"
        lines = [orjson.dumps({"id": name, "state": state}) for name, state in found]
        source.write_bytes(b"\n".join(lines))
        tally = replay_archive(Options([source], write=path))
    if tally.status:
        raise RuntimeError(tally.text())


def make(folder: Path) -> None:
    """Write the archive into an empty folder."""
    folder.mkdir(parents=True)
    for uid in registry.load_games():
        own = ((one.name, one.wire("full")) for one in engine_games(uid))
        _fixtures(folder / f"{uid}-recorded.jsonl.gz", recorded_games(uid))
        _fixtures(folder / f"{uid}-endings.jsonl.gz", own)
    records = folder / "reference" / "records.json"
    records.parent.mkdir()
    records.write_bytes(orjson.dumps(reference_records(), option=orjson.OPT_INDENT_2))
    lines = b"".join(orjson.dumps(state) + b"\n" for state in reference_states())
    (records.parent / "states.jsonl.gz").write_bytes(gzip.compress(lines, 9, mtime=0))
    told = [orjson.dumps(one.told()) for uid in registry.load_games() for one in engine_games(uid)]
    (folder / "records-told.jsonl").write_bytes(b"\n".join(told[::5]) + b"\n")
    (folder / "texts.txt").write_text("\n".join(texts()) + "\n")


def main() -> int:
    """Make the archive in place of the one that is there."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    make(FOLDER)
    print(replay_archive(Options([FOLDER])).text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
