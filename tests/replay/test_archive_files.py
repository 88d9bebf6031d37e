"""Archives of every make: what is read of them, and what is said of the rest."""

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import tarfile
import threading
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

import pyarrow
import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from plyhost.replay.reading.archive_files import Archive
from plyhost.replay.reading.inputs import BadInput, Passed, find_inputs
from plyhost.replay.reading.json_stream import BLOCK, LONGEST, Broken, read_json_values
from plyhost.replay.reading.line_spans import SpanReader, format_item_place

LINES = [b'{"a": 1}', b'"p1:x"', b"p1:bare", b'{"b": [1, {"c": "\\"}]"}]}']
DOCUMENTS = [json.loads(line) for line in (LINES[0], LINES[1], LINES[3])]


class Found(NamedTuple):
    """A game as it was read, and where."""

    at: str
    data: bytes
    problem: str


def items(*paths: Path) -> list[Found]:
    archive = Archive(paths)
    return [
        Found(format_item_place(archive.found, item), item.data, item.problem)
        for item in archive.read_items()
    ]


def spanned(path: Path, size: int) -> list[Found]:
    """Read a file of lines as those do that it is handed out to."""
    archive, behind, found = Archive([path]), 0, list[Found]()
    for chunk in archive.cut_chunks(size):
        assert chunk.span is not None
        assert chunk.items == []
        reader = SpanReader(chunk.span)
        for item in reader.read_items():
            number = item.place.number + behind
            found.append(Found(f"{path}:{number}", item.data, item.problem))
        behind += reader.lines
    return found


def data(*paths: Path) -> list[bytes]:
    return [item.data for item in items(*paths)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "archive.jsonl"


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n  \n"])
@pytest.mark.parametrize("is_closed", [True, False])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_lines_are_read_whatever_ends_them(
    file: Path, end: bytes, is_closed: bool, mark: bytes
) -> None:
    text = mark + end.join(LINES) + (end if is_closed else b"")
    for whole in (text, gzip.compress(text), gzip.compress(text[:9]) + gzip.compress(text[9:])):
        file.write_bytes(whole)
        assert data(file) == LINES
    step = end.count(b"\n")
    assert [item.at for item in items(file)] == [f"{file}:{1 + n * step}" for n in range(4)]


@pytest.mark.parametrize("name", ["a.jsonl", "a.NDJSON", "a.txt", "a", "a.json", "a.dat"])
def test_lines_are_told_by_name_or_by_what_is_in_them(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for zipped in (False, True):
        text = b"\n".join(LINES)
        path.write_bytes(gzip.compress(text) if zipped else text)
        assert data(path) == LINES


def spread(indent: int | None) -> Iterator[str]:
    yield json.dumps(DOCUMENTS, indent=indent)
    yield "\n".join(json.dumps(one, indent=indent) for one in DOCUMENTS)
    yield json.dumps(DOCUMENTS[:2], indent=indent) + json.dumps(DOCUMENTS[2:], indent=indent)
    yield f" \n[\n{' , '.join(json.dumps(one, indent=indent) for one in DOCUMENTS)}\n]\n "


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_json_may_be_an_array_or_values_however_it_is_spread(
    tmp_path: Path, indent: int | None
) -> None:
    path = tmp_path / "a.json"
    for text in spread(indent):
        path.write_text(text)
        assert [json.loads(one) for one in data(path)] == DOCUMENTS, text
        path.write_bytes(gzip.compress(text.encode()))
        assert [json.loads(one) for one in data(path)] == DOCUMENTS


def test_json_that_only_looks_like_lines_is_not_cut_into_them(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"players": [\n{"name": "Ann"},\n{"name": "Bob"}\n]}\n')
    assert len(data(path)) == 1
    path.write_text('{"broken\n{"name": "Ann"}\n{"name": "Bob"}\n')
    assert len(data(path)) == 3


def test_a_folder_that_cannot_be_looked_into_is_said(tmp_path: Path) -> None:
    (same,) = items(tmp_path / "gone" / "folder")
    assert "cannot be read on" in same.problem


def test_what_is_no_file_in_a_folder_is_passed_over_and_named(tmp_path: Path) -> None:
    loop, pipe = tmp_path / "loop.json", tmp_path / "pipe.jsonl"
    loop.symlink_to(loop)
    os.mkfifo(pipe)
    (tmp_path / "around").symlink_to(tmp_path)
    (tmp_path / "null.json").symlink_to("/dev/null")
    (tmp_path / "z.json").write_bytes(LINES[0])
    archive = Archive([tmp_path])
    assert [item.data for item in archive.read_items()] == LINES[:1]
    assert archive.found.passed == [
        Passed(f"{tmp_path}/around", "a link to a folder"),
        Passed(f"{tmp_path}/loop.json", "Too many levels of symbolic links"),
        Passed(f"{tmp_path}/null.json", "no file"),
        Passed(f"{tmp_path}/pipe.jsonl", "no file"),
    ]
    with pytest.raises(BadInput, match="is a device"):
        Archive([Path("/dev/zero")])


def test_one_file_is_not_read_twice_by_whatever_name(file: Path) -> None:
    file.write_bytes(LINES[0])
    other = file.with_name("other.jsonl")
    for link in (other.symlink_to, other.hardlink_to):
        link(file)
        for paths in ([file, other], [file.parent], [file.parent / "." / file.name, file]):
            with pytest.raises(BadInput, match="would be counted twice"):
                Archive(paths)
        other.unlink()


def test_a_name_that_is_no_text_can_be_told(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.jsonl"
    with open(path, "wb") as file:
        file.write(LINES[0])
    (found,) = items(tmp_path)
    assert found.at.endswith("/\ufffd.jsonl:1")


def test_a_value_keeps_its_own_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    odd = '{"a" : 1.50, "a":1e2 , "é": "\\ud800\\u00e9"}'
    path.write_text(f"[ {odd} ,{odd}]")
    assert data(path) == [odd.encode()] * 2


def pieces(text: bytes, size: int) -> Iterable[bytes]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@given(
    st.lists(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=9,
        ).filter(lambda one: not isinstance(one, int | None)),
        max_size=5,
    ),
    st.integers(1, 9),
    st.booleans(),
)
def test_values_do_not_depend_on_where_blocks_end(
    found: list[object], size: int, is_ascii: bool
) -> None:
    documents = [{"v": one} for one in found]
    text = json.dumps(documents, ensure_ascii=is_ascii).encode()
    assert [json.loads(one) for one in read_json_values(pieces(text, size))] == documents


@pytest.mark.parametrize(
    "text",
    [
        b"[1 2]",
        b"[{},]",
        b"{",
        b"[{}",
        b"]",
        b"[" * 99_999,
        b"[{}, tru]",
        b'[{"a": 1}, {"a": [}]',
        b'{"a": 1}}',
    ],
)
def test_what_is_no_json_is_broken_where_it_is(text: bytes) -> None:
    with pytest.raises(Broken):
        list(read_json_values([text]))


@pytest.mark.parametrize("size", [1, 7, 100_000])
@pytest.mark.parametrize(
    "odd",
    [b"1" * 5000, b"[" * 2000 + b"]" * 2000, b'"\xff"', b'"\\ud800"', b"1e999999", b"tru", b""],
)
def test_an_odd_value_is_left_to_who_judges_it(odd: bytes, size: int) -> None:
    text = b'[{"a": %b}, {"b": 1}]' % odd
    assert list(read_json_values(pieces(text, size))) == [b'{"a": %b}' % odd, b'{"b": 1}']


def test_many_values_that_begin_alike_are_taken_at_once_and_right() -> None:
    nested = [{"h": {"n": n}, "l": [{"h": {}}, '},{"h"'] * (n % 5)} for n in range(3000)]
    for between in (",", ", ", ",\n"):
        text = f"[{between.join(json.dumps(one) for one in nested)}]".encode()
        for size in (4096, BLOCK, len(text)):
            assert [json.loads(one) for one in read_json_values(pieces(text, size))] == nested


def test_what_came_before_a_broken_place_is_not_lost(tmp_path: Path) -> None:
    path, other = tmp_path / "a.json", tmp_path / "b.json"
    path.write_text('[{"a": 1}, {"a": 2}, {"a": [}, {"a": 4}]')
    other.write_text('{"b": 1}')
    *sound, broken, last = items(path, other)
    assert [item.data for item in (*sound, last)] == [b'{"a": 1}', b'{"a": 2}', b'{"b": 1}']
    assert (broken.at, broken.data) == (str(path), b"")
    assert "cannot be read on" in broken.problem


@pytest.mark.parametrize("kept", [3, 12, 200, 5_000, -1, -9])
def test_a_gzip_that_is_cut_short_is_read_as_far_as_it_goes(file: Path, kept: int) -> None:
    lines = [b'{"a": "%s"}' % os.urandom(20).hex().encode() for _ in range(400)]
    file.write_bytes(gzip.compress(b"\n".join(lines))[:kept])
    *sound, broken = items(file)
    assert "cannot be read on" in broken.problem or kept == 3
    assert [item.data for item in sound] == lines[: len(sound)]
    assert len(sound) > 350 or kept in (3, 12, 200, 5_000)


def test_garbage_behind_a_gzip_is_said(file: Path) -> None:
    file.write_bytes(gzip.compress(b"\n".join(LINES) + b"\n") + b"garbage")
    *sound, broken = items(file)
    assert [item.data for item in sound] == LINES
    assert broken.problem


def test_a_line_that_is_too_long_is_one_bad_game(file: Path) -> None:
    long = b"x" * (LONGEST + 2 * BLOCK)
    file.write_bytes(b"\n".join([LINES[0], long, LINES[1], long]))
    one, bad, two, last = items(file)
    assert [one.data, two.data] == LINES[:2]
    assert [one.at, bad.at, two.at, last.at] == [f"{file}:{n}" for n in (1, 2, 3, 4)]
    assert bad.problem == last.problem == f"is longer than {LONGEST} bytes"


def test_a_value_that_does_not_end_is_given_up_before_memory_is_full() -> None:
    read = 0

    def endless() -> Iterator[bytes]:
        nonlocal read
        yield b'{"a": "'
        while True:
            read += BLOCK
            yield b"x" * BLOCK

    with pytest.raises(Broken):
        list(read_json_values(endless()))
    assert read < 4 * LONGEST


def test_a_folder_is_read_whole_and_by_name(tmp_path: Path) -> None:
    names = ["b/c.jsonl.gz", "a.json", "z.txt", "b/d/e.ndjson", "F.JSON"]
    for number, name in enumerate(names):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        line = b'{"n": %d}\n' % number
        path.write_bytes(gzip.compress(line) if name.endswith("gz") else line)
    others = ("README.md", "a.json.part", "b/none", "b/x.csv")
    for name in (*others, ".hidden.json"):
        (tmp_path / name).write_bytes(b'{"n": "no"}')
    (tmp_path / ".folder").mkdir()
    (tmp_path / ".folder" / "a.json").write_bytes(b'{"n": "no"}')
    numbers = [json.loads(one)["n"] for one in data(tmp_path)]
    assert numbers == [4, 1, 0, 3, 2]
    passed = Archive([tmp_path]).found.passed
    assert sorted(one.label for one in passed) == sorted(str(tmp_path / name) for name in others)
    assert (
        Archive(find_inputs([tmp_path], ignored=["*.md", "no*", "*.part", "*.csv"])).found.passed
        == []
    )
    assert data(tmp_path / "b", tmp_path / "README.md")[-1] == b'{"n": "no"}'
    assert Archive([tmp_path]).measure_size() == sum(
        (tmp_path / name).stat().st_size for name in names
    )


def test_a_file_that_cannot_be_opened_is_said_and_the_next_is_read(tmp_path: Path) -> None:
    there = tmp_path / "b.jsonl"
    there.write_bytes(LINES[0])
    gone, found = items(tmp_path / "a.jsonl", there)
    assert "cannot be read on" in gone.problem
    assert found.data == LINES[0]


def test_an_empty_file_holds_no_game(file: Path) -> None:
    for text in (b"", b"\n \n", gzip.compress(b""), b"\xef\xbb\xbf"):
        file.write_bytes(text)
        assert items(file) == []
    for spread in ("[]", "[ ]", " "):
        (file.parent / "a.json").write_text(spread)
        assert items(file.parent / "a.json") == []


def test_chunks_hold_every_game_once_and_are_the_same_again(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        lines = b"\n".join(b'{"n": %d}' % n for n in range(500))
        (tmp_path / name).write_bytes(lines)
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(lines))
    archive = Archive([tmp_path], is_handed_out=False)
    whole = list(archive.read_items())
    for size in (1, 100, 10_000, 10**9):
        archive = Archive([tmp_path], is_handed_out=False)
        chunks = list(archive.cut_chunks(size))
        assert [item for chunk in chunks for item in chunk.items] == whole
        assert [chunk.number for chunk in chunks] == list(range(len(chunks)))
        assert chunks == list(Archive([tmp_path], is_handed_out=False).cut_chunks(size))
        assert chunks[-1].position == archive.measure_size()
        positions = [chunk.position for chunk in chunks]
        assert positions == sorted(positions)


TEXTS = [
    b"",
    b"\n",
    b"\n\n\n",
    b"{}\n",
    b"{}",
    b'\n\n{"a": 1}\n\n{"b": 22}\r\n \n{"c": 333}',
    b"\xef\xbb\xbf{}\n{}\n",
    b'{"a": "%s"}\n{}\n' % (b"x" * 3 * BLOCK),
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000, BLOCK, 10 * BLOCK])
def test_spans_have_every_line_once_wherever_they_end(file: Path, text: bytes, size: int) -> None:
    if len(text) > BLOCK and size < 1000:
        size *= 100_003
    file.write_bytes(text)
    assert spanned(file, size) == items(file)


@given(
    st.lists(st.sampled_from([b"\n", b"\n", b"{}", b" ", b'{"a":1}', b"\r\n"])), st.integers(1, 9)
)
def test_spans_of_any_lines_are_the_lines(pieces: list[bytes], size: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        path.write_bytes(b"".join(pieces))
        assert spanned(path, size) == items(path)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 50])
def test_every_game_is_in_exactly_one_shard(tmp_path: Path, count: int) -> None:
    for name in ("a.jsonl", "b.json", "c.jsonl.gz", "d.jsonl", "e.json"):
        lines = [b'{"n": "%b %d"}' % (name.encode(), n) for n in range(40)]
        text = b"\n".join(lines) if "l" in name else b"[%b]" % b",".join(lines)
        (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    found = list[bytes]()
    for number in range(1, count + 1):
        for chunk in Archive([tmp_path], shard=(number, count)).cut_chunks(100):
            items = SpanReader(chunk.span).read_items() if chunk.span else chunk.items
            found += [item.data for item in items]
    assert sorted(found) == sorted(data(tmp_path))
    assert len(set(found)) == 200


# --- packings -------------------------------------------------------------------------------


def bundle_tar(mode: Literal["w", "w:gz", "w:xz"]) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode=mode) as tar:
        for name, text in MEMBERS.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text))
    return held.getvalue()


def bundle_zip() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in MEMBERS.items():
            bundle.writestr(name, text)
    return held.getvalue()


MEMBERS = {
    "in/a.jsonl": b"\n".join(LINES),
    "in/b.json.gz": gzip.compress(b"[1]"),
    "in/README": b"no game",
    "in/.hidden.json": b"{}",
    "in/c.txt": b"p1:x",
}
PACKED: dict[str, bytes] = {
    "a.jsonl.gz": gzip.compress(MEMBERS["in/a.jsonl"]),
    "a.jsonl.xz": lzma.compress(MEMBERS["in/a.jsonl"]),
    "a.jsonl.bz2": bz2.compress(MEMBERS["in/a.jsonl"]),
    "a.jsonl.zst": zstd.compress(MEMBERS["in/a.jsonl"]),
    "twice.jsonl.gz": gzip.compress(zstd.compress(MEMBERS["in/a.jsonl"])),
}
BUNDLED: dict[str, bytes] = {
    "a.tar": bundle_tar("w"),
    "a.tar.gz": bundle_tar("w:gz"),
    "a.tgz": bundle_tar("w:gz"),
    "a.tar.xz": bundle_tar("w:xz"),
    "a.tar.zst": zstd.compress(bundle_tar("w")),
    "a.zip": bundle_zip(),
}


@pytest.mark.parametrize("name", PACKED)
def test_files_are_read_however_they_are_packed(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(PACKED[name])
    assert [(one.at, one.data) for one in items(tmp_path)] == [
        (f"{tmp_path / name}:{number}", line) for number, line in enumerate(LINES, 1)
    ]


@pytest.mark.parametrize("name", BUNDLED)
def test_bundles_are_read_and_what_is_passed_over_in_them_is_named(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(BUNDLED[name])
    archive = Archive([tmp_path])
    found = [(format_item_place(archive.found, one), one.data) for one in archive.read_items()]
    lines = [(f"{path}!in/a.jsonl:{number}", line) for number, line in enumerate(LINES, 1)]
    assert found == [*lines, (f"{path}!in/b.json.gz#1", b"1"), (f"{path}!in/c.txt:1", b"p1:x")]
    assert [one.label for one in archive.passed] == [f"{path}!in/README"]


@pytest.mark.parametrize("name", PACKED | BUNDLED)
def test_what_is_packed_and_cut_short_is_said(tmp_path: Path, name: str) -> None:
    whole = (PACKED | BUNDLED)[name]
    for kept in (5, len(whole) // 2, len(whole) - 20):
        (tmp_path / name).write_bytes(whole[:kept])
        *sound, last = items(tmp_path)
        games = {one.data for one in (*sound, last) if not one.problem}
        # The end of a tar is empty, so that nothing is lost with it.
        assert last.problem or kept == 5 or b"p1:x" in games
        assert games <= {*LINES, b"1", b"p1:x", whole[:5]}


def test_a_packing_that_holds_itself_ends(tmp_path: Path) -> None:
    data = b"{}"
    for _ in range(9):
        data = gzip.compress(data)
    (tmp_path / "a.json.gz").write_bytes(data)
    (broken,) = items(tmp_path)
    assert "packed more than" in broken.problem


def test_a_link_to_a_pipe_that_is_named_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"\n".join(LINES),))
    writer.start()
    assert data(pipe) == LINES
    writer.join()


# --- tables ---------------------------------------------------------------------------------

GAMES = ['{"a": "x,\\"y\\"\\n\\t"}', "p1:one", "p1:two"]
CSV = io.StringIO()
csv.writer(CSV).writerows(
    [["id", "state"], *([str(n), one] for n, one in enumerate(GAMES)), ["9", ""]]
)
COPIED = [one.replace("\\", "\\\\") for one in GAMES]
ROWS = "".join(f"\t{n}\t{one}\t\n" for n, one in enumerate(COPIED)) + "\t7\t\\N\t\n"
TABLES = {
    "a.csv": CSV.getvalue(),
    "b.csv": "\ufeff" + CSV.getvalue(),
    "a.tsv": f"x\tid\tstate\ty\n{ROWS}",
    "dump.copy": f'-- a\nCOPY public.g (x, id, "state", y) FROM stdin;\n{ROWS}\\.\n\nSELECT;\n',
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_hold_a_game_in_a_column_of_each_row(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(TABLES[name])
    archive = Archive(find_inputs([tmp_path], is_table=True), column="state")
    found = [(format_item_place(archive.found, one), one.data) for one in archive.read_items()]
    assert found == [(f"{path}#{n}", one.encode()) for n, one in enumerate(GAMES, 1)]
    for column, why in ((None, "--column"), ("nothing", "no column nothing")):
        (bad,) = Archive([path], column=column).read_items()
        assert why in bad.problem


def test_rows_without_names_have_numbered_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.copy"
    path.write_text(ROWS)
    assert [one.data.decode() for one in Archive([path], column="3").read_items()] == GAMES


def test_parquet_is_a_table(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(pyarrow.table({"id": [0, 1, 2, 3], "state": [*GAMES, None]}), path)
    assert [one.data.decode() for one in Archive([path], column="state").read_items()] == GAMES
    path.write_bytes(path.read_bytes()[:-9])
    (bad,) = Archive([path], column="state").read_items()
    assert "no Parquet" in bad.problem
