"""The same game in another form, without loss or not at all.

A compact state keeps moves, times and endings.  So a full state becomes compact only if its texts,
the order of its Maps and its keys are those that the engine writes; otherwise it is refused with
the place, or made canonical on request, with a list of what was dropped.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson
from msgspec.structs import replace

from plyhost.errors import NotConvertible
from plyhost.states import compact
from plyhost.states.compact import CompactStack
from plyhost.states.forms import FORMS, State
from plyhost.states.full import entry, full_state
from plyhost.states.full.entry import Pairs
from plyhost.states.steps import Step

#: How many dropped things are named; `Conversion.dropped_count` has the whole number.
LONGEST_LIST = 100


@dataclass
class Conversion:
    """The state in its new form, and what was dropped: `{"where", "what"}` with a pointer."""

    state: State
    dropped: list[dict[str, str]] = field(default_factory=list)
    dropped_count: int = 0


def convert_state(state: State, form: str, normalise: bool = False) -> Conversion:
    """Return a state in another form; the whole history is checked on the way.

    Raises InvalidState where the history is broken, NotConvertible where something would be lost.
    """
    assert form in FORMS
    if isinstance(state.stack, CompactStack):
        return Conversion(_convert_compact_state(state, form))
    result = Conversion(replace(state, form=form))
    steps = list(_normalise_steps(state, result)) if normalise or form == "compact" else None
    if steps is None:
        stack = full_state.FullStack(state.game, list(_tidy_entries(state)), state.stack.last_pairs)
        result.state = replace(state, form=form, stack=stack)
        return result
    if result.dropped and not normalise:
        first = result.dropped[0]
        raise NotConvertible(first["where"], first["what"])
    result.state = _rebuild_state(state, form, steps)
    return result


def _convert_compact_state(state: State, form: str) -> State:
    steps = list(state.walk())
    return _rebuild_state(state, form, steps) if form != "compact" else state


def _rebuild_state(state: State, form: str, steps: list[Step]) -> State:
    first, *rest = steps
    fresh = compact.start_compact_stack if form == "compact" else full_state.start_full_stack
    stack = fresh(state.game, first)
    return replace(
        state, form=form, stack=stack.with_steps(first, rest) if rest else stack, last=steps[-1]
    )


def _tidy_entries(state: State) -> Iterator[bytes]:
    """Yield the checked entries as they are stored, without white space."""
    for step, _, raw in state.walk_entries():
        yield orjson.dumps(entry.parse_entry(raw, step.ply))


def _normalise_steps(state: State, result: Conversion) -> Iterator[Step]:
    """Yield the checked steps with canonical texts, noting what they lose."""
    before: Step | None = None
    for step, pairs, raw in state.walk_entries():
        for what in _list_step_losses(state, before, step, pairs, raw):
            result.dropped_count += 1
            if len(result.dropped) < LONGEST_LIST:
                result.dropped.append({"where": f"/stack/{step.ply}{what[0]}", "what": what[1]})
        if step.move is not None and before is not None:
            step = replace_step_text(step, state.game.text(before.position, step.move))
        yield step
        before = step


def replace_step_text(step: Step, text: str) -> Step:
    """Return a step with another `lastmove`."""
    if step.text == text:
        return step
    kept: dict[str, Any] = {name: getattr(step, name) for name in step.__struct_fields__}
    return Step(**kept | {"text": text})


def _list_step_losses(
    state: State, before: Step | None, step: Step, pairs: Pairs, raw: bytes
) -> Iterator[tuple[str, str]]:
    """Yield where an entry is not as it would be written, within the entry, and what is lost."""
    expected = entry.build_entry(state.game, step, pairs)
    if step.version != state.last.version:
        yield "/_version", f"{step.version} is another engine than the last entry's"
    if before is not None and step.move is not None:
        canonical = state.game.text(before.position, step.move)
        if step.text != canonical:
            yield "/lastmove", f"{step.text} is written {canonical}"
    if orjson.dumps(expected) == raw:
        return
    found = entry.parse_entry(raw, step.ply)
    if found["board"]["value"] != pairs:
        yield "/board/value", "the stones stand in another order"
    found["board"]["value"] = pairs
    if orjson.dumps(found) != orjson.dumps(expected):
        yield "", "the keys are others, or in another order"
