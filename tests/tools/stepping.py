"""What the slow rules say of a state's last step, with the entry before it taken at its word."""

import json
from collections.abc import Sequence
from typing import Any

from plyhost.board.hexes import get_board
from plyhost.games import registry
from plyhost.states import forms
from plyhost.states.steps import ENDINGS
from tests import naive
from tests.tools import forging
from tests.tools.games import SIDES, side_of
from tests.tools.vectors import opened

State = dict[str, Any]
Stones = dict[str, int]


def stones_of(position: Any) -> Stones:
    if isinstance(position, naive.Control):
        return dict(position.stones)
    return dict.fromkeys(position.black, 1) | dict.fromkeys(position.white, 2)


def size(state: State) -> int:
    """Return the side of the board of a full state."""
    known = [one for one in state["variants"] if one in SIDES[state["game"]]]
    return side_of(state["game"], {"variants": known})


def _standing(uid: str, side: int, stones: Stones, seat: int, black: int | None, ply: int) -> Any:
    """Return a position that is taken at its word."""
    if uid == "control":
        return naive.Control(side, stones, seat)
    first, second = (frozenset(one for one in stones if stones[one] == seat) for seat in (1, 2))
    if black is None:
        ply = min(1, len(stones))
    return naive.Congeners(side, first, second, seat, black, ply)


def placed(state: State, ply: int) -> Any:
    """Return the position of an entry of a full state, taken at its word."""
    entry = state["stack"][ply]
    stones = dict(entry["board"]["value"])
    return _standing(
        state["game"], size(state), stones, entry["currplayer"], entry.get("black"), ply
    )


def last_position(uid: str, wire: Any) -> Any:
    """Return the position that a state says it has reached."""
    if isinstance(wire, str) and wire.startswith(forging.FORMAT):
        state = forging.opened(wire)
        on, sets = get_board(forging.side(state.header)), state.stones
        stones = {
            on.labels[cell]: value
            for value, cells in enumerate(sets, 1)
            for cell in on.cells
            if int.from_bytes(cells, "little") >> cell & 1
        }
        black = json.loads(state.own).get("black")
        return _standing(uid, on.side, stones, 1 + state.numbers[0] % 2, black, state.numbers[0])
    full = opened(wire)
    played = sum(entry.get("lastmove") not in ENDINGS for entry in full["stack"]) - 1
    position = placed(full, len(full["stack"]) - 1)
    if uid == "control":
        return position
    return _standing(
        uid, position.side, stones_of(position), position.seat, position.black_seat, played
    )


def canonical(position: Any, text: str) -> str:
    """Return a stored text as the rules write it: what older engines took is taken."""
    text = "".join(text.split()).lower()
    if isinstance(position, naive.Control):
        return text[:-1] if text[-1:] == "x" and text[:-1] not in position.stones else text
    if "/" not in text:
        return text
    pairs = [sorted(pair.split(","), key=naive.name_order) for pair in text.split("/")]
    return "/".join(",".join(pair) for pair in pairs)


def wrong_step(before: Any, moves: Sequence[str], after: Any) -> str:
    """Return why moves do not lead from one position to another, empty if they do."""
    position = before
    for text in moves:
        text = canonical(position, text)
        if text not in position.legal():
            return f"{text} is not legal"
        position = position.after(text)
    if stones_of(position) != stones_of(after) or position.seat != after.seat:
        return f"{moves} lead elsewhere"
    return ""


def _undone(position: Any, text: str) -> Any:
    """Return the position before a move, as far as the position after it tells."""
    seat = 3 - position.seat
    if isinstance(position, naive.Control):
        stones, cell = dict(position.stones), text.rstrip("x")
        if stones.pop(cell, None) is None:
            stones[cell] = position.seat
        return naive.Control(position.side, stones, seat)
    if "/" in text:
        return naive.Congeners.start(position.side)
    ply, is_blacks = position.ply - 1, position.black_seat == seat
    mine, other = (position.black, position.white)[:: 1 if is_blacks else -1]
    if "," in text:
        stone, goal, spot = text.replace("x", "-").replace(",", "-").split("-")
        mine, other = mine - {goal, spot} | {stone}, other | ({goal} if "x" in text else set())
    first, second = (mine, other)[:: 1 if is_blacks else -1]
    return naive.Congeners(
        position.side, first, second, seat, position.black_seat if ply > 1 else None, ply
    )


def _wrong_compact(uid: str, wire: str) -> str:
    text, after = (
        forms.parse_state(registry.find_game(uid), wire).last.text,
        last_position(uid, wire),
    )
    if text is None:
        return "the first board is not empty" if stones_of(after) else ""
    if text in ENDINGS:
        return ""
    before = _undone(after, text)
    if forging.opened(wire).numbers[0] == 1 and stones_of(before):
        return "the first board is not empty"
    return wrong_step(before, [text], after)


def wrong_end(uid: str, wire: Any) -> str:
    """Return why the last entry of a state does not follow, empty if it does."""
    if isinstance(wire, str) and wire.startswith(forging.FORMAT):
        return _wrong_compact(uid, wire)
    state = opened(wire)
    if not all(isinstance(entry, dict) for entry in state["stack"]):
        return "an entry is no object"
    last = len(state["stack"]) - 1
    after = placed(state, last)
    if last < 2 and stones_of(placed(state, 0)):
        return "the first board is not empty"
    if not last:
        return ""
    text = state["stack"][last]["lastmove"]
    moves = [] if text in ENDINGS else [text]
    return wrong_step(placed(state, last - 1), moves, after)
