"""What a line of an archive holds: a record, a state of any form, or a fixture with several parts.

A fixture, like any answer of the contract, is an object with some of `record`, `state`, `compact`,
`renders` and `legal`; all its parts must be the same game.  An item of a DynamoDB export may hold
any of these in its attributes.
"""

from typing import Any

import msgspec
import orjson

from plyhost import limits
from plyhost.errors import InvalidState
from plyhost.replay.reading.database_items import unwrap_attribute
from plyhost.replay.reading.line_spans import Item
from plyhost.states import forms, strict_json
from plyhost.states.full.raw_stack import StateParts, parse_state_parts


class Unreadable(ValueError):
    """The line is no game in any form; the message says why."""

    code = "unreadable"


class NoGame(ValueError):
    """The line is an item of a database that holds no game."""

    code = "no-game"


class Render(msgspec.Struct):
    """A drawing that must come out the same: a ply from 0, -1 for the last, and how to draw it."""

    ply: int
    render: Any
    display: str = ""
    perspective: int = 0


class Entry(msgspec.Struct):
    """A game as an archive holds it: `form` names the only part, or is `fixture`.

    `states` are compact texts or the parts of full states, by the name of their part.  `legal` is
    a digest of the legal moves at every ply, see `digest_legal_moves`.
    """

    form: str
    record: dict[str, Any] | None = None
    states: dict[str, str | StateParts] = {}
    renders: list[Render] = []
    legal: str | None = None
    id: Any = None


class _Top(msgspec.Struct):
    """The members at the top of a line that tell what it is."""

    header: msgspec.Raw = msgspec.Raw()
    moves: msgspec.Raw = msgspec.Raw()
    stack: msgspec.Raw = msgspec.Raw()
    record: msgspec.Raw = msgspec.Raw()
    state: msgspec.Raw = msgspec.Raw()
    compact: msgspec.Raw = msgspec.Raw()
    renders: msgspec.Raw = msgspec.Raw()
    legal: msgspec.Raw = msgspec.Raw()
    Item: msgspec.Raw = msgspec.Raw()
    id: msgspec.Raw = msgspec.Raw()

    def given(self) -> dict[str, bytes]:
        """Return the members that are there and not null."""
        found = {name: bytes(getattr(self, name)) for name in self.__struct_fields__}
        return {name: raw for name, raw in found.items() if raw not in (b"", b"null")}


_top = msgspec.json.Decoder(_Top)
_renders = msgspec.json.Decoder(list[Render])


def parse_archive_line(item: Item, column: str | None = None) -> Entry:
    """Return what an item holds; `column` is the attribute of a DynamoDB item that holds it.

    Raises Unreadable, NoGame, or InvalidState for a state that is none.
    """
    if item.problem:
        raise Unreadable(item.problem)
    if item.data[:1] == b"{":
        return _parse_object_line(item.data, column)
    return _parse_text_line(_decode_state_text(item.data))


def _decode_state_text(data: bytes) -> str:
    """Return a state's text, quoted as JSON or bare."""
    try:
        text = orjson.loads(data) if data[:1] == b'"' else data.decode("ascii")
    except ValueError as error:
        raise Unreadable("it is no JSON") from error
    if not isinstance(text, str):
        raise Unreadable("it is none of the known forms")
    return text


def _parse_text_line(text: str) -> Entry:
    form, wire = _parse_text_state(text)
    return Entry(form, states={form: wire})


def _parse_text_state(text: str) -> tuple[str, str | StateParts]:
    form = forms.find_state_form(text)
    if form == "compact" and not (text.startswith("p") and text.count(":") == 5):
        raise Unreadable("it is none of the known forms")
    return form, forms.open_state(text)


def _parse_object_line(data: bytes, column: str | None = None) -> Entry:
    try:
        top = _top.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise Unreadable(f"it is no JSON: {error}") from error
    if top.header and top.moves:
        return Entry("record", record=_load_line_json(data))
    if top.stack:
        return Entry("full", states={"full": _parse_bounded_state(data)})
    if top.Item and not top.record and not top.state and not top.compact:
        return _parse_dynamo_item(top.Item, column)
    return _parse_fixture(top.given())


def _parse_dynamo_item(raw: bytes, column: str | None) -> Entry:
    """Return the game of an exported item: `{"Item": {"state": {"S": "..."}}}`."""
    names = ("record", "state", "compact", "id") if column is None else (column,)
    try:
        values = orjson.loads(bytes(raw))
        found = {name: unwrap_attribute(values[name]) for name in names if name in values}
    except (ValueError, TypeError, RecursionError) as error:
        raise Unreadable(f"it is no item of a database: {error}") from error
    if not found.keys() - {"id"}:
        raise NoGame("The item holds no game.")
    if column is None:
        texts = {name: orjson.dumps(value) for name, value in found.items()}
        if isinstance(record := found.get("record"), str):
            texts["record"] = record.encode()  # a record kept as a text is the JSON in it
        return _parse_fixture(texts)
    value = found[column]
    data = value.encode() if isinstance(value, str) else orjson.dumps(value)
    if data[:1] == b"{":
        return _parse_object_line(data)
    return _parse_text_line(_decode_state_text(data))


def _parse_fixture(given: dict[str, bytes]) -> Entry:
    named = [name for name in given if name in ("state", "compact")]
    parts = {name: _parse_fixture_state(given[name]) for name in named}
    record = _load_line_json(given["record"]) if "record" in given else None
    if not isinstance(record, dict | None) or (record is None and not parts):
        raise Unreadable("it is neither a record nor a state")
    try:
        renders = _renders.decode(given.get("renders", b"[]"))
    except msgspec.MsgspecError as error:
        raise Unreadable(f"renders: {error}") from error
    legal, name = (_load_line_json(given.get(one, b"null")) for one in ("legal", "id"))
    if not isinstance(legal, str | None):
        raise Unreadable("legal: it is no text")
    return Entry("fixture", record, parts, renders, legal, name)


def _parse_fixture_state(data: bytes) -> str | StateParts:
    return (
        _parse_bounded_state(data)
        if data[:1] == b"{"
        else _parse_text_state(_decode_state_text(data))[1]
    )


def _parse_bounded_state(data: bytes) -> StateParts:
    if len(data) > limits.STATE_BYTES:
        raise InvalidState("", f"is over {limits.STATE_BYTES} bytes")
    return parse_state_parts(data)


def _load_line_json(data: bytes) -> Any:
    try:
        return strict_json.read_json(data)
    except strict_json.Ambiguous as error:
        raise Unreadable(str(error)) from error
