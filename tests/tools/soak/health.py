"""How a service is, as it says itself and as the system sees its workers."""

import subprocess
import time
from collections.abc import Callable, Iterable

import requests

from tests.tools.serving import listening, workers
from tests.tools.soak.tally import Tally
from tests.web.test_metrics import Figures, figures

WORKERS = 2
#: Seconds in which all must be well again, on a busy machine.
RECOVERY = 60.0
#: How often it is asked: whichever worker takes the connection answers.
ASKED = 12


class Health:
    """A running service; what it must say and does not is a broken promise."""

    def __init__(self, url: str, process: subprocess.Popen[bytes], tally: Tally) -> None:
        self.url, self.process, self.tally = url, process, tally

    def wait(self, found: Callable[[], bool], what: str) -> None:
        """Return once something holds, or after noting that it never did.

        Raises RuntimeError when the service has ended: then there is nothing left to see.
        """
        until = time.monotonic() + RECOVERY
        while not self._holds(found):
            if self.process.poll() is not None:
                raise RuntimeError(f"the service ended with {self.process.returncode}")
            if time.monotonic() > until:
                self.tally.breaks(f"not within {RECOVERY:.0f} s: {what}")
                return
            time.sleep(0.1)

    def _holds(self, found: Callable[[], bool]) -> bool:
        try:
            return found()
        except requests.RequestException:
            return False  # in the hands of a worker that was ended; callers see to such losses

    def redis(self) -> set[str]:
        """Return what workers say of Redis; each must say that it is ready."""
        answers = [requests.get(f"{self.url}/readyz", timeout=20) for _ in range(ASKED)]
        for answer in answers:
            if answer.status_code != 200:
                self.tally.breaks(f"not ready: {answer.status_code} {answer.text}")
        return {str(answer.json()["redis"]) for answer in answers if answer.status_code == 200}

    def figures(self) -> Figures:
        """Return the figures of all workers."""
        return figures(requests.get(f"{self.url}/metrics", timeout=20).text)

    def losses(self) -> float:
        """Return how often Redis was lost."""
        return self.figures()["plyhost_redis_losses_total", ()]

    def is_well(self) -> bool:
        """Tell whether all workers are there and use Redis, and the figures say so, too."""
        is_full = len(workers(self.process)) == listening(self.url) == WORKERS
        if not is_full or self.redis() != {"ok"}:
            return False
        return self.figures()["plyhost_redis_up", ()] == 1

    def have_followed(self, gone: Iterable[int]) -> bool:
        """Tell whether others take connections in the place of workers that are gone."""
        now = workers(self.process)
        return len(now) == listening(self.url) == WORKERS and not set(now) & set(gone)
