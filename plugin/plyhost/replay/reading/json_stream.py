"""JSON values out of a stream that holds one, several, or an array of them.

Values are passed over, not read: what is inside one is a matter of who reads that one.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

#: Bytes that are read at a time.
BLOCK = 256 * 1024
#: Bytes of the longest game, whatever its form.
LONGEST = 16 * 1024 * 1024

_SPACE = re.compile(rb"[ \t\r\n]*")
_BRACKET = re.compile(rb'"(?:[^"\\]|\\.)*+"|[][{}]', re.DOTALL)
_CLOSING = {b"[": b"]", b"{": b"}"}
_TRAILING = re.compile(r"trailing characters \(byte ([0-9]+)\)")
_raw = msgspec.json.Decoder(msgspec.Raw)
_raws = msgspec.json.Decoder(list[msgspec.Raw])
#: Bytes from which on it is worth while to take many values at once.
_MANY = 16 * 1024


class Broken(ValueError):
    """The stream is no JSON from here on; where the next value begins cannot be told."""


def _find_value_end(data: memoryview) -> int | None:
    """Return where the value that data begins with ends, None if it goes on; raises Broken."""
    try:
        return len(memoryview(_raw.decode(data)))
    except RecursionError:
        return _find_closing_bracket(data)
    except msgspec.DecodeError as error:
        if found := _TRAILING.search(str(error)):
            # The number counts the byte that is too much.
            return len(bytes(data[: int(found[1]) - 1]).rstrip(b" \t\r\n"))
        if "truncated" in str(error):
            return None
        if bytes(data[:1]) not in _CLOSING:
            raise Broken(f"it is no JSON: {error}") from error
        return _find_closing_bracket(data)


def _find_closing_bracket(data: memoryview) -> int | None:
    """Return where a value ends that cannot be read, nested too deep or odd, by its brackets."""
    due = bytearray()
    for found in _BRACKET.finditer(data):
        mark = found[0]
        if mark in _CLOSING:
            due += _CLOSING[mark]
        elif mark[0] in b"]}":
            if due.pop() != mark[0]:
                raise Broken("it is no JSON: its brackets do not match")
            if not due:
                return found.end()
    return None


class _Unread:
    """The part of a stream that was read and not used yet; `at` is where to go on in `data`.

    Up to `guessed` it was tried to take many values at once.
    """

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self.data, self.at, self.guessed = b"", 0, -1
        self._blocks = iter(blocks)

    def read_more(self) -> bool:
        """Read on, twice as much as is there; False at the end."""
        pieces, wanted = [self.data[self.at :]], max(len(self.data) - self.at, 1)
        while wanted > 0 and (block := next(self._blocks, None)) is not None:
            pieces.append(block)
            wanted -= len(block)
        self.data, self.at, self.guessed = b"".join(pieces), 0, -1
        return len(pieces) > 1

    def peek(self) -> bytes:
        """Return the next byte that is no white space, empty at the end."""
        while True:
            match = _SPACE.match(self.data, self.at)
            self.at = match.end() if match else self.at
            if self.at < len(self.data):
                return self.data[self.at : self.at + 1]
            if not self.read_more():
                return b""

    def skip_comma(self) -> None:
        """Go to the value behind the comma that comes next."""
        self.peek()
        self.at += 1
        self.peek()

    def take_value(self) -> bytes:
        """Return the next value's bytes; raises Broken."""
        while True:
            end = _find_value_end(memoryview(self.data)[self.at :])
            # A number may go on in the next block; whatever has an end of its own does not.
            if end is not None and (self.at + end < len(self.data) or self._is_closed()):
                value = self.data[self.at : self.at + end]
                self.at += end
                return value
            if len(self.data) - self.at > LONGEST:
                raise Broken(f"a value is longer than {LONGEST} bytes")
            if not self.read_more():
                if end is None:
                    raise Broken("it is no JSON: it is cut short")
                value, self.at = self.data[self.at :], len(self.data)
                return value

    def _is_closed(self) -> bool:
        return self.data[-1:] in (b"}", b"]", b'"')


def read_json_values(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the values of a stream, those of arrays at the top one by one; raises Broken."""
    unread = _Unread(blocks)
    while first := unread.peek():
        if first == b"[":
            unread.at += 1
            yield from _read_array_elements(unread)
        else:
            yield unread.take_value()


def _read_array_elements(unread: _Unread) -> Iterator[bytes]:
    if unread.peek() == b"]":
        unread.at += 1
        return
    while True:
        yield unread.take_value()
        data, end = unread.data, unread.at
        mark = unread.peek()
        if mark == b"]":
            unread.at += 1
            return
        if mark != b",":
            raise Broken("it is no JSON: an array goes on without a comma")
        unread.skip_comma()
        if unread.data is data:
            yield from _take_alike_values(unread, end)


def _take_alike_values(unread: _Unread, end: int) -> list[bytes]:
    """Return many values at once where they begin as the next one does, else none.

    `end` is where the value before ended.  Where the guess is wrong, what was cut is no JSON.
    """
    data, at = unread.data, unread.at
    if at <= unread.guessed or len(data) - at < _MANY:
        return []
    unread.guessed = len(data)
    cut = data.rfind(data[end - 1 : at + 8], at) + 1
    if not cut:
        return []
    try:
        values = _raws.decode(b"[%b]" % data[at:cut])
    except (msgspec.DecodeError, RecursionError):
        return []
    unread.at = cut
    unread.skip_comma()
    return [bytes(value) for value in values]
