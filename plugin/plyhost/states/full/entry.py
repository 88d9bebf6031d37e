"""One entry of a full state, in and out: the fields, and the Map of the board.

A Map is kept as Abstract Play's engine writes it, a list of `[cell, value]` in the order of
insertion: a cell that empties goes, one that fills is appended, one that changes keeps its place.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import orjson

from plyhost.board.bits import Bits, pick_entries, scan_cells
from plyhost.board.hexes import Board
from plyhost.errors import InvalidState, UnsupportedEngine
from plyhost.games.game import AnyGame
from plyhost.states import strict_json
from plyhost.states.clock import is_stamp
from plyhost.states.steps import Step

Pairs: TypeAlias = list[list[Any]]
Entry: TypeAlias = dict[str, Any]
Stones: TypeAlias = tuple[Bits, Bits]

#: Levels of JSON around an entry: the state and its stack.
_AROUND = 2


@lru_cache(maxsize=64)
def _map_label_bits(board: Board) -> dict[str, Bits]:
    return {board.labels[cell]: 1 << cell for cell in board.cells}


def list_cell_labels(board: Board, cells: Bits) -> list[str]:
    """Return the names of a set of cells in board order."""
    return pick_entries(cells, board.labels)


def arrange_map_pairs(pairs: Pairs, board: Board, before: Stones, after: Stones) -> Pairs:
    """Return the Map of `after`, given the Map of `before`."""
    held, holds = before[0] | before[1], after[0] | after[1]
    if gone := held & ~holds:
        left = set(list_cell_labels(board, gone))
        pairs = [pair for pair in pairs if pair[0] not in left]
    if turned := held & holds & (before[0] ^ after[0]):
        changed = set(list_cell_labels(board, turned))
        pairs = [[cell, 3 - value if cell in changed else value] for cell, value in pairs]
    one = after[0]
    added = [[board.labels[cell], 2 - (one >> cell & 1)] for cell in scan_cells(holds & ~held)]
    return pairs + added


def build_entry(game: AnyGame, step: Step, pairs: Pairs) -> Entry:
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
    game = game.rules(step.version)
    entry["scores"] = game.scores(position)
    return entry | game.stored(position)


def parse_entry(raw: bytes, index: int) -> Entry:
    """Return a stored entry as an object; raises InvalidState."""
    try:
        entry: Any = strict_json.read_json(raw, around=_AROUND)
    except strict_json.Ambiguous as error:
        field = strict_json.format_json_pointer(error.path[:1])
        raise make_entry_fault(index, field[1:], str(error)) from error
    if not isinstance(entry, dict):
        raise make_entry_fault(index, "", "an entry must be an object")
    return entry


def check_entry_fields(game: AnyGame, entry: Entry, index: int) -> None:
    """Check the fields of an entry that do not depend on others; raises InvalidState."""
    version = entry.get("_version")
    if not isinstance(version, str):
        raise make_entry_fault(index, "_version", "must be a text")
    if version not in game.info.versions:
        known = ", ".join(game.info.versions)
        where = f"/stack/{index}/_version"
        why = f"engine {version} is not among {known}"
        raise UnsupportedEngine(where, why, ply=index, field="_version")
    if not is_stamp(entry.get("_timestamp")):
        raise make_entry_fault(
            index, "_timestamp", "must be a timestamp such as 2026-01-31T09:30:00.000Z"
        )
    if not isinstance(entry.get("_results"), list):
        raise make_entry_fault(index, "_results", "must be an array")
    if not isinstance(entry.get("lastmove"), str) if index else "lastmove" in entry:
        raise make_entry_fault(index, "lastmove", "must be a text on every entry but the first")
    if type(entry.get("currplayer")) is not int or entry["currplayer"] not in (1, 2):
        raise make_entry_fault(index, "currplayer", "must be 1 or 2")


def make_entry_fault(index: int, field: str, why: str, **trace: Any) -> InvalidState:
    """Return the error for a field of an entry."""
    where = f"/stack/{index}" + (f"/{field}" if field else "")
    return InvalidState(where, why, ply=index, field=field.split("/")[0] or None, **trace)


def read_entry_stones(board: Board, entry: Entry, index: int) -> Stones:
    """Return the two sets of stones of an entry's Map, in any order; raises InvalidState."""
    one = two = 0
    known = _map_label_bits(board)
    for number, pair in enumerate(read_entry_pairs(entry, index)):
        if not isinstance(pair, list) or len(pair) != 2:
            raise make_entry_fault(index, f"board/value/{number}", "must be a cell and its value")
        label, value = pair
        bit = known.get(label) if type(label) is str else None
        if bit is None:
            raise make_entry_fault(index, f"board/value/{number}/0", "is no cell of this board")
        if (one | two) & bit:
            raise make_entry_fault(index, f"board/value/{number}/0", "stands twice")
        # Equal to 1 are true and 1.0 as well.
        if type(value) is not int or not 1 <= value <= 2:
            raise make_entry_fault(index, f"board/value/{number}/1", "must be 1 or 2")
        if value == 1:
            one |= bit
        else:
            two |= bit
    return one, two


def read_entry_pairs(entry: Entry, index: int) -> Pairs:
    """Return the Map of an entry as stored; raises InvalidState."""
    board = entry.get("board")
    if not isinstance(board, dict) or board.get("dataType") != "Map":
        raise make_entry_fault(index, "board", 'must be an object with "dataType": "Map"')
    value = board.get("value")
    if not isinstance(value, list):
        raise make_entry_fault(index, "board/value", "must be an array")
    return value


def _is_same_json(found: Any, expected: Any) -> bool:
    sort = orjson.OPT_SORT_KEYS
    return orjson.dumps(found, option=sort) == orjson.dumps(expected, option=sort)


def compare_entries(board: Board, found: Entry, expected: Entry, index: int) -> None:
    """Check that a stored entry says what it must, in any order; raises InvalidState."""
    for field, value in expected.items():
        if field == "board":
            _compare_entry_boards(board, found, value["value"], index)
        elif not _is_same_json(found.get(field), value):
            trace: Mapping[str, Any] = {"expected": value, "found": found.get(field)}
            why, move = "does not follow from the entry before", found.get("lastmove")
            raise make_entry_fault(index, field, why, move=move, **trace)


def _compare_entry_boards(board: Board, found: Entry, pairs: Pairs, index: int) -> None:
    if read_entry_pairs(found, index) == pairs and _is_same_json(found["board"]["value"], pairs):
        return
    stood = read_entry_stones(board, found, index)
    ought = read_entry_stones(board, {"board": {"dataType": "Map", "value": pairs}}, index)
    if stood != ought:
        raise make_entry_fault(
            index,
            "board",
            "does not follow from the entry before",
            move=found.get("lastmove"),
            expected=_list_stone_differences(board, ought, stood),
            found=_list_stone_differences(board, stood, ought),
        )


def _list_stone_differences(board: Board, one: Stones, other: Stones) -> Pairs:
    """Return the pairs of a Map that are not in another one."""
    return [
        [label, value]
        for value, mine, theirs in ((1, one[0], other[0]), (2, one[1], other[1]))
        for label in list_cell_labels(board, mine & ~theirs)
    ]
