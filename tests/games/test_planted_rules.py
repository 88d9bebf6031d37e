"""Rules changed in copies of the engines are seen by the fixtures alone; `docs/rule-changes.md`."""

from pathlib import Path

import pytest

from tests.tools import ROOT
from tests.tools.planted_rules import CHANGES, SOURCE, find_first_difference, replay_fixtures

#: What survived before fixtures held digests of the legal moves.
LOOSENED = (
    "C3 the first stone anywhere",
    "C7 enemy stones once",
    "C7 a tie to the mover",
    "C8 settling on an empty board",
    "G3 pairs may touch",
    "G10 the second time is enough",
    "G11 settling before colours",
)


@pytest.mark.long
def test_the_code_as_it_is_differs_in_nothing(tmp_path: Path) -> None:
    (tmp_path / "plyhost").symlink_to(SOURCE)
    done = replay_fixtures(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_rule_is_changed_and_every_change_fits_the_code() -> None:
    names = [change.name for change in CHANGES]
    assert len(names) == len(set(names)) >= 60
    assert set(LOOSENED) <= set(names)
    rules = {f"C{number}" for number in range(1, 10)} | {f"G{number}" for number in range(1, 12)}
    assert rules <= {change.rule for change in CHANGES}
    for change in CHANGES:
        assert (SOURCE / change.file).read_text().count(change.before) == 1, change.name


def test_the_document_tells_every_change() -> None:
    told = (ROOT / "docs" / "rule-changes.md").read_text()
    for change in CHANGES:
        assert f"| {change.rule} | {change.what} |" in told, change.name
    assert "not seen" not in told


@pytest.mark.long
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_a_changed_rule_is_seen_by_the_fixtures(change: object) -> None:
    assert find_first_difference(change) is not None  # type: ignore[arg-type]
