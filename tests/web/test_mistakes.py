"""What an operator may mistype, and what a machine may do: one line, or a service that goes on."""

import os
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest
import requests
from prometheus_client import values

from plyhost.web.config import Misconfigured
from plyhost.web.serving import figures, metrics, ports
from tests.conftest import long
from tests.tools.redis_server import wait_until
from tests.tools.serving import BIN, free_port, listening, started, wait_for, workers

OPEN = {"PLYHOST_ALLOW_ANONYMOUS": "1", "PLYHOST_LOG_LEVEL": "error"}


def tried(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Return what a start that must fail says."""
    command = [str(BIN / "plyhost"), "serve", *arguments]
    every = os.environ | OPEN | env
    return subprocess.run(command, env=every, capture_output=True, text=True, timeout=60)


def refused(*arguments: str) -> str:
    """Return the one line that a start is refused with."""
    done = tried(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("plyhost: ")
    return line


# --- ports and hosts -----------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", *long("0.0.0.0", "localhost")])
def test_two_services_do_not_share_a_port(host: str) -> None:
    with started() as (url, process):
        port = url.rpartition(":")[2]
        assert f"Port {port} of" in refused("--host", host, "--port", port)
        assert process.poll() is None


def test_the_port_of_another_program_is_not_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert "taken" in refused("--port", str(other.getsockname()[1]))


def test_of_two_that_start_at_once_one_is_refused() -> None:
    port = free_port()
    claim = ports.claim_port("127.0.0.1", port)
    assert claim is not None
    with claim, pytest.MonkeyPatch.context() as patch:
        patch.setattr(ports, "PATIENCE", 0)
        with pytest.raises(Misconfigured, match="is taken"):
            ports.claim_port("127.0.0.1", port)
    again = ports.claim_port("127.0.0.1", port)
    assert again is not None
    again.close()


def test_a_host_that_cannot_be_listened_on_is_told() -> None:
    assert "no host nowhere.invalid" in refused("--host", "nowhere.invalid")
    assert "192.0.2.1 cannot be listened on" in refused("--host", "192.0.2.1")
    assert "There is no host" in refused("--host", "a" * 300)


@pytest.mark.parametrize("host", ["localhost", "::1", "[::1]"])
def test_names_and_addresses_of_this_machine_are_listened_on(host: str) -> None:
    port = free_port()
    command = [str(BIN / "plyhost"), "serve", "--host", host, "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        wait_for(f"http://{'[::1]' if '::1' in host else host}:{port}", process)
    finally:
        process.terminate()
        assert process.wait(20) == 0


def test_a_name_leads_where_it_is_asked_for() -> None:
    assert ports.resolve_host("localhost", 80) == "127.0.0.1"
    assert ports.resolve_host("[::1]", 80) == "::1"
    assert ports.resolve_host("0.0.0.0", 80) == "0.0.0.0"


# --- the main process ----------------------------------------------------------------------------


@pytest.mark.long
def test_workers_end_with_their_main_process_and_the_port_is_free_again() -> None:
    with started("--workers", "2", env=os.environ | OPEN) as (url, process):
        wait_until(lambda: listening(url) == 2)
        left = workers(process)
        os.kill(process.pid, signal.SIGKILL)
        wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left), 30)
        claim = ports.claim_port("127.0.0.1", int(url.rpartition(":")[2]))
        assert claim is not None
        claim.close()


def test_a_service_starts_at_once_after_one_that_was_killed() -> None:
    port = free_port()
    command = [str(BIN / "plyhost"), "serve", "--port", str(port)]
    for _ in range(2):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        wait_for(f"http://127.0.0.1:{port}", process)
        process.kill()
        process.wait(20)


def test_nothing_of_the_directory_that_it_is_started_in_is_run(tmp_path: Path) -> None:
    for name in ("flask", "plugin", "schemas", "orjson", "granian", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('this was run')\n")
    port = free_port()
    command = [str(BIN / "plyhost"), "serve", "--port", str(port)]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}", process)
        assert requests.get(f"http://127.0.0.1:{port}/v1", timeout=10).status_code == 200
    finally:
        process.terminate()
        process.wait(20)


# --- figures -------------------------------------------------------------------------------------


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(figures.DIRECTORY, str(tmp_path))
    # The library keeps one way of counting for a whole process, and this test is not alone in it.
    monkeypatch.setattr(values, "ValueClass", values.ValueClass)
    return tmp_path


DAMAGE = [
    b"",
    b"\0",
    b"\xff" * 100,
    b"\x40\0\0\0" + bytes(60),
    b"\x10\x27\0\0\0\0\0\0\xff\xff\xff\x7f",
]


@pytest.mark.parametrize("bytes_", DAMAGE)
def test_a_damaged_file_costs_its_figures_and_nothing_else(directory: Path, bytes_: bytes) -> None:
    own = metrics.Metrics()
    own.answered("move", "control", "ok", "", 0.1)
    (directory / "counter_7.db").write_bytes(bytes_)
    (directory / "histogram_7.db").write_bytes(bytes_)
    (directory / "counter_8_x.db").mkdir()
    assert b'operation="move"' in own.page()
    # A worker that takes up the place of the damaged one begins anew.
    figures._prepare_file(directory / "counter_7.db")
    assert figures.is_sound(directory / "counter_7.db")


def test_where_there_is_no_room_a_worker_counts_for_itself(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*place: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    alone = metrics.Metrics()
    alone.answered("move", "control", "ok", "", 0.1)
    assert b'operation="move"' in alone.page()
    assert figures.take_place("/nowhere/at/all") is None


def test_a_file_of_figures_has_its_room_before_it_is_used(directory: Path) -> None:
    assert figures.take_place(str(directory)) is not None
    made = list(directory.glob("*.db"))
    assert len(made) == 3
    assert all(file.stat().st_blocks * 512 >= 1024 * 1024 for file in made)


def test_the_page_without_its_directory_is_empty(directory: Path) -> None:
    lost = metrics.Metrics()
    lost._directory = "/nowhere/at/all"
    assert lost.page() == b""


def test_what_killed_services_left_is_cleared_and_what_lives_is_not(tmp_path: Path) -> None:
    for name in ("left", "fresh", "held"):
        (tmp_path / f"plyhost-{name}").mkdir()
        (tmp_path / f"plyhost-{name}" / "main.lock").touch()
    for name in ("left", "held"):
        os.utime(tmp_path / f"plyhost-{name}", (1, 1))
    lock = figures._hold_lock(tmp_path / "plyhost-held" / "main.lock")
    assert lock is not None
    (tmp_path / "another").mkdir()
    figures._clear_leftovers(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        *("another", "plyhost-fresh", "plyhost-held")
    ]
    os.close(lock)
