"""The archive in `fixtures/archive`: all of it comes out, and the command that makes it made it."""

import gzip
from pathlib import Path

import orjson
import pytest

from plyhost.games import registry
from plyhost.replay.options import Options
from plyhost.replay.running.run import replay_archive
from plyhost.states import steps
from tests.tools import make_archive
from tests.tools.make_archive import FOLDER

#: Room for what others add; a repository is cloned by everybody.
MOST_BYTES = 3_000_000


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file by its path, unpacked: what gzip makes of it depends on its version."""
    return {
        str(path.relative_to(folder)): gzip.decompress(data) if path.suffix == ".gz" else data
        for path in folder.rglob("*")
        if path.is_file()
        for data in (path.read_bytes(),)
    }


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    report = tmp_path_factory.mktemp("report") / "report.jsonl"
    tally = replay_archive(Options([FOLDER], reports=[report]))
    assert (tally.status, tally.told) == (0, [])
    return [orjson.loads(line) for line in report.read_bytes().splitlines()[:-1]]


def test_the_archive_is_replayed_whole(verdicts: list[dict[str, object]]) -> None:
    lines = sum(
        len(orjson.loads(data)) if name.endswith(".json") else len(data.splitlines())
        for name, data in contents(FOLDER).items()
    )
    assert len(verdicts) == lines > 150
    forms = {(one["game"], one["form"]) for one in verdicts}
    for uid in registry.load_games():
        assert {form for game, form in forms if game == uid} >= {"record", "fixture", "compact"}
    assert {form for _, form in forms} >= {"full", "full-string", "full-gz"}


def test_the_archive_has_every_board_with_every_ending() -> None:
    found = set()
    for uid in registry.load_games():
        for line in contents(FOLDER)[f"{uid}-endings.jsonl.gz"].splitlines():
            state = orjson.loads(line)["state"]
            last = state["stack"][-1]
            how = last["lastmove"] if last["lastmove"] in steps.ENDINGS else "natural"
            player = last["_results"][0].get("player") if how in steps.BY_SEAT else None
            found.add((uid, *state["variants"], how, player))
    for uid, game in registry.load_games().items():
        boards = [() if one.uid.startswith("#") else (one.uid,) for one in game.info.variants]
        ends: list[tuple[str, int | None]] = [
            (how, seat) for how in steps.BY_SEAT for seat in (1, 2)
        ]
        ends += [(how, None) for how in ("natural", "draw", "abandoned", "settle")]
        ends += [("repetition", None)] if game.repeats else []
        assert {one for one in found if one[0] == uid} == {
            (uid, *board, *end) for board in boards for end in ends
        }


@pytest.mark.long
def test_the_command_that_makes_the_archive_made_it(tmp_path: Path) -> None:
    make_archive.make(tmp_path / "archive")
    assert contents(tmp_path / "archive") == contents(FOLDER)


def test_the_archive_is_small_and_every_file_is_told_of() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*")) < MOST_BYTES
    told = (FOLDER.parent / "README.md").read_text()
    for name in contents(FOLDER):
        assert f"`{name}`" in told
