"""The Kubernetes Job that judges an archive in shards: its own script, run as its pods would."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.replay.test_replay_command import run
from tests.tools import ROOT, commands
from tests.tools.replay_games import lines
from tests.tools.serving import BIN

JOB: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "replay-shards.yaml").read_text())
COUNT: int = JOB["spec"]["completions"]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join([b"{broken", *(line for _, _, line in lines(40))]))
    return path


def pod(archive: Path, reports: Path, index: int) -> int:
    """Run what a pod runs, where the archive and the reports lie elsewhere; return its status."""
    (container,) = JOB["spec"]["template"]["spec"]["containers"]
    (script,) = container["args"]
    script = script.replace(" /archive ", f" {archive} ").replace('"/reports/', f'"{reports}/')
    path = f"{BIN}:{os.environ['PATH']}"
    environment = os.environ | {"JOB_COMPLETION_INDEX": str(index), "PATH": path}
    done = subprocess.run(
        [*container["command"], script], env=environment, capture_output=True, check=False
    )
    return done.returncode


def test_the_pods_of_the_job_give_the_report_of_a_single_run(archive: Path, tmp_path: Path) -> None:
    assert (JOB["kind"], JOB["spec"]["completionMode"]) == ("Job", "Indexed")
    reports, whole, merged = tmp_path / "reports", tmp_path / "whole.jsonl", tmp_path / "m.jsonl"
    reports.mkdir()
    assert [pod(archive, reports, index) for index in range(COUNT)] == [0] * COUNT
    single = run(archive, "--report", whole)
    done = commands.run("merge", *sorted(reports.iterdir()), "--report", merged)
    assert done.returncode == single.returncode == 2
    assert merged.read_bytes() == whole.read_bytes()


def test_a_pod_that_writes_no_report_is_tried_again(archive: Path, tmp_path: Path) -> None:
    left = tmp_path / "part-1.jsonl"
    left.write_text("the report of an earlier Job")
    assert pod(archive.with_name("none.jsonl"), tmp_path, 0) == 2
    assert not left.exists()
