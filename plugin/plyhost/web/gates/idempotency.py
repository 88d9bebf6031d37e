"""Idempotency-Key: the same request again is given the first one's answer.

The first request with a key leaves a mark, then its answer; twins wait for it.  Marks and answers
live in the store, so they are shared as far as the store is, and lost with it: then the request is
worked out again, which changes nothing, for a request carries all that its answer depends on but
the clock.
"""

import os
import zlib
from hashlib import sha256
from threading import Lock
from time import sleep

import msgspec

from plyhost import deadline, limits
from plyhost.errors import IdempotencyInProgress, IdempotencyMismatch, InvalidRequest
from plyhost.web.memory.store import Store

#: Statuses that are the engine's word; any other may be better next time.
LASTING = frozenset({409, 422, *range(200, 300)})

#: Bytes from which an answer is packed, and beyond which it is not kept even so.
_PACKED_FROM = 2048
_LARGEST = 1024 * 1024
_PACKING = 1
#: Seconds between two looks for the first one's answer, and how long its mark outlives its time.
_PAUSE = 0.02
#: Seconds for which a mark is believed that its owner does not renew, which it does once a second.
SILENCE = 3


class Kept(msgspec.Struct, array_like=True):
    """What the store holds: a mark while `status` is 0, then the answer."""

    fingerprint: bytes
    mark: bytes = b""
    status: int = 0
    kind: str = ""
    body: bytes = b""
    is_packed: bool = False

    @property
    def answer(self) -> bytes:
        """The body as it was sent."""
        return zlib.decompress(self.body) if self.is_packed else self.body


class Claim(msgspec.Struct, frozen=True):
    """The right, and the duty, to answer for a key."""

    name: str
    fingerprint: bytes
    mark: bytes


_reader = msgspec.msgpack.Decoder(Kept)
_written = msgspec.msgpack.Encoder().encode


def _digest_request_parts(*parts: bytes) -> bytes:
    whole = sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big") + part)
    return whole.digest()


def check_idempotency_key(key: str) -> None:
    """Refuse a key that is empty, too long or no plain text; raises InvalidRequest."""
    most = limits.IDEMPOTENCY_KEY_CHARACTERS
    if not 1 <= len(key) <= most or not (key.isascii() and key.isprintable()):
        why = f"Must be 1 to {most} printable ASCII characters."
        raise InvalidRequest({"Idempotency-Key": [why]})


class Ledger:
    """The answers given so far; `seconds` is how long they are kept."""

    def __init__(self, store: Store, seconds: int) -> None:
        self.store, self.seconds = store, seconds
        self._open: set[Claim] = set()
        self._lock = Lock()

    def begin(self, caller: str, key: str, *parts: bytes) -> Claim | Kept:
        """Return the answer that a caller's key has, or the right to give it.

        `parts` are all that makes a request the same.  Waits for a twin as long as the request may
        take.  Raises InvalidRequest, IdempotencyMismatch, IdempotencyInProgress.
        """
        check_idempotency_key(key)
        name = "once:" + _digest_request_parts(caller.encode(), key.encode()).hex()
        fingerprint = _digest_request_parts(*parts)
        mark = _written(Kept(fingerprint, os.urandom(8)))
        while not self.store.add(name, mark, SILENCE):
            kept = self._kept(name)
            if kept is None:
                continue
            if kept.fingerprint != fingerprint:
                raise IdempotencyMismatch
            if kept.status:
                return kept
            if deadline.count_seconds_left() < 2 * _PAUSE:
                raise IdempotencyInProgress
            sleep(_PAUSE)
        claim = Claim(name, fingerprint, mark)
        with self._lock:
            self._open.add(claim)
        return claim

    def renew(self) -> None:
        """Keep the marks of requests that are still worked on, so that no twin takes them over."""
        with self._lock:
            claims = list(self._open)
        for claim in claims:
            self.store.swap(claim.name, claim.mark, claim.mark, SILENCE)

    def _kept(self, name: str) -> Kept | None:
        found = self.store.get(name)
        try:
            return None if found is None else _reader.decode(found)
        except msgspec.MsgspecError:
            # Of another release, perhaps: as if it were not there.
            self.store.swap(name, found or b"", None, 0)
            return None

    def end(self, claim: Claim, status: int, kind: str, body: bytes) -> None:
        """Keep the answer of a claim, or give the claim up when it is not to be kept."""
        with self._lock:
            self._open.discard(claim)
        value = self._value(claim, status, kind, body) if status in LASTING else None
        self.store.leave(claim.name, claim.mark, value, self.seconds)

    def _value(self, claim: Claim, status: int, kind: str, body: bytes) -> bytes | None:
        is_packed = len(body) >= _PACKED_FROM
        kept = zlib.compress(body, _PACKING) if is_packed else body
        if len(kept) > _LARGEST:
            return None
        return _written(Kept(claim.fingerprint, b"", status, kind, kept, is_packed))
