"""What was seen: counts, times, and whatever broke a promise, told in full."""

import threading
from collections import Counter, defaultdict

import requests

from tests.tools.soak.cases import Case
from tests.tools.soak.judge import Answer

#: How much of a request or an answer is told, and how many broken promises.
TOLD_BYTES = 20_000
TOLD = 5


class Tally:
    """Counts by `operation game`; the methods may be called by any thread."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.answered, self.sent = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        self.statuses, self.facts = Counter[int](), Counter[str]()
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.broken: list[str] = []

    def sends(self, case: Case) -> None:
        """Note that a request is sent."""
        with self.lock:
            self.sent[case.operation, case.game] += 1

    def unsends(self, case: Case) -> None:
        """Note that a request that was sent never reached a worker."""
        with self.lock:
            self.sent[case.operation, case.game] -= 1

    def came(self, case: Case, answer: Answer, seconds: float, when: str) -> None:
        """Note that an answer came; `when` is `calm` or `fault`."""
        with self.lock:
            self.answered[case.operation, case.game] += 1
            self.statuses[answer.status] += 1
            self.seconds[when].append(seconds)

    def count(self, fact: str, number: int = 1) -> None:
        """Count a fact."""
        with self.lock:
            self.facts[fact] += number

    def breaks(self, promise: str) -> None:
        """Note that a promise is broken, and how."""
        with self.lock:
            self.broken.append(promise)

    def wrong(self, case: Case, answer: Answer, why: str) -> None:
        """Note a wrong answer with all that is needed to ask again."""
        self.count("wrong answers")
        asked = case.asked
        self.breaks(
            f"wrong answer to {case.name}: {why}\n"
            f"  asked: {asked.method} {asked.path} {asked.headers} {_cut(asked.body)}\n"
            f"  given: {answer.status} {answer.headers} {_cut(answer.body)}\n"
            f"  right: {case.answer.status} {case.answer.headers} {_cut(case.answer.body)}"
        )

    def lost(
        self, case: Case, error: requests.RequestException, seconds: float, about: str
    ) -> None:
        """Note a request that got no answer though no worker was killed."""
        self.count("lost outside of a killed worker")
        when = f"{seconds:.3f} s after it was sent, {about}"
        self.breaks(f"lost {when}: {case.name} {case.asked.path}: {error!r}")


def _cut(data: bytes | None) -> str:
    text = repr(data)
    return text if len(text) <= TOLD_BYTES else f"{text[:TOLD_BYTES]}… ({len(data or b'')} bytes)"


def quantile(seconds: list[float], share: float) -> float:
    """Return the time within which a share of answers came, in ms."""
    ordered = sorted(seconds) or [0.0]
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000
