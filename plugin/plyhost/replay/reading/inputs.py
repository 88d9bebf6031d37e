"""What an archive consists of: files of folders, single files, addresses and standard input.

Everything is found before anything is read, so that what must not be is refused at once.
"""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

import msgspec

#: Names of files that a folder is searched for, and what may be packed around them.
ENDINGS = (".json", ".jsonl", ".ndjson", ".txt")
LINED = ENDINGS[1:]
TABLES = (".csv", ".tsv", ".copy", ".parquet")
PACKINGS = (".gz", ".xz", ".bz2", ".zst")
BUNDLES = (".tar", ".tgz", ".txz", ".zip")
STDIN = "-"


class BadInput(ValueError):
    """An input that must not be read; the message says why."""


class Input(msgspec.Struct, frozen=True, array_like=True):
    """A file to read: `label` is its name as it can be written anywhere, `size` in bytes.

    `size` and `changed` (nanoseconds) tell whether another machine sees the same file.
    """

    path: str
    label: str
    size: int = 0
    changed: int = 0

    @property
    def is_regular(self) -> bool:
        """Tell whether it is a file that can be read from anywhere in it."""
        return self.changed > 0


class Passed(msgspec.Struct, frozen=True, array_like=True):
    """A file that is not read, and why."""

    label: str
    why: str


class Inputs(msgspec.Struct):
    """The files of an archive in the order they are read, and those that are passed over."""

    files: list[Input] = []
    passed: list[Passed] = []


def find_inputs(
    paths: Iterable[Path | str], is_table: bool = False, ignored: Sequence[str] = ()
) -> Inputs:
    """Return what is read of some paths, a folder's files by name.

    `ignored` are patterns of names that are left out without a word.  Raises BadInput for a file
    that is there twice, and for a device.
    """
    found, known = Inputs(), dict[tuple[int, int] | str, str]()
    for path in map(str, paths):
        for one in _find_path_inputs(path, is_table, ignored):
            if isinstance(one, Passed):
                found.passed.append(one)
                continue
            same = known.setdefault(_identify_file(one.path), one.label)
            if known and same is not one.label:
                raise BadInput(f"{one.label} is {same}: one file would be counted twice")
            found.files.append(one)
    return found


def _find_path_inputs(
    path: str, is_table: bool, ignored: Sequence[str]
) -> Iterator[Input | Passed]:
    if path == STDIN:
        yield Input(path, "<stdin>")
    elif "://" in path:
        yield Input(path, mask_address(path))
    elif os.path.isdir(path):
        yield from _find_folder_inputs(path, is_table, ignored)
    else:
        yield _make_named_input(path)


def _make_named_input(path: str) -> Input:
    try:
        status = os.stat(path)
    except OSError:
        return Input(path, format_path_label(path))  # it is told when it is read
    if stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode):
        raise BadInput(f"{format_path_label(path)} is a device")
    if not stat.S_ISREG(status.st_mode):
        return Input(path, format_path_label(path))
    return _make_file_input(path, status)


def _make_file_input(path: str, status: os.stat_result) -> Input:
    return Input(path, format_path_label(path), status.st_size, max(status.st_mtime_ns, 1))


def _find_folder_inputs(
    folder: str, is_table: bool, ignored: Sequence[str]
) -> Iterator[Input | Passed]:
    """Yield a folder's files; a folder that cannot be looked into is yielded as if it were one."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        yield Input(folder, format_path_label(folder))
        return
    for name in names:
        if name.startswith(".") or any(fnmatch(name, pattern) for pattern in ignored):
            continue
        path = os.path.join(folder, name)
        if os.path.isdir(path) and not os.path.islink(path):
            yield from _find_folder_inputs(path, is_table, ignored)
        else:
            yield _look_at_entry(path, name, is_table)


def _look_at_entry(path: str, name: str, is_table: bool) -> Input | Passed:
    """Return a folder's entry that is no folder."""
    label = format_path_label(path)
    try:
        status = os.stat(path)
    except OSError as error:
        return Passed(label, f"{error.strerror}")
    if stat.S_ISDIR(status.st_mode):
        return Passed(label, "a link to a folder")
    if not stat.S_ISREG(status.st_mode):
        return Passed(label, "no file")
    if why := find_name_fault(name, is_table):
        return Passed(label, why)
    return _make_file_input(path, status)


def find_name_fault(name: str, is_table: bool = False) -> str | None:
    """Return why a file of a folder or a bundle is passed over by its name, None if it is not."""
    bare = strip_packing(name)
    if bare.endswith(TABLES) and not is_table:
        return "a table, and no --column is given"
    if bare.endswith((*ENDINGS, *TABLES, *BUNDLES)):
        return None
    return "its name does not say that it holds games"


def strip_packing(name: str) -> str:
    """Return a file's name in lower case, without the ending that says how it is packed."""
    name = name.lower()
    return next((name.removesuffix(one) for one in PACKINGS if name.endswith(one)), name)


def _identify_file(path: str) -> tuple[int, int] | str:
    """Return what two names of one file have in common."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return path
    return status.st_dev, status.st_ino


def format_path_label(path: str | Path) -> str:
    """Return a path as text that can be written anywhere."""
    return os.fsencode(path).decode(errors="replace")


def mask_address(address: str) -> str:
    """Return an address without a password in it."""
    scheme, mark, rest = address.partition("://")
    user, at, place = rest.rpartition("@")
    return address if not at else f"{scheme}{mark}{user.partition(':')[0]}:***{at}{place}"


def check_outputs(found: Inputs, outputs: Sequence[Path]) -> None:
    """Raise BadInput where an output, or the file beside it, is an input or another output."""
    written = [(path, beside) for path in outputs for beside in (path, make_part_path(path))]
    names = [os.path.realpath(beside) for _, beside in written]
    if len(set(names)) < len(names):
        raise BadInput("two outputs are one file")
    places = {_identify_file(name) for name in names} | set(names)
    for one in found.files:
        if _identify_file(one.path) in places or os.path.realpath(one.path) in places:
            raise BadInput(f"{one.label} is read: it would be destroyed by what is written")


def make_part_path(path: Path) -> Path:
    """Return where a file is written until it is whole."""
    return path.with_name(f"{path.name}.part")
