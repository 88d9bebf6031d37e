"""What is drawn over a board of Congeners: the last turn, a begun one, shared shapes."""

from collections.abc import Sequence

from plugin.bits import Bits, Cell, pick
from plugin.congeners.advice import onward
from plugin.congeners.position import CongenersPosition
from plugin.congeners.scoring import kin
from plugin.congeners.text import Spelt, found, spell
from plugin.game import Event, Mark, clean, mark
from plugin.hexes import Board

Drawing = tuple[tuple[Bits, Bits], list[Mark]]

#: How the dots of one shape are told from those of the next, in turn.
_DOT_SHAPES = ("circle", "ring", "chevron", "explosion", "ring-large")


def last_turn(board: Board, events: Sequence[Event]) -> list[Mark]:
    """Return the marks of what a move did: the way of a stone, a bite, new stones."""
    marks = []
    for event in events:
        if event["type"] == "move":
            marks.append(mark("move", [board.named[event["from"]], board.named[event["to"]]]))
        elif event["type"] == "capture":
            marks.append(mark("exit", [board.named[event["where"]]]))
        elif event["type"] == "place":
            marks.append(mark("enter", [board.named[event["where"]]]))
    return marks


def shared_shapes(position: CongenersPosition) -> list[Mark]:
    """Return dots on the creatures that share a shape, in the other player's colour (G7)."""
    marks = []
    for colour, stones in enumerate(position.stones):
        for number, cells in enumerate(kin(position.board, stones)):
            targets = pick(cells, position.board.points)
            shape = _DOT_SHAPES[number % len(_DOT_SHAPES)]
            marks.append(mark("dots", targets, 2 - colour, dotShape=shape))
    return marks


def begun(position: CongenersPosition, text: str) -> Drawing:
    """Return stones and marks of a text that some legal move begins with."""
    spelt = spell(position, clean(text))
    cells = found(position.board, spelt.names)
    if not cells:
        return position.stones, []
    if spelt.kind == "setup":
        return _begun_setup(position, cells)
    return _begun_turn(position, cells, spelt)


def _begun_setup(position: CongenersPosition, cells: Sequence[Cell]) -> Drawing:
    black, white = (sum(1 << cell for cell in pair) for pair in (cells[:2], cells[2:]))
    board = position.board
    marks = [mark("enter", [board.points[cell]]) for cell in cells]
    if len(cells) % 2:
        marks += _dots(board, onward(position, cells), 1 if len(cells) == 1 else 2)
    return (black, white), marks


def _begun_turn(position: CongenersPosition, cells: Sequence[Cell], spelt: Spelt) -> Drawing:
    colour, moved = position.colour, cells[0]
    mine, theirs = position.stones[colour], position.stones[1 - colour]
    board, points = position.board, [position.board.points[cell] for cell in cells]
    dots = _dots(board, onward(position, cells, spelt.mark), colour + 1)
    if len(cells) == 1:
        return position.stones, [mark("enter", points), *dots]
    goal = cells[1]
    marks = [mark("move", points[:2])]
    if theirs >> goal & 1:
        marks.append(mark("exit", points[1:2]))
    mine, theirs = mine ^ 1 << moved | 1 << goal, theirs & ~(1 << goal)
    return (mine, theirs) if colour == 0 else (theirs, mine), [*marks, *dots]


def _dots(board: Board, cells: Bits, colour: int) -> list[Mark]:
    return [mark("dots", pick(cells, board.points), colour)] if cells else []
