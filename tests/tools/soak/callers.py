"""Callers: each on its own kept connections, one request at a time, each answer judged."""

import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import requests
from urllib3.exceptions import ProtocolError

from tests.tools.soak import judge
from tests.tools.soak.cases import Case
from tests.tools.soak.faults import Faults
from tests.tools.soak.feed import Feed
from tests.tools.soak.judge import Answer
from tests.tools.soak.tally import Tally
from tests.tools.soak.twins import Board, Twins

#: Seconds that an answer may take on a busy machine, whatever is away: what a request may take.
PATIENCE = 10.0
#: A twin may have to wait until the mark of a request is forgotten that died with its worker, or
#: whose Redis went away: the time of a request and some grace, see `plyhost.web.gates.idempotency`.
TWIN_PATIENCE = 12.0
ATTEMPTS = 5
#: One in so many requests whose answer shows the clock carries a key.
KEYED = 4


class Callers:
    """All callers of a run; `quiet` holds them back while it is clear."""

    def __init__(self, url: str, feed: Feed, faults: Faults, tally: Tally, seed: int) -> None:
        self.url, self.feed, self.faults, self.tally = url, feed, faults, tally
        self.seed, self.twins = seed, Board(f"{seed} {time.time_ns()}", tally)
        self.over = threading.Event()

    @contextmanager
    def calling(self, number: int) -> Iterator[None]:
        """Keep some callers asking; raises what stopped one of them."""
        with ThreadPoolExecutor(number) as pool:
            done = [pool.submit(self._call, index) for index in range(number)]
            try:
                yield
            finally:
                self.over.set()
        for one in done:
            one.result()

    def _call(self, index: int) -> None:
        pick = random.Random(f"{self.seed} {index}")
        with requests.Session() as one, requests.Session() as other:
            while not self.over.is_set():
                self._ask(pick.choice((one, other)), pick)

    def _ask(self, session: requests.Session, pick: random.Random) -> None:
        twins = self.twins.waited() if pick.random() < 0.5 else None
        case = twins.case if twins else self.feed.draw()
        if case.asked.is_clocked and not twins and pick.randrange(KEYED) == 0:
            twins = self.twins.new(case)
        for _ in range(ATTEMPTS):
            answer = self._attempt(session, case, twins)
            if answer is not None:
                self._judge(case, twins, answer)
                return
        self.tally.breaks(f"never answered: {case.name} {case.asked.path}")

    def _attempt(self, session: requests.Session, case: Case, twins: Twins | None) -> Answer | None:
        """Return the answer, or None for one more attempt."""
        headers = case.asked.headers | ({"Idempotency-Key": twins.key} if twins else {})
        self.tally.sends(case)
        began = time.monotonic()
        try:
            sent = session.request(
                case.asked.method,
                self.url + case.asked.path,
                data=case.asked.body,
                headers=headers,
                timeout=3 * TWIN_PATIENCE,
            )
        except requests.RequestException as error:
            self._missed(case, error, began)
            return None
        answer = Answer.of(sent.status_code, sent.headers, sent.content)
        self._timed(case, twins, answer, began)
        if twins and answer.is_waiting and self.faults.excuse(twins.began):
            self.tally.count("twins told to wait after a fault")
            return None
        return answer

    def _missed(self, case: Case, error: requests.RequestException, began: float) -> None:
        if self.faults.killed(began):
            self.tally.count("in a killed worker's hands, asked again")
        elif self.faults.is_stopping(began) and _is_closed(error):
            # It was sent while a worker that stops closed a connection that was idle until then.
            # HTTP lets it, and clients ask again. No worker may have begun it: the figures tell.
            self.tally.count("on an idle connection that a stopping worker closed, asked again")
            self.tally.unsends(case)
        else:
            self.tally.lost(case, error, time.monotonic() - began, self.faults.now)

    def _timed(self, case: Case, twins: Twins | None, answer: Answer, began: float) -> None:
        seconds = time.monotonic() - began
        touched = self.faults.touched(began)
        self.tally.came(case, answer, seconds, "fault" if touched else "calm")
        orphaned = twins is not None and self.faults.touched(twins.began)
        if seconds > (TWIN_PATIENCE if orphaned else PATIENCE):
            self.tally.breaks(f"took {seconds:.1f} s: {case.name} {case.asked.path}")
        elif seconds > PATIENCE:
            self.tally.count("twins that waited for an answer that never came")

    def _judge(self, case: Case, twins: Twins | None, answer: Answer) -> None:
        if why := judge.fault(case.asked, case.answer, answer):
            self.tally.wrong(case, answer, why)
        elif case.asked.legal is not None:
            self.tally.count("listings as the rules written a second time have them")
        if twins and not self.twins.answered(twins, answer):
            if self.faults.excuse(twins.began):
                self.tally.count("twins worked out twice around a fault")
            else:
                self.tally.wrong(case, answer, f"not its twin's: {twins.answers[0].body!r}")


def _is_closed(error: requests.RequestException) -> bool:
    """Tell whether a connection that stood was closed before a byte of an answer came."""
    inner = error.args[0] if error.args else None
    cause = inner.args[-1] if isinstance(inner, ProtocolError) else None
    return isinstance(cause, ConnectionResetError | BrokenPipeError)
