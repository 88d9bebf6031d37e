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
from collections.abc import Iterable, Iterator, Sequence
from itertools import tee
from typing import Any, TypeAlias

import msgspec
import orjson

from plyhost import limits
from plyhost.errors import InvalidState
from plyhost.games import variants
from plyhost.games.game import AnyGame, Position
from plyhost.states import compact
from plyhost.states.clock import Stamp
from plyhost.states.compact import CompactStack
from plyhost.states.full import full_state
from plyhost.states.full.entry import Pairs
from plyhost.states.full.full_state import FullStack
from plyhost.states.full.raw_stack import StateParts, parse_state_parts
from plyhost.states.steps import (
    ENDINGS,
    Step,
    count_equal_positions,
    is_repetition_claimable,
    make_first_step,
)

FORMS = ("full", "full-string", "full-gz", "compact")
DEFAULT_FORM = "full-string"
#: Steps that a state keeps, so that they need not be read again.
RECENT_STEPS = 8
GZIP_MARK, COMPACT_MARK = "gz:", "p1:"
#: How a gzip begins in base64, which Abstract Play kept without a mark at first.
GZIP_STARTS = (GZIP_MARK, "H4sI")
GZIP_LEVEL = 6

#: A state as it comes: for `full` its JSON, an object or what `open_state` made of it; else a text.
Wire: TypeAlias = msgspec.Raw | dict[str, Any] | StateParts | str


class State(msgspec.Struct, frozen=True):
    """A loaded state: the header, its last step, and the stack it came with.

    `recent_steps` are some before the last, the latest first and none left out between them.
    """

    game: AnyGame
    form: str
    variants: list[str]
    stack: FullStack | CompactStack
    last: Step
    recent_steps: tuple[Step, ...] = ()

    @property
    def side(self) -> int:
        """The side of the board in cells."""
        return self.last.position.board.side

    def with_steps(self, steps: Sequence[Step]) -> "State":
        """Return the state with steps added, which follow the last."""
        stack = self.stack.with_steps(self.last, steps)
        known = (*steps[-2::-1], self.last, *self.recent_steps)[:RECENT_STEPS]
        return State(self.game, self.form, self.variants, stack, steps[-1], known)

    def walk(self) -> Iterator[Step]:
        """Yield every step, each checked; raises InvalidState at the first that does not follow."""
        if isinstance(self.stack, CompactStack):
            steps = compact.walk_compact_stack(self.game, self.stack, self.last)
            return _check_repetition_claims(self.game, steps, is_compact=True)
        return (step for step, _, _ in self.walk_entries())

    def walk_entries(self) -> Iterator[tuple[Step, Pairs, bytes]]:
        """Yield every step of a full state as `walk` does, each with its Map and its bytes."""
        assert isinstance(self.stack, FullStack)
        steps, walked = tee(full_state.walk_full_stack(self.game, self.side, self.stack))
        checked = _check_repetition_claims(
            self.game, (step for step, _, _ in steps), is_compact=False
        )
        return (entry for _, entry in zip(checked, walked, strict=True))


def start_state(game: AnyGame, uids: Sequence[str], form: str, timestamp: Stamp) -> State:
    """Return a new game; `uids` come from `variants.normalise_variant_uids`."""
    side = variants.find_board_variant(game.info, uids).side
    first = make_first_step(game, side, timestamp, game.version)
    return State(game, form, list(uids), _build_stack(game, form, [first]), first)


def _build_stack(game: AnyGame, form: str, steps: Sequence[Step]) -> FullStack | CompactStack:
    first, *rest = steps
    if form == "compact":
        return compact.start_compact_stack(game, first).with_steps(first, rest)
    return full_state.start_full_stack(game, first).with_steps(first, rest)


def find_state_form(wire: Wire) -> str:
    """Return the form that a state has if it has any, which its beginning tells."""
    if not isinstance(wire, str):
        return "full"
    if wire.startswith(GZIP_STARTS):
        return "full-gz"
    return "full-string" if wire.lstrip()[:1] == "{" else "compact"


def open_state(wire: Wire) -> StateParts | str:
    """Return the parts of a full state, a compact one as it is; raises InvalidState."""
    if isinstance(wire, StateParts):
        return wire
    if isinstance(wire, msgspec.Raw):
        return parse_state_parts(bytes(wire))
    if not isinstance(wire, str):
        return parse_state_parts(_dump_state_object(wire))
    form = find_state_form(wire)
    if form == "compact":
        return wire
    return parse_state_parts(unzip_state(wire) if form == "full-gz" else encode_state_text(wire))


def find_state_game(wire: Wire) -> str:
    """Return the game that a state names, empty for none; raises InvalidState."""
    opened = open_state(wire)
    if isinstance(opened, StateParts):
        return opened.game if isinstance(opened.game, str) else ""
    if not opened.startswith(COMPACT_MARK):
        raise InvalidState("", "is none of the known forms")
    return opened.split(":")[1]


def _dump_state_object(found: Any) -> bytes:
    try:
        return orjson.dumps(found)
    except TypeError as error:
        raise InvalidState("", "a state must be an object or a text") from error


def parse_state(game: AnyGame, wire: Wire) -> State:
    """Return the state of any form; raises InvalidState or UnsupportedEngine."""
    opened = open_state(wire)
    if isinstance(opened, str):
        return _settle_state(game, "compact", *compact.parse_compact_state(game, opened))
    form = find_state_form(wire)
    return _settle_state(game, form, *full_state.parse_full_state(game, opened))


def _settle_state(
    game: AnyGame,
    form: str,
    uids: list[str],
    stack: FullStack | CompactStack,
    last: Step,
    known: tuple[Step, ...] = (),
) -> State:
    """Return a state, which goes on by the rules of the engine that its last step names.

    Raises InvalidState where it claims a repetition that did not happen.
    """
    state = State(game.rules(last.version), form, uids, stack, last, known)
    if last.text == "repetition" and not is_repetition_claimable(game, count_repetitions(state)):
        raise _make_repetition_fault(last, isinstance(stack, CompactStack))
    return state


def trace_state(game: AnyGame, wire: Wire) -> Iterator[Step]:
    """Yield every step of a state from the start, each checked, and the header in the end.

    Unlike `parse_state` it meets the first thing that is wrong first.  Raises what that raises.
    """
    opened = open_state(wire)
    if isinstance(opened, str):
        yield from parse_state(game, opened).walk()
        return
    side = full_state.check_full_header(game, opened)
    stack = full_state.make_unread_stack(game, opened)
    walked = (step for step, _, _ in full_state.walk_full_stack(game, side, stack))
    for step in _check_repetition_claims(game, walked, is_compact=False):
        last = step
        yield step
    full_state.check_header_outcome(opened, last)


def cut_state(state: State, steps: Sequence[Step]) -> State:
    """Return a state as it was after the first `steps` of its own."""
    stack = _build_stack(state.game, state.form, steps)
    if isinstance(state.stack, FullStack):
        stack = full_state.cut_full_stack(state.stack, len(steps))
    return State(state.game, state.form, state.variants, stack, steps[-1])


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


def _make_repetition_fault(step: Step, is_compact: bool) -> InvalidState:
    where = f"ply {step.ply}: ending" if is_compact else f"/stack/{step.ply}/lastmove"
    why = "the position does not stand for the third time"
    return InvalidState(where, why, ply=step.ply, field="lastmove", move=step.text)


def _check_repetition_claims(
    game: AnyGame, steps: Iterable[Step], is_compact: bool
) -> Iterator[Step]:
    """Yield steps as they come; raises InvalidState at a claimed repetition that does not hold."""
    stood: list[Position] = []
    for step in steps:
        if step.text not in ENDINGS:
            stood.append(step.position)
        elif step.text == "repetition" and not is_repetition_claimable(
            game, count_equal_positions(step.position, stood[:-1])
        ):
            raise _make_repetition_fault(step, is_compact)
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
    return full_state.dump_full_state(*whole).decode()


def count_repetitions(state: State) -> int:
    """Return how often the present position stood before."""
    if not state.game.repeats:
        return 0
    return count_equal_positions(state.last.position, _walk_earlier_positions(state))


def _walk_earlier_positions(state: State) -> Iterator[Any]:
    """Yield earlier positions, the latest first, until one cannot equal the present one.

    The steps that the state keeps come first, and then those that must be read.
    """
    later = state.last
    for step in state.recent_steps:
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
