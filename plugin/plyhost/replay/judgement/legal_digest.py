"""A digest of what may be done at every ply: what a rule that was loosened or tightened changes.

Moves that were made show little of those that could have been.  A ply is told in four characters
of base64, which hold 24 bits of a hash over the moves as compact states pack them, in the order of
the contract, over who would win if both settled now, and over whether a repetition may be claimed.
"""

from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b

from plyhost.games.game import AnyGame, Position, Unsettled
from plyhost.states.steps import ENDINGS, ENOUGH_REPETITIONS, Step

#: Characters of a ply.
PLY_CHARACTERS = 4
_PLY_BYTES = 3


def digest_legal_moves(game: AnyGame, steps: Sequence[Step]) -> str:
    """Return the digests after every step from the start, endings included."""
    return "".join(yield_ply_digests(game, steps))


def yield_ply_digests(game: AnyGame, steps: Sequence[Step]) -> Iterator[str]:
    """Yield the digest after each step from the start."""
    stood = Counter[Position]()
    for step in steps:
        rules, position = game.rules(step.version), step.position
        stood[position] += step.text not in ENDINGS
        may_claim = rules.repeats and stood[position] > ENOUGH_REPETITIONS
        pack = _pack_start_moves if step.ply == 0 else _pack_moves
        told = pack(rules, position) + bytes((may_claim,)) + _pack_settlement(rules, position)
        yield urlsafe_b64encode(blake2b(told, digest_size=_PLY_BYTES).digest()).decode()


def _pack_settlement(game: AnyGame, position: Position) -> bytes:
    try:
        return bytes(game.settled(position))
    except Unsettled:
        return b"-"


@lru_cache(maxsize=16)
def _pack_start_moves(game: AnyGame, start: Position) -> bytes:
    """Return the digest of the first moves, which are many, and the same for every game."""
    return blake2b(_pack_moves(game, start)).digest()


def _pack_moves(game: AnyGame, position: Position) -> bytes:
    pack = game.pack
    return b"".join([pack(position, move) for move in game.moves(position)])


def count_legal_moves(game: AnyGame, steps: Sequence[Step]) -> int:
    """Return how many legal moves there are after all steps but the first, together."""
    return sum(game.rules(step.version).count(step.position) for step in steps[1:])
