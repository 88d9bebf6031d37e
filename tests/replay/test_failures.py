"""Whatever is wrong with a game, a file, the disk or a call: a sentence, a status, and no more."""

import os
import resource
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import orjson
import pytest

from plyhost.replay.judgement.verdicts import escape_controls
from tests.replay.test_replay_command import command, read_verdicts, run
from tests.tools import unruly
from tests.tools.replay_games import played
from tests.tools.serving import BIN, running

MARK = b"\xef\xbb\xbf"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "a.jsonl"
    path.write_bytes(played(1).line("compact"))
    return path


def called(asked: Sequence[str], **options: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(asked, capture_output=True, text=True, check=False, **options)


# --- games ----------------------------------------------------------------------------------


def test_no_value_ends_a_run(tmp_path: Path) -> None:
    good = played(1).line("compact")
    odd = [b'{"a": %s}' % (b"1" * 5000), b"[" * 5000 + b"]" * 5000, b'{"a": 1e999999}', b'"\xff"']
    state = orjson.loads(orjson.dumps(played(5, "control", "size-5").wire("full")))
    states = []
    for value in (b"1" * 5000, b"-" + b"9" * 30, b'"\\ud800"', b"[" * 300 + b"]" * 300, b"1e400"):
        changed = state | {"gameover": "@"}
        states.append(orjson.dumps(changed).replace(b'"@"', value))
        changed = orjson.loads(orjson.dumps(state))
        changed["stack"][3]["lastmove"] = "@"
        states.append(orjson.dumps(changed).replace(b'"@"', value))
        changed["stack"][3]["scores"] = "@"
        states.append(orjson.dumps(changed).replace(b'"@"', value))
    bad = [*odd, *states]
    for name, text in (
        ("a.jsonl", b"\n".join([*bad, good])),
        ("a.json", b"[%b]" % b",".join([*bad, good])),
    ):
        path = tmp_path / name
        path.write_bytes(text)
        report = tmp_path / "report.jsonl"
        done = run(path, "--report", report, "--report", tmp_path / "r.xml", "--jobs", "2")
        verdicts = read_verdicts(report)
        assert (done.returncode, len(verdicts)) == (2, len(bad) + 1), done.stderr
        assert [one["ok"] for one in verdicts] == [False] * len(bad) + [True]
        assert {one["code"] for one in verdicts[:-1]} <= {"unreadable", "invalid-state"}
        ElementTree.parse(tmp_path / "r.xml")


def unruly_archive(folder: Path, deeds: Sequence[str]) -> Path:
    path = folder / "unruly.jsonl"
    sound = [unruly.record("d1", text) for text in ("i1", "i3", "i5", "g7")]
    games = [*sound, *(unruly.record(deed, "e1") for deed in deeds), *sound]
    path.write_bytes(b"\n".join(map(orjson.dumps, games)))
    return path


EXPECTED = {
    "a1": "It ended every process that judged it.",
    "a2": "It ended every process that judged it.",
    "a3": "It took longer than a game may (--game-seconds).",
    "a4": "It took longer than a game may (--game-seconds).",
    "a5": "It took longer than a game may (--game-seconds).",
    "b1": "MemoryError: ",
    "b6": "SystemExit: 1",
    "c1": "ZeroDivisionError: division by zero",
}


@pytest.mark.parametrize(
    "deeds", [["a1", "b6", "c1"], pytest.param([*EXPECTED], marks=pytest.mark.long)]
)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_game_that_ends_or_holds_up_its_process_is_given_up_alone(
    tmp_path: Path, jobs: str, deeds: list[str]
) -> None:
    env, report = unruly.install(tmp_path / "site"), tmp_path / "report.jsonl"
    asked = command(unruly_archive(tmp_path, deeds), "--jobs", jobs, "--report", report)
    done = called([*asked, "--game-seconds", "0.5", "--game-memory", "512"], env=env)
    assert done.returncode == 2, done.stderr
    verdicts = read_verdicts(report)
    told = {one["id"]: one["message"] for one in verdicts if not one["ok"]}
    assert told == {f"{deed}-e1": EXPECTED[deed] for deed in deeds}
    assert {one["code"] for one in verdicts if not one["ok"]} == {"internal"}
    assert sum(one["ok"] for one in verdicts) == 8


# --- the disk and other failures ------------------------------------------------------------


@pytest.mark.long
def test_output_that_cannot_be_written_ends_with_two_and_a_sentence(archive: Path) -> None:
    for asked in (
        command(archive),
        [str(BIN / "plyhost"), "verify", str(archive)],
        [str(BIN / "plyhost"), "new", "control"],
        [str(BIN / "plyhost"), "count", "1"],
        [str(BIN / "plyhost"), "--help"],
    ):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(asked, stdout=full, stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (2, b"plyhost: No space left on device\n")


def test_a_reader_that_has_enough_is_no_difference(archive: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command(archive), stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (2, b"")


@pytest.mark.long
def test_a_full_disk_names_the_file_and_keeps_the_totals(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join([played(1).line("compact")] * 200))
    outputs = [tmp_path / name for name in ("r.jsonl", "r.xml", "fixtures.jsonl")]
    asked = command(path, "--report", outputs[0], "--report", outputs[1], "--write", outputs[2])
    summary = tmp_path / "r.json"
    done = called(
        [*asked, "--report", str(summary)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16_384, 16_384)),
    )
    assert (done.returncode, done.stdout.splitlines()[-1][:20]) == (2, "200 games, 9,800 pli")
    for output in outputs:
        assert f"plyhost: {output} cannot be written: File too large" in done.stderr
        assert not output.exists()
    assert "200 good" in done.stdout
    assert not list(tmp_path.glob("*.part"))
    assert orjson.loads(summary.read_bytes())["games"] == 200


@pytest.mark.parametrize("option", ["--report", "--write"])
@pytest.mark.parametrize("kind", ["itself", "link", "hard link", "part", "in a folder", "two"])
def test_nothing_is_written_over_what_is_read(
    archive: Path, tmp_path: Path, option: str, kind: str
) -> None:
    before = archive.read_bytes()
    output, read = tmp_path / "b.jsonl", archive
    if kind == "itself":
        output = archive
    elif kind == "link":
        output.symlink_to(archive)
    elif kind == "hard link":
        output.hardlink_to(archive)
        read = archive
    elif kind == "part":
        read = archive.rename(tmp_path / "b.jsonl.part")
    elif kind == "in a folder":
        output, read = archive, tmp_path
    two: list[Path | str] = ["--report", output] if kind == "two" else []
    done = run(read, option, output, *two)
    if kind == "two" and option == "--report":
        assert "two outputs are one file" in done.stderr
    assert (done.returncode, done.stdout) == (2, "")
    assert (read if read.is_file() else archive).read_bytes() == before


def test_files_that_are_passed_over_are_named_counted_and_not_overlooked(
    archive: Path, tmp_path: Path
) -> None:
    (tmp_path / "README").write_text("no game")
    (tmp_path / "b.json\x1b[2J").write_text("no game")
    os.mkfifo(tmp_path / "pipe.json")
    done = run(tmp_path)
    assert done.returncode == 2
    assert "3 files were passed over" in done.stdout
    for name in ("README", "b.json\\x1b[2J", "pipe.json"):
        assert f"passed over {tmp_path}/{name}: " in done.stderr
    ignored = [text for name in ("README", "b.*", "pipe*") for text in ("--ignore", name)]
    assert run(tmp_path, *ignored).returncode == 0


# --- what is printed ------------------------------------------------------------------------

FAKE = "x\n2 games, 0 plies: 2 good\x1b[2J\x1b]0;title\x07\r\u202eevil\u2028\x9b2J"


def test_nothing_of_an_archive_reaches_the_terminal_as_more_than_text(tmp_path: Path) -> None:
    record = played(2, how="natural").record()
    record["header"]["site"]["gameid"] = FAKE
    record["moves"][2][0] = FAKE
    path = tmp_path / "evil\x1b[2J\n.jsonl"
    path.write_bytes(orjson.dumps(record) + b"\n{broken\x1b[2J")
    done = run(path, "--report", tmp_path / "r.xml")
    for text in (done.stdout, done.stderr):
        assert all(one.isprintable() for line in text.split("\n") for one in line)
    assert "\\n2 games, 0 plies: 2 good\\x1b[2J" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("2 games, ")
    ElementTree.parse(tmp_path / "r.xml")


def test_every_character_is_printable_or_escaped() -> None:
    for code in range(0x110000):
        shown = escape_controls(chr(code))
        assert shown == chr(code) or shown.isascii(), code
    assert escape_controls("é漢😀 a\\b") == "é漢😀 a\\b"


# --- the mark that a text may begin with ----------------------------------------------------


@pytest.mark.parametrize("form", ["full", "full-string", "compact"])
def test_a_mark_before_a_text_is_passed_over_by_every_command(tmp_path: Path, form: str) -> None:
    path = tmp_path / "a.json"
    state = played(3, "control", "size-5").wire(form)
    texts = [orjson.dumps(state), *([state.encode()] if isinstance(state, str) else [])]
    for text in texts:
        path.write_bytes(MARK + text + b"\n")
        plyhost = str(BIN / "plyhost")
        for asked in ([plyhost, "verify", str(path)], command(path), [plyhost, "show", str(path)]):
            assert called(asked).returncode == 0, asked


# --- interruptions --------------------------------------------------------------------------


@pytest.fixture
def _interruptible() -> Iterator[None]:
    """Have what a test starts hear SIGINT, also where whoever started the tests does not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.long
@pytest.mark.usefixtures("_interruptible")
def test_an_interruption_at_any_moment_is_quiet(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join([played(1).line("full")] * 3000))
    asked = command(path, "--jobs", "2", "--report", tmp_path / "r.jsonl")
    heard = (
        "from plyhost.interrupts import end_quietly_on_interrupt as heard; heard();"
        "print(end='.', flush=True);"
        "from plyhost.cli.start import start_command_line as start; start()"
    )
    for moment in range(25):
        with running(
            [str(BIN / "python"), "-c", heard, *asked[1:]],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            assert process.stdout.read(1) == b"."
            time.sleep(moment * 0.04)
            os.killpg(process.pid, signal.SIGINT)
            assert process.communicate(timeout=60) == (b"", b"")
            assert process.returncode == 130
        assert list(tmp_path.iterdir()) == [path]
