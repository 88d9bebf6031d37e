"""What plyhost tells of Congeners in words: gameinfo, rules, reasons, hints."""

from plyhost.games.game import Boards, Display, Info, Variant

RULES = """\
G1. The board is a regular hexagon of hexes with 6 cells to a side (or 5, or 7). Black and White \
have as many stones as they need.
G2. A creature is a largest connected group of stones of one colour, its size the number of its \
stones. One stone alone is a creature, too.
G3. Player 1 begins by placing two adjacent Black stones and two adjacent White ones; the two \
pairs must not touch. Player 2 then chooses: make Black's first turn and stay Black, or say \
`play-second` and be White, whereupon player 1 makes Black's first turn. Turns alternate from \
there.
G4. A turn is a move, then a placement. To move, take a stone of a creature of two or more and \
put it on any empty cell next to that creature, over any stones between. Or bite: put it on an \
enemy stone whose creature is next to yours and smaller; the bitten stone leaves the board. To \
place, add a stone of yours on an empty cell in a straight line from where the moved stone now \
is, at least two steps away, with every cell between them empty. The cell that the moved stone \
left counts as empty.
G5. When the turn is over, none of your creatures may have been split and no two of them joined. \
What happens within the turn does not matter: the placed stone may mend a split. It may make one \
creature larger, or stand alone as a new one. The enemy's creatures may be split or wiped out.
G6. A player without any such turn passes; nobody else may. The game is over as soon as neither \
player has a turn.
G7. Creatures have the same shape when one can be laid on the other by turning or mirroring. \
A shape that only one creature of a player has scores nothing; one that k creatures of size s \
have scores k times s times s. Each player's creatures are scored apart.
G8. Compare size by size, from the largest on the board down. At each size put both players' \
shape scores in falling order, zeros after them: the first place where they differ decides for \
the higher one.
G9. If all scores are equal, or nobody has any, compare the sizes of the creatures in falling \
order in the same way; larger wins. If they are equal as well, the game is a draw.
G10. Nothing ends a game that goes round in circles; but a position that stands for the third \
time or more may be claimed as a draw. A position is the stones, who holds Black, and who is to \
move.
G11. The players may agree to stop, once colours are chosen; G7 to G9 then decide.

Our readings. The designer's text leaves these open; other readings would name another winner in \
the given share of computer games, which depends on how people play (counted over three mixtures \
of styles). \
Sizes are compared one by one for both players together (G8); taking each player's own largest \
size first instead: 14 to 28 %; adding up all points: 1.7 to 4.5 %. \
The remaining shapes are all that are not yet compared (G8); only those that a single creature \
has, instead: 52 to 64 %, but then the sentence about neither player scoring would be idle. \
Mirror images are the same shape (G7); as different shapes: 1.4 to 1.5 %. \
Creature sizes break any full tie (G9), also one between scores that are not zero; a draw there \
instead: 1.3 to 1.8 %. \
A split may be mended by the placed stone (G5): 1.4 to 2.0 % of turns are legal for that alone, \
and 19 to 29 % of positions have one. \
The placed stone may join a creature, for nothing else could ever grow beyond two; and a bite is \
followed by a placement as any other move is. \
The text has no rule on repeated positions and no agreed ending: a claimed draw (G10) and settling \
by agreement (G11) are ours.
"""

INFO = Info(
    uid="congeners",
    name="Congeners",
    versions=("20261130",),
    date_added="2026-11-30",
    description=(
        "Move a stone around its creature, or bite a smaller one, then place a stone in line "
        "with it; never split or join your own. Creatures score when they share a shape."
    ),
    rules=RULES,
    notation=(
        "`b1,b2/w1,w2` sets up Black's pair and White's pair; `play-second` leaves Black to "
        "player 1. `d4-e5,g7` moves d4 to e5 and places a stone on g7, `d4xe5,g7` bites on e5; "
        "`pass` passes. Rows are lettered from the bottom, columns numbered from the left. Case "
        "and white space do not matter, nor does the order of the two cells of a pair."
    ),
    urls=(),
    people=(),
    variants=(
        Variant("size-5", "Small board (Size 5)", "61 cells, for a short game", 5),
        Variant("#board", "Size 6 board", "91 cells", 6),
        Variant("size-7", "Large board (Size 7)", "127 cells, for a long game", 7),
    ),
    displays=(
        Display("vertex-style", "Vertices", "Stones on the points of a grid", "hex-of-tri"),
        Display("kin", "Shared shapes", "Mark the creatures that share a shape with another"),
    ),
    flags=("experimental", "scores", "autopass", "custom-buttons", "custom-colours"),
    categories=(
        "goal>score>eog",
        "mechanic>move",
        "mechanic>place",
        "mechanic>capture",
        "board>shape>hex",
        "components>simple",
    ),
    notes=(
        "The rules follow the designer's description of 2023, which does not give a name.",
        "Passing does not take a player out: who has passed moves again as soon as a turn opens.",
    ),
    # Black and White are black and white on every board, also for colour-blind eyes.
    boards=Boards(light="wood", dark="night", safe="mono", joined=True),
)

REASONS = {
    "malformed": "{move} is no move: write d4-e5,g7 to move, d4xe5,g7 to bite, or pass.",
    "off-board": "There is no cell {cell} on this board.",
    "setup-due": "The game begins with a pair for Black and one for White, as in c3,c4/f5,f6.",
    "setup-over": "The first stones have been set up already.",
    "choice-over": "The sides have been chosen already.",
    "must-turn": "Passing is only for a player who has no turn while the other has one.",
    "setup-not-pair": "{one} and {two} are not next to each other.",
    "setup-overlap": "Black has a stone on {cell} already.",
    "setup-adjacent": "{cell} is next to a Black stone, and the two pairs must not touch.",
    "empty-source": "There is no stone on {cell}.",
    "not-your-stone": "The stone on {cell} is not yours.",
    "single-stone": "The stone on {cell} is alone, and single stones cannot move.",
    "occupied": "{cell} is taken.",
    "nothing-to-bite": "There is no enemy stone on {cell} to bite.",
    "victim-not-smaller": "The creature on {cell} is not smaller than yours.",
    "not-adjacent": "{cell} is not next to the rest of the creature that moves.",
    "incomplete": "This is not a whole move. {next}",
    "not-in-line": "{cell} is not in a straight line with {goal}.",
    "adjacent-placement": "{cell} is next to {goal}; place at least two steps away.",
    "blocked-line": "A stone stands between {goal} and {cell}.",
    "merge": "That would join two of your creatures.",
    "split": "That would split one of your creatures.",
}

HINTS = {
    "setup": "Set up: place the first of two adjacent Black stones.",
    "black-second": "Place the second Black stone next to the first.",
    "white-first": "Place the first White stone, not next to a Black one.",
    "white-second": "Place the second White stone next to the first, not next to Black.",
    "choice": "Choose your side: move a black stone to be Black, or be White and play second.",
    "begin": "Pick a stone of one of your creatures of two or more.",
    "must-pass": "You have no turn and must pass.",
    "goal": "Choose an empty cell next to the rest of its creature, or a stone to bite.",
    "empty-goal": "Choose an empty cell next to the rest of its creature.",
    "victim": "Choose a stone to bite, of a smaller creature.",
    "place": "Choose where to place a stone, in line with the moved one.",
    "column": "Add the number of the column.",
    "word": "Finish the word.",
    "ready": "This move can be made.",
    # What a refusal says instead of its reason's sentence, where more is known.
    "malformed-setup": "{move} is no setup: write c3,c4/f5,f6, a pair for Black and one for White.",
    "malformed-choice": "{move} is no move now: write d4-e5,g7 to move as Black, or play-second.",
    "malformed-pass": "{move} is no move now: you have no turn and must pass.",
    "move-instead": "The first stones have been set up already; write {one}-{two} to move a stone.",
    "bite-instead": "{cell} is taken; write {moved}x{cell} to bite the stone there.",
    "choice-white": "The stone on {cell} is White's. To be White, play second.",
    "no-turn": "The stone on {cell} has no turn.",
    "no-bite": "The creature of {cell} has no stone to bite.",
    "no-place": "After {move} there is no cell to place a stone on.",
    "all-split": "After {move}, any stone you could place leaves one of your creatures split.",
    "all-merge": "After {move}, any stone you could place leaves two of your creatures joined.",
    "dead-end": "No legal move begins with {move}.",
}

#: What a site writes on the buttons for the words.
LABELS = {"pass": "Pass", "play-second": "Be White"}
