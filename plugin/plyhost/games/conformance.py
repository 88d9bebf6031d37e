"""What holds of every game at every position, tried on games drawn by lot.

`registration` tells whether a game can be hosted, this whether its methods agree with one another.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from plyhost.games.game import AnyGame, Illegal, Position
from plyhost.games.registration import Unfit, check_game

#: Plies after which a game that has not ended is left.
PLIES = 400
#: Listed moves that are looked at one by one in each position.
MOVES = 8


def check_rules(game: AnyGame, games: int, seed: int) -> Iterator[str]:
    """Yield a sentence for the first fault of each board; raises Unfit for what cannot be hosted.

    `games` are played on each board; the same seed draws the same ones.
    """
    check_game(game)
    for variant in game.info.variants:
        for number in range(games):
            if fault := _find_fault(game, variant.side, Random(f"{seed} {number}")):
                yield f"{variant.uid}: {fault}"
                break


def _find_fault(game: AnyGame, side: int, pick: Random) -> str | None:
    position, texts = game.start(side), list[str]()
    try:
        while game.winners(position) is None and len(texts) < PLIES:
            move = _draw_move(game, position, len(texts) + 1, pick)
            texts.append(game.text(position, move))
            position = game.play(position, move)
    except Unfit as unfit:
        return f"after {' '.join(texts) or 'no move'}: {unfit}"
    except Exception as error:
        return f"after {' '.join(texts) or 'no move'}: {type(error).__name__}: {error}"
    return None


def _draw_move(game: AnyGame, position: Position, ply: int, pick: Random) -> Any:
    """Return one of the legal moves; raises Unfit for what does not hold of some of them."""
    listed = list(islice(game.moves(position), 100_000))
    if not listed:
        raise Unfit("no move is legal, but nobody has won: `winners` must say how it ends")
    if len(listed) < 100_000 and game.count(position) != len(listed):
        raise Unfit(f"count says {game.count(position)}, but {len(listed)} moves are listed")
    if len({game.text(position, move) for move in listed}) < len(listed):
        raise Unfit("two listed moves have one text")
    for move in pick.sample(listed, min(MOVES, len(listed))):
        _check_move(game, position, move, ply)
    _check_targets(game, position)
    return pick.choice(listed)


def _check_move(game: AnyGame, position: Position, move: Any, ply: int) -> None:
    text = game.text(position, move)
    for spelt in (text, f" {text.upper()}\t"):
        if game.read(position, spelt) != move:
            raise Unfit(f"{spelt!r} is not read as the move {text}")
    advice = game.advise(position, text)
    if advice.complete < 0 or advice.text != text:
        raise Unfit(f"{text} is listed, but advise does not call it complete")
    packed = game.pack(position, move)
    if game.unpack(position.board, packed, 0) != (move, len(packed)):
        raise Unfit(f"{text} is not unpacked from its bytes")
    if not game.allows(position, move):
        raise Unfit(f"{text} is listed, but not allowed")
    if game.undo(game.play(position, move), move, ply) != position:
        raise Unfit(f"{text} cannot be taken back")


def _check_targets(game: AnyGame, position: Position) -> None:
    """Hold the cells that are good to click against what `advise` says of each click."""
    good = {cell for cell, _ in game.targets(position, "")}
    for cell in position.board.cells:
        try:
            game.advise(position, game.click(position, "", cell))
        except Illegal:
            accepted = False
        else:
            accepted = True
        if accepted != (cell in good):
            name = position.board.labels[cell]
            raise Unfit(
                f"a click on {name} is {'' if accepted else 'not '}accepted, unlike targets"
            )
