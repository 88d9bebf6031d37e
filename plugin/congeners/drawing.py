"""What is drawn over a board of Congeners: the last turn, a begun one, shared shapes."""

from collections.abc import Sequence

from plugin.bits import Bits, Cell, scan
from plugin.congeners.advice import onward
from plugin.congeners.position import CongenersPosition
from plugin.congeners.scoring import kin
from plugin.congeners.text import Spelt, found, spell
from plugin.game import Event, Mark, clean
from plugin.hexes import Board

Drawing = tuple[tuple[Bits, Bits], list[Mark]]

#: How the dots of one shape are told from those of the next, in turn.
_DOT_SHAPES = ("circle", "ring", "chevron", "explosion", "ring-large")


def last_turn(board: Board, events: Sequence[Event]) -> list[Mark]:
    """Return the marks of what a move did: the way of a stone, a bite, new stones."""
    marks = []
    for event in events:
        if event["type"] == "move":
            marks.append(_mark(board, "move", event["from"], event["to"]))
        elif event["type"] == "capture":
            marks.append(_mark(board, "exit", event["where"]))
        elif event["type"] == "place":
            marks.append(_mark(board, "enter", event["where"]))
    return marks


def _mark(board: Board, kind: str, *names: str) -> Mark:
    return Mark(kind, found(board, names))


def shared_shapes(position: CongenersPosition) -> list[Mark]:
    """Return dots on the creatures that share a shape, in the other player's colour (G7)."""
    marks = []
    for colour, stones in enumerate(position.stones):
        for number, cells in enumerate(kin(position.board, stones)):
            options = {"dotShape": _DOT_SHAPES[number % len(_DOT_SHAPES)]}
            marks.append(Mark("dots", list(scan(cells)), 2 - colour, options))
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
    marks = [Mark("enter", [cell]) for cell in cells]
    if len(cells) % 2:
        marks += _dots(onward(position, cells), 1 if len(cells) == 1 else 2)
    return (black, white), marks


def _begun_turn(position: CongenersPosition, cells: Sequence[Cell], spelt: Spelt) -> Drawing:
    colour, moved = position.colour, cells[0]
    mine, theirs = position.stones[colour], position.stones[1 - colour]
    dots = _dots(onward(position, cells, spelt.mark), colour + 1)
    if len(cells) == 1:
        return position.stones, [Mark("enter", [moved]), *dots]
    goal = cells[1]
    marks = [Mark("move", [moved, goal])]
    if theirs >> goal & 1:
        marks.append(Mark("exit", [goal]))
    mine, theirs = mine ^ 1 << moved | 1 << goal, theirs & ~(1 << goal)
    return (mine, theirs) if colour == 0 else (theirs, mine), [*marks, *dots]


def _dots(cells: Bits, colour: int) -> list[Mark]:
    return [Mark("dots", list(scan(cells)), colour)] if cells else []
