"""A digest of the legal moves at every ply: what a rule that was loosened or tightened changes.

Moves that were made show little of those that could have been.  A ply is told in four characters
of base64, which hold 24 bits of a hash over the moves as compact states pack them, in the order of
the contract.
"""

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

from plyhost.games.game import AnyGame, Position
from plyhost.states.steps import Step

#: Characters of a ply.
PLY_CHARACTERS = 4
_PLY_BYTES = 3


def digest_legal_moves(game: AnyGame, steps: Sequence[Step]) -> str:
    """Return the digest of the legal moves after every step, endings included."""
    return "".join(digest_step_moves(game.rules(step.version), step) for step in steps)


def digest_step_moves(game: AnyGame, step: Step) -> str:
    """Return the digest of the legal moves after a step."""
    if step.ply == 0:
        return _digest_start_moves(game, step.position)
    return _digest_position_moves(game, step.position)


@lru_cache(maxsize=16)
def _digest_start_moves(game: AnyGame, start: Position) -> str:
    """Return the digest of the first moves, which are many, and the same for every game."""
    return _digest_position_moves(game, start)


def _digest_position_moves(game: AnyGame, position: Position) -> str:
    pack = game.pack
    moves = b"".join([pack(position, move) for move in game.moves(position)])
    return urlsafe_b64encode(blake2b(moves, digest_size=_PLY_BYTES).digest()).decode()


def count_legal_moves(game: AnyGame, steps: Sequence[Step]) -> int:
    """Return how many legal moves there are after all steps but the first, together."""
    return sum(game.rules(step.version).count(step.position) for step in steps[1:])
