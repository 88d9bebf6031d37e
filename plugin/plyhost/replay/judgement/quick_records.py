"""Records that come out, told fast: no step is kept, the end is looked at once.

A game that is over has no legal move, so `read` refuses whatever comes after its end, and winners
need to be asked for once, behind the last move.
"""

from plyhost.contract.record_reading import Source
from plyhost.contract.records import is_claim_borne_out, is_winner_borne_out
from plyhost.games import variants
from plyhost.games.game import AnyGame, Illegal, Position, Seat, Unsettled
from plyhost.states import steps
from plyhost.states.steps import BY_SEAT, ENDINGS


def is_record_sound(game: AnyGame, source: Source) -> bool:
    """Tell whether a record is all right; False asks to look closer, with `play_source`."""
    if source.results or not source.moves:
        return False
    how = source.moves[-1]
    is_ended = how in ENDINGS
    try:
        position = _play_record_moves(game, source, len(source.moves) - is_ended)
    except Illegal:
        return False
    if position is None:
        return False
    winners = game.winners(position)
    if is_ended:
        winners = None if winners is not None else _find_ending_winners(game, source, position, how)
    if winners is None or not is_winner_borne_out(source, winners):
        return False
    return is_claim_borne_out(source.scores, game.scores(position))


def _play_record_moves(game: AnyGame, source: Source, length: int) -> Position | None:
    """Return the position that moves lead to; None where one is not written as it should be."""
    read, play, write = game.read, game.play, game.text
    version, any_version = source.version, source.version or game.version
    position: Position = game.start(variants.find_board_variant(game.info, source.variants).side)
    for text in source.moves[:length]:
        made = read(position, text, any_version)
        if version is None and write(position, made) != text:
            return None
        position = play(position, made)
    return position


def _find_ending_winners(
    game: AnyGame, source: Source, position: Position, how: str
) -> list[Seat] | None:
    """Return the winners of an ending; None where a closer look is needed."""
    if how == "repetition" or (how in BY_SEAT and source.loser is None):
        return None
    try:
        return steps.find_ending_outcome(game, position, how, source.loser)[0]
    except Unsettled:
        return None
