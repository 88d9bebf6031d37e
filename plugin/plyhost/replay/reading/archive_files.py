"""Archives in: files cut into games without holding more than one, and games into chunks.

A file of lines holds a game in each; a bad line is one bad game and the next line is read as ever.
A plain one is not even read here but handed out as spans of bytes, which those who judge read for
themselves.  A table holds a game in a column of each row.  Any other file is JSON: one game,
several, or an array of them.  Memory does not grow with a file.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import orjson

from plyhost.replay.reading.byte_streams import (
    FAULTS,
    ByteStream,
    is_packed,
    open_input,
    unpack_streams,
)
from plyhost.replay.reading.inputs import (
    LINED,
    STDIN,
    Input,
    Inputs,
    Passed,
    find_inputs,
    strip_packing,
)
from plyhost.replay.reading.json_stream import BLOCK, Broken, read_json_values
from plyhost.replay.reading.line_spans import (
    Item,
    Place,
    Span,
    read_line_items,
    strip_byte_order_mark,
)
from plyhost.replay.reading.tables import is_table_name, read_table_items

#: Bytes of games that are judged together, a compromise between even shares and few messages.
CHUNK_BYTES = 256 * 1024
#: Games that are held together at most, however short they are.
CHUNK_GAMES = 5000
#: How many first lines are looked at to tell lines from JSON that spreads over them.
_LOOKED_AT = 8


class Chunk(msgspec.Struct, frozen=True):
    """Games that are judged together: those of `items`, or the lines of `span`.

    `position` is how many bytes were read up to its end.
    """

    number: int
    items: list[Item]
    position: int
    span: Span | None = None

    @property
    def weight(self) -> int:
        """The bytes that it holds."""
        return sum(len(item.data) for item in self.items)


class Archive:
    """What is read, in the order given.

    `column` is the column of tables.  `shard` is a share of the archive: the first number counts
    from 1 up to the second.  With `is_handed_out` plain files of lines become spans.
    """

    def __init__(
        self,
        found: Inputs | Iterable[Path],
        column: str | None = None,
        shard: tuple[int, int] = (1, 1),
        is_handed_out: bool = True,
    ) -> None:
        self.found = found if isinstance(found, Inputs) else find_inputs(found)
        self.column, self.shard, self.is_handed_out = column, shard, is_handed_out
        #: What was passed over inside of bundles so far.
        self.passed = list[Passed]()
        self._behind = 0
        self._file: Any = None

    def measure_size(self) -> int:
        """Return the bytes of all files as they lie on disk."""
        return sum(one.size for one in self.found.files)

    @property
    def position(self) -> int:
        """How many bytes of all files were read."""
        try:
            return self._behind + (self._file.tell() if self._file else 0)
        except (OSError, ValueError):  # a pipe
            return self._behind

    def read_items(self) -> Iterator[Item]:
        """Yield every game; a file that cannot be read on is one with a problem."""
        for number, one in enumerate(self.found.files):
            yield from self._read_file(number, one)
            self._behind += one.size

    def _read_file(self, number: int, one: Input) -> Iterator[Item]:
        problem = None
        try:
            with open_input(one) as self._file:
                yield from self._read_streams(number, one, ByteStream(self._file))
        except (*FAULTS, Broken) as error:
            problem = f"cannot be read on: {error or type(error).__name__}"
        self._file = None
        if problem:
            yield Item(Place(number, "", 0), b"", problem)

    def _read_streams(self, number: int, one: Input, whole: ByteStream) -> Iterator[Item]:
        for found in unpack_streams("", whole):
            if isinstance(found, str):
                name, _, why = found.rpartition(": ")
                self.passed.append(Passed(f"{one.label}{name}", why))
                continue
            inner, stream = found
            name = inner or one.label
            if is_table_name(name) or (self.column and one.path == STDIN):
                yield from read_table_items(number, inner, name, stream, self.column)
            elif _has_game_per_line(name, stream):
                place = Place(number, f"{inner}:", 0)
                yield from read_line_items(place, strip_byte_order_mark(stream.read_blocks()))
            else:
                values = read_json_values(strip_byte_order_mark(stream.read_blocks()))
                for count, value in enumerate(values, 1):
                    yield Item(Place(number, f"{inner}#", count), value)

    def cut_chunks(self, size: int = CHUNK_BYTES) -> Iterator[Chunk]:
        """Yield every game in chunks of about `size` bytes; the same files give the same chunks."""
        for number, chunk in enumerate(self._cut_unnumbered(size)):
            yield msgspec.structs.replace(chunk, number=number)

    def _cut_unnumbered(self, size: int) -> Iterator[Chunk]:
        held, weight = list[Item](), 0
        for item in self._read_shares(size):
            if isinstance(item, Chunk):
                if held:
                    yield Chunk(0, held, self.position)
                    held, weight = [], 0
                yield item
                continue
            held.append(item)
            weight += len(item.data)
            if weight >= size or len(held) >= CHUNK_GAMES:
                yield Chunk(0, held, self.position)
                held, weight = [], 0
        if held:
            yield Chunk(0, held, self.position)

    def _read_shares(self, size: int) -> Iterator[Item | Chunk]:
        """Yield what is ours: games that were read here, and spans that were not."""
        ours, count = self.shard
        for number, one in enumerate(self.found.files):
            if self.is_handed_out and self._is_spannable(one):
                yield from self._cut_spans(number, one, size)
            elif number % count == ours - 1:
                yield from self._read_file(number, one)
            self._behind += one.size

    def _is_spannable(self, one: Input) -> bool:
        """Tell whether it is a plain file of lines, which can be read from anywhere in it."""
        if not one.is_regular or is_table_name(one.label):
            return False
        try:
            with open(one.path, "rb") as file:
                stream = ByteStream(file)
                return not is_packed(stream) and _has_game_per_line(one.label, stream)
        except OSError:
            return False

    def _cut_spans(self, number: int, one: Input, size: int) -> Iterator[Chunk]:
        ours, count = self.shard
        first, last = one.size * (ours - 1) // count, one.size * ours // count
        for start in range(first, last, size):
            end = min(start + size, last)
            span = Span(number, os.path.abspath(one.path), start, end, one.size, one.changed)
            yield Chunk(0, [], self._behind + end, span)


def _has_game_per_line(name: str, stream: ByteStream) -> bool:
    """Tell whether a file holds a game in each line, by its name or by what it begins with."""
    if strip_packing(name).endswith(LINED):
        return True
    first = stream.peek(BLOCK).removeprefix(b"\xef\xbb\xbf")
    *lines, rest = first.split(b"\n", _LOOKED_AT)
    lines = [line for line in map(bytes.strip, lines) if line] or [rest.strip()]
    if lines[0][:1] != b"{":
        return lines[0][:1] not in (b"[", b"")
    return 2 * sum(map(_is_game_line, lines)) > len(lines)


def _is_game_line(line: bytes) -> bool:
    """Tell whether a line may be a game: an object, or a text that is quoted or bare."""
    try:
        return line[:1].isalpha() or isinstance(orjson.loads(line), dict | str)
    except ValueError:
        return False
