"""States in and out: four forms on the wire, one `State` inside.

| form | on the wire |
|---|---|
| `full` | a JSON object |
| `full-string` | its serialization |
| `full-gz` | that, gzipped and in base64, behind `gz:` |
| `compact` | one short string, see `plugin.compact` |
"""

import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import tee
from typing import Any, TypeAlias

import msgspec
import orjson

from plugin import compact, full, limits, variants
from plugin.clock import Stamp
from plugin.compact import CompactStack
from plugin.entries import Pairs
from plugin.errors import InvalidState
from plugin.full import FullStack
from plugin.history import ENDINGS, ENOUGH_REPETITIONS, AnyGame, Step, begin
from plugin.parts import Parts, Quoted, parse

FORMS = ("full", "full-string", "full-gz", "compact")
DEFAULT_FORM = "full-string"
#: Steps that a state keeps, so that they need not be read again.
KNOWN = 8
GZIP_MARK = "gz:"
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
            steps = compact.walk(self.game, self.stack, self.last)
            return _claims_checked(self.game, steps, is_compact=True)
        return (step for step, _, _ in self.entries())

    def entries(self) -> Iterator[tuple[Step, Pairs, bytes]]:
        """Yield what `walk` does of a full state, each step with its Map and its bytes."""
        assert isinstance(self.stack, FullStack)
        steps, walked = tee(full.walk(self.game, self.side, self.stack))
        checked = _claims_checked(self.game, (step for step, _, _ in steps), is_compact=False)
        return (entry for _, entry in zip(checked, walked, strict=True))


def start(game: AnyGame, uids: Sequence[str], form: str, timestamp: Stamp) -> State:
    """Return a new game; `uids` come from `variants.chosen`."""
    side = variants.board_of(game.info, uids).side
    first = begin(game, side, timestamp, game.info.version)
    return State(game, form, list(uids), _stack(game, form, [first]), first)


def _stack(game: AnyGame, form: str, steps: Sequence[Step]) -> FullStack | CompactStack:
    first, *rest = steps
    if form == "compact":
        return compact.fresh(game, first).appended(first, rest)
    return full.fresh(game, first).appended(first, rest)


def load(game: AnyGame, wire: Wire) -> State:
    """Return the state of any form; raises InvalidState or UnsupportedEngine."""
    if isinstance(wire, str) and _is_compact(wire):
        return _ready(State(game, "compact", *compact.read(game, wire)))
    form, parts = _parts(wire)
    source = wire if isinstance(wire, Quoted) and form == "full-string" else None
    return _ready(State(game, form, *full.read(game, parts, source)))


def trace(game: AnyGame, wire: Wire) -> Iterator[Step]:
    """Yield every step of a state from the start, each checked, and the header in the end.

    Unlike `load` it meets the first thing that is wrong first.  Raises as `load` does.
    """
    if _is_compact(wire):
        yield from load(game, wire).walk()
        return
    parts = _parts(wire)[1]
    side = full.check_header(game, parts)
    walked = (step for step, _, _ in full.walk(game, side, full.unread(game, parts)))
    for step in _claims_checked(game, walked, is_compact=False):
        last = step
        yield step
    full.check_end(parts, last)


def _is_compact(wire: Wire) -> bool:
    return isinstance(wire, str) and wire.lstrip()[:1] != "{" and wire[:3] != GZIP_MARK


def cut(state: State, steps: Sequence[Step]) -> State:
    """Return a state as it was after the first `steps` of its own."""
    stack = _stack(state.game, state.form, steps)
    if isinstance(state.stack, FullStack):
        stack = full.cut(state.stack, len(steps))
    return State(state.game, state.form, state.variants, stack, steps[-1])


def _parts(wire: Wire) -> tuple[str, Parts]:
    if isinstance(wire, Parts):
        return "full", wire
    if isinstance(wire, str):
        if wire.startswith(GZIP_MARK):
            return "full-gz", parse(unzipped(wire))
        return "full-string", parse(encoded(wire))
    try:
        return "full", parse(orjson.dumps(wire))
    except TypeError as error:
        raise InvalidState("", "a state must be an object or a text") from error


def encoded(text: str) -> bytes:
    """Return the bytes of a state's text, bounded; raises InvalidState."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise InvalidState("", "half of a surrogate pair") from error
    if len(data) > limits.STATE_BYTES:
        raise InvalidState("", f"is over {limits.STATE_BYTES} bytes")
    return data


def zipped(data: bytes) -> str:
    """Return the `full-gz` text of a serialized state; the same bytes give the same text."""
    packer = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, 31)
    return GZIP_MARK + b64encode(packer.compress(data) + packer.flush()).decode()


def unzipped(text: str) -> bytes:
    """Return the serialized state of a `full-gz` text, bounded; raises InvalidState."""
    unpacker = zlib.decompressobj(31)
    code = text[len(GZIP_MARK) :]
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


def _ready(state: State) -> State:
    if state.last.text == "repetition" and repetitions(state) < ENOUGH_REPETITIONS:
        raise _not_repeated(state.last, isinstance(state.stack, CompactStack))
    return state


def _not_repeated(step: Step, is_compact: bool) -> InvalidState:
    where = f"ply {step.ply}: ending" if is_compact else f"/stack/{step.ply}/lastmove"
    why = "the position does not stand for the third time"
    return InvalidState(where, why, ply=step.ply, field="lastmove", move=step.text)


def _claims_checked(game: AnyGame, steps: Iterable[Step], is_compact: bool) -> Iterator[Step]:
    """Yield steps as they come; raises InvalidState at a claimed repetition that does not hold."""
    stood: Counter[Any] = Counter()
    for step in steps:
        if step.text == "repetition" and stood[step.position] <= ENOUGH_REPETITIONS:
            raise _not_repeated(step, is_compact)
        if game.repeats and step.text not in ENDINGS:
            stood[step.position] += 1
        yield step


def dump(state: State) -> Any:
    """Return the state on the wire of its form, or its JSON ready to be embedded."""
    uid = state.game.info.uid
    if isinstance(state.stack, CompactStack):
        return compact.dumped(uid, state.variants, state.stack, state.last)
    whole = uid, state.variants, state.stack, state.last
    if state.form == "full-gz":
        return zipped(full.dumped(*whole))
    if state.form == "full":
        return orjson.Fragment(full.dumped(*whole))
    if state.stack.source is not None:
        return orjson.Fragment(full.quoted(*whole))
    return full.dumped(*whole).decode()


def repetitions(state: State) -> int:
    """Return how often the present position stood before."""
    if not state.game.repeats:
        return 0
    return sum(position == state.last.position for position in _earlier(state))


def _earlier(state: State) -> Iterator[Any]:
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
        yield from compact.backwards(state.game, state.stack, later)
    else:
        yield from full.backwards(state.game, state.side, state.stack, later)
