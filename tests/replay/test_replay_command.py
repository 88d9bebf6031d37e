"""`plyhost replay` as its users call it: totals, reports, exit statuses, cores, fixtures."""

import gzip
import os
import pty
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import orjson
import pytest

from plyhost import errors
from plyhost.cli.commands import main
from plyhost.replay.judgement.verdicts import INTERNAL, KINDS, OTHERS, UNREADABLE
from tests.tools import ROOT, commands, replay_faults, vectors
from tests.tools.replay_games import lines, played
from tests.tools.replay_trial import Trial
from tests.tools.serving import BIN, running

Done = subprocess.CompletedProcess[str]


def command(*arguments: Path | str) -> list[str]:
    return [str(BIN / "plyhost"), "replay", *map(str, arguments)]


def run(*arguments: Path | str) -> Done:
    done = commands.run("replay", *arguments)
    return Done(arguments, done.returncode, done.stdout.decode(), done.stderr.decode())


def summary(path: Path, *arguments: Path | str) -> dict[str, Any]:
    """Replay and return the totals, which must add up; the exit status is among them."""
    report = path.parent / "summary.json"
    done = run(path, "--report", report, *arguments)
    found: dict[str, Any] = orjson.loads(report.read_bytes())
    assert done.returncode == found["status"]
    assert sum(found[kind] for kind in KINDS) == found["games"]
    return found


GAMES, FAULTS = 140, 70


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Trial:
    made = Trial(GAMES, FAULTS, tmp_path_factory.mktemp("trial"))
    made.write()
    return made


def read_verdicts(report: Path) -> list[dict[str, Any]]:
    """Return the verdicts of a report of lines, without its end."""
    *verdicts, end = [orjson.loads(line) for line in report.read_bytes().splitlines()]
    assert set(end) == {"report", "share"}
    return verdicts


def copied(archive: Path, folder: Path, count: int) -> Path:
    """Return a folder with an archive in it so many times."""
    for number in range(count):
        shutil.copytree(archive, folder / "copied" / f"{number}")
    return folder / "copied"


# --- the whole ------------------------------------------------------------------------------


def test_a_sound_archive_comes_out_whole(trial: Trial) -> None:
    tally = trial.replay_sound()
    assert (tally.status, tally.read, tally.kinds["good"]) == (0, GAMES, GAMES)
    assert set(tally.games) == {"control", "congeners"}
    assert tally.forms.keys() == {"record", "full", "full-string", "full-gz", "compact", "fixture"}


def test_faults_that_can_be_seen_are_found_and_named_and_nothing_else(trial: Trial) -> None:
    tally, wrong = trial.mistakes()
    assert wrong == []
    seen = sum(fault.is_seen for fault in trial.planted.values())
    assert (tally.read, tally.kinds["good"]) == (GAMES, GAMES - seen)
    assert tally.kinds["unreadable"] == FAULTS // len(replay_faults.KINDS)
    assert seen > 0.9 * FAULTS


def test_every_number_of_cores_gives_the_same_report(trial: Trial, tmp_path: Path) -> None:
    reports = []
    for jobs in ("1", "2", "3"):
        report = tmp_path / f"{jobs}.jsonl"
        done = run(trial.faulty, "--jobs", jobs, "--report", report, "--chunk", "64")
        reports.append((done.returncode, done.stdout, report.read_bytes()))
    assert reports[0] == reports[1] == reports[2]
    assert reports[0][0] == 2


@pytest.mark.long
def test_a_process_that_is_killed_loses_and_accuses_nothing(trial: Trial, tmp_path: Path) -> None:
    quiet, report = tmp_path / "quiet.jsonl", tmp_path / "killed.jsonl"
    archive = copied(trial.sound, tmp_path, 4)
    run(archive, "--report", quiet)
    asked = command(archive, "--jobs", "2", "--report", report, "--chunk", "8")
    with running(asked, stdout=subprocess.DEVNULL) as process:
        beside, killed = tmp_path / "killed.jsonl.part", 0
        while process.poll() is None and killed < 2:
            if beside.exists() and beside.stat().st_size > 3_000 * (1 + 9 * killed):
                os.kill(_judges(process.pid)[-1], signal.SIGKILL)
                killed += 1
            time.sleep(0.01)
        assert process.wait(60) == 0
    assert killed == 2
    assert report.read_bytes() == quiet.read_bytes()


@pytest.fixture
def _interruptible() -> Iterator[None]:
    """Have what a test starts hear SIGINT, also where whoever started the tests does not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interruptible")
@pytest.mark.parametrize("moment", ["the judges are starting", "the first games are judged"])
def test_an_interruption_is_quiet_and_writes_no_report(
    moment: str, trial: Trial, tmp_path: Path
) -> None:
    report = tmp_path / "report.jsonl"
    asked = command(copied(trial.sound, tmp_path, 30), "--jobs", "2", "--report", report)
    beside = tmp_path / "report.jsonl.part"

    def is_due() -> bool:
        if moment == "the judges are starting":
            return bool(_judges(process.pid))
        return beside.exists() and bool(beside.stat().st_size)

    with running(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while process.poll() is None and not is_due():
            time.sleep(0.01)
        if moment == "the judges are starting":
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        assert process.communicate(timeout=60) == (b"", b"")
    assert (process.returncode, report.exists()) == (130, False)


def _judges(pid: int) -> list[int]:
    """Return the processes that judge: children that run Python's spawning, its tracker apart."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [
        int(child)
        for child in children
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


# --- exit statuses and what is printed ------------------------------------------------------


def test_the_status_says_how_it_went(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    good, record = played(1).line("compact"), played(2, how="natural").record()
    record["moves"].pop()
    different = orjson.dumps(record)
    for found, status in (
        ([good], 0),
        ([good, different], 1),
        ([good, b"{"], 2),
        ([b"{", different], 2),
        ([], 2),
        ([b" "], 2),
    ):
        path.write_bytes(b"\n".join(found))
        totals = summary(path)
        assert totals["status"] == status
        assert totals["games"] == sum(line != b" " for line in found)


def test_the_first_difference_is_printed_with_game_ply_move_and_field(tmp_path: Path) -> None:
    record = vectors.contract()["finished"][0]["record_min"]
    record = orjson.loads(orjson.dumps(record))
    for player in record["header"]["players"]:
        player["result"] = 1 - player["result"]
    path = tmp_path / "a.jsonl"
    path.write_bytes(played(1).line("compact") + b"\n" + orjson.dumps(record) + b"\n")
    done = run(path)
    assert done.stdout.splitlines() == [
        f"{path}:2 (g1): control, ply 77, move i5, winner, expected [1], found [2], differs",
        f"2 games, {77 + played(1).steps[-1].ply} plies: 1 different, 1 good",
    ]
    assert done.stderr == ""


def test_many_differences_are_counted_and_some_printed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"{\n" * 50 + played(1).line("compact"))
    head, kind, _, *told, more, total = run(path).stdout.splitlines()
    assert head.split() == ["games", "of", "all", "kind", "of", "difference"]
    assert kind.split() == ["50", "98", "%", "unreadable;", "smallest:", f"{path}:1"]
    assert len(told) == 20
    assert more == "... and 30 more; --report FILE names them all"
    assert total.endswith("1 good, 50 unreadable")


WRONG_CALLS: list[list[str]] = [
    [],
    ["no-such-file.jsonl"],
    ["{archive}", "--report", "report.csv"],
    ["{archive}", "--report", "{folder}"],
    ["{archive}", "--report", "{folder}/no-such-folder/report.xml"],
    ["{archive}", "--write", "{folder}/no-such-folder/a.jsonl"],
    ["{archive}", "--jobs", "-1"],
    ["{archive}", "--shard", "0/3"],
    ["{archive}", "--shard", "4/3"],
    ["{archive}", "--shard", "3"],
    ["{archive}", "--shard", "1/2", "--limit", "3"],
    ["{archive}", "--game", "chess"],
    ["{archive}", "--engine", "1"],
    ["{archive}", "--baseline", "{archive}"],
    ["--rerun", "{archive}"],
    ["{archive}", "--shared"],
    ["{archive}", "{archive}"],
    ["{archive}", "{folder}"],
    ["{archive}", "/dev/zero"],
    ["{archive}", "--jobs", "many"],
    ["{archive}", "--chunk", "0"],
    ["{archive}", "--heartbeat", "0"],
    ["{archive}", "--resume", "abc"],
    ["{archive}", "--redis", "redis://127.0.0.1:1"],
    ["{archive}", "--redis", "nonsense"],
    ["{archive}", "--redis", "redis://127.0.0.1:1", "--write", "a.jsonl"],
    ["{archive}", "--redis", "redis://127.0.0.1:1", "--jobs", "2"],
    ["{archive}", "--colour"],
]


@pytest.mark.parametrize("arguments", WRONG_CALLS, ids=" ".join)
def test_a_wrong_call_ends_with_two_and_reads_nothing(arguments: list[str], tmp_path: Path) -> None:
    archive = tmp_path / "a.jsonl"
    archive.write_bytes(played(1).line("compact"))
    done = run(*(one.format(archive=archive, folder=tmp_path) for one in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr


def test_a_terminal_is_shown_a_bar_and_a_pipe_is_not(trial: Trial) -> None:
    piped = subprocess.run(command(trial.sound), capture_output=True, check=False)
    assert (piped.returncode, piped.stderr) == (0, b"")
    leader, follower = pty.openpty()
    terminal = {"stderr": follower, "env": {"TERM": "xterm"}}
    with running(command(trial.sound), stdout=subprocess.PIPE, **terminal) as process:
        os.close(follower)
        shown = b""
        with suppress(OSError):  # the other end is closed
            while piece := os.read(leader, 4096):
                shown += piece
        out, _ = process.communicate()
    os.close(leader)
    assert (process.returncode, out.count(b"\n")) == (0, 1)
    assert f"{GAMES} games, 0 not good".encode() in shown
    assert b"100%" in shown


# --- reports --------------------------------------------------------------------------------


def test_reports_agree_with_each_other(trial: Trial, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("r.jsonl", "r.xml", "r.json")]
    done = run(trial.faulty, *(text for path in paths for text in ("--report", path)))
    verdicts = read_verdicts(paths[0])
    totals = orjson.loads(paths[2].read_bytes())
    properties, *suite = ElementTree.parse(paths[1]).getroot()[0]
    attributes = ElementTree.parse(paths[1]).getroot()[0].attrib
    assert orjson.loads(properties[0].attrib["value"]) == totals
    assert orjson.loads(paths[0].read_bytes().splitlines()[-1])["report"] == totals
    assert done.returncode == totals["status"] == 2
    assert len(verdicts) == totals["games"] == len(suite) == int(attributes["tests"])
    assert sum(one["ok"] for one in verdicts) == totals["good"]
    assert sum(one[0].tag == "failure" for one in suite if len(one)) == totals["different"]
    assert sum(one[0].tag == "error" for one in suite if len(one)) == totals["unreadable"]
    assert attributes["failures"] == str(totals["different"])
    assert attributes["errors"] == str(totals["unreadable"])
    assert sum(one["plies_ok"] for one in verdicts) == totals["plies"]
    assert sum(totals["by_code"].values()) == totals["different"] + totals["unreadable"]
    for case, verdict in zip(suite, verdicts, strict=True):
        assert case.attrib["name"] == verdict["id"]
        assert verdict["at"].startswith(case.attrib["classname"])
        assert (len(case) == 0) == verdict["ok"]
        if len(case):
            assert orjson.loads(case[0].text or "") == verdict
            assert case[0].attrib["type"] == verdict["code"]
    assert not list(tmp_path.glob("*.part"))


def test_a_report_is_sound_whatever_a_game_is_called(tmp_path: Path) -> None:
    record = played(2, how="natural").record()
    odd = "<&\"'>\u0000\u0007\ufffe\U0001f600\n"
    record["header"]["site"]["gameid"] = odd
    record["moves"][2][0] = odd
    (tmp_path / "a.jsonl").write_bytes(orjson.dumps(record))
    paths = [tmp_path / name for name in ("r.jsonl", "r.xml")]
    run(tmp_path / "a.jsonl", *(text for path in paths for text in ("--report", path)))
    (verdict,) = read_verdicts(paths[0])
    assert (verdict["id"], verdict["move"], verdict["ply"]) == (odd, odd, 5)
    case = ElementTree.parse(paths[1]).getroot()[0][1]
    assert case.attrib["name"] == odd.replace("\0", "\ufffd").replace("\7", "\ufffd").replace(
        "\ufffe", "\ufffd"
    )


def test_an_archive_that_is_broken_off_is_counted_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    found = [line for _, _, line in lines(40)]
    path.write_bytes(gzip.compress(b"\n".join(found))[:-2000])
    totals = summary(path)
    assert totals["unreadable"] == 1
    assert 0 < totals["good"] == totals["games"] - 1 < 40


# --- fixtures -------------------------------------------------------------------------------


@pytest.mark.long
def test_written_fixtures_are_those_that_came_out_and_come_out_again(
    trial: Trial, tmp_path: Path
) -> None:
    report = tmp_path / "report.jsonl"
    golden = [tmp_path / name for name in ("1.jsonl.gz", "2.jsonl.gz", "3.jsonl")]
    assert run(trial.faulty, "--write", golden[0], "--report", report).returncode == 2
    run(trial.faulty, "--write", golden[1], "--jobs", "2")
    run(trial.faulty, "--write", golden[2])
    assert golden[0].read_bytes() == golden[1].read_bytes()
    assert gzip.decompress(golden[0].read_bytes()) == golden[2].read_bytes()
    verdicts = read_verdicts(report)
    written = [orjson.loads(line) for line in golden[2].read_bytes().splitlines()]
    assert [one["id"] for one in written] == [one["id"] for one in verdicts if one["ok"]]
    totals = summary(golden[0])
    assert (totals["status"], totals["games"]) == (0, len(written))
    assert totals["by_form"] == {"fixture": {"good": len(written)}}


def test_what_is_written_is_not_read_in_the_same_run(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(played(1).line("compact"))
    done = run(tmp_path, "--write", tmp_path / "b.jsonl")
    assert (done.returncode, done.stdout[:7]) == (0, "1 games")


# --- documents ------------------------------------------------------------------------------


def test_the_document_tells_every_option_and_every_code() -> None:
    told = (ROOT / "docs" / "replay.md").read_text()
    for name in ("replay", "worker", "merge", "explain"):
        for parameter in main.commands[name].params:
            assert f"`{parameter.opts[0]}" in told or parameter.opts[0][:2] != "--", parameter.name
    kinds: list[type[errors.PlyhostError]] = [errors.UnknownGame, errors.IllegalMove]
    kinds += [*errors.StateError.__subclasses__(), errors.GameOver, errors.NotOver]
    codes = {kind.code for kind in kinds}
    for code in (codes | {UNREADABLE, INTERNAL, *OTHERS, "differs"}) - {"not-convertible"}:
        assert f"`{code}`" in told, code
