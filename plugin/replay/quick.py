"""Records that come out, told fast: no step is kept, the end is looked at once.

A game that is over has no legal move, so `read` refuses whatever comes after its end, and winners
need to be asked for once, behind the last move.
"""

from plugin import history, variants
from plugin.archive import bears_out
from plugin.archive_reading import Source
from plugin.game import Illegal, Position, Seat, Unsettled
from plugin.history import BY_SEAT, ENDINGS, AnyGame


def comes_out(game: AnyGame, source: Source) -> bool:
    """Tell whether a record is all right; False only asks to look at it with `archive.play`."""
    if source.results or not source.moves:
        return False
    how = source.moves[-1]
    is_ended = how in ENDINGS
    try:
        position = _played(game, source, len(source.moves) - is_ended)
    except Illegal:
        return False
    if position is None:
        return False
    winners = game.winners(position)
    if is_ended:
        winners = None if winners is not None else _ended(game, source, position, how)
    if winners is None or not bears_out(source.winner, winners):
        return False
    return bears_out(source.scores, game.scores(position))


def _played(game: AnyGame, source: Source, length: int) -> Position | None:
    """Return the position that moves lead to; None where one is not written as it should be."""
    read, play, write = game.read, game.play, game.text
    version, any_version = source.version, source.version or game.info.version
    position: Position = game.start(variants.board_of(game.info, source.variants).side)
    for text in source.moves[:length]:
        made = read(position, text, any_version)
        if version is None and write(position, made) != text:
            return None
        position = play(position, made)
    return position


def _ended(game: AnyGame, source: Source, position: Position, how: str) -> list[Seat] | None:
    """Return the winners of an ending; None where a closer look is needed."""
    if how == "repetition" or (how in BY_SEAT and source.loser is None):
        return None
    try:
        return history.outcome(game, position, how, source.loser)[0]
    except Unsettled:
        return None
