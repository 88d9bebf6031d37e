"""A request's body: bytes in, checked fields out, the state's entries left unread.

The body is read once, by its `envelope`, a long text state apart from what stands around it.  What
does not come out of that quick path (a value that is refused, a misspelt field, a state of another
shape) is read again slowly, by the schema itself, to say what is wrong.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import orjson
from marshmallow import ValidationError

from plyhost.errors import InvalidRequest, NotJson, PlyhostError
from plyhost.schemas.requests import Request
from plyhost.states import strict_json
from plyhost.states.full import raw_stack
from plyhost.states.full.raw_stack import Parts, Quoted
from plyhost.web.envelope import Envelope, make_envelope

#: Bytes of a body that is read at once, far too short for crowds.
_SHORT = 16 * 1024
#: What reading an envelope raises for a body that its types do not describe.
_UNFIT = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)


def read_request_body(schema: Request, body: bytes) -> dict[str, Any]:
    """Return the loaded fields of a body.

    Raises NotJson, InvalidRequest, or InvalidState for a state that readers may disagree on.
    """
    start = _find_text_start(body)
    if not start:
        return _read_whole_body(schema, body, is_text=False)
    # A serialized state has quotes, and so escapes; a short body without any needs no more care.
    if len(body) < _SHORT and b"\\" not in body:
        found = _read_body_at_once(schema, body)
    else:
        found = _read_state_apart(schema, body, start)
    return _read_whole_body(schema, body, is_text=True) if found is None else found


def _read_body_at_once(schema: Request, body: bytes) -> dict[str, Any] | None:
    """Return the loaded fields of a body with a text state; None where any is to be doubted."""
    around = make_envelope(schema, is_text=True)
    try:
        found = around.tight_fields(body)
    except _UNFIT:
        return None
    return None if found is None else _load_found_fields(schema, around, found)


def _read_state_apart(schema: Request, body: bytes, start: int) -> dict[str, Any] | None:
    """Return the loaded fields of a body with a text state, which is taken out of it first.

    The rest is short then.  None where that cannot be done, or where anything is to be doubted.
    """
    end = _find_text_end(body, start)
    if end <= start:
        return None
    rest, json = body[:start] + b'""' + body[end:], memoryview(body)[start:end]
    if strict_json.is_crowded_json(rest):
        return None
    around = make_envelope(schema, is_text=True)
    try:
        state = orjson.loads(json)
        found, is_tight = around.outside(rest)
    except (*_UNFIT, ValueError):
        return None
    # Any other such key could be the one that was meant.
    if "state" not in found or rest.count(b'"state"') != 1:
        return None
    if _is_doubtful_body(rest, found, is_tight, is_judged=around.defaults is not None):
        return None
    found["state"] = Quoted(state, json)
    return _load_found_fields(schema, around, found)


def _read_whole_body(schema: Request, body: bytes, is_text: bool) -> dict[str, Any]:
    """Return what `read` does of any body."""
    if strict_json.is_crowded_json(body):
        _parse_body_slowly(body)
    around = make_envelope(schema, is_text)
    try:
        found, is_tight = around.fields(body) if is_text else around.outside(body)
    except _UNFIT:
        return load_checked_fields(schema, _parse_body_slowly(body))
    if _is_doubtful_body(body, found, is_tight, is_judged=around.defaults is not None):
        _parse_body_slowly(body)
    state = found.get("state")
    if isinstance(state, msgspec.Raw):
        text = _parse_raw_value(state)
        if not isinstance(text, str):
            return load_checked_fields(
                schema, {name: _parse_raw_value(value) for name, value in found.items()}
            )
        found["state"] = Quoted(text, memoryview(state))
    return _load_found_fields(schema, around, found)


def _find_text_start(body: bytes) -> int:
    """Return where the text of a state seems to begin in a body, with its quote; 0 for no text."""
    if body.startswith(b'{"state":"'):
        return len(b'{"state":')
    key = body.find(b'"state"')
    behind = key + len(b'"state"')
    if key < 0 or body[behind : behind + 8].replace(b" ", b"")[:2] != b':"':
        return 0
    return body.find(b'"', behind)


def _find_text_end(body: bytes, start: int) -> int:
    """Return where the text that begins somewhere seems to end, behind its quote."""
    end = body.find(b'"', start + 1) + 1
    # Quotes within a full state do not end it: what does stands behind the brackets that close it,
    # of which few requests have others further on.  Whoever reads up to there finds out.
    return body.rfind(b']}"') + 3 if body[end - 2 : end - 1] == b"\\" else end


def _is_plain_body(body: bytes, found: Mapping[str, Any], is_tight: bool) -> bool:
    """Tell quickly whether all readers take a body alike; False asks for a slow reading."""
    state = found.get("state")
    if isinstance(state, Parts):
        return raw_stack.is_plain_state(body, state, is_tight, found)
    return (
        strict_json.is_flat_json(body)
        and strict_json.is_clean_json(body)
        and raw_stack.has_each_name_once(body, found)
    )


def _is_doubtful_body(
    body: bytes, found: Mapping[str, Any], is_tight: bool, is_judged: bool
) -> bool:
    """Tell whether a body must be read slowly, to see what is wrong with it if anything is."""
    if is_judged and is_tight and not isinstance(found.get("state"), Parts):
        return False
    return not _is_plain_body(body, found, is_tight) or not (is_judged or _has_tight_fields(found))


def _has_tight_fields(found: Mapping[str, Any]) -> bool:
    """Tell whether fields still to be read are written so that no key in them can stand twice."""
    raws = [raw for name, raw in found.items() if isinstance(raw, msgspec.Raw) and name != "state"]
    try:
        return all(orjson.dumps(_parse_raw_value(raw)) == memoryview(raw) for raw in raws)
    except orjson.JSONEncodeError:  # it nests too deep
        return False


def _parse_raw_value(found: Any) -> Any:
    """Return what was read, or what is still to be read."""
    if not isinstance(found, msgspec.Raw):
        return found
    try:
        return orjson.loads(memoryview(found))
    except ValueError as error:
        raise NotJson(why=f"The body cannot be read: {error}.") from error


def _load_found_fields(schema: Request, around: Envelope, found: dict[str, Any]) -> dict[str, Any]:
    """Return what `checked` does, quicker where the reader has judged every field."""
    if around.defaults is None:
        return load_checked_fields(
            schema, {name: _parse_raw_value(value) for name, value in found.items()}
        )
    asked = {**around.defaults, **found}
    try:
        schema.together(asked)
    except ValidationError:
        return load_checked_fields(schema, found)
    return asked


def _parse_body_slowly(body: bytes) -> Any:
    try:
        return strict_json.parse_strict_json(body)
    except strict_json.Ambiguous as error:
        raise _make_ambiguity_error(strict_json.find_doubtful_path(body), error) from error


def _make_ambiguity_error(path: Sequence[str], error: strict_json.Ambiguous) -> PlyhostError:
    if path[:1] == ["state"]:
        return raw_stack.make_ambiguity_fault(path[1:], error)
    return NotJson(why=f"The body cannot be read: {error}.")


def load_checked_fields(schema: Request, found: Any) -> dict[str, Any]:
    """Return the loaded fields of an object; raises InvalidRequest."""
    if not isinstance(found, dict):
        raise InvalidRequest({"_schema": ["The body must be an object."]})
    try:
        loaded: dict[str, Any] = schema.load(found)
    except ValidationError as error:
        # The frame that raised it knows it as well: a circle that would keep the whole body.
        raise InvalidRequest(
            _flatten_field_messages(error.messages_dict)
        ) from error.with_traceback(None)
    return loaded


def _flatten_field_messages(messages: Any, path: str = "") -> dict[str, list[str]]:
    """Return marshmallow's nested messages by dotted path."""
    if isinstance(messages, list):
        return {path: [str(message) for message in messages]}
    flat: dict[str, list[str]] = {}
    for key, inner in messages.items():
        flat |= _flatten_field_messages(inner, f"{path}.{key}" if path else str(key))
    return flat
