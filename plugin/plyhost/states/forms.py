"""States in and out: four forms on the wire, one `State` inside.

| form | on the wire |
|---|---|
| `full` | a JSON object |
| `full-string` | its serialization |
| `full-gz` | that, gzipped and in base64, behind `gz:` |
| `compact` | one short string, see `plyhost.states.compact` |
"""

import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import tee
from typing import Any, TypeAlias

import msgspec
import orjson

from plyhost import limits
from plyhost.errors import InvalidState
from plyhost.games import variants
from plyhost.games.game import AnyGame
from plyhost.states import compact
from plyhost.states.clock import Stamp
from plyhost.states.compact import CompactStack
from plyhost.states.full import full_state
from plyhost.states.full.entry import Pairs
from plyhost.states.full.full_state import FullStack
from plyhost.states.full.raw_stack import Parts, Quoted, parse_state_parts
from plyhost.states.steps import ENDINGS, ENOUGH_REPETITIONS, Step, make_first_step

FORMS = ("full", "full-string", "full-gz", "compact")
DEFAULT_FORM = "full-string"
#: Steps that a state keeps, so that they need not be read again.
KNOWN = 8
GZIP_MARK = "gz:"
#: How a gzip begins in base64, which Abstract Play kept without a mark at first.
GZIP_STARTS = (GZIP_MARK, "H4sI")
GZIP_LEVEL = 6

#: A state as it comes: parts or an object for `full`, a text for the others.
Wire: TypeAlias = Parts | str | dict[str, Any]


class State(msgspec.Struct, frozen=True):
    """A loaded state: the header, its last step, and the stack it came with.

    `known` are some steps before the last, the latest first and none left out between them.
    """

    game: AnyGame
    form: str
    variants: list[str]
    stack: FullStack | CompactStack
    last: Step
    known: tuple[Step, ...] = ()

    @property
    def side(self) -> int:
        """The side of the board in cells."""
        return self.last.position.board.side

    def with_steps(self, steps: Sequence[Step]) -> "State":
        """Return the state with steps added, which follow the last."""
        stack = self.stack.appended(self.last, steps)
        known = (*steps[-2::-1], self.last, *self.known)[:KNOWN]
        return State(self.game, self.form, self.variants, stack, steps[-1], known)

    def walk(self) -> Iterator[Step]:
        """Yield every step, each checked; raises InvalidState at the first that does not follow."""
        if isinstance(self.stack, CompactStack):
            steps = compact.walk_compact_stack(self.game, self.stack, self.last)
            return _check_repetition_claims(self.game, steps, is_compact=True)
        return (step for step, _, _ in self.entries())

    def entries(self) -> Iterator[tuple[Step, Pairs, bytes]]:
        """Yield what `walk` does of a full state, each step with its Map and its bytes."""
        assert isinstance(self.stack, FullStack)
        steps, walked = tee(full_state.walk_full_stack(self.game, self.side, self.stack))
        checked = _check_repetition_claims(
            self.game, (step for step, _, _ in steps), is_compact=False
        )
        return (entry for _, entry in zip(checked, walked, strict=True))


def start_state(game: AnyGame, uids: Sequence[str], form: str, timestamp: Stamp) -> State:
    """Return a new game; `uids` come from `variants.chosen`."""
    side = variants.find_board_variant(game.info, uids).side
    first = make_first_step(game, side, timestamp, game.version)
    return State(game, form, list(uids), _build_stack(game, form, [first]), first)


def _build_stack(game: AnyGame, form: str, steps: Sequence[Step]) -> FullStack | CompactStack:
    first, *rest = steps
    if form == "compact":
        return compact.start_compact_stack(game, first).appended(first, rest)
    return full_state.start_full_stack(game, first).appended(first, rest)


def parse_state(game: AnyGame, wire: Wire) -> State:
    """Return the state of any form; raises InvalidState or UnsupportedEngine."""
    if isinstance(wire, str) and _is_compact_wire(wire):
        return _settle_state(game, "compact", *compact.parse_compact_state(game, wire))
    form, parts = _parse_wire_parts(wire)
    source = wire if isinstance(wire, Quoted) and form == "full-string" else None
    return _settle_state(game, form, *full_state.parse_full_state(game, parts, source))


def _settle_state(
    game: AnyGame,
    form: str,
    uids: list[str],
    stack: FullStack | CompactStack,
    last: Step,
    known: tuple[Step, ...] = (),
) -> State:
    """Return a state, which goes on by the rules of the engine that its last step names."""
    rules = game.rules(last.version)
    return _check_last_repetition(State(rules, form, uids, stack, last, known))


def trace_state(game: AnyGame, wire: Wire) -> Iterator[Step]:
    """Yield every step of a state from the start, each checked, and the header in the end.

    Unlike `load` it meets the first thing that is wrong first.  Raises as `load` does.
    """
    if _is_compact_wire(wire):
        yield from parse_state(game, wire).walk()
        return
    parts = _parse_wire_parts(wire)[1]
    side = full_state.check_full_header(game, parts)
    walked = (
        step
        for step, _, _ in full_state.walk_full_stack(
            game, side, full_state.make_unread_stack(game, parts)
        )
    )
    for step in _check_repetition_claims(game, walked, is_compact=False):
        last = step
        yield step
    full_state.check_header_outcome(parts, last)


def _is_compact_wire(wire: Wire) -> bool:
    return isinstance(wire, str) and wire.lstrip()[:1] != "{" and not is_gzip_wire(wire)


def is_gzip_wire(text: str) -> bool:
    """Tell whether a text is gzipped, with the mark or, as older ones, without."""
    return text.startswith(GZIP_STARTS)


def cut_state(state: State, steps: Sequence[Step]) -> State:
    """Return a state as it was after the first `steps` of its own."""
    stack = _build_stack(state.game, state.form, steps)
    if isinstance(state.stack, FullStack):
        stack = full_state.cut_full_stack(state.stack, len(steps))
    return State(state.game, state.form, state.variants, stack, steps[-1])


def _parse_wire_parts(wire: Wire) -> tuple[str, Parts]:
    if isinstance(wire, Parts):
        return "full", wire
    if isinstance(wire, str):
        if is_gzip_wire(wire):
            return "full-gz", parse_state_parts(unzip_state(wire))
        return "full-string", parse_state_parts(encode_state_text(wire))
    try:
        return "full", parse_state_parts(orjson.dumps(wire))
    except TypeError as error:
        raise InvalidState("", "a state must be an object or a text") from error


def encode_state_text(text: str) -> bytes:
    """Return the bytes of a state's text, bounded; raises InvalidState."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise InvalidState("", "half of a surrogate pair") from error
    if len(data) > limits.STATE_BYTES:
        raise InvalidState("", f"is over {limits.STATE_BYTES} bytes")
    return data


def zip_state(data: bytes) -> str:
    """Return the `full-gz` text of a serialized state; the same bytes give the same text."""
    packer = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, 31)
    return GZIP_MARK + b64encode(packer.compress(data) + packer.flush()).decode()


def unzip_state(text: str) -> bytes:
    """Return the serialized state of a `full-gz` text, bounded; raises InvalidState."""
    unpacker = zlib.decompressobj(31)
    code = text.removeprefix(GZIP_MARK)
    try:
        packed = b64decode(code, validate=True)
        data = unpacker.decompress(packed, limits.STATE_BYTES + 1)
    except (ValueError, zlib.error) as error:
        raise InvalidState("", "is no gzip in base64") from error
    if b64encode(packed).decode() != code:
        raise InvalidState("", "is no canonical base64")
    if len(data) > limits.STATE_BYTES:
        raise InvalidState("", f"unpacks to over {limits.STATE_BYTES} bytes")
    if not unpacker.eof or unpacker.unused_data:
        raise InvalidState("", "the gzip is cut short or followed by more")
    return data


def _check_last_repetition(state: State) -> State:
    if state.last.text == "repetition" and count_repetitions(state) < ENOUGH_REPETITIONS:
        raise _make_repetition_fault(state.last, isinstance(state.stack, CompactStack))
    return state


def _make_repetition_fault(step: Step, is_compact: bool) -> InvalidState:
    where = f"ply {step.ply}: ending" if is_compact else f"/stack/{step.ply}/lastmove"
    why = "the position does not stand for the third time"
    return InvalidState(where, why, ply=step.ply, field="lastmove", move=step.text)


def _check_repetition_claims(
    game: AnyGame, steps: Iterable[Step], is_compact: bool
) -> Iterator[Step]:
    """Yield steps as they come; raises InvalidState at a claimed repetition that does not hold."""
    stood: Counter[Any] = Counter()
    for step in steps:
        if step.text == "repetition" and stood[step.position] <= ENOUGH_REPETITIONS:
            raise _make_repetition_fault(step, is_compact)
        if game.repeats and step.text not in ENDINGS:
            stood[step.position] += 1
        yield step


def dump_state(state: State) -> Any:
    """Return the state on the wire of its form, or its JSON ready to be embedded."""
    uid = state.game.info.uid
    if isinstance(state.stack, CompactStack):
        return compact.dump_compact_state(uid, state.variants, state.stack, state.last)
    whole = uid, state.variants, state.stack, state.last
    if state.form == "full-gz":
        return zip_state(full_state.dump_full_state(*whole))
    if state.form == "full":
        return orjson.Fragment(full_state.dump_full_state(*whole))
    if state.stack.source is not None:
        return orjson.Fragment(full_state.quote_full_state(*whole))
    return full_state.dump_full_state(*whole).decode()


def count_repetitions(state: State) -> int:
    """Return how often the present position stood before."""
    if not state.game.repeats:
        return 0
    return sum(position == state.last.position for position in _walk_earlier_positions(state))


def _walk_earlier_positions(state: State) -> Iterator[Any]:
    """Yield earlier positions, the latest first, as far back as the present one may have stood."""
    later = state.last
    for step in state.known:
        if later.text not in ENDINGS:
            if later.move is None:
                break
            if not state.game.recurs(later.move):
                return
            yield step.position
        later = step
    if isinstance(state.stack, CompactStack):
        yield from compact.walk_compact_backwards(state.game, state.stack, later)
    else:
        yield from full_state.walk_full_backwards(state.game, state.side, state.stack, later)
