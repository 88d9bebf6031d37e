"""What a run is asked for: less, again, held against an earlier one, in shards, from elsewhere."""

import gzip
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from moto.server import ThreadedMotoServer
from s3fs import S3FileSystem  # type: ignore[import-untyped]

from plyhost.states import forms
from tests.replay.test_replay_command import Done, command, read_verdicts, run
from tests.tools import commands, vectors
from tests.tools.replay_games import lines, played
from tests.tools.replay_trial import Trial

COUNT = 40


def off(seed: int) -> bytes:
    """Return the record of a game whose second score is one too many."""
    record = played(seed, how="natural").record()
    record["header"]["players"][1]["score"] += 1
    return orjson.dumps(record)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Write games of which the 6th and the 31st differ, and the 21st is broken."""
    found = [line for _, _, line in lines(COUNT)]
    found[5], found[20], found[30] = off(2), b"{broken", off(4)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join(found))
    return path


def reported(archive: Path, *arguments: Path | str) -> tuple[Done, list[dict[str, Any]], Any]:
    report = archive.with_name("report.jsonl")
    done = run(archive, "--report", report, *arguments)
    totals = orjson.loads(report.read_bytes().splitlines()[-1])["report"]
    return done, read_verdicts(report), totals


def test_the_kinds_of_difference_come_first(archive: Path) -> None:
    done, _, totals = reported(archive)
    kinds = totals["by_difference"]
    assert [(one["code"], one["field"], one["games"]) for one in kinds] == [
        ("differs", "scores", 2),
        ("unreadable", None, 1),
    ]
    assert [one["share"] for one in kinds] == [2 / COUNT, 1 / COUNT]
    lengths = [len(line) for line in archive.read_bytes().split(b"\n")]
    smallest = min((5, 30), key=lengths.__getitem__)
    assert [one["at"] for one in kinds] == [f"{archive}:{smallest + 1}", f"{archive}:21"]
    head, *told = done.stdout.splitlines()
    assert head.split()[-3:] == ["kind", "of", "difference"]
    assert "smallest: " in told[0]


def test_a_report_says_what_it_stands_on(archive: Path) -> None:
    _, _, totals = reported(archive, "--game-seconds", "9")
    found = totals["stands_on"]
    assert found["options"]["game_seconds"] == 9
    assert found["engines"].keys() == {"control", "congeners"}
    (file,) = found["inputs"]["first_files"]
    assert (file["file"], file["size"], file["games"]) == (
        str(archive),
        archive.stat().st_size,
        COUNT,
    )
    before = file["digest"]
    games = archive.read_bytes().split(b"\n")
    for changed, is_same in (
        (games[::-1], True),
        ([*games, b""], True),
        ([*games[:-1], games[-1] + b"x"], False),
        (games[:-1], False),
    ):
        archive.write_bytes(b"\n".join(changed))
        after = reported(archive)[2]["stands_on"]["inputs"]["first_files"][0]["digest"]
        assert (after == before) == is_same


def test_a_baseline_tells_new_changed_unchanged_and_mended(archive: Path) -> None:
    baseline = archive.with_name("baseline.jsonl")
    assert run(archive, "--report", baseline).returncode == 2
    games = archive.read_bytes().split(b"\n")
    record = orjson.loads(games[5])
    record["header"]["players"][1]["score"] += 1
    games[5] = orjson.dumps(record)
    games[30] = played(4, how="natural").line("record")
    games[35] = off(36)
    archive.write_bytes(b"\n".join(games))
    done, verdicts, totals = reported(archive, "--baseline", baseline, "--only-different")
    told = {int(one["at"].rpartition(":")[2]): one["since"] for one in verdicts}
    assert told == {6: "changed", 21: "unchanged", 31: "mended", 36: "new"}
    expected = {"changed": 1, "mended": 1, "new": 1, "unchanged": 1}
    assert totals["since_baseline"] == expected
    assert "since the baseline: 1 changed, 1 mended, 1 new, 1 unchanged" in done.stdout


def test_what_was_not_good_is_judged_again_and_nothing_else(archive: Path) -> None:
    first = archive.with_name("first.jsonl")
    run(archive, "--report", first, "--only-different")
    assert len(read_verdicts(first)) == 3
    again = archive.with_name("again.jsonl")
    assert run("--rerun", first, "--report", again).returncode == 2
    assert read_verdicts(again) == read_verdicts(first)


def test_less_is_judged(archive: Path) -> None:
    for jobs in ("0", "2"):
        done, verdicts, totals = reported(archive, "--limit", "7", "--jobs", jobs)
        assert (done.returncode, len(verdicts), totals["different"]) == (1, 7, 1)
        done, verdicts, _ = reported(archive, "--fail-fast", "--jobs", jobs)
        assert (done.returncode, len(verdicts), verdicts[-1]["ok"]) == (1, 6, False)
    done, verdicts, totals = reported(archive, "--game", "control")
    assert {one["game"] for one in verdicts} <= {"control", None}
    assert 0 < totals["passed_over"] < COUNT
    assert sum(one["code"] == "not-asked" for one in verdicts) == totals["passed_over"]


@pytest.mark.parametrize("count", [1, 2, 5, 60])
def test_shards_merged_are_the_very_reports_of_a_single_run(
    trial: Trial, tmp_path: Path, count: int
) -> None:
    ends = ("jsonl", "xml", "json")
    whole = [tmp_path / f"whole.{end}" for end in ends]
    single = run(trial.faulty, *(text for path in whole for text in ("--report", path)))
    shares = [tmp_path / f"share-{number}.jsonl" for number in range(1, count + 1)]
    for number, share in enumerate(shares, 1):
        asked = ("--shard", f"{number}/{count}", "--jobs", "0", "--chunk", f"{number}")
        run(trial.faulty, *asked, "--report", share)
    merged = [tmp_path / f"merged.{end}" for end in ends]
    done = commands.run("merge", *shares, *(text for path in merged for text in ("--report", path)))
    assert (done.returncode, done.stdout.decode()) == (single.returncode, single.stdout)
    assert [path.read_bytes() for path in merged] == [path.read_bytes() for path in whole]
    for wrong in (shares[1:], [*shares, shares[0]], [whole[0]], [trial.faulty / "a.jsonl"]):
        if wrong:
            refused = commands.run("merge", *wrong)
            assert (refused.returncode, refused.stdout) == (2, b"")
            assert len(refused.stderr.splitlines()) == 1


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Trial:
    made = Trial(200, 80, tmp_path_factory.mktemp("trial"))
    made.write()
    return made


def test_a_game_is_explained_at_its_ply(archive: Path) -> None:
    report = archive.with_name("report.jsonl")
    turn = vectors.contract()["finished"][0]["record_min"]
    record = orjson.loads(orjson.dumps(turn))
    record["moves"][3][0] = record["moves"][2][0]
    archive.write_bytes(orjson.dumps(record))
    run(archive, "--report", report)
    done = commands.run("explain", report, f"{archive}:1", "--site", "https://games.example")
    shown = done.stdout.decode()
    assert done.returncode == 0
    assert "illegal-move" in shown
    assert "After ply 6, seat 1 to move, engine 20240909:" in shown
    cell = record["moves"][3][0]
    assert f"{cell}, read as it is stored: Your own stone is on {cell}." in shown
    assert " legal moves by engine 20240909:" in shown
    link = shown.splitlines()[-1]
    assert link.startswith("https://games.example/playground#state=p1%3Acontrol%3A")
    for name in ("no such game", f"{archive}:2"):
        assert commands.run("explain", report, name).returncode == 2
    archive.unlink()
    assert b"not there any more" in commands.run("explain", report, f"{archive}:1").stderr


# --- sources --------------------------------------------------------------------------------


def test_standard_input_is_an_archive(archive: Path) -> None:
    for text in (
        archive.read_bytes(),
        b"[" + b",".join(archive.read_bytes().split(b"\n")[:5]) + b"]",
    ):
        asked = [*command("-"), "--jobs", "2"]
        done = subprocess.run(asked, input=text, capture_output=True, check=False)
        assert done.returncode == (2 if text[:1] != b"[" else 0)
        assert f"{COUNT if text[:1] != b'[' else 5} games".encode() in done.stdout


def test_an_address_is_an_archive(archive: Path) -> None:
    MemoryFileSystem.store.clear()
    MemoryFileSystem().pipe("/bucket/a.jsonl", archive.read_bytes())
    done = run("memory://bucket/a.jsonl", "--limit", "3")
    assert (done.returncode, done.stdout[:7]) == (0, "3 games")
    done = run("memory://bucket/none.jsonl")
    assert (done.returncode, "unreadable" in done.stdout) == (2, True)
    done = run("nonsense://user:secret@bucket/a")
    assert (done.returncode, "secret" in done.stdout + done.stderr) == (2, False)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3FileSystem]:
    """Run a store that speaks S3, with an empty bucket, where commands find it."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    url = "http://{}:{}".format(*server.get_host_and_port())
    names = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION")
    for name, value in zip(names, ("any", "any", "us-east-1"), strict=True):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_ENDPOINT_URL", url)
    store = S3FileSystem(endpoint_url=url, skip_instance_cache=True)
    store.mkdir("bucket")
    yield store
    server.stop()


def test_a_store_that_speaks_s3_is_read_as_a_file_is(
    archive: Path, tmp_path: Path, bucket: S3FileSystem
) -> None:
    bucket.pipe("bucket/a.jsonl", archive.read_bytes())
    bucket.pipe("bucket/a.jsonl.gz", gzip.compress(archive.read_bytes()))
    verdicts = {}
    for path in (str(archive), "s3://bucket/a.jsonl", "s3://bucket/a.jsonl.gz"):
        report = tmp_path / "report.jsonl"
        done = run(path, "--report", report, "--jobs", "2")
        verdicts[path] = [one | {"at": "", "id": ""} for one in read_verdicts(report)]
        assert (done.returncode, len(verdicts[path])) == (2, COUNT), done.stderr
        assert verdicts[path] == verdicts[str(archive)]
    for missing in ("s3://bucket/none.jsonl", "s3://none/a.jsonl"):
        done = run(missing)
        assert (done.returncode, "Traceback" in done.stderr) == (2, False)
        assert f"{missing}: " in done.stdout + done.stderr


def dynamo(value: Any) -> dict[str, Any]:
    """Return a value as DynamoDB exports it."""
    if isinstance(value, dict):
        return {"M": {name: dynamo(one) for name, one in value.items()}}
    if isinstance(value, list):
        return {"L": [dynamo(one) for one in value]}
    if isinstance(value, bool):
        return {"BOOL": value}
    if value is None:
        return {"NULL": True}
    return {"N": str(value)} if isinstance(value, int | float) else {"S": value}


def test_items_of_a_database_are_games_or_passed_over(tmp_path: Path) -> None:
    one = played(3, "control", "size-5", "natural")
    state, zipped = one.wire("full-string"), one.wire("full-gz")
    binary = {"B": b64encode(orjson.dumps(orjson.loads(state))).decode()}
    packed = {"B": zipped.removeprefix(forms.GZIP_MARK)}
    items: list[tuple[dict[str, Any], str]] = [
        ({"state": {"S": state}}, "good"),
        ({"state": {"S": zipped}, "id": {"S": "x"}}, "good"),
        ({"state": binary}, "good"),
        ({"state": packed}, "good"),
        ({"record": dynamo(one.record())}, "good"),
        ({"record": {"S": one.line("record").decode()}}, "good"),
        ({"record": {"S": "no record"}}, "unreadable"),
        ({"record": {"S": '{"header": 1, "header": 2}'}}, "unreadable"),
        ({"record": {"S": '"a text"'}}, "unreadable"),
        ({"state": {"S": state.replace('"control"', '"chess"')}}, "passed_over"),
        ({"pk": {"S": "USER"}, "name": {"S": "Ann"}}, "passed_over"),
        ({"state": {"S": "p1:no"}}, "unreadable"),
        ({"record": {"M": {"header": {"N": "1,5"}}}}, "unreadable"),
        ({"record": {"M": {}}, "state": {"NULL": True}}, "unreadable"),
    ]
    path = tmp_path / "a.json"
    path.write_bytes(b"\n".join(orjson.dumps({"Item": item}) for item, _ in items))
    _, verdicts, totals = reported(path)
    assert totals["passed_over"] == 2
    for verdict, (_, kind) in zip(verdicts, items, strict=True):
        good = {
            "good": verdict["ok"],
            "passed_over": verdict["code"] in ("unknown-game", "no-game"),
        }
        assert good.get(kind, verdict["code"] == "unreadable"), verdict
    path.write_bytes(orjson.dumps({"Item": {"blob": {"S": state}}}))
    assert run(path, "--column", "blob").returncode == 0
    assert run(path).returncode == 2


def test_progress_is_told_in_a_pipe_if_it_is_asked_for(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyhost.replay.reporting.notices.LINE_SECONDS", 0)
    told = run(archive, "--progress", "--chunk", "1").stderr.splitlines()
    assert len(told) > 3
    assert all(" games, " in line and " a second, " in line for line in told)
    assert run(archive).stderr == ""


def test_all_games_of_a_kind_are_a_hundred_in_a_hundred(tmp_path: Path) -> None:
    archive = tmp_path / "games.jsonl"
    archive.write_text("[]\n" * 3)
    assert b" 100 %  unreadable" in commands.run("replay", str(archive)).stdout
