"""What plyhost tells of Control in words: gameinfo, rules, reasons, hints."""

from plyhost.games.control.variant_translations import OTHER_NAMES
from plyhost.games.game import Display, Info, Variant

RULES = """\
C1. The board is a regular hexagon of hexes with 7 cells to a side (or 5, or 9).
C2. It starts empty. Player 1 begins, turns alternate, and nobody may pass.
C3. The first stone of the game goes on an edge cell; corners count.
C4. You control a cell if more of its neighbours hold your stones than your opponent's. \
With equal numbers nobody controls it; a stone on the cell itself does not count.
C5. On your turn either place a stone on an empty cell that your opponent does not control, or \
take away an enemy stone from a cell that you control. Nothing replaces it.
C6. If you are to move and can do neither, you lose. Somebody always does: there are no draws.
C7. Territory: 1 for each empty cell you control, 2 for each enemy stone on a cell you control. \
Equal territory counts for the player who is not to move.
C8. The players may agree to stop as soon as there is a stone on the board; territory decides.
C9. The scores beside the board count controlled empty cells only, as Abstract Play's do.

Our readings. The designer's text says that settling by territory (C8) gives what playing on \
would give; in random games stopped at 80 % of their length it named the later winner in about \
four of five, so we take an agreement as the players' judgement. Another page of the designer's \
counts controlled empty cells only and is silent on ties; we follow the text of the rules. \
An agreed draw is possible because sites offer one, though the game itself has none.
"""

INFO = Info(
    uid="control",
    name="Control",
    versions=("20240909",),
    date_added="2024-09-14",
    description=(
        "Place where the opponent has no more influence than you, take a stone where you have "
        "more. Whoever runs out of moves loses. Finite, and never drawn by itself."
    ),
    rules=RULES,
    notation=(
        "`d4` places a stone, `d4x` captures one. Rows are lettered from the bottom, columns "
        "numbered from the left. Case and white space do not matter; a capture may be written "
        "without its x, a placement must not carry one."
    ),
    urls=("https://boardgamegeek.com/boardgame/418399/control",),
    people=(
        {
            "type": "designer",
            "name": "Takuro Kawasaki",
            "urls": ["https://boardgamegeek.com/boardgamedesigner/150765/takuro-kawasaki"],
        },
    ),
    bggid="418399",
    variants=(
        Variant(
            "size-5",
            "Small board (Size 5)",
            "61 cells, to learn on",
            5,
            default=True,
            other_names=OTHER_NAMES["size-5"],
        ),
        Variant("#board", "Size 7 board", "127 cells", 7, other_names=OTHER_NAMES["#board"]),
        Variant(
            "size-9", "Large board (Size 9)", "217 cells", 9, other_names=OTHER_NAMES["size-9"]
        ),
    ),
    displays=(
        Display("hide-control", "Hide control", "Do not dot the controlled cells"),
        Display("vertex-style", "Vertices", "Stones on the points of a grid", "hex-of-tri"),
    ),
    flags=("scores", "automove"),
    categories=("goal>area", "mechanic>place", "mechanic>capture", "board>shape>hex"),
    notes=("States are interchangeable with those of Abstract Play's engine 20240909.",),
)

REASONS = {
    "malformed": "{move} is no move: write a cell (d4), with an x to capture (d4x).",
    "off-board": "There is no cell {cell} on this board.",
    "first-move-edge": "The first stone goes on the edge of the board, and {cell} is inside.",
    "occupied": "Your own stone is on {cell}.",
    "not-a-capture": "There is no stone on {cell} to capture; leave out the x to place one.",
    "controlled-by-opponent": "Your opponent controls {cell}, so you cannot place there.",
    "not-controlled": "You do not control {cell}, so you cannot capture there.",
}

HINTS = {
    "first": "Place the first stone on the edge of the board.",
    "begin": "Place a stone where your opponent has no control, or capture where you have it.",
    "column": "Add the number of the column.",
    "ready": "This move can be made.",
    "no-text": "The move is missing: write a cell (d4), with an x to capture (d4x).",
}
