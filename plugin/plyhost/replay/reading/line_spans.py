"""Lines of files: what is a game of them, and spans of bytes that are read wherever they are seen.

The lines that begin in a span are its own, so that spans that lie side by side have every line of a
file once.
"""

import os
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from plyhost.replay.reading.inputs import Inputs
from plyhost.replay.reading.json_stream import BLOCK, LONGEST

MARK = b"\xef\xbb\xbf"


class Place(msgspec.Struct, frozen=True, array_like=True):
    """Where a game stands: the number of its file, and in it `:` a line or `#` a value.

    In a bundle `mark` begins with the name inside.  A whole file has no mark and the number 0.
    """

    file: int
    mark: str
    number: int


class Item(msgspec.Struct, frozen=True, array_like=True):
    """One game as it was read; `problem` says why not."""

    place: Place
    data: bytes
    problem: str = ""


def format_item_place(found: Inputs, item: Item) -> str:
    """Return where a game stands, as users are told: `file:line`, `file#number`, or the file."""
    place = item.place
    return f"{found.files[place.file].label}{place.mark}{place.number or ''}"


class Unseen(OSError):
    """The file of a span is not the one that was meant."""


class Span(msgspec.Struct, frozen=True, array_like=True):
    """Bytes of a plain file of lines; `size` and `changed` tell whether it is the same file."""

    file: int
    path: str
    start: int
    end: int
    size: int
    changed: int

    def check_file(self) -> None:
        """Raise Unseen, or OSError, unless the file is there as it was found."""
        status = os.stat(self.path)
        if (status.st_size, max(status.st_mtime_ns, 1)) != (self.size, self.changed):
            raise Unseen(f"{self.path} has changed")


class SpanReader:
    """The games whose lines begin in a span; `lines` is how many were read so far."""

    def __init__(self, span: Span) -> None:
        self.span, self.lines = span, 0

    def read_items(self) -> Iterator[Item]:
        """Yield the games, numbered from 1; a file that cannot be read on is one with a problem."""
        problem = None
        try:
            with open(self.span.path, "rb", buffering=0) as file:
                place = Place(self.span.file, ":", 0)
                yield from read_line_items(place, self._count_lines(file))
        except OSError as error:
            problem = f"cannot be read on: {error}"
        if problem:
            yield Item(Place(self.span.file, "", 0), b"", problem)

    def _count_lines(self, file: Any) -> Iterator[bytes]:
        blocks = _read_own_blocks(file, self.span.start, self.span.end)
        for block in blocks if self.span.start else strip_byte_order_mark(blocks):
            self.lines += block.count(b"\n")
            yield block


def _read_own_blocks(file: Any, start: int, end: int) -> Iterator[bytes]:
    """Yield the bytes of the lines that begin from `start` up to before `end`."""
    at = max(start - 1, 0)
    file.seek(at)
    is_ours = not start
    while block := file.read(BLOCK):
        if not is_ours:
            skipped = block.find(b"\n") + 1
            is_ours = bool(skipped)
            at, block = at + (skipped or len(block)), block[skipped:]
            if at >= end:
                return
            if not is_ours:
                continue
        close = block.find(b"\n", max(end - 1 - at, 0)) if at + len(block) >= end else -1
        if close >= 0:
            yield block[: close + 1]
            return
        yield block
        at += len(block)


def strip_byte_order_mark(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield blocks without the mark that a text may begin with."""
    first = b""
    for block in blocks:
        first += block
        if len(first) >= len(MARK):
            break
    yield first.removeprefix(MARK)
    yield from blocks


def read_line_items(place: Place, blocks: Iterable[bytes]) -> Iterator[Item]:
    """Yield the lines that are not blank, numbered from 1; of one that is too long only that."""
    file, mark, number = place.file, place.mark, place.number
    rest, is_skipped = b"", False
    for block in blocks:
        *whole, rest = (rest + block).split(b"\n")
        for line in whole:
            number += 1
            if not is_skipped and (line := line.strip()):
                yield Item(Place(file, mark, number), line)
            is_skipped = False
        if len(rest) > LONGEST:
            if not is_skipped:
                problem = f"is longer than {LONGEST} bytes"
                yield Item(Place(file, mark, number + 1), b"", problem)
            rest, is_skipped = b"", True
    if not is_skipped and (rest := rest.strip()):
        yield Item(Place(file, mark, number + 1), rest)
