"""What a click makes of a begun text of Congeners.

A click adds its cell to the text, right or wrong; advice on the new text says which.  Clicking
once more on what was clicked last takes that back, and another own stone is picked instead of the
first.  In a whole move another cell replaces the last one; in a turn the goal takes the move back.
A text that makes no sense is begun anew.
"""

from collections.abc import Iterator, Sequence

from plyhost.board.bits import Cell, scan_cells
from plyhost.games.congeners.advice import find_next_cells
from plyhost.games.congeners.flaws import find_phase_flaw
from plyhost.games.congeners.notation import Spelt, find_named_cells, split_move_text
from plyhost.games.congeners.position import CongenersPosition
from plyhost.games.game import Illegal, clean_move_text

_SEPARATORS = ("", ",", "/", ",")


def add_clicked_cell(position: CongenersPosition, text: str, cell: Cell) -> str:
    """Return the text after a click on a cell."""
    spelt, label = _parse_clicked_text(position, text), position.board.labels[cell]
    if position.phase == "setup":
        return _click_setup_cell(spelt.names, label)
    return _click_turn_cell(position, spelt, cell, label)


def _parse_clicked_text(position: CongenersPosition, text: str) -> Spelt:
    """Return the parts of a text that a click can go on from, else those of an empty one."""
    nothing = Spelt("setup" if position.phase == "setup" else "turn")
    try:
        spelt = split_move_text(position, clean_move_text(text))
        cells = find_named_cells(position.board, spelt.names)
    except Illegal:
        return nothing
    if spelt.kind == "word" or find_phase_flaw(position, spelt.kind):
        return nothing
    stones = position.stones[position.colour]
    if cells and spelt.kind == "turn" and not stones >> cells[0] & 1:
        return nothing
    return spelt


def yield_click_targets(position: CongenersPosition, text: str) -> Iterator[tuple[Cell, str]]:
    """Yield the cells whose click leads on from a text, each with what it does."""
    spelt = _parse_clicked_text(position, text)
    cells = find_named_cells(position.board, spelt.names)
    if spelt.whole and position.phase != "setup":
        yield from _yield_whole_turn_targets(position, cells)
        return
    following = find_next_cells(position, cells[:3])
    if position.phase == "setup":
        for cell in cells[(len(cells) - 1) // 2 * 2 if cells else 0 :]:
            yield cell, "take-back"
        yield from ((cell, "place") for cell in scan_cells(following) if cell not in cells)
        return
    if cells:
        yield cells[-1], "take-back"
    if len(cells) == 1:
        others = find_next_cells(position, ()) & ~(1 << cells[0])
        yield from ((cell, "pick") for cell in scan_cells(others))
    enemy = position.stones[1 - position.colour]
    for cell in scan_cells(following):
        on_goal = "bite" if enemy >> cell & 1 else "move"
        yield cell, ("pick", on_goal, "place")[len(cells)]


def _yield_whole_turn_targets(
    position: CongenersPosition, cells: Sequence[Cell]
) -> Iterator[tuple[Cell, str]]:
    """Yield what changes a whole turn: the goal, the placed stone, its other places, own stones."""
    goal, placed = cells[1:]
    places = find_next_cells(position, cells[:2]) & ~(1 << placed)
    yield goal, "take-back"
    yield placed, "take-back"
    yield from ((cell, "place") for cell in scan_cells(places))
    others = find_next_cells(position, ()) & ~places & ~(1 << goal | 1 << placed | 1 << cells[0])
    yield from ((cell, "pick") for cell in scan_cells(others))


def _click_setup_cell(names: tuple[str, ...], label: str) -> str:
    pair_start = (len(names) - 1) // 2 * 2 if names else 0
    if label in names[pair_start:]:
        kept = [name for name in names if name != label]
    else:
        kept = [*names[:3], label]
    return "".join(mark + name for mark, name in zip(_SEPARATORS, kept, strict=False))


def _click_turn_cell(position: CongenersPosition, spelt: Spelt, cell: Cell, label: str) -> str:
    if not spelt.names:
        return label
    moved = spelt.names[0]
    own = bool(position.stones[position.colour] >> cell & 1)
    if len(spelt.names) > 1:
        goal, *placed = spelt.names[1:]
        if label == goal:
            return moved
        if placed and own and label != moved:
            return label
        begun = f"{moved}{spelt.mark}{goal}"
        return begun if [label] == placed else f"{begun},{label}"
    if label == moved:
        return ""
    if own:
        return label
    enemy = position.stones[1 - position.colour] >> cell & 1
    return f"{moved}{'-x'[enemy]}{label}"
