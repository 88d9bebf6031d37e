"""One entry of a full state, in and out: the fields, and the Map of the board.

A Map is kept as Abstract Play's engine writes it, a list of `[cell, value]` in the order of
insertion: a cell that empties goes, one that fills is appended, one that changes keeps its place.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import orjson

from plugin import strict
from plugin.bits import Bits, pick, scan
from plugin.clock import is_stamp
from plugin.errors import InvalidState, UnsupportedEngine
from plugin.hexes import Board
from plugin.history import AnyGame, Step

Pairs: TypeAlias = list[list[Any]]
Entry: TypeAlias = dict[str, Any]
Stones: TypeAlias = tuple[Bits, Bits]

#: How deep a field may nest: the state, its stack and the entry are around it.
_DEEPEST = strict.DEEPEST - 3


@lru_cache(maxsize=64)
def _bits_by_label(board: Board) -> dict[str, Bits]:
    return {board.labels[cell]: 1 << cell for cell in board.cells}


def labels(board: Board, cells: Bits) -> list[str]:
    """Return the names of a set of cells in board order."""
    return pick(cells, board.labels)


def arranged(pairs: Pairs, board: Board, before: Stones, after: Stones) -> Pairs:
    """Return the Map of `after`, given the Map of `before`."""
    held, holds = before[0] | before[1], after[0] | after[1]
    if gone := held & ~holds:
        left = set(labels(board, gone))
        pairs = [pair for pair in pairs if pair[0] not in left]
    if turned := held & holds & (before[0] ^ after[0]):
        changed = set(labels(board, turned))
        pairs = [[cell, 3 - value if cell in changed else value] for cell, value in pairs]
    one = after[0]
    added = [[board.labels[cell], 2 - (one >> cell & 1)] for cell in scan(holds & ~held)]
    return pairs + added


def written(game: AnyGame, step: Step, pairs: Pairs) -> Entry:
    """Return the entry of a step, its keys in the stored order."""
    position = step.position
    entry: Entry = {
        "_version": step.version,
        "_results": step.results,
        "_timestamp": step.timestamp,
        "currplayer": position.seat,
    }
    if step.text is not None:
        entry["lastmove"] = step.text
    entry["board"] = {"dataType": "Map", "value": pairs}
    entry["scores"] = game.scores(position)
    return entry | game.stored(position)


def read(raw: bytes, index: int) -> Entry:
    """Return a stored entry as an object; raises InvalidState."""
    entry = _quickly(raw)
    if entry is None:
        entry = _strictly(raw, index)
    if not isinstance(entry, dict):
        raise wrong(index, "", "an entry must be an object")
    return entry


def _quickly(raw: bytes) -> Any:
    """Return the value of JSON that is the same written again but for usual blanks, else None."""
    try:
        value = orjson.loads(raw)
        tight = orjson.dumps(value)
        # The reader dropped nothing then, as it would of a key that stands twice.
        is_same = raw == tight or raw.replace(b", ", b",").replace(b": ", b":") == tight
        return value if is_same else None
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        return None


def _strictly(raw: bytes, index: int) -> Any:
    try:
        return strict.loads(raw)
    except strict.Ambiguous as error:
        field = strict.pointer(strict.path(raw)[:1])
        raise wrong(index, field[1:], str(error)) from error


def check(game: AnyGame, entry: Entry, index: int) -> None:
    """Check the fields of an entry that do not depend on others; raises InvalidState."""
    version = entry.get("_version")
    if not isinstance(version, str):
        raise wrong(index, "_version", "must be a text")
    if version not in game.info.versions:
        known = ", ".join(game.info.versions)
        where = f"/stack/{index}/_version"
        why = f"engine {version} is not among {known}"
        raise UnsupportedEngine(where, why, ply=index, field="_version")
    if not is_stamp(entry.get("_timestamp")):
        raise wrong(index, "_timestamp", "must be a timestamp such as 2026-01-31T09:30:00.000Z")
    if not isinstance(entry.get("_results"), list):
        raise wrong(index, "_results", "must be an array")
    if not isinstance(entry.get("lastmove"), str) if index else "lastmove" in entry:
        raise wrong(index, "lastmove", "must be a text on every entry but the first")
    if type(entry.get("currplayer")) is not int or entry["currplayer"] not in (1, 2):
        raise wrong(index, "currplayer", "must be 1 or 2")


def wrong(index: int, field: str, why: str, **trace: Any) -> InvalidState:
    """Return the error for a field of an entry."""
    where = f"/stack/{index}" + (f"/{field}" if field else "")
    return InvalidState(where, why, ply=index, field=field.split("/")[0] or None, **trace)


def stones(board: Board, entry: Entry, index: int) -> Stones:
    """Return the two sets of stones of an entry's Map, in any order; raises InvalidState."""
    pairs = pairs_of(entry, index)
    return _sound_stones(board, pairs) or _judged_stones(board, pairs, index)


def _sound_stones(board: Board, pairs: Pairs) -> Stones | None:
    """Return the stones of a Map quickly; None where any pair is not as it must be."""
    one = two = 0
    known = _bits_by_label(board)
    try:
        for label, value in pairs:
            if value == 1:
                one |= known[label]
            elif value == 2:
                two |= known[label]
        # Equal to 1 are true and 1.0 as well.
        is_sound = {type(value) for _, value in pairs} <= {int}
    except (TypeError, ValueError, KeyError):
        return None
    # Fewer cells than pairs: one stands twice, or a value is neither.
    return (one, two) if is_sound and (one ^ two).bit_count() == len(pairs) else None


def _judged_stones(board: Board, pairs: Pairs, index: int) -> Stones:
    """Return the stones of a Map pair by pair, to say which is wrong."""
    one = two = 0
    known = _bits_by_label(board)
    for number, pair in enumerate(pairs):
        if not isinstance(pair, list) or len(pair) != 2:
            raise wrong(index, f"board/value/{number}", "must be a cell and its value")
        label, value = pair
        bit = known.get(label) if type(label) is str else None
        if bit is None:
            raise wrong(index, f"board/value/{number}/0", "is no cell of this board")
        if (one | two) & bit:
            raise wrong(index, f"board/value/{number}/0", "stands twice")
        if type(value) is not int or not 1 <= value <= 2:
            raise wrong(index, f"board/value/{number}/1", "must be 1 or 2")
        if value == 1:
            one |= bit
        else:
            two |= bit
    return one, two


def pairs_of(entry: Entry, index: int) -> Pairs:
    """Return the Map of an entry as stored; raises InvalidState."""
    board = entry.get("board")
    if not isinstance(board, dict) or board.get("dataType") != "Map":
        raise wrong(index, "board", 'must be an object with "dataType": "Map"')
    value = board.get("value")
    if not isinstance(value, list):
        raise wrong(index, "board/value", "must be an array")
    return value


def _same(found: Any, expected: Any) -> bool:
    sort = orjson.OPT_SORT_KEYS
    return orjson.dumps(found, option=sort) == orjson.dumps(expected, option=sort)


def compare(board: Board, found: Entry, expected: Entry, index: int) -> None:
    """Check that a stored entry says what it must, in any order; raises InvalidState."""
    for field, value in found.items():
        if strict.depth(value) > _DEEPEST:
            raise wrong(index, strict.pointer([field])[1:], "it nests too deep")
    for field, value in expected.items():
        if field == "board":
            _compare_boards(board, found, value["value"], index)
        elif not _same(found.get(field), value):
            trace: Mapping[str, Any] = {"expected": value, "found": found.get(field)}
            why, move = "does not follow from the entry before", found.get("lastmove")
            raise wrong(index, field, why, move=move, **trace)


def _compare_boards(board: Board, found: Entry, pairs: Pairs, index: int) -> None:
    if pairs_of(found, index) == pairs and _same(found["board"]["value"], pairs):
        return
    stood = stones(board, found, index)
    ought = stones(board, {"board": {"dataType": "Map", "value": pairs}}, index)
    if stood != ought:
        raise wrong(
            index,
            "board",
            "does not follow from the entry before",
            move=found.get("lastmove"),
            expected=_difference(board, ought, stood),
            found=_difference(board, stood, ought),
        )


def _difference(board: Board, one: Stones, other: Stones) -> Pairs:
    return [
        [label, value]
        for value, mine, theirs in ((1, one[0], other[0]), (2, one[1], other[1]))
        for label in labels(board, mine & ~theirs)
    ]
