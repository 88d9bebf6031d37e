"""Archives of every make: what is read of them, and what is said of the rest."""

import gzip
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyhost.replay.archive_files import Archive, Item
from plyhost.replay.json_stream import BLOCK, LONGEST, Broken, read_json_values

LINES = [b'{"a": 1}', b'"p1:x"', b"p1:bare", b'{"b": [1, {"c": "\\"}]"}]}']
DOCUMENTS = [json.loads(line) for line in (LINES[0], LINES[1], LINES[3])]


def items(*paths: Path) -> list[Item]:
    return list(Archive(paths).items())


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
    loop = tmp_path / "a" / "loop.json"
    loop.parent.mkdir()
    loop.symlink_to(loop)
    (tmp_path / "b.json").write_bytes(LINES[0])
    gone, found = items(tmp_path)
    assert (gone.at, found.data) == (str(loop), LINES[0])
    (same,) = items(tmp_path / "gone" / "folder")
    assert "cannot be read on" in same.problem


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
        b'{"a": }',
        b"[{}",
        b'{"a": "\xff"}',
        b"]",
        b"[" * 99_999,
        b'{"a": 1}}',
    ],
)
def test_what_is_no_json_is_broken_where_it_is(text: bytes) -> None:
    with pytest.raises(Broken):
        list(read_json_values([text]))


def test_what_came_before_a_broken_place_is_not_lost(tmp_path: Path) -> None:
    path, other = tmp_path / "a.json", tmp_path / "b.json"
    path.write_text('[{"a": 1}, {"a": 2}, {"a": }, {"a": 4}]')
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
    for name in ("README.md", ".hidden.json", "a.json.part", "b/x.csv"):
        (tmp_path / name).write_bytes(b'{"n": "no"}')
    (tmp_path / ".folder").mkdir()
    (tmp_path / ".folder" / "a.json").write_bytes(b'{"n": "no"}')
    (tmp_path / "b" / "around").symlink_to(tmp_path)
    numbers = [json.loads(one)["n"] for one in data(tmp_path)]
    assert numbers == [4, 1, 0, 3, 2]
    assert data(tmp_path / "b", tmp_path / "README.md")[-1] == b'{"n": "no"}'
    assert Archive([tmp_path]).size() == sum((tmp_path / name).stat().st_size for name in names)


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
        (tmp_path / name).write_bytes(b"\n".join(b'{"n": %d}' % n for n in range(500)))
    whole = items(tmp_path)
    for size in (1, 100, 10_000, 10**9):
        chunks = list(Archive([tmp_path]).chunks(size))
        assert [item for chunk in chunks for item in chunk.items] == whole
        assert [chunk.number for chunk in chunks] == list(range(len(chunks)))
        assert chunks == list(Archive([tmp_path]).chunks(size))
        assert chunks[-1].position == Archive([tmp_path]).size()
        positions = [chunk.position for chunk in chunks]
        assert positions == sorted(positions)
