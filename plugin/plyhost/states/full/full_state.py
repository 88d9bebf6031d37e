"""Full states: Abstract Play's JSON, whose entries are copied unread but for the last two."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import msgspec
import orjson

from plyhost import limits
from plyhost.board.hexes import get_board
from plyhost.errors import InvalidState
from plyhost.games import variants
from plyhost.games.game import AnyGame
from plyhost.states.clock import Stamp, is_stamp
from plyhost.states.full.entry import (
    Entry,
    Pairs,
    arrange_map_pairs,
    build_entry,
    check_entry_fields,
    compare_entries,
    make_entry_fault,
    parse_entry,
    read_entry_stones,
)
from plyhost.states.full.raw_stack import StateParts
from plyhost.states.steps import ENDINGS, Impossible, Step, follow_stored_entry, make_first_step

RawEntry: TypeAlias = bytes | msgspec.Raw


class FullStack(msgspec.Struct, frozen=True):
    """The entries of a full state, from the start to the last, as bytes.

    `last_pairs` is the Map of the last entry, in its stored order; `stamp_before` the timestamp of
    the entry before it, where it is known already.
    """

    game: AnyGame
    raws: Sequence[RawEntry]
    last_pairs: Pairs
    stamp_before: Stamp | None = None

    def first_stamp(self) -> Stamp:
        """Return the timestamp of the first entry."""
        return self._stamp(0)

    def previous_stamp(self) -> Stamp | None:
        """Return the timestamp of the entry before the last, if there is one."""
        if self.stamp_before or len(self.raws) < 2:
            return self.stamp_before
        return self._stamp(len(self.raws) - 2)

    def _stamp(self, index: int) -> Stamp:
        stamp = parse_entry(bytes(self.raws[index]), index).get("_timestamp")
        if not is_stamp(stamp):
            raise make_entry_fault(index, "_timestamp", "must be a timestamp")
        return str(stamp)

    def with_steps(self, before: Step, steps: Sequence[Step]) -> "FullStack":
        """Return the stack with the entries of `steps`, which follow `before`, added."""
        raws, pairs, earlier = list(self.raws), self.last_pairs, self.stamp_before
        for step in steps:
            earlier = before.timestamp
            pairs = arrange_map_pairs(
                pairs, step.position.board, before.position.stones, step.position.stones
            )
            raws.append(orjson.dumps(build_entry(self.game, step, pairs)))
            before = step
        return FullStack(self.game, raws, pairs, earlier)


def parse_full_state(
    game: AnyGame, parts: StateParts
) -> tuple[list[str], FullStack, Step, tuple[Step, ...]]:
    """Return the variants, stack and last step of a state, and the step before it if there is one.

    Checks the header, the last entry and the step to it; raises InvalidState or UnsupportedEngine.
    """
    side = check_full_header(game, parts)
    raws = _check_raw_stack(parts)
    _check_raw_objects(raws)
    last = len(raws) - 1
    raw = bytes(raws[last])
    found = parse_entry(raw, last)
    before = _read_entry_before(game, raws, side)
    step, pairs = _check_entry_step(game, side, before, found, last, raw)
    if before is not None and found["board"]["value"] != pairs:
        pairs = found["board"]["value"]
    check_header_outcome(parts, step)
    known = before[:1] if before is not None else ()
    earlier = before[0].timestamp if before is not None else None
    stack = FullStack(game, raws, pairs, earlier)
    return parts.variants, stack, step, known


def check_full_header(game: AnyGame, parts: StateParts) -> int:
    """Return the side of the board of a header; raises InvalidState."""
    members = msgspec.structs.astuple(parts)
    if msgspec.UNSET in members:
        key = StateParts.__struct_fields__[members.index(msgspec.UNSET)]
        raise InvalidState(f"/{key}", "is missing", field=key)
    if parts.game != game.info.uid:
        raise InvalidState("/game", f"must be {game.info.uid}", field="game")
    if type(parts.numplayers) is not int or parts.numplayers != 2:
        raise InvalidState("/numplayers", "must be 2", field="numplayers")
    if not isinstance(parts.gameover, bool):
        raise InvalidState("/gameover", "must be true or false", field="gameover")
    if not isinstance(parts.winner, list):
        raise InvalidState("/winner", "must be an array", field="winner")
    return variants.find_stored_variant(game.info, parts.variants).side


def make_unread_stack(game: AnyGame, parts: StateParts) -> FullStack:
    """Return the stack of a state of which no entry was read; only good for walking through."""
    return FullStack(game, _check_raw_stack(parts), [])


def cut_full_stack(stack: FullStack, length: int) -> FullStack:
    """Return the first entries of a stack that was walked through."""
    raw = bytes(stack.raws[length - 1])
    pairs = parse_entry(raw, length - 1)["board"]["value"]
    return FullStack(stack.game, stack.raws[:length], pairs)


def _check_raw_stack(parts: StateParts) -> list[msgspec.Raw]:
    stack = parts.stack
    if not stack or isinstance(stack, msgspec.UnsetType):
        raise InvalidState("/stack", "must have an entry", field="stack")
    if len(stack) > limits.LAST_PLY + 1:
        why = f"has more than {limits.LAST_PLY + 1} entries"
        raise InvalidState("/stack", why, field="stack")
    return stack


def _check_raw_objects(raws: Sequence[msgspec.Raw]) -> None:
    """Refuse entries that are something else, of which most are not read; raises InvalidState."""
    if {memoryview(raw)[0] for raw in raws} == {ord("{")}:
        return
    for index, raw in enumerate(raws):
        parse_entry(bytes(raw), index)


def _read_entry_before(
    game: AnyGame, raws: Sequence[RawEntry], side: int
) -> tuple[Step, Pairs] | None:
    """Return the entry before the last as a step, with its Map; None where there is none.

    Its position is taken from the entry: whether it follows from earlier ones is not looked at.
    """
    index = len(raws) - 2
    if index < 0:
        return None
    entry = parse_entry(bytes(raws[index]), index)
    check_entry_fields(game, entry, index)
    on = get_board(side)
    stones = read_entry_stones(on, entry, index)
    try:
        rules = game.rules(entry["_version"])
        position = rules.restore(on, stones, entry["currplayer"], entry)
    except ValueError as error:
        raise make_entry_fault(index, str(error.args[0]), "does not fit the position") from error
    return _make_trusted_step(game, position, entry, index), entry["board"]["value"]


def _make_trusted_step(game: AnyGame, position: Any, entry: Any, index: int) -> Step:
    """Return the step of an entry whose move is not played again; raises InvalidState."""
    text = entry.get("lastmove")
    if index == 0 and position != game.start(position.board.side):
        raise make_entry_fault(0, "board", "the first entry must be an empty board")
    if text not in ENDINGS and position.seat != 1 + index % 2:
        raise make_entry_fault(index, "currplayer", "turns alternate from seat 1")
    # A natural end has no legal move behind it, so reading the next one finds that out.
    winner: list[int] | None = [] if text in ENDINGS else None
    return Step(index, position, text, [], entry["_timestamp"], entry["_version"], winner)


def _check_entry_step(
    game: AnyGame,
    side: int,
    before: tuple[Step, Pairs] | None,
    found: Entry,
    index: int,
    raw: bytes,
) -> tuple[Step, Pairs]:
    """Return the step that an entry must be, and its Map; raises InvalidState unless it is."""
    check_entry_fields(game, found, index)
    stamp, version = found["_timestamp"], found["_version"]
    if before is None:
        step, pairs = make_first_step(game, side, stamp, version), list[list[Any]]()
    else:
        step = _follow_entry(game, before[0], found, index)
        pairs = arrange_map_pairs(
            before[1],
            step.position.board,
            before[0].position.stones,
            step.position.stones,
        )
    expected = build_entry(game, step, pairs)
    if orjson.dumps(expected) != raw:
        compare_entries(step.position.board, found, expected, index)
    return step, pairs


def _follow_entry(game: AnyGame, before: Step, found: Entry, index: int) -> Step:
    """Return the step that a stored entry makes after another one; raises InvalidState."""
    text, stamp = found["lastmove"], found["_timestamp"]
    try:
        return follow_stored_entry(game, before, text, found["_results"], stamp, found["_version"])
    except Impossible as error:
        trace = {"expected": error.expected, "found": error.found, "reason": error.reason}
        raise make_entry_fault(index, error.field, error.why, move=text, **trace) from error


def check_header_outcome(parts: StateParts, last: Step) -> None:
    """Check that the header agrees with the last step; raises InvalidState."""
    is_over, winner = last.is_over, last.winner or []
    if parts.gameover is not is_over:
        raise _make_header_fault("gameover", last, parts.gameover, is_over)
    # As JSON, where 1, 1.0 and true differ.
    if orjson.dumps(parts.winner) != orjson.dumps(winner):
        raise _make_header_fault("winner", last, parts.winner, winner)


def _make_header_fault(field: str, last: Step, found: Any, expected: Any) -> InvalidState:
    why = "does not agree with the last entry"
    trace = {"ply": last.ply, "move": last.text, "expected": expected, "found": found}
    return InvalidState(f"/{field}", why, field=field, **trace)


def walk_full_stack(
    game: AnyGame, side: int, stack: FullStack
) -> Iterator[tuple[Step, Pairs, bytes]]:
    """Yield every step with its Map and the bytes it was read from, each checked.

    Raises InvalidState or UnsupportedEngine at the first entry that does not follow.
    """
    before: tuple[Step, Pairs] | None = None
    for index, stored in enumerate(stack.raws):
        raw = bytes(stored)
        found = parse_entry(raw, index)
        step, pairs = _check_entry_step(game, side, before, found, index, raw)
        yield step, pairs, raw
        before = step, found["board"]["value"]


def dump_full_state(uid: str, uids: Sequence[str], stack: FullStack, last: Step) -> bytes:
    """Return the serialized state."""
    header = {
        "game": uid,
        "numplayers": 2,
        "variants": uids,
        "gameover": last.is_over,
        "winner": last.winner or [],
    }
    opening = orjson.dumps(header)[:-1] + b',"stack":['
    return b"".join((opening, b",".join(stack.raws), b"]}"))


def start_full_stack(game: AnyGame, first: Step) -> FullStack:
    """Return the stack of a game that has not begun."""
    return FullStack(game, [orjson.dumps(build_entry(game, first, []))], [])


def walk_full_backwards(game: AnyGame, side: int, stack: FullStack, later: Step) -> Iterator[Any]:
    """Yield the positions before a step, the latest first, until one cannot equal the step's own.

    That is so before a move which no later one can take back.  Checks the entries it reads and the
    steps between them; raises InvalidState.
    """
    for index in range(later.ply, 0, -1):
        found = parse_entry(bytes(stack.raws[index]), index)
        check_entry_fields(game, found, index)
        before = _read_entry_before(game, stack.raws[: index + 1], side)
        if before is None or found["lastmove"] in ENDINGS:
            continue
        step, _ = _check_entry_step(game, side, before, found, index, bytes(stack.raws[index]))
        if not game.rules(step.version).recurs(step.move):
            return
        yield before[0].position
