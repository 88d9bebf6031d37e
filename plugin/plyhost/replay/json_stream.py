"""JSON values out of a stream that holds one, several, or an array of them."""

import codecs
import json
import re
from collections.abc import Iterable, Iterator

#: Bytes that are read at a time.
BLOCK = 256 * 1024
#: Bytes of the longest game, whatever its form.
LONGEST = 16 * 1024 * 1024

_SPACE = re.compile(r"[ \t\r\n]*")
_decoder = json.JSONDecoder()


class Broken(ValueError):
    """The stream is no JSON from here on; where the next value begins cannot be told."""


class _Text:
    """The part of a stream that was read and not used yet; `at` is where to go on in `text`."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self.text, self.at = "", 0
        self._blocks = iter(blocks)
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def more(self) -> bool:
        """Read on, twice as much as is there; False at the end."""
        pieces, wanted = [self.text[self.at :]], max(len(self.text) - self.at, 1)
        while wanted > 0 and (block := next(self._blocks, None)) is not None:
            pieces.append(self._decoder.decode(block))
            wanted -= len(pieces[-1])
        self.text, self.at = "".join(pieces), 0
        return len(pieces) > 1

    def peek(self) -> str:
        """Return the next character that is no white space, empty at the end."""
        while True:
            match = _SPACE.match(self.text, self.at)
            self.at = match.end() if match else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                return ""

    def value(self) -> bytes:
        """Return the next value's bytes; raises Broken."""
        while True:
            try:
                _, end = _decoder.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                if len(self.text) - self.at > LONGEST or not self.more():
                    raise Broken(f"it is no JSON: {error.msg}") from error
            else:
                value = self.text[self.at : end]
                self.at = end
                return value.encode()


def read_json_values(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the values of a stream, those of arrays at the top one by one; raises Broken."""
    text = _Text(blocks)
    try:
        while character := text.peek():
            if character == "[":
                text.at += 1
                yield from _read_array_elements(text)
            else:
                yield text.value()
    except (UnicodeError, RecursionError) as error:
        raise Broken(f"it is no JSON: {error}") from error


def _read_array_elements(text: _Text) -> Iterator[bytes]:
    if text.peek() == "]":
        text.at += 1
        return
    while True:
        yield text.value()
        mark = text.peek()
        text.at += 1
        if mark == "]":
            return
        if mark != ",":
            raise Broken("it is no JSON: an array goes on without a comma")
        text.peek()
