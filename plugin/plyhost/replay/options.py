"""What a replay is asked for."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plyhost.replay.judgement.judging import Order
from plyhost.replay.reading.archive_files import CHUNK_BYTES

#: Seconds without a sign of life after which a worker's chunks are handed to others.
HEARTBEAT = 20.0


@dataclass
class Options:
    """What is asked for, as in `docs/replay.md`.

    With no `jobs` the games are judged in this process.  `url` is the address of a Redis, `resume`
    a run that was begun there, `shard` a share of the archive, from (1, n) up to (n, n).
    """

    paths: list[Path | str]
    jobs: int = 0
    reports: list[Path] = field(default_factory=list)
    write: Path | None = None
    chunk: int = CHUNK_BYTES
    url: str | None = None
    resume: str | None = None
    heartbeat: float = HEARTBEAT
    is_shared: bool = False
    shard: tuple[int, int] | None = None
    column: str | None = None
    ignored: tuple[str, ...] = ()
    engine: str | None = None
    game: str | None = None
    baseline: Path | None = None
    only_different: bool = False
    rerun: Path | None = None
    fail_fast: bool = False
    limit: int | None = None
    game_seconds: float = 60.0
    game_memory: int = 2048
    is_progress: bool = False

    @property
    def order(self) -> Order:
        """How games are to be judged."""
        is_written, limits = self.write is not None, (self.game_seconds, self.game_memory)
        return Order(self.engine, self.game, self.column, is_written, *limits)

    def describe(self) -> dict[str, Any]:
        """Return what a report depends on, whoever judges."""
        named = ("column", "engine", "game", "only_different", "fail_fast", "limit")
        reports = {"baseline": self.baseline, "rerun": self.rerun}
        return {
            "paths": [str(path) for path in self.paths],
            "ignore": list(self.ignored),
            **{name: getattr(self, name) for name in named},
            **{name: path and str(path) for name, path in reports.items()},
            "game_seconds": self.game_seconds,
            "game_memory": self.game_memory,
        }
