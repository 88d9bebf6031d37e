"""The same request with the same Idempotency-Key, sent by several callers at about one time.

The requests hold no time, so an answer that was worked out twice shows: the clock went on.
"""

import threading
import time
from collections import deque
from dataclasses import dataclass, field
from itertools import count

from tests.tools.soak.cases import Case
from tests.tools.soak.judge import Answer
from tests.tools.soak.tally import Tally

#: How often each is sent.
OFTEN = 3
#: Keys waited for that are held, so that a few lost ones are no leak.
MOST = 100


@dataclass
class Twins:
    """A request with its key; `began` is when the first was sent."""

    case: Case
    key: str
    began: float = field(default_factory=time.monotonic)
    answers: list[Answer] = field(default_factory=list)


class Board:
    """Where callers leave a request for others to send again."""

    def __init__(self, run: str, tally: Tally) -> None:
        self.waiting: deque[Twins] = deque(maxlen=MOST)
        self.numbers, self.run, self.tally = count(), run, tally
        self.lock = threading.Lock()

    def new(self, case: Case) -> Twins:
        """Return a request with a new key, which others will send, too."""
        twins = Twins(case, f"soak {self.run} {next(self.numbers)}")
        self.waiting.extend([twins] * (OFTEN - 1))
        return twins

    def waited(self) -> Twins | None:
        """Return a request that another caller has sent, or is sending."""
        try:
            return self.waiting.popleft()
        except IndexError:
            return None

    def answered(self, twins: Twins, answer: Answer) -> bool:
        """Note an answer, and tell whether it is the one that the twins had."""
        with self.lock:
            twins.answers.append(answer)
            first = twins.answers[0]
            originals = sum(not one.is_replayed for one in twins.answers)
        self.tally.count("answers given again" if answer.is_replayed else "answers with a key")
        lasts = answer.status < 300 or answer.status in (409, 422)
        return not lasts or (first.body == answer.body and originals <= 1)
