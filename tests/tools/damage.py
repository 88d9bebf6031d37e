"""A game with its states and next move, and how a damaged state of it is refused."""

from typing import Any

from flask.testing import FlaskClient

from tests.conftest import problem, sent
from tests.tools.vectors import cut, game, in_form, read

GAME = game()
LAST = 20
NEXT = GAME["moves"][LAST]
#: The first entry, a middle one, the one before the last, the last.
DEPTHS = (0, 9, LAST - 1, LAST)
CODES = {"invalid-state", "unsupported-engine"}
ON_STATE: dict[str, dict[str, Any]] = {
    "move": {"move": NEXT},
    "plan": {"plan": {NEXT: {"move": NEXT}}},
    "moves": {},
    "validate": {"move": NEXT},
    "click": {"row": 0, "col": 0},
    "render": {},
    "end": {"how": "draw"},
    "at": {"ply": 3},
    "history": {},
    "same": {"move": NEXT, "other": NEXT},
    "convert": {"form": "compact"},
}


def state_at(ply: int = LAST, form: str = "full-string") -> Any:
    """Return the game's state after some plies."""
    return in_form(cut(GAME, ply), form)


def refuses(client: FlaskClient, operation: str, wire: Any, **fields: Any) -> dict[str, Any]:
    """Return the problem of an operation that has to refuse a state."""
    response = sent(client, operation, {"state": wire, **ON_STATE[operation], **fields})
    code = read(response.data).get("code")
    assert code in CODES, (operation, response.text[:300])
    return problem(response, code)


def judged(client: FlaskClient, wire: Any) -> dict[str, Any]:
    """Return the verdict of `verify` on a state that is broken."""
    response = sent(client, "verify", {"state": wire})
    assert response.status_code == 200
    verdict: dict[str, Any] = read(response.data)
    assert not verdict["ok"]
    assert verdict["code"] in CODES
    assert not set("<>") & set(verdict["message"])
    return verdict
