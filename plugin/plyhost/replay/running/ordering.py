"""Results that come in any order, given on in the archive's; what runs ahead waits on disk."""

from collections.abc import Iterator
from tempfile import TemporaryFile

from plyhost.replay.running.chunks import Result, pack_result, unpack_result

#: Bytes of results that wait in memory, and in all.
MOST_IN_MEMORY = 32 << 20
MOST_ON_DISK = 1 << 30

_Held = bytes | tuple[int, int]


class ResultOrder:
    """Results by their number from 0; `due` is the number that comes next."""

    def __init__(self) -> None:
        self.due = 0
        self._held: dict[int, tuple[int, _Held]] = {}
        self._in_memory = self._on_disk = 0
        self._file = TemporaryFile()  # noqa: SIM115 - closed in `__exit__`

    def __enter__(self) -> "ResultOrder":
        return self

    def __exit__(self, *told: object) -> None:
        self._file.close()

    @property
    def is_full(self) -> bool:
        """Whether so much waits that nothing more should be begun."""
        return self._on_disk + self._in_memory > MOST_ON_DISK

    def put(self, number: int, position: int, result: Result) -> None:
        """Take in a result, and the position in the archive behind it."""
        packed = pack_result(result)
        held: _Held = packed
        if number != self.due and self._in_memory + len(packed) > MOST_IN_MEMORY:
            held = self._write(packed)
        else:
            self._in_memory += len(packed)
        self._held[number] = (position, held)

    def take_ready(self) -> Iterator[tuple[int, Result]]:
        """Yield positions and results as far as none is missing."""
        while self.due in self._held:
            position, held = self._held.pop(self.due)
            self.due += 1
            yield position, unpack_result(self._read(held))

    def _write(self, packed: bytes) -> tuple[int, int]:
        at = self._file.seek(0, 2)
        self._file.write(packed)
        self._on_disk += len(packed)
        return at, len(packed)

    def _read(self, held: _Held) -> bytes:
        if isinstance(held, bytes):
            self._in_memory -= len(held)
            return held
        at, size = held
        self._file.seek(at)
        packed = self._file.read(size)
        self._on_disk -= size
        if not self._on_disk:
            self._file.truncate(0)
        return packed
