"""A replay by workers on any machine: chunks go out through Redis and come back in order.

Nothing is counted here or there but what the coordinator reads from the results, each once, so jobs
may run twice and be lost: what does not come back is sent again.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from plyhost.replay import run_store
from plyhost.replay.archive_files import Chunk
from plyhost.replay.chunks import Result, pack_items, unpack_result
from plyhost.replay.run_store import Say, Store, retry_redis_call
from plyhost.replay.worker import Message, Queue, make_chunk_message

#: Chunks that are out at once; enough for many workers, few enough for little memory.
AHEAD = 128
PAUSE = 0.05
#: Seconds of silence after which a run says that it waits for workers.
LONELY = 10.0


@dataclass
class _Sent:
    position: int
    key: str
    message: Message
    answer: bytes | None = None


class Coordinator:
    """Hands out the chunks of one run and collects their results."""

    def __init__(self, queue: Queue, store: Store, about: dict[str, Any], say: Say) -> None:
        self.queue, self.store, self.about, self.say = queue, store, about, say
        self._actor = queue.actor(lambda run, key, payload: None)
        self._waiting: deque[_Sent] = deque()
        self._moved = time.monotonic()
        self._is_lonely = False
        #: Longer than it takes until a dead worker's chunks are handed on.
        self.patience = 2 * queue.broker.heartbeat_timeout / 1000 + 1

    def run(self, chunks: Iterable[Chunk]) -> Iterator[tuple[int, Result]]:
        """Yield the position behind every chunk and its result, in order."""
        self._call(lambda: self.store.open(self.about))
        for chunk in chunks:
            self._hand_out(chunk)
            yield from self._collect(AHEAD - 1)
        yield from self._collect(0)

    def close(self) -> None:
        """Forget the run, whose results were all yielded."""
        self._call(self.store.close)

    def _call(self, call: Callable[[], run_store.Answer]) -> run_store.Answer:
        return retry_redis_call(call, self.say, lambda: True)

    def _hand_out(self, chunk: Chunk) -> None:
        payload = pack_items(chunk.items)
        key = run_store.make_chunk_key(chunk.number, payload)
        sent = _Sent(chunk.position, key, make_chunk_message(self.store.run, key, payload))
        sent.answer = self._call(lambda: self.store.results([key]))[1][0]
        if sent.answer is None:
            self._send(sent)
        self._waiting.append(sent)

    def _send(self, sent: _Sent) -> None:
        self._call(lambda: self._actor.send(*sent.message))

    def _collect(self, most: int) -> Iterator[tuple[int, Result]]:
        """Yield what has come back until at most so many chunks are out."""
        while len(self._waiting) > most:
            self._look()
            while self._waiting and (answer := self._waiting[0].answer) is not None:
                sent = self._waiting.popleft()
                yield sent.position, unpack_result(answer)
            if len(self._waiting) > most:
                time.sleep(PAUSE)

    def _look(self) -> None:
        due = [sent for sent in self._waiting if sent.answer is None]
        if not due:
            return
        is_open, answers = self._call(lambda: self.store.results([sent.key for sent in due]))
        for sent, answer in zip(due, answers, strict=True):
            sent.answer = answer
        left = [sent for sent in due if sent.answer is None]
        if len(left) < len(due):
            self._moved, self._is_lonely = time.monotonic(), False
        elif not is_open:
            self._call(lambda: self.store.open(self.about))
            self._send_again(left, "Redis has lost its data")
        elif time.monotonic() - self._moved > self.patience and not self._call(self.queue.waiting):
            self._send_again(left, "nothing comes back")
        elif time.monotonic() - self._moved > LONELY and not self._is_lonely:
            self._is_lonely = True
            self.say(f"no worker answers; each needs the same code ({self.queue.name})")

    def _send_again(self, left: list[_Sent], why: str) -> None:
        self.say(f"{why}: {len(left)} chunks are sent again")
        for sent in left:
            self._send(sent)
        self._moved = time.monotonic()
