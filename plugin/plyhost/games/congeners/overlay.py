"""What is drawn over a board of Congeners: the last turn, a begun one, shared shapes."""

from collections.abc import Sequence

from plyhost.board.bits import Bits, Cell, pick_entries
from plyhost.board.hexes import Board
from plyhost.games.congeners.advice import find_next_cells
from plyhost.games.congeners.notation import Spelt, find_named_cells, split_move_text
from plyhost.games.congeners.position import CongenersPosition
from plyhost.games.congeners.scoring import find_kin_cells, letter_shared_shapes
from plyhost.games.game import Event, Mark, clean_move_text, make_mark

Drawing = tuple[tuple[Bits, Bits], list[Mark]]


def mark_last_turn(board: Board, events: Sequence[Event]) -> list[Mark]:
    """Return the marks of what a move did: the way of a stone, a bite, new stones."""
    marks = []
    for event in events:
        if event["type"] == "move":
            marks.append(make_mark("move", [board.named[event["from"]], board.named[event["to"]]]))
        elif event["type"] == "capture":
            marks.append(make_mark("exit", [board.named[event["where"]]]))
        elif event["type"] == "place":
            marks.append(make_mark("enter", [board.named[event["where"]]]))
    return marks


def mark_shared_shapes(position: CongenersPosition) -> list[Mark]:
    """Return letters on the creatures that share a shape, one for each shape (G7)."""
    board, letters = position.board, letter_shared_shapes(position.facts.kinds)
    found = [
        (len(letters[kind]), letters[kind], piece, cells)
        for piece, creatures in zip("AB", position.facts.creatures, strict=True)
        for kind, cells in find_kin_cells(board, creatures).items()
    ]
    return [
        make_mark("glyph", pick_entries(cells, board.points), glyph=f"{letter.lower()}{piece}")
        for _, letter, piece, cells in sorted(found)
    ]


def sketch_begun_text(position: CongenersPosition, text: str) -> Drawing:
    """Return stones and marks of a text that some legal move begins with."""
    spelt = split_move_text(position, clean_move_text(text))
    cells = find_named_cells(position.board, spelt.names)
    if not cells:
        return position.stones, []
    if spelt.kind == "setup":
        return _sketch_begun_setup(position, cells)
    return _sketch_begun_turn(position, cells, spelt)


def _sketch_begun_setup(position: CongenersPosition, cells: Sequence[Cell]) -> Drawing:
    black, white = (sum(1 << cell for cell in pair) for pair in (cells[:2], cells[2:]))
    board = position.board
    marks = [make_mark("enter", [board.points[cell]]) for cell in cells]
    if len(cells) % 2:
        marks += _mark_next_cells(
            board, find_next_cells(position, cells), 1 if len(cells) == 1 else 2
        )
    return (black, white), marks


def _sketch_begun_turn(position: CongenersPosition, cells: Sequence[Cell], spelt: Spelt) -> Drawing:
    colour, moved = position.colour, cells[0]
    mine, theirs = position.stones[colour], position.stones[1 - colour]
    board, points = position.board, [position.board.points[cell] for cell in cells]
    dots = _mark_next_cells(board, find_next_cells(position, cells, spelt.mark), colour + 1)
    if len(cells) == 1:
        return position.stones, [make_mark("enter", points), *dots]
    goal = cells[1]
    marks = [make_mark("move", points[:2])]
    if theirs >> goal & 1:
        marks.append(make_mark("exit", points[1:2]))
    mine, theirs = mine ^ 1 << moved | 1 << goal, theirs & ~(1 << goal)
    return (mine, theirs) if colour == 0 else (theirs, mine), [*marks, *dots]


def _mark_next_cells(board: Board, cells: Bits, colour: int) -> list[Mark]:
    return [make_mark("dots", pick_entries(cells, board.points), colour)] if cells else []
