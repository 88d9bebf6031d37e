"""What a report stands on: the code that judged, what it read, and what was asked of it."""

import platform
from importlib.metadata import version
from typing import Any

import msgspec

from plyhost.games import registry
from plyhost.replay.reading.inputs import Inputs
from plyhost.replay.reporting.code_digest import digest_judging_code
from plyhost.replay.running.chunks import FileShare

#: Files that a report of totals names one by one.
MOST_NAMED = 1000


class FileFacts(msgspec.Struct):
    """A file that was read: its size on disk, its games, their bytes, and a digest over them.

    `lines` is how many lines of it a shard has, where its numbers count from its share's beginning;
    `told` is of how many games the report tells.
    """

    file: str
    size: int
    games: int = 0
    bytes: int = 0
    digest: str = ""
    lines: int = 0
    told: int = 0


class Foundation:
    """What is noted of the inputs while they are read."""

    def __init__(self, found: Inputs, options: dict[str, Any]) -> None:
        self.options = options
        self._shares: dict[int, FileShare] = {}
        self.found = found
        self.lines: dict[int, int] = {}
        self.told: dict[int, int] = {}

    def add_shares(self, shares: dict[int, FileShare]) -> None:
        """Note what was read."""
        for file, share in shares.items():
            self._shares.setdefault(file, FileShare()).add_share(share)

    def add_told(self, file: int) -> None:
        """Note that a report tells of a game."""
        self.told[file] = self.told.get(file, 0) + 1

    def list_files(self, is_shard: bool) -> list[FileFacts]:
        """Return what was read of each file."""
        return [self._describe_file(number, is_shard) for number in range(len(self.found.files))]

    def _describe_file(self, number: int, is_shard: bool) -> FileFacts:
        one, share = self.found.files[number], self._shares.get(number, FileShare())
        counts = share.games, share.size, share.digest.hex()
        lines, told = self.lines.get(number, 0) * is_shard, self.told.get(number, 0)
        return FileFacts(one.label, one.size, *counts, lines, told)


def describe_judges() -> dict[str, Any]:
    """Return what judged: the release, a digest of the code, each game's engines and its digest."""
    return {
        "plyhost": version("plyhost"),
        "python": platform.python_version(),
        "code": digest_judging_code(),
        "engines": {
            uid: {"versions": list(game.info.versions), "code": registry.compute_engine_token(uid)}
            for uid, game in registry.load_games().items()
        },
    }


def describe_inputs(files: list[FileFacts]) -> dict[str, Any]:
    """Return what was read: all of it together, and the first files one by one."""
    whole = FileShare()
    for one in files:
        whole.add_share(FileShare(one.games, one.bytes, bytes.fromhex(one.digest)))
    return {
        "files": len(files),
        "size": sum(one.size for one in files),
        "games": whole.games,
        "bytes": whole.size,
        "digest": whole.digest.hex(),
        "first_files": [
            {"file": one.file, "size": one.size, "games": one.games, "digest": one.digest}
            for one in files[:MOST_NAMED]
        ],
    }
