"""Tables in: CSV, Postgres' COPY text and Parquet, with a game in one column of each row."""

import csv
import re
from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile
from typing import Any

from plyhost.replay.reading.byte_streams import ByteStream
from plyhost.replay.reading.inputs import TABLES, strip_packing
from plyhost.replay.reading.json_stream import LONGEST, Broken
from plyhost.replay.reading.line_spans import Item, Place, strip_byte_order_mark

_PARQUET = b"PAR1"
#: Bytes of a dump among which its first `COPY` is looked for.
_LOOKED_AT = 64 * 1024
#: Rows of a Parquet file that are held at once.
_ROWS = 256
_COPY = re.compile(rb"COPY [^(]*\(([^)]*)\) FROM stdin;", re.IGNORECASE)
_ESCAPES = {b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_ESCAPED = re.compile(rb"\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)", re.DOTALL)


def is_table_name(name: str) -> bool:
    """Tell whether a file is a table by its name."""
    return strip_packing(name).endswith(TABLES)


def read_table_items(
    file: int, inner: str, name: str, stream: ByteStream, column: str | None
) -> Iterator[Item]:
    """Yield the games in a column of a table by row, from 1; raises Broken, or OSError.

    `column` is a name, or a number from 1 where the table names none.
    """
    if column is None:
        raise Broken("it is a table: say with --column where its games are")
    bare = strip_packing(name)
    if stream.peek(4) == _PARQUET:
        found: Iterable[tuple[int, bytes]] = _read_parquet_rows(stream, column)
    elif bare.endswith((".tsv", ".copy")) or _COPY.search(stream.peek(_LOOKED_AT)):
        found = _read_copy_rows(stream, column)
    else:
        found = _read_csv_rows(stream, column)
    for number, data in found:
        yield Item(Place(file, f"{inner}#", number), data)


def _find_column(names: list[str], column: str) -> int:
    """Return the place of a column from 0; raises Broken."""
    if column in names:
        return names.index(column)
    if column.isdecimal() and 0 < int(column) <= len(names):
        return int(column) - 1
    raise Broken(f"it has no column {column}")


def _read_csv_rows(stream: ByteStream, column: str) -> Iterator[tuple[int, bytes]]:
    csv.field_size_limit(LONGEST)
    blocks = strip_byte_order_mark(stream.read_blocks())
    rows = csv.reader(_decode_csv_lines(blocks), strict=True)
    try:
        at = _find_column(next(rows, []), column)
        for number, row in enumerate(rows, 1):
            if len(row) > at and row[at].strip():
                yield number, row[at].strip().encode(errors="surrogateescape")
    except csv.Error as error:
        raise Broken(f"it is no CSV: {error}") from error


def _decode_csv_lines(blocks: Iterator[bytes]) -> Iterator[str]:
    return (line.decode(errors="surrogateescape") for line in _split_table_lines(blocks))


def _split_table_lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield lines with their ends; raises Broken for one that is too long."""
    rest = b""
    for block in blocks:
        *whole, rest = (rest + block).split(b"\n")
        if len(rest) > LONGEST:
            raise Broken(f"a line is longer than {LONGEST} bytes")
        yield from (line + b"\n" for line in whole)
    if rest:
        yield rest


def _read_copy_rows(stream: ByteStream, column: str) -> Iterator[tuple[int, bytes]]:
    """Yield rows as Postgres writes them, alone or after the `COPY` of a dump, up to its end."""
    is_dump = bool(_COPY.search(stream.peek(_LOOKED_AT)))
    at, number = None, 0
    for ended in _split_table_lines(strip_byte_order_mark(stream.read_blocks())):
        line = ended.rstrip(b"\r\n")
        if head := _COPY.match(line):
            at = _find_column(_name_columns(head[1], b","), column)
            continue
        if line == b"\\.":
            at, is_dump = None, True  # what follows is no row until the next `COPY`
            continue
        if at is None and not is_dump:  # a line of names, or none and the column is a number
            names = _name_columns(line, b"\t")
            at = _find_column(names, column)
            if column in names:
                continue
        if at is not None:
            number += 1
            if data := _read_copy_field(line, at):
                yield number, data


def _name_columns(line: bytes, between: bytes) -> list[str]:
    return [one.strip(b' "').decode(errors="replace") for one in line.split(between)]


def _read_copy_field(line: bytes, at: int) -> bytes:
    fields = line.split(b"\t")
    if at >= len(fields) or fields[at] == b"\\N":
        return b""
    return _ESCAPED.sub(_replace_escape, fields[at]).strip()


def _replace_escape(found: "re.Match[bytes]") -> bytes:
    code = found[1]
    if code[:1] in b"01234567":
        return bytes((int(code, 8) & 255,))
    if code[:1] == b"x" and len(code) > 1:
        return bytes((int(code[1:], 16),))
    return _ESCAPES.get(code, code)


def _read_parquet_rows(stream: ByteStream, column: str) -> Iterator[tuple[int, bytes]]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise OSError("Parquet needs pyarrow: pip install 'plyhost[parquet]'") from error
    with TemporaryFile() as held:  # its list stands at its end
        held.writelines(stream.read_blocks())
        try:
            table = parquet.ParquetFile(held)
            names: list[str] = table.schema_arrow.names
            number, chosen = 0, [names[_find_column(names, column)]]
            for batch in table.iter_batches(_ROWS, columns=chosen):
                for value in batch.column(0):
                    number += 1
                    if data := _encode_cell(value.as_py()):
                        yield number, data
        except ArrowException as error:
            raise Broken(f"it is no Parquet: {error}") from error


def _encode_cell(value: Any) -> bytes:
    if value is None:
        return b""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")
