"""A game, its next move, and its states, as the tests of requests send them."""

from typing import Any

from tests.tools.vectors import cut, game, in_form

GAME = game()
NEXT = GAME["moves"][20]


def state(ply: int = 20, form: str = "full-string") -> Any:
    return in_form(cut(GAME, ply), form)
