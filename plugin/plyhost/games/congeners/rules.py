"""Congeners: move or bite with a stone, place another; creatures score by shared shapes.

Rules G1 to G11 are numbered in `info`, with the readings chosen where the source is
silent.  Source: the designer's own description (2023), which does not name the designer; no other
implementation is known.

From below: `turns` knows the legal turns, `setup` the first ply, `position` what a move changes,
`polyhex` and `scoring` who is ahead, `notation` and `flaws` how a text is read or refused, `advice`
and `clicks` what a begun text may become, `overlay` what is drawn over the board, `view_shape` what
a view has beyond the common fields, `packing` how a move is packed into bytes.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plyhost.board.bits import Bits, Cell, scan_cells
from plyhost.board.hexes import Board
from plyhost.games.congeners import advice, clicks, overlay, setup
from plyhost.games.congeners import position as positions
from plyhost.games.congeners.flaws import list_legal_words
from plyhost.games.congeners.info import HINTS, INFO, LABELS, REASONS
from plyhost.games.congeners.notation import parse_congeners_move
from plyhost.games.congeners.packing import pack_congeners_move, unpack_congeners_move
from plyhost.games.congeners.position import PASS, SECOND, CongenersPosition, Move
from plyhost.games.congeners.scoring import explain_scoring, say_decision
from plyhost.games.congeners.view_shape import SHOWN_TYPES
from plyhost.games.game import Advice, Event, Game, Illegal, Mark, Seat, Unsettled, clean_move_text


class Congeners(Game[CongenersPosition, Move]):
    """The game; see `position.Move` for what a move is."""

    info = INFO
    reasons = REASONS
    hints = HINTS
    repeats = True
    shown_types = SHOWN_TYPES

    def restore(
        self, on: Board, stones: tuple[Bits, Bits], seat: Seat, stored: Mapping[str, Any]
    ) -> CongenersPosition:
        """Return the position; `black` is a seat or None and must suit the stones (G3)."""
        black = stored.get("black")
        if black is not None and (type(black) is not int or black not in (1, 2)):
            raise ValueError("black")
        position = CongenersPosition(on, stones, seat, black)
        if not positions.is_consistent_position(position):
            raise ValueError("black")
        return position

    def stored(self, position: CongenersPosition) -> dict[str, Any]:
        """Return `black`, the seat that holds Black or None."""
        return {"black": position.black}

    def moves(self, position: CongenersPosition) -> Iterator[Move]:
        """Yield the legal moves: a word first, then turns by moved stone, goal, placed stone."""
        if position.phase == "setup":
            yield from setup.yield_setups(position.board)
            return
        idle = position.phase == "turns"
        if not idle:
            yield SECOND
        _, theirs = position.sides
        for moved, goal, places in position.turns:
            idle, bite = False, bool(theirs >> goal & 1)
            for placed in scan_cells(places):
                yield moved, goal, placed, bite
        if idle:
            yield from list_legal_words(position)

    def count(self, position: CongenersPosition) -> int:
        """Return how many legal moves there are."""
        if position.phase == "setup":
            return setup.count_setups(position.board)
        turns = position.turns.count()
        return (
            turns
            if turns and position.phase == "turns"
            else turns + len(list_legal_words(position))
        )

    def read(self, position: CongenersPosition, text: str, version: str | None = None) -> Move:
        """Return the legal move that a text spells; see `REASONS` for why not.

        A stored text must be canonical.
        """
        return parse_congeners_move(position, text, stored=version is not None)

    def allows(self, position: CongenersPosition, move: Move) -> bool:
        """Tell whether an unpacked move is legal (G3 to G6)."""
        if isinstance(move, str) or len(move) == 2 or position.phase == "setup":
            return super().allows(position, move)
        moved, goal, placed, bite = move
        _, theirs = position.sides
        if bite != bool(theirs >> goal & 1):
            return False
        return bool(position.turns.places(moved, goal) >> placed & 1)

    def text(self, position: CongenersPosition, move: Move) -> str:
        """Return `b1,b2/w1,w2`, `d4-e5,g7`, `d4xe5,g7` or the word."""
        if isinstance(move, str):
            return move
        labels = position.board.labels
        if len(move) == 2:
            (one, two), (three, four) = move
            return f"{labels[one]},{labels[two]}/{labels[three]},{labels[four]}"
        moved, goal, placed, bite = move
        return f"{labels[moved]}{'x' if bite else '-'}{labels[goal]},{labels[placed]}"

    def play(self, position: CongenersPosition, move: Move) -> CongenersPosition:
        """Return the position after a legal move."""
        return positions.play_congeners_move(position, move)

    def most_stones(self, plies: int) -> int:
        """Return how many stones there may be: four of the setup, one more with each turn (G3)."""
        return plies and plies + 3

    def undo(self, position: CongenersPosition, move: Move, ply: int) -> CongenersPosition:
        """Return the position before a move; ValueError when it cannot have led here."""
        return positions.undo_congeners_move(position, move, ply)

    def events(self, position: CongenersPosition, move: Move) -> list[Event]:
        """Return what a move does; `pie` stands for choosing White."""
        if isinstance(move, str):
            return [{"type": "pie" if move == SECOND else "pass"}]
        labels = position.board.labels
        if len(move) == 2:
            pairs = zip(("black", "white"), move, strict=True)
            return [
                {"type": "place", "where": labels[cell], "what": what}
                for what, pair in pairs
                for cell in pair
            ]
        moved, goal, placed, bite = move
        events = [{"type": "move", "from": labels[moved], "to": labels[goal]}]
        if bite:
            events.append({"type": "capture", "where": labels[goal]})
        return [*events, {"type": "place", "where": labels[placed]}]

    def winners(self, position: CongenersPosition) -> list[Seat] | None:
        """Return who wins when neither player has a turn (G6), both seats for a draw."""
        if position.phase != "turns" or position.turns.has_any() or position.replies.has_any():
            return None
        return self.settled(position)

    def settled(self, position: CongenersPosition) -> list[Seat]:
        """Return who is ahead (G7 to G9), both seats for a draw."""
        if position.black is None:
            raise Unsettled
        end = position.facts.deciding
        if end.black == end.white:
            return [1, 2]
        return [position.black if end.black > end.white else 3 - position.black]

    def scores(self, position: CongenersPosition) -> list[int]:
        """Return by seat what is compared at the deciding place, zeros when there is none."""
        if position.black is None:
            return [0, 0]
        end = position.facts.deciding
        return [end.black, end.white][:: 1 if position.black == 1 else -1]

    def shown(self, position: CongenersPosition) -> dict[str, Any]:
        """Return `scoring`, colour by colour and size by size, and `black`."""
        return {"scoring": position.facts.scoring_view, "black": position.black}

    def colours(self, position: CongenersPosition) -> list[int]:
        """Return the palette numbers of the seats: 1 is Black, 2 is White."""
        return [2, 1] if position.black == 2 else [1, 2]

    def recurs(self, move: Move) -> bool:
        """Tell whether a move leaves the number of stones as it is: a bite or a pass (G10)."""
        return move == PASS or positions.is_bite(move)

    def buttons(self, position: CongenersPosition) -> list[dict[str, str]]:
        """Return the word that may be said here, if there is one."""
        first = next(self.moves(position), None)
        if not isinstance(first, str):
            return []
        return [{"key": first.replace("-", ""), "label": LABELS[first], "move": first}]

    def advise(self, position: CongenersPosition, text: str) -> Advice:
        """Judge a text as the cells it names; a shorter one by what can follow."""
        text = clean_move_text(text)
        try:
            move = self.read(position, text)
        except Illegal as flaw:
            if flaw.reason != "incomplete":
                raise
            return advice.advise_begun_text(position, text, flaw.params["hint"])
        return Advice(1, True, "ready", self.text(position, move))

    def click(self, position: CongenersPosition, text: str, cell: Cell) -> str:
        """Return the text with the clicked cell added, or what was clicked last taken back."""
        return clicks.add_clicked_cell(position, text, cell)

    def targets(self, position: CongenersPosition, text: str) -> Iterator[tuple[Cell, str]]:
        """Yield what `clicks` adds to a text or takes back, where a legal move begins so."""
        return clicks.yield_click_targets(position, text)

    def sketch(
        self, position: CongenersPosition, text: str
    ) -> tuple[tuple[Bits, Bits], list[Mark]]:
        """Return the stones after what is begun, and dots where it can go on."""
        try:
            move = self.read(position, text)
        except Illegal:
            return overlay.sketch_begun_text(position, text)
        after = self.play(position, move)
        return after.stones, overlay.mark_last_turn(after.board, self.events(position, move))

    def marks(
        self, position: CongenersPosition, events: Sequence[Event], display: str
    ) -> list[Mark]:
        """Mark the last turn, and with the display `kin` the creatures that share a shape."""
        marks = overlay.mark_last_turn(position.board, events)
        return marks + overlay.mark_shared_shapes(position) if display == "kin" else marks

    def pack(self, position: CongenersPosition, move: Move) -> bytes:
        """Return one byte for a word, three for a turn, five for a setup."""
        return pack_congeners_move(position.board, move)

    def unpack(self, on: Board, data: bytes, start: int) -> tuple[Move, int]:
        """Return the move of some bytes."""
        return unpack_congeners_move(on, data, start)

    def score_name(self) -> str:
        """Return Abstract Play's words for the scores."""
        return "Deciding scores"

    def name_seat(self, position: CongenersPosition, seat: Seat) -> str:
        """Return the colour and the seat, once colours are chosen."""
        if position.black is None:
            return f"Player {seat}"
        return f"{'Black' if position.black == seat else 'White'} (player {seat})"

    def name_colours(self, position: CongenersPosition) -> tuple[str, str]:
        """Return the colours, with the seats once they are chosen."""
        if position.black is None:
            return "Black", "White"
        return super().name_colours(position)

    def say_end(self, position: CongenersPosition) -> str:
        """Say that nobody has a turn (G6), and what decides."""
        return f"neither player has a turn, and {self.say_lead(position)}"

    def say_lead(self, position: CongenersPosition) -> str:
        """Say what decides (G8, G9)."""
        return say_decision(position.facts.deciding)

    def explain(self, position: CongenersPosition) -> list[str]:
        """Tell the creatures of both colours, once there are any."""
        return explain_scoring(*position.facts.kinds) if any(position.stones) else []


GAME = Congeners()

__all__ = ["GAME", "Congeners", "CongenersPosition"]
