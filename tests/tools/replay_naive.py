"""What the slow rules see in a record: the first thing that they do not bear out."""

from collections.abc import Sequence
from typing import Any

from plyhost.states.steps import BY_ALL, BY_SEAT, ENDINGS
from tests import naive

#: A ply, and what is wrong there: `move`, `moves` (too many or too few), `winner` or `scores`.
Place = tuple[int, str]


def start(uid: str, side: int) -> Any:
    """Return the slow position before the first move."""
    return naive.Control.start(side) if uid == "control" else naive.Congeners.start(side)


def played(position: Any, moves: Sequence[str], known: int) -> tuple[Any, str, Place | None]:
    """Return the position that moves lead to, the ending said, and the first move that is wrong.

    The first `known` moves are known to be legal.
    """
    ended = ""
    for ply, text in enumerate(moves, 1):
        if text in ENDINGS:
            if text == "settle" and not can_settle(position):
                return position, ended, (ply, "move")
            ended = text
            continue
        if ended:
            return position, ended, (ply, "moves")
        legal = [text] if ply <= known else position.legal()
        if text not in legal:
            return position, ended, (ply, "move" if legal else "moves")
        position = position.after(text)
    return position, ended, None


def first_difference(
    uid: str, side: int, moves: Sequence[str], winner: list[int], scores: list[int], known: int = 0
) -> Place | None:
    """Return where a record that claims so much is wrong first, None if the rules bear it out."""
    position, ended, place = played(start(uid, side), moves, known)
    if place:
        return place
    wins = _winner(position, ended, winner)
    if wins is None:
        return len(moves) + 1, "moves"
    if wins != winner:
        return len(moves), "winner"
    return None if scores_of(position) == scores else (len(moves), "scores")


def can_settle(position: Any) -> bool:
    if isinstance(position, naive.Control):
        return bool(position.stones)
    return position.black_seat is not None


def _winner(position: Any, ended: str, claimed: list[int]) -> list[int] | None:
    """Return the winners; a record tells by its result alone who resigned."""
    if ended in BY_SEAT:
        return claimed if len(claimed) == 1 else [0]
    if ended in BY_ALL or ended == "repetition":
        return [] if ended == "abandoned" else [1, 2]
    if isinstance(position, naive.Control):
        won = position.settled() if ended else position.winner()
        return None if won is None else [won]
    return ahead(position) if ended else position.outcome()


def ahead(position: naive.Congeners) -> list[int]:
    assert position.black_seat is not None
    colour = position.scoring()["winner_colour"]
    seats = {naive.BLACK: [position.black_seat], naive.WHITE: [3 - position.black_seat]}
    return seats.get(colour, [1, 2])


def scores_of(position: Any) -> list[int]:
    if isinstance(position, naive.Control):
        return position.scores()
    at = position.scoring()["at"] if position.black_seat else None
    if at is None:
        return [0, 0]
    deciding = [_told(at[naive.BLACK]), _told(at[naive.WHITE])]
    return deciding if position.black_seat == 1 else deciding[::-1]


def _told(points: Any) -> int:
    return int(points)
