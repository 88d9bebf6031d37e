"""The worst requests, sent to a real service: a sound answer each, in bounded memory and time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import requests
from flask.testing import FlaskClient

from plyhost import limits
from tests.conftest import STATUSES, posted, problem, sent
from tests.tools.serving import started, workers
from tests.tools.vectors import zipped
from tests.tools.worst_cases import JSON, Case, cases, histories, junk

#: Megabytes that one worker may come to, whatever it is asked, one thing after the other.
MOST_MEGABYTES = 400
#: Cases that others are like, and no smaller; the benchmark sends all.
ALIKE = ("1,000 plies", "3,315 turns, swollen", ", full-gz", ", full:", ", full to", ", gz")


class Asked:
    """A real service of one worker, and the megabytes of that worker."""

    def __init__(self, url: str, pid: int) -> None:
        self.url, self._pid, self._session = url, pid, requests.Session()

    def answer(self, case: Case) -> requests.Response:
        """Return the answer to a case."""
        headers = {"Content-Type": JSON, "Accept": case.accept}
        method = "GET" if case.body is None else "POST"
        where = self.url + case.path
        return self._session.request(method, where, data=case.body, headers=headers, timeout=120)

    def megabytes(self, field: str = "VmRSS") -> int:
        """Return what the worker holds, or with `VmHWM` what it came to at most."""
        lines = Path(f"/proc/{self._pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith(field)).split()[1]) // 1024


@contextmanager
def asking(seconds: float) -> Iterator[Asked]:
    env = os.environ | {"PLYHOST_REQUEST_SECONDS": str(seconds), "PLYHOST_LOG_LEVEL": "error"}
    with started(env=env) as (url, process):
        (worker,) = workers(process)
        yield Asked(url, worker)


def code(response: requests.Response) -> str:
    """Return the code of a problem, checked to be a documented one, or an empty text."""
    if response.status_code == 200:
        return ""
    body: dict[str, Any] = response.json()
    assert STATUSES[body["code"]] == response.status_code == body["status"]
    return str(body["code"])


@pytest.mark.long
def test_the_worst_requests_are_answered_in_bounded_memory() -> None:
    with asking(60) as service:
        for case in cases():
            if any(name in case.name for name in ALIKE):
                continue
            found = code(service.answer(case))
            assert found not in ("internal", "timed-out"), case.name
            assert case.code in (None, found), case.name
        assert service.megabytes("VmHWM") < MOST_MEGABYTES


@pytest.mark.long
def test_what_takes_long_is_given_up() -> None:
    with asking(0.01) as service:
        for case in histories():
            if "the most plies" in case.name:
                assert code(service.answer(case)) == "timed-out", case.name
        for case in junk():
            assert code(service.answer(case)) != "internal", case.name


@pytest.mark.long
@pytest.mark.parametrize(
    "body",
    [
        b'{"moves":[%s]}' % b",".join([b"0"] * limits.JSON_COMMAS),
        b'{"moves":["%s"]}' % (b"x" * 4_000_000),
    ],
    ids=["numbers", "text"],
)
def test_refused_bodies_are_let_go(body: bytes) -> None:
    case = Case("refused", "/v1/games/control/replay", body)
    with asking(60) as service:
        held = []
        for _ in range(20):
            assert code(service.answer(case)) == "invalid-request"
            held.append(service.megabytes())
        assert held[-1] - held[4] < 60


@pytest.mark.parametrize(
    ("entry", "most"),
    [
        (b"[]", limits.JSON_ARRAYS - 1),
        (b"{}", limits.JSON_OBJECTS - 2),
        (b"0", limits.JSON_COMMAS + 1),
    ],
)
def test_just_the_most_of_anything_is_read(entry: bytes, most: int, client: FlaskClient) -> None:
    for number, told in ((most, "invalid-request"), (most + 1, "not-json")):
        body = b'{"record":{"header":[%s]}}' % b",".join([entry] * number)
        problem(posted(client, "replay", body), told)


def test_a_state_that_unpacks_to_a_crowd_is_refused(client: FlaskClient) -> None:
    most = {"[]": limits.JSON_ARRAYS, "{}": limits.JSON_OBJECTS, "0": limits.JSON_COMMAS + 2}
    for entry, number in most.items():
        wire = zipped(f'{{"stack":[{",".join([entry] * number)}]}}')
        told = problem(sent(client, "moves", {"state": wire}), "invalid-state")
        assert "too many" in told["detail"]
