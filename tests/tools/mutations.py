"""Damaged requests of every kind to both games, drawn at random."""

import random

from tests.tools import request_damage, sound, state_damage
from tests.tools.sound import Asked

KINDS = request_damage.KINDS | state_damage.KINDS
#: How often each kind comes, if not twice as often as none; what looks sound is worth the most.
_WEIGHTS = {"none": 1, "boards": 3, "forged": 8, "spliced": 3, "entries": 4, "told otherwise": 3}


def mutated(pick: random.Random) -> tuple[str, Asked, bytes]:
    """Return a kind of damage, the request it was done to, and the body.

    Damage to a state is left out where none is asked for.
    """
    asked = sound.request(pick)
    kinds = [kind for kind in KINDS if "state" in asked.fields or kind in request_damage.KINDS]
    (kind,) = pick.choices(kinds, [_WEIGHTS.get(kind, 2) for kind in kinds])
    return kind, asked, KINDS[kind](pick, asked)
