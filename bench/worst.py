"""The worst that one request can ask for: its time, its answer's size, its memory."""

from pathlib import Path

import requests

from bench import timing
from bench.service import Service, served, workers
from tests.tools.worst_cases import Case, cases

MEGABYTE = 1024 * 1024


def memory(pid: int, field: str) -> int:
    """Return a figure of a process's memory in bytes: `VmRSS`, or `VmHWM` for its peak."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith(field)).split()[1])


def weighed() -> None:
    """Print what each of the worst requests takes of a fresh worker, and the most of each kind."""
    rows = [_row(case) for case in cases()]
    head = ("request", "kB", "status", "processor s", "answer kB", "MB at most", "MB more")
    timing.table("the worst requests", head, rows)
    for kind in sorted({_kind(row) for row in rows}):
        alike = [row for row in rows if _kind(row) == kind]
        longest, most = (max(float(str(row[column])) for row in alike) for column in (3, 6))
        print(f"  {kind}: up to {longest} s, {most:.0f} MB more")


def _kind(row: tuple[object, ...]) -> str:
    """Return the operation of a row, or that it is junk."""
    name = str(row[0])
    return f"junk, {row[2]}" if " in " in name and "circle" not in name else name.split(":")[0]


def _row(case: Case) -> tuple[object, ...]:
    with served() as service:
        (worker,) = workers(service.pid)
        before, ran = memory(worker, "VmRSS"), service.processor_seconds()
        status, answer = _answer(service, case)
        ran, peak = service.processor_seconds() - ran, memory(worker, "VmHWM")
    sizes = f"{len(case.body or case.path) / 1000:.0f}", f"{len(answer) / 1000:.0f}"
    more = (peak - before) // MEGABYTE
    return case.name, sizes[0], status, f"{ran:.2f}", sizes[1], peak // MEGABYTE, more


def _answer(service: Service, case: Case) -> tuple[int, bytes]:
    method = "GET" if case.body is None else "POST"
    headers = {"Content-Type": "application/json", "Accept": case.accept}
    url = f"http://127.0.0.1:{service.port}{case.path}"
    answer = requests.request(method, url, data=case.body, headers=headers, timeout=60)
    return answer.status_code, answer.content
