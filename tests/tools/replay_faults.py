"""Ten kinds of faults to plant into an archive, each with what can be seen of it.

In a full state everything can be seen, and in a compact one as well unless its check was written
anew.  In a record, and in a compact state that was sealed again, only what the slow rules of
`tests.naive` show to differ.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import orjson
from msgspec.structs import replace

from plyhost.states import compact, forms
from tests.tools import replay_naive
from tests.tools.replay_games import FORMS, Played

RECORDS = ("record", "told", "fixture")
FULLS = ("full", "full-string", "full-gz")

#: Each kind of fault with the forms that it can be planted into.
KINDS: dict[str, tuple[str, ...]] = {
    "move_changed": (*RECORDS, *FULLS, "compact"),
    "moves_swapped": (*RECORDS, *FULLS, "compact"),
    "cut_short": (*RECORDS, *FULLS, "compact"),
    "added_after_the_end": (*RECORDS, *FULLS, "compact"),
    "winner_flipped": (*RECORDS, *FULLS),
    "score_off": (*RECORDS, *FULLS),
    "variant_changed": (*RECORDS, *FULLS, "compact"),
    "result_changed": ("told", *FULLS),
    "board_entry_changed": (*FULLS, "compact"),
    "line_broken": FORMS,
}


@dataclass
class Fault:
    """A planted fault: the line, whether it can be seen, and what the verdict must then name."""

    kind: str
    form: str
    line: bytes
    is_seen: bool = True
    named: dict[str, set[Any]] = field(default_factory=dict)


def plant(one: Played, form: str, kind: str, seed: int) -> Fault:
    """Return a game's line with a fault of a kind in it."""
    pick = random.Random(seed)
    if kind == "line_broken":
        line = one.line(form)
        broken = line[: pick.randrange(1, len(line))]
        return Fault(kind, form, broken, named={"code": {"unreadable"}})
    planted = {"compact": InCompact}.get(form, InRecord if form in RECORDS else InFull)
    return planted(one, form, pick).plant(kind)


class Planting:
    """A game to plant a fault into; the faults are methods by the names of `KINDS`."""

    def __init__(self, one: Played, form: str, pick: random.Random) -> None:
        self.one, self.form, self.pick = one, form, pick
        self.texts = [str(step.text) for step in one.steps[1:]]
        self.plies = [step.ply for step in one.steps if step.move is not None]

    def ply(self) -> int:
        """Return the ply of some move."""
        return self.pick.choice(self.plies)

    def other(self, ply: int) -> tuple[str, Any]:
        """Return another move than the one of a ply, often a legal one, else of another ply."""
        game, before = self.one.game, self.one.steps[ply - 1].position
        made = [(str(step.text), step.move) for step in self.one.steps if step.move is not None]
        legal = [(game.text(before, move), move) for move in game.moves(before)] if ply > 1 else []
        near, far = (
            [pair for pair in pairs if pair[0] != self.texts[ply - 1]] for pairs in (legal, made)
        )
        return self.pick.choice(near if near and self.pick.random() < 0.6 else far)

    def pair(self) -> tuple[int, int]:
        """Return the plies of two moves that differ, mostly of one seat and near each other."""
        while True:
            low = self.pick.randrange(1, self.plies[-1])
            high = min(low + self.pick.choice((1, 2, 2, 2, 5)), self.plies[-1])
            if self.texts[low - 1] != self.texts[high - 1]:
                return low, high

    def other_variant(self) -> Any:
        """Return another variant of the game."""
        side = self.one.steps[0].position.board.side
        return self.pick.choice([one for one in self.one.game.info.variants if one.side != side])

    def changed_results(self, ply: int) -> list[Any]:
        """Return what a ply did, slightly otherwise."""
        results = [dict(result) for result in self.one.steps[ply].results]
        if "where" in results[0]:
            results[0]["where"] = "a2" if results[0]["where"] != "a2" else "a3"
        else:
            results[0]["type"] = "pass" if results[0]["type"] != "pass" else "pie"
        return results


class InRecord(Planting):
    """Faults in a record, a record with results, or the record of a fixture."""

    def __init__(self, one: Played, form: str, pick: random.Random) -> None:
        super().__init__(one, form, pick)
        self.record = one.told() if form == "told" else one.record()
        self.players = self.record["header"]["players"]
        self.side = one.steps[0].position.board.side
        self.results: list[Any] = [step.results for step in one.steps[1:]]

    def plant(self, kind: str) -> Fault:
        """Change the record; look at it with slow rules unless it claims what each ply did."""
        ply = getattr(self, kind)()
        fault = Fault(kind, self.form, self.line())
        if kind == "result_changed":
            fault.named = {"ply": {ply}, "field": {"results"}}
        elif self.form == "told" and kind in ("move_changed", "moves_swapped"):
            fault.named = {"ply": {ply}, "field": {"move", "results"}}
        elif self.form == "told" and kind == "winner_flipped":
            fault.named = {"ply": {len(self.texts)}, "field": {"winner", "results"}}
        else:
            place = self.seen(ply)
            fault.is_seen = place is not None or self.form == "fixture"
            if place is not None and self.form != "told":
                fault.named = {"ply": {place[0]}, "field": {place[1]}}
        return fault

    def seen(self, ply: int) -> replay_naive.Place | None:
        """Return what the slow rules see, who need not look before a ply."""
        results = [player["result"] for player in self.players]
        winner = [seat for seat, result in enumerate(results, 1) if result]
        scores = [player["score"] for player in self.players]
        uid = self.one.game.info.uid
        return replay_naive.first_difference(uid, self.side, self.texts, winner, scores, ply - 1)

    def line(self) -> bytes:
        """Return the record as a line."""
        one: list[Any] = list(self.texts)
        if self.form == "told":
            one = [
                {"move": text, "result": result}
                for text, result in zip(self.texts, self.results, strict=True)
            ]
        self.record["moves"] = [one[at : at + 2] for at in range(0, len(one), 2)]
        if self.form != "fixture":
            return orjson.dumps(self.record)
        return orjson.dumps({"record": self.record, "state": forms.dump_state(self.one.state)})

    def move_changed(self) -> int:
        ply = self.ply()
        self.texts[ply - 1] = self.other(ply)[0]
        return ply

    def moves_swapped(self) -> int:
        low, high = self.pair()
        self.texts[low - 1], self.texts[high - 1] = self.texts[high - 1], self.texts[low - 1]
        return low

    def cut_short(self) -> int:
        kept = self.pick.randrange(1, len(self.texts))
        del self.texts[kept:], self.results[kept:]
        return kept + 1

    def added_after_the_end(self) -> int:
        self.texts.append(self.texts[self.ply() - 1])
        self.results.append("added")
        return len(self.texts)

    def winner_flipped(self) -> int:
        one, two = (player["result"] for player in self.players)
        flipped = (two, one) if one != two else (1, 0)
        for player, result in zip(self.players, flipped, strict=True):
            player["result"] = result
        return len(self.texts) + 1

    def score_off(self) -> int:
        self.pick.choice(self.players)["score"] += self.pick.choice((-1, 1, 7))
        return len(self.texts) + 1

    def variant_changed(self) -> int:
        variant = self.other_variant()
        self.record["header"]["game"]["variants"] = [variant.name]
        self.side = variant.side
        return 1

    def result_changed(self) -> int:
        ply = self.ply()
        self.results[ply - 1] = self.changed_results(ply)
        return ply


class InFull(Planting):
    """Faults in a full state; each returns the ply and the fields that must be named."""

    def __init__(self, one: Played, form: str, pick: random.Random) -> None:
        super().__init__(one, form, pick)
        self.state: dict[str, Any] = orjson.loads(orjson.dumps(forms.dump_state(one.state)))
        self.stack: list[dict[str, Any]] = self.state["stack"]

    def plant(self, kind: str) -> Fault:
        """Change the state; all of it can be seen."""
        ply, fields = getattr(self, kind)()
        named = {"field": set(fields)} if fields else {}
        if ply is not None:
            named["ply"] = {ply}
        return Fault(kind, self.form, self.line(), named=named)

    def line(self) -> bytes:
        """Return the state as a line, in its form."""
        data = orjson.dumps(self.state)
        if self.form == "full":
            return data
        return orjson.dumps(data.decode() if self.form == "full-string" else forms.zip_state(data))

    def move_changed(self) -> tuple[int | None, Any]:
        ply = self.ply()
        self.stack[ply]["lastmove"] = self.other(ply)[0]
        return ply, ("lastmove", "_results")

    def moves_swapped(self) -> tuple[int | None, Any]:
        low, high = self.pair()
        one, two = self.stack[low], self.stack[high]
        one["lastmove"], two["lastmove"] = two["lastmove"], one["lastmove"]
        return low, ("lastmove", "_results")

    def cut_short(self) -> tuple[int | None, Any]:
        del self.stack[self.pick.randrange(1, len(self.stack)) :]
        return None, ("gameover",)

    def added_after_the_end(self) -> tuple[int | None, Any]:
        self.stack.append(self.stack[-1] | {"lastmove": self.texts[self.ply() - 1]})
        return len(self.stack) - 1, ("lastmove",)

    def winner_flipped(self) -> tuple[int | None, Any]:
        winner = self.state["winner"]
        self.state["winner"] = [3 - winner[0]] if len(winner) == 1 else [1]
        return None, ("winner",)

    def score_off(self) -> tuple[int | None, Any]:
        ply = self.pick.randrange(len(self.stack))
        self.stack[ply]["scores"][self.pick.randrange(2)] += self.pick.choice((-1, 1, 7))
        return ply, ("scores",)

    def variant_changed(self) -> tuple[int | None, Any]:
        self.state["variants"] = [self.other_variant().uid]
        return None, ()

    def result_changed(self) -> tuple[int | None, Any]:
        ply = self.ply()
        self.stack[ply]["_results"] = self.changed_results(ply)
        return ply, ("_results",)

    def board_entry_changed(self) -> tuple[int | None, Any]:
        ply = self.pick.choice([at for at in self.plies if self.stack[at]["board"]["value"]])
        pairs = self.stack[ply]["board"]["value"]
        at = self.pick.randrange(len(pairs))
        if self.pick.random() < 0.5:
            pairs[at][1] = 3 - pairs[at][1]
        else:
            del pairs[at]
        return ply, ("board",)


class InCompact(Planting):
    """Faults in a compact state: half of them damage, half written by who can write the check."""

    def plant(self, kind: str) -> Fault:
        """Change the state."""
        if self.pick.random() < 0.5:
            return Fault(kind, "compact", self.damaged(), named={"code": {"invalid-state"}})
        seals: dict[str, Callable[[], tuple[bytes, bool]]] = {
            "move_changed": self.move_changed,
            "moves_swapped": self.moves_swapped,
            "cut_short": self.cut_short,
            "added_after_the_end": self.added_after_the_end,
            "variant_changed": self.variant_changed,
            "board_entry_changed": self.board_entry_changed,
        }
        line, is_seen = seals[kind]()
        return Fault(kind, "compact", line, is_seen)

    def damaged(self) -> bytes:
        """Return the state with one character of its payload changed, the check left as it was."""
        text: str = self.one.wire("compact")
        at = self.pick.randrange(text.rindex(":") + 1, len(text))
        other = "A" if text[at] != "A" else "B"
        return orjson.dumps(text[:at] + other + text[at + 1 :])

    def sealed(self, moves: list[Any], last: Any = None, uids: list[str] | None = None) -> bytes:
        """Return a state with these moves and the last position as it was, its check right."""
        first, *rest = self.one.steps
        endings = [step for step in rest if step.move is None]
        made = [replace(first, move=move, text="") for move in moves]
        stack = compact.start_compact_stack(self.one.game, first).with_steps(
            first, [*made, *endings]
        )
        uids = self.one.variants if uids is None else uids
        last = last or self.one.steps[-1]
        return orjson.dumps(compact.dump_compact_state(self.one.game.info.uid, uids, stack, last))

    def seen(self, texts: list[str], known: int) -> bool:
        """Tell whether the slow rules refuse a move, or arrive at another position."""
        begin = replay_naive.start(self.one.game.info.uid, self.one.steps[0].position.board.side)
        reached, _, place = replay_naive.played(begin, texts, known)
        return place is not None or reached != replay_naive.played(begin, self.texts, 9999)[0]

    def _moves(self) -> list[Any]:
        return [self.one.steps[ply].move for ply in self.plies]

    def move_changed(self) -> tuple[bytes, bool]:
        moves, texts, ply = self._moves(), list(self.texts), self.ply()
        texts[ply - 1], moves[ply - 1] = self.other(ply)
        return self.sealed(moves), self.seen(texts, ply - 1)

    def moves_swapped(self) -> tuple[bytes, bool]:
        moves, texts = self._moves(), list(self.texts)
        low, high = self.pair()
        for both in (moves, texts):
            both[low - 1], both[high - 1] = both[high - 1], both[low - 1]
        return self.sealed(moves), self.seen(texts, low - 1)

    def cut_short(self) -> tuple[bytes, bool]:
        return self.sealed(self._moves()[: self.pick.randrange(1, len(self.plies))]), True

    def added_after_the_end(self) -> tuple[bytes, bool]:
        moves = self._moves()
        return self.sealed([*moves, self.pick.choice(moves)]), True

    def variant_changed(self) -> tuple[bytes, bool]:
        variant = self.other_variant()
        uids = [] if variant.uid.startswith("#") else [variant.uid]
        return self.sealed(self._moves(), uids=uids), True

    def board_entry_changed(self) -> tuple[bytes, bool]:
        last = self.one.steps[-1]
        one, two = last.position.stones
        gone = 1 << self.pick.choice([at for at in range(one.bit_length()) if one >> at & 1])
        position = replace(last.position, stones=(one ^ gone, two))
        return self.sealed(self._moves(), replace(last, position=position)), True
