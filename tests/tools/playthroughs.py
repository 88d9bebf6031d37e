"""Recorded games as readable text, written by `python -m tests.tools.playthroughs`.

They stand in `fixtures/playthroughs`.  Read the difference like code before it is committed: a
mistake that is written again passes.
"""

from typing import Any

from plyhost.contract.view import list_legal_moves, view_state
from plyhost.games import registry
from plyhost.states import forms, steps
from plyhost.states.forms import State
from tests.tools import ROOT
from tests.tools.games import recorded

FOLDER = ROOT / "fixtures" / "playthroughs"
STAMP = "2026-01-01T00:00:00.000Z"
#: Which recorded games are kept: the first of each variant.
CHOSEN: dict[str, tuple[list[str], ...]] = {
    "control": ([], ["size-5"], ["size-9"]),
    "congeners": ([], ["size-5"], ["size-7"]),
}
MOST_MOVES = 400


def name(uid: str, variants: list[str]) -> str:
    """Return the file name of a playthrough."""
    return "-".join([uid, *(variants or ["default"])]) + ".txt"


def told(uid: str, variants: list[str], moves: list[str]) -> str:
    """Return a game as text: each ply in a line, and every so often all there is to say."""
    game = registry.find_game(uid)
    state = forms.start_state(game, variants, "compact", STAMP)
    lines = [f"{game.info.name} {game.info.version}, variants {' '.join(variants) or '(none)'}"]
    for ply, text in enumerate(["", *moves]):
        if text:
            made = game.read(state.last.position, text)
            state = state.with_steps([steps.make_move_step(game, state.last, made, STAMP)])
        lines += ["", *_ply(state)] if ply < 6 or ply % 10 == 0 else _ply(state)[:2]
    return "\n".join([*lines, *_ply(state)]) + "\n"


def _ply(state: State) -> list[str]:
    shown = view_state(state, {"include": ["text"]})
    moves = list_legal_moves(state, 0, MOST_MOVES, "")
    facts = ("to_move", "scores", "territory", "black", "repetitions", "winner")
    return [
        f"ply {shown['ply']}: {shown['lastmove'] or 'start'}",
        "  " + ", ".join(f"{fact} {shown[fact]}" for fact in facts if fact in shown),
        f"  results {shown['results']}",
        f"  {moves['count']} moves: {' '.join(moves['moves'])}",
        *(f"  |{row}" for row in shown["text"].splitlines()),
    ]


def moves_of(text: str) -> tuple[list[str], list[str]]:
    """Return the variants and the moves that a playthrough tells."""
    head, *lines = text.splitlines()
    variants = head.split("variants ")[1].split()
    plies: dict[int, str] = {}
    for line in lines:
        if line.startswith("ply "):
            number, move = line[4:].split(": ")
            plies[int(number)] = move
    return [one for one in variants if one != "(none)"], [plies[ply] for ply in sorted(plies)][1:]


def first(uid: str, variants: list[str]) -> dict[str, Any]:
    """Return the first recorded game of a variant."""
    return next(game for game in recorded(uid) if game["variants"] == variants)


def write() -> None:
    """Write every playthrough anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for uid in registry.load_games():
        for variants in CHOSEN[uid]:
            text = told(uid, variants, first(uid, variants)["moves"])
            (FOLDER / name(uid, variants)).write_text(text)


if __name__ == "__main__":
    write()
