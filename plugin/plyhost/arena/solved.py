"""Whether an agreed end in Control names the winner of perfect play (C8), on tiny boards.

    python -m plyhost.arena.solved --side 3 --games 200

Plays games by lot on a tiny board, asks each of their positions who wins by C6 when both play as
well as can be, and compares that with who has more territory (C7); on side 2 of every position
that can come about.  Prints one object, shares with their 95 % intervals.

A position counts as quiet when neither seat, were it to move, has a move that betters its lead in
territory: the designer's "no more territory can be gained", as near as one move can tell.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, TypeAlias

import click
import orjson

from plyhost.arena.findings import PARTS, find_share
from plyhost.board.bits import Bits
from plyhost.games.control.rules import GAME, ControlPosition, count_territory
from plyhost.games.game import Seat

#: Who wins, by stones of both seats and the seat to move.
Solved: TypeAlias = dict[tuple[Bits, Bits, Seat], Seat]
#: Boards whose every position can be listed, and those that can be solved from the first ply.
LISTED_SIDE, SOLVED_SIDE = 2, 3


def solve_position(position: ControlPosition, solved: Solved) -> Seat:
    """Return the seat that wins when both play perfectly (C6); `solved` keeps what was found.

    It ends since no position repeats (C8).  Positions that a symmetry of the board carries over
    into each other are one.
    """
    key = find_canonical_key(position)
    if key not in solved:
        seat, ended = position.seat, GAME.winners(position)
        follow = (GAME.play(position, move) for move in GAME.moves(position))
        wins = not ended and any(solve_position(one, solved) == seat for one in follow)
        solved[key] = seat if wins else 3 - seat
    return solved[key]


def find_canonical_key(position: ControlPosition) -> tuple[Bits, Bits, Seat]:
    """Return the least of the keys of a position's twelve symmetric ones."""
    board, (one, two) = position.board, position.stones
    turned = ((board.mapped(one, turn), board.mapped(two, turn)) for turn in board.symmetries)
    return *min(turned), position.seat


def list_reachable_positions(side: int) -> list[ControlPosition]:
    """Return all positions that moves lead to from the start, for the smallest boards only."""
    start = GAME.start(side)
    found, waiting = {start}, [start]
    while waiting:
        position = waiting.pop()
        fresh = {GAME.play(position, move) for move in GAME.moves(position)} - found
        found |= fresh
        waiting += fresh
    return list(found)


def play_by_lot(side: int, random: Random) -> list[ControlPosition]:
    """Return the positions of a game by lot, from the first to the last."""
    line = [GAME.start(side)]
    while moves := list(GAME.moves(line[-1])):
        line.append(GAME.play(line[-1], random.choice(moves)))
    return line


def is_quiet(position: ControlPosition) -> bool:
    """Tell whether no move of either seat betters its lead in territory (C7)."""
    return not any(_can_gain(position, seat) for seat in (1, 2))


def _can_gain(position: ControlPosition, seat: Seat) -> bool:
    moving = GAME.restore(position.board, position.stones, seat, {})
    follow = (GAME.play(moving, move) for move in GAME.moves(moving))
    return any(_count_lead(one, seat) > _count_lead(moving, seat) for one in follow)


def _count_lead(position: ControlPosition, seat: Seat) -> int:
    territory = count_territory(position)
    return territory[seat - 1] - territory[2 - seat]


def compare_settled(positions: Iterable[ControlPosition], solved: Solved) -> Iterator[bool]:
    """Yield for each position with a stone whether an agreed end names the winner of C6."""
    for position in positions:
        if any(position.stones):
            yield GAME.settled(position) == [solve_position(position, solved)]


def find_solved_agreement(side: int, games: int, seed: int) -> dict[str, Any]:
    """Return what the games tell; `winner` is who wins from the first ply, where that is known."""
    solved, random = Solved(), Random(seed)
    told: dict[str, Any] = {"side": side}
    if side <= SOLVED_SIDE:
        told["winner"] = solve_position(GAME.start(side), solved)
    if side <= LISTED_SIDE:
        every = list_reachable_positions(side)
        told |= {"positions": len(every), "of_all": find_share(compare_settled(every, solved))}
    lines = [play_by_lot(side, random) for _ in range(games)]
    parts = {part: [line[int(part * (len(line) - 1))] for line in lines] for part in PARTS}
    told["by_part"] = {
        f"{part:.0%}": find_share(compare_settled(met, solved)) for part, met in parts.items()
    }
    quiet = [one for met in parts.values() for one in met if is_quiet(one)]
    told["of_quiet"] = find_share(compare_settled(quiet, solved))
    return told


@click.command(help=(__doc__ or "").replace("`", ""))
@click.option("--side", default=SOLVED_SIDE, show_default=True, type=click.IntRange(2, SOLVED_SIDE))
@click.option("--games", default=200, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=0, show_default=True)
def print_solved_agreement(side: int, games: int, seed: int) -> None:
    """Run the command."""
    found = find_solved_agreement(side, games, seed)
    click.echo(orjson.dumps(found, option=orjson.OPT_INDENT_2))


if __name__ == "__main__":
    print_solved_agreement(prog_name="python -m plyhost.arena.solved")
