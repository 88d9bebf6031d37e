"""What was promised beside right answers: figures that add up, flat memory, and a whole mixture.

Each function yields a sentence for what is broken.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from plyhost.contract.operations import OPERATIONS
from plyhost.games import registry
from tests.tools.soak.tally import Tally
from tests.web.test_metrics import Figures

#: Asked by others than callers, too.
PROBED = ("/healthz", "/readyz", "/metrics")
#: What every run must have seen, however short.
SEEN = (
    "answers given again",
    "listings as the rules written a second time have them",
    "fault: a worker killed",
    "fault: a worker stopped",
    "fault: all workers replaced in turn",
    "fault: Redis stopped",
    "fault: Redis stopped, a worker killed",
    "fault: Redis restarted",
    "fault: Redis silent",
    "fault: Redis full",
)

Megabytes = Mapping[str, float]


def figures_fit(figures: Figures, tally: Tally) -> Iterator[str]:
    """Hold what workers counted, those that were killed as well, against what callers saw.

    No answer may be missing, and nothing may be counted that was not sent.
    """
    counted = Counter[tuple[str, str]]()
    for (name, labels), value in figures.items():
        if name == "plyhost_requests_total":
            told = dict(labels)
            counted[told["operation"], told["game"]] += int(value)
    for label, sent in tally.sent.items():
        answered = tally.answered[label]
        most = float("inf") if label[0] in PROBED else sent
        if not answered <= counted[label] <= most:
            seen = f"counted {counted[label]}, sent {sent}, answered {answered}"
            yield f"figures of {' '.join(label)}: {seen}"


def memory_flat(before: Megabytes, after: Megabytes, growth: float) -> Iterator[str]:
    """Hold the memory at the end against that at a time before."""
    for name, megabytes in before.items():
        if not 0 < after[name] <= growth * megabytes:
            yield f"memory of {name}: {megabytes:.1f} MB, then {after[name]:.1f}"


def mixture_whole(tally: Tally) -> Iterator[str]:
    """See that a run has tried what it is there to try."""
    yield from (f"never seen: {fact}" for fact in SEEN if not tally.facts[fact])
    for operation in OPERATIONS:
        for game in registry.load_games():
            if not tally.answered[operation, game]:
                yield f"never answered: {operation} of {game}"
