"""Bytes out of files however they are packed: gzip, xz, bzip2, zstd, tar, zip, in each other too.

What comes is told by what it begins with, not by its name.
"""

import bz2
import gzip
import lzma
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import Any

from plyhost.replay.reading.inputs import STDIN, Input, find_name_fault
from plyhost.replay.reading.json_stream import BLOCK

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

#: How often one packing may hold another.
DEEPEST = 4
_TAR_MAGIC_AT, _TAR_MAGIC = 257, b"ustar"
_LOOKED_AT = _TAR_MAGIC_AT + len(_TAR_MAGIC)
_ZIP_MAGIC = b"PK\x03\x04"
_UNPACKERS: tuple[tuple[bytes, Callable[[Any], Any]], ...] = (
    (b"\x1f\x8b", lambda file: gzip.GzipFile(fileobj=file)),
    (b"\x28\xb5\x2f\xfd", zstd.ZstdFile),
    (b"\xfd7zXZ\x00", lzma.LZMAFile),
    (b"BZh", bz2.BZ2File),
)
#: What reading a file may raise that is the file's fault.
FAULTS = (
    OSError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    zstd.ZstdError,
    tarfile.TarError,
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,  # a zip with a password
)


class ByteStream:
    """Bytes to come of a file; what comes first can be looked at."""

    def __init__(self, file: Any) -> None:
        self._file, self._held = file, b""
        self._fault: Exception | None = None

    def peek(self, size: int) -> bytes:
        """Return the first bytes without taking them, fewer only at the end."""
        try:
            while len(self._held) < size and (more := self._read_some(BLOCK)):
                self._held += more
        except FAULTS as error:
            self._fault = error  # it is told when what came before it was taken
        return self._held[:size]

    def _read_some(self, size: int) -> bytes:
        if self._fault:
            raise self._fault
        # What comes before a fault is not lost with `read1`.
        found: bytes = getattr(self._file, "read1", self._file.read)(size)
        return found

    def read1(self, size: int = BLOCK) -> bytes:
        """Return some bytes, none at the end."""
        if not self._held:
            return self._read_some(size)
        taken, self._held = self._held[:size], self._held[size:]
        return taken

    def read(self, size: int = -1) -> bytes:
        """Return so many bytes, all if it is negative; fewer only at the end."""
        pieces, left = [], size if size >= 0 else sys.maxsize
        while left and (piece := self.read1(min(left, BLOCK))):
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)

    def read_blocks(self) -> Iterator[bytes]:
        """Yield all that is left."""
        while block := self.read1(BLOCK):
            yield block


@contextmanager
def open_input(one: Input) -> Iterator[Any]:
    """Open a file, standard input or an address; raises OSError."""
    if one.path == STDIN:
        yield sys.stdin.buffer
    elif "://" in one.path:
        with open_address(one.path) as file:
            yield file
    else:
        with open(one.path, "rb") as file:
            yield file


def open_address(address: str) -> Any:
    """Open what lies at an address such as `s3://bucket/name`; raises OSError."""
    try:
        import fsspec
    except ImportError as error:
        raise OSError("addresses need fsspec: pip install 'plyhost[addresses]'") from error
    try:
        return fsspec.open(address, "rb").open()
    except OSError:
        raise
    except Exception as error:  # each store has errors of its own
        raise OSError(f"{type(error).__name__}: {error}") from error


#: The name of a stream inside its file ("" for the file itself), and its bytes.
Named = tuple[str, ByteStream]


def unpack_streams(name: str, stream: ByteStream, depth: int = 0) -> Iterator[Named | str]:
    """Yield every stream of a file, and the names in it that are passed over, with the reason."""
    if depth > DEEPEST:
        raise OSError(f"it is packed more than {DEEPEST} times")
    first = stream.peek(_LOOKED_AT)
    unpacker = next((made for magic, made in _UNPACKERS if first.startswith(magic)), None)
    if unpacker:
        yield from unpack_streams(name, ByteStream(unpacker(stream)), depth + 1)
    elif first.startswith(_ZIP_MAGIC):
        yield from _unpack_members(name, _read_zip(stream), depth)
    elif first[_TAR_MAGIC_AT:] == _TAR_MAGIC:
        yield from _unpack_members(name, _read_tar(stream), depth)
    else:
        yield name, stream


def is_packed(stream: ByteStream) -> bool:
    """Tell whether `unpack_streams` would find anything but the stream itself."""
    first = stream.peek(_LOOKED_AT)
    magics = (*(magic for magic, _ in _UNPACKERS), _ZIP_MAGIC)
    return first.startswith(magics) or first[_TAR_MAGIC_AT:] == _TAR_MAGIC


def _unpack_members(
    name: str, members: Iterator[tuple[str, Any]], depth: int
) -> Iterator[Named | str]:
    for inner, file in members:
        inner = inner.encode(errors="replace").decode()
        within = f"{name}!{inner}"
        base = inner.rpartition("/")[2]
        if base.startswith("."):
            continue
        if why := find_name_fault(base):
            yield f"{within}: {why}"
        else:
            yield from unpack_streams(within, ByteStream(file), depth + 1)


def _read_tar(stream: ByteStream) -> Iterator[tuple[str, Any]]:
    with tarfile.open(fileobj=stream, mode="r|") as bundle:  # type: ignore[call-overload]
        for member in bundle:
            file = bundle.extractfile(member) if member.isfile() else None
            if file:
                yield member.name, file


def _read_zip(stream: ByteStream) -> Iterator[tuple[str, Any]]:
    """Yield a zip's files; its list stands at its end, so it is laid down on disk first."""
    with TemporaryFile() as held:
        held.writelines(stream.read_blocks())
        with zipfile.ZipFile(held) as bundle:
            for member in bundle.infolist():
                if not member.is_dir():
                    with bundle.open(member) as file:
                        yield member.filename, file
