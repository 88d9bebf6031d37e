"""Damage to the state of a request, and states that are wrong but look sound."""

import random
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

from plyhost.states.steps import BY_ALL, BY_RULE, BY_SEAT, ENDINGS
from tests import naive
from tests.tools import forging, replay_naive, sound
from tests.tools.request_damage import Damage, bytes_damaged, fields_damaged, sent
from tests.tools.sound import Asked, Fields
from tests.tools.stepping import placed, size
from tests.tools.vectors import LATER, opened, tight, zipped


def _again(pick: random.Random, state: Fields) -> Any:
    """Return a full state, sound or not, in one of the full forms."""
    text = tight(state)
    return pick.choice((state, text, zipped(text.encode(errors="surrogatepass"))))


def _full(pick: random.Random, asked: Asked, change: Callable[[Fields], None]) -> bytes:
    """Return the body with its state changed as a full one; others get a fresh state."""
    wire = asked.fields.get("state")
    if isinstance(wire, str) and wire.startswith(forging.FORMAT):
        wire = sound.answered(asked.uid, "convert", state=wire, form="full")["state"]
    state = opened(wire) if wire else _some_full(pick, asked.uid)
    change(state)
    asked.fields["state"] = _again(pick, state)
    return sent(asked)


def _some_full(pick: random.Random, uid: str) -> Fields:
    number, ply, _ = sound.chosen(pick, uid)
    state: Fields = sound.wire(pick, uid, "full", number, ply)
    return state


def _entries(pick: random.Random, asked: Asked) -> bytes:
    """Damage one of the last two entries, which every operation reads, or any, or their order."""

    def change(state: Fields) -> None:
        stack = state["stack"]
        match pick.randrange(4):
            case 0:
                fields_damaged(pick, stack)
            case 1:
                fields_damaged(pick, pick.choice(stack))
            case _:
                fields_damaged(pick, pick.choice(stack[-2:]))

    return _full(pick, asked, change)


def _entries_swapped(pick: random.Random, asked: Asked) -> bytes:
    """Swap two entries, or one field of theirs."""

    def change(state: Fields) -> None:
        stack = state["stack"]
        near = pick.randrange(max(0, len(stack) - 4), len(stack))
        one, other = pick.choice((pick.randrange(len(stack)), near)), near - 1
        if pick.random() < 0.4:
            stack[one], stack[other] = stack[other], stack[one]
            return
        key = pick.choice(list(stack[one]))
        if key in stack[other]:
            stack[one][key], stack[other][key] = stack[other][key], stack[one][key]

    return _full(pick, asked, change)


def _headers(pick: random.Random, asked: Asked) -> bytes:
    """Give a state one or two of another's members, its stack or its variants among them."""

    def change(state: Fields) -> None:
        other = _some_full(pick, pick.choice(sound.UIDS))
        for key in pick.sample(list(other), pick.randint(1, 2)):
            state[key] = other[key]

    return _full(pick, asked, change)


def _spliced(pick: random.Random, asked: Asked) -> bytes:
    """Follow the beginning of one game by the end of another, or leave out a part of one."""

    def change(state: Fields) -> None:
        other = _some_full(pick, asked.uid) if pick.random() < 0.6 else state
        at = pick.randrange(len(state["stack"]))
        there = pick.choice((at, at + 1, at + 2, pick.randrange(len(other["stack"]))))
        state["stack"] = state["stack"][:at] + other["stack"][there:]
        state["variants"] = pick.choice((state["variants"], other["variants"]))
        state["gameover"], state["winner"] = other["gameover"], other["winner"]

    return _full(pick, asked, change)


def _boards(pick: random.Random, asked: Asked) -> bytes:
    """Change a cell of the last boards alike, and their scores with it: the end looks sound."""

    def change(state: Fields) -> None:
        stack = state["stack"]
        cells = list(naive.points(size(state)))
        cell, value = pick.choice(cells), pick.choice((0, 1, 2))
        for ply in range(max(1, len(stack) - pick.choice((2, 2, 3))), len(stack)):
            entry = stack[ply]
            held = [pair for pair in entry["board"]["value"] if pair[0] != cell]
            entry["board"]["value"] = held + ([[cell, value]] if value else [])
            entry["scores"] = replay_naive.scores_of(placed(state, ply))

    return _full(pick, asked, change)


def _header_told(pick: random.Random, asked: Asked) -> bytes:
    """Tell another end, seat, version, time or Black, alike in the last entries."""
    changes: dict[str, tuple[Any, ...]] = {
        "currplayer": (1, 2),
        "_version": ("20240909", "20261130", "20200101"),
        "_timestamp": (LATER, "1970-01-01T00:00:00.000Z", "2026-02-30T00:00:00.000Z"),
        "black": (1, 2, None),
        "lastmove": (*ENDINGS, "pass", "play-second"),
    }

    def change(state: Fields) -> None:
        state["gameover"] = pick.choice((True, False, state["gameover"]))
        state["winner"] = pick.choice(([], [1], [2], [1, 2], state["winner"]))
        key = pick.choice(list(changes))
        for entry in state["stack"][-pick.choice((1, 2, 3)) :]:
            entry[key] = pick.choice(changes[key])

    return _full(pick, asked, change)


def _ended(pick: random.Random, asked: Asked) -> bytes:
    """End a game in a way that looks right, whether it may end so or not; sometimes twice."""

    def change(state: Fields) -> None:
        for _ in range(pick.choice((1, 1, 2))):
            last, how = state["stack"][-1], pick.choice((*ENDINGS, "repetition"))
            seat, winner = pick.choice((1, 2)), pick.choice(([1], [2], [1, 2]))
            sure = {"draw": [1, 2], "repetition": [1, 2], "abandoned": []}
            winner = [3 - seat] if how in BY_SEAT else sure.get(how, winner)
            results: list[Fields] = [{"type": BY_ALL[how]}] if how in BY_ALL else []
            if how in BY_SEAT:
                results = [{"type": BY_SEAT[how], "player": seat}]
            eog = {"type": "eog"} | ({"reason": BY_RULE[how]} if how in BY_RULE else {})
            results += [eog, {"type": "winners", "players": winner}]
            entry = last | {"lastmove": how, "_results": results, "_timestamp": LATER}
            state["stack"].append(entry)
            state["gameover"], state["winner"] = True, winner

    return _full(pick, asked, change)


def _old_texts(pick: random.Random, asked: Asked) -> bytes:
    """Write stored moves as older engines took them, or nearly so."""

    def change(state: Fields) -> None:
        for entry in pick.choices(state["stack"], k=pick.choice((1, 3))):
            text = entry.get("lastmove", "")
            others = (f"{text}x", text.upper(), f" {text}", "/".join(reversed(text.split("/"))))
            entry["lastmove"] = pick.choice((*others, ",".join(reversed(text.split(",")))))

    return _full(pick, asked, change)


def _gzip(pick: random.Random, asked: Asked) -> bytes:
    """Damage, cut, pad or double the gzip of a state, or what is inside."""
    state = _some_full(pick, asked.uid)
    whole = zipped(tight(state))
    packed = b64decode(whole[3:])
    damages = (
        lambda: packed[: pick.randrange(len(packed))],
        lambda: packed + pick.choice((b"\0", b"\0" * 1000, b"x", b"\x1f\x8b")),
        lambda: packed + packed,
        lambda: packed + b64decode(zipped("")[3:]),
        lambda: bytes_damaged(pick, packed),
        lambda: b64decode(zipped(bytes_damaged(pick, tight(state).encode()))[3:]),
        lambda: b64decode(zipped(b" " * pick.choice((10**6, 5 * 10**6)) + b"{}")[3:]),
    )
    code = b64encode(pick.choice(damages)()).decode()
    code = pick.choice((code, code, code, code.rstrip("=") + "=", code + "\n", code[:-1]))
    asked.fields["state"] = "gz:" + code
    return sent(asked)


def _state_text(pick: random.Random, asked: Asked) -> bytes:
    """Damage the text that a state is."""
    wire = asked.fields.get("state")
    text = wire if isinstance(wire, str) else tight(_some_full(pick, asked.uid))
    asked.fields["state"] = bytes_damaged(pick, text.encode()).decode(errors="replace")
    return sent(asked)


def _forged(pick: random.Random, asked: Asked) -> bytes:
    """Change a compact state and make its check right again."""
    texts = []
    for uid in (asked.uid, pick.choice((asked.uid, asked.uid, *sound.UIDS))):
        number, ply, _ = sound.chosen(pick, uid)
        texts.append(sound.wire(pick, uid, "compact", number, ply))
    asked.fields["state"] = forging.forged(pick, *texts)
    return sent(asked)


KINDS: dict[str, Damage] = {
    "entries": _entries,
    "entries swapped": _entries_swapped,
    "headers": _headers,
    "spliced": _spliced,
    "boards": _boards,
    "told otherwise": _header_told,
    "ended": _ended,
    "old texts": _old_texts,
    "gzip": _gzip,
    "state text": _state_text,
    "forged": _forged,
}
