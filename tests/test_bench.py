"""The benchmarks can be run: one over HTTP does, for a moment, and a wrong name is told."""

import pytest

from bench import __main__ as bench
from bench import thinking


def test_a_name_that_is_none_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(["nothing"]) == 2
    assert "thinking-beside" in capsys.readouterr().out


@pytest.mark.long
def test_a_benchmark_over_http_is_answered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(thinking, "SECONDS", 0.2)
    monkeypatch.setattr(thinking, "ROUNDS", 1)
    assert bench.main(["thinking-beside"]) == 0
    assert "beside a suggestion" in capsys.readouterr().out
