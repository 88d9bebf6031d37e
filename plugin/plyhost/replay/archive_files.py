"""Archives in: files and folders, plain or gzipped, cut into games without holding more than one.

A file of lines holds a game in each; a bad line is one bad game and the next line is read as ever.
Any other file is JSON: one game, several, or an array of them.  Memory does not grow with a file.
"""

import gzip
import os
import zlib
from collections.abc import Iterable, Iterator
from io import BufferedReader
from pathlib import Path

import msgspec
import orjson

from plyhost.replay.json_stream import BLOCK, LONGEST, Broken, read_json_values

#: Names of files that a folder is searched for; each may end in `.gz` as well.
SUFFIXES = (".json", ".jsonl", ".ndjson", ".txt")
LINED = SUFFIXES[1:]
#: Bytes of games that are judged together, a compromise between even shares and few messages.
CHUNK_BYTES = 256 * 1024
GZIP_MAGIC = b"\x1f\x8b"
#: How many first lines are looked at to tell lines from JSON that spreads over them.
_LOOKED_AT = 8


class Item(msgspec.Struct, frozen=True, array_like=True):
    """One game as it was read: `at` is `file:line` or `file#number`; `problem` says why not."""

    at: str
    data: bytes
    problem: str = ""


class Chunk(msgspec.Struct, frozen=True):
    """Games that are judged together: `position` is how many bytes were read up to its end."""

    number: int
    items: list[Item]
    position: int


class Archive:
    """Files and folders to read, in the order given, a folder's files by name."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.paths = list(paths)
        self._behind = 0
        self._file: BufferedReader | None = None

    def size(self) -> int:
        """Return the bytes of all files as they lie on disk."""
        return sum(map(_measure_file, self.files()))

    def files(self) -> Iterator[Path]:
        """Yield the files that are read."""
        for path in self.paths:
            yield from _list_archive_files(path) if os.path.isdir(path) else (path,)

    @property
    def position(self) -> int:
        """How many bytes of all files were read."""
        return self._behind + (self._file.tell() if self._file else 0)

    def items(self) -> Iterator[Item]:
        """Yield every game; a file that cannot be read on is one with a problem."""
        for path in self.files():
            problem = None
            try:
                with path.open("rb") as self._file:
                    yield from _read_file_items(path, self._file)
            except (OSError, EOFError, zlib.error, Broken) as error:
                problem = f"cannot be read on: {error}"
            self._file = None
            self._behind += _measure_file(path)
            if problem:
                yield Item(_format_path_label(path), b"", problem)

    def chunks(self, size: int = CHUNK_BYTES) -> Iterator[Chunk]:
        """Yield every game in chunks of about `size` bytes; the same files give the same chunks."""
        number, held, weight = 0, list[Item](), 0
        for item in self.items():
            held.append(item)
            weight += len(item.data)
            if weight >= size:
                yield Chunk(number, held, self.position)
                number, held, weight = number + 1, [], 0
        if held:
            yield Chunk(number, held, self.position)


def _measure_file(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _list_archive_files(folder: Path) -> Iterator[Path]:
    """Yield a folder's files; a folder that cannot be looked into is yielded as if it were one."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        yield folder
        return
    for name in names:
        path = folder / name
        if name.startswith("."):
            continue
        if os.path.isdir(path):
            yield from () if path.is_symlink() else _list_archive_files(path)
        elif normalise_file_name(name).endswith(SUFFIXES):
            yield path


def _format_path_label(path: Path) -> str:
    """Return a path as text that can be written anywhere."""
    return os.fsencode(path).decode(errors="replace")


def normalise_file_name(name: str) -> str:
    """Return a file's name in lower case, without `.gz`."""
    return name.lower().removesuffix(".gz")


def _read_file_items(path: Path, file: BufferedReader) -> Iterator[Item]:
    blocks = _read_file_blocks(file)
    first = next(blocks, b"").removeprefix(b"\xef\xbb\xbf")
    if _has_game_per_line(normalise_file_name(path.name), first):
        yield from _read_line_items(_format_path_label(path), _prepend_block(first, blocks))
        return
    for number, value in enumerate(read_json_values(_prepend_block(first, blocks)), 1):
        yield Item(f"{_format_path_label(path)}#{number}", value)


def _read_file_blocks(file: BufferedReader) -> Iterator[bytes]:
    """Yield a file's bytes, unpacked if they are gzipped; what came before a fault is not lost."""
    if file.peek(2)[:2] != GZIP_MAGIC:
        while block := file.read(BLOCK):
            yield block
        return
    with gzip.GzipFile(fileobj=file) as unpacked:
        while block := unpacked.read1(BLOCK):
            yield block


def _prepend_block(first: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from blocks


def _has_game_per_line(name: str, first: bytes) -> bool:
    """Tell whether a file holds a game in each line, by its name or by what it begins with."""
    if name.endswith(LINED):
        return True
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


def _read_line_items(label: str, blocks: Iterable[bytes]) -> Iterator[Item]:
    """Yield the lines that are not blank; of one that is too long only that it is there."""
    number, rest, is_skipped = 0, b"", False
    for block in blocks:
        *whole, rest = (rest + block).split(b"\n")
        for line in whole:
            number += 1
            if not is_skipped and (line := line.strip()):
                yield Item(f"{label}:{number}", line)
            is_skipped = False
        if len(rest) > LONGEST:
            if not is_skipped:
                yield Item(f"{label}:{number + 1}", b"", f"is longer than {LONGEST} bytes")
            rest, is_skipped = b"", True
    if not is_skipped and (rest := rest.strip()):
        yield Item(f"{label}:{number + 1}", rest)
