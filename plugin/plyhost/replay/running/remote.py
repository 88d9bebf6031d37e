"""A replay by workers on any machine: chunks go out through Redis and come back in any order.

Nothing is counted here or there but what the coordinator reads from the results, each once, so jobs
may run twice and be lost: what does not come back is sent again, to whoever is idle.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any

from redis import exceptions

from plyhost.replay.judgement.judging import Order
from plyhost.replay.options import Options
from plyhost.replay.reading.archive_files import Chunk
from plyhost.replay.reading.inputs import mask_address
from plyhost.replay.reading.line_spans import SpanReader
from plyhost.replay.running import run_store
from plyhost.replay.running.chunks import Result, Work, make_work, unpack_result
from plyhost.replay.running.ordering import ResultOrder
from plyhost.replay.running.run_errors import RunFailed, WrongCall
from plyhost.replay.running.run_store import Say, Store, retry_redis_call
from plyhost.replay.running.worker import Queue, make_chunk_message

#: Chunks that are out at once: the least, for each worker, and in bytes.
LEAST_OUT, OUT_PER_WORKER, MOST_BYTES = 64, 6, 64 << 20
PAUSE = 0.02
#: Seconds of silence after which a run says that it waits for workers.
LONELY = 10.0
#: Seconds a chunk is waited for while a worker may be idle; and how often the longest time so far.
IMPATIENCE, TIMES_LONGEST = 2.0, 4


@dataclass
class _Sent:
    chunk: Chunk
    work: Work
    key: str
    weight: int
    since: float = 0.0
    patience: float = IMPATIENCE
    lines: int = 0


class Coordinator:
    """Hands out the chunks of one run and collects their results."""

    def __init__(
        self, queue: Queue, store: Store, about: dict[str, Any], say: Say, order: Order
    ) -> None:
        self.queue, self.store, self.about, self.say = queue, store, about, say
        self.order = order
        self._actor = queue.actor(lambda run, key, payload: None)
        self._out: dict[int, _Sent] = {}
        self._sequence = ResultOrder()
        self._weight = self._workers = 0
        self._longest = 0.0
        self._moved = self._looked = time.monotonic()
        self._is_lonely = False

    def run(self, chunks: Iterable[Chunk]) -> Iterator[tuple[int, Result]]:
        """Yield the position behind every chunk and its result, in order."""
        self._call(lambda: self.store.open(self.about))
        with self._sequence:
            for chunk in chunks:
                self._hand_out(chunk)
                while self._is_full():
                    yield from self._collect()
            while self._out:
                yield from self._collect()
            yield from self._sequence.take_ready()

    def close(self) -> None:
        """Forget the run, whose results were all yielded."""
        self._call(self.store.close)

    def _is_full(self) -> bool:
        most = max(LEAST_OUT, OUT_PER_WORKER * self._workers)
        return len(self._out) >= most or self._weight > MOST_BYTES or self._sequence.is_full

    def _call(self, call: Callable[[], run_store.Answer]) -> run_store.Answer:
        # It is always wanted, so there is an answer.
        return retry_redis_call(call, self.say, lambda: True)  # type: ignore[return-value]

    def _hand_out(self, chunk: Chunk) -> None:
        work = make_work(chunk)
        key = run_store.make_chunk_key(chunk.number, work, self.order)
        sent = _Sent(chunk, work, key, chunk.weight)
        (answer,) = self._call(lambda: self.store.results([key]))[1]
        self._out[chunk.number] = sent
        self._weight += sent.weight
        if answer is None:
            self._send(sent)
        else:
            self._take(sent, answer)

    def _send(self, sent: _Sent) -> None:
        message = make_chunk_message(self.store.run, sent.key, sent.work, self.order)
        self._call(lambda: self._actor.send(*message))
        sent.since = time.monotonic()

    def _take(self, sent: _Sent, answer: bytes) -> None:
        result = unpack_result(answer)
        if result.is_unseen:
            self._call(lambda: self.store.forget(sent.key))
            self._send_bytes(sent)
            return
        if sent.chunk.span is not None and sent.work.span is None:
            result.lines = {sent.chunk.span.file: sent.lines}
        del self._out[sent.chunk.number]
        self._weight -= sent.weight
        self._sequence.put(sent.chunk.number, sent.chunk.position, result)

    def _send_bytes(self, sent: _Sent) -> None:
        """Send what a worker does not see."""
        assert sent.work.span is not None
        reader = SpanReader(sent.work.span)
        sent.work = Work(list(reader.read_items()))
        sent.lines = reader.lines
        sent.key = run_store.make_chunk_key(sent.chunk.number, sent.work, self.order)
        sent.weight = sum(len(item.data) for item in sent.work.items)
        self._weight += sent.weight
        self._send(sent)

    def _collect(self) -> Iterator[tuple[int, Result]]:
        """Look for answers once; yield what is due of them."""
        before = len(self._out)
        self._look()
        yield from self._sequence.take_ready()
        if len(self._out) == before:
            time.sleep(PAUSE)

    def _look(self) -> None:
        out = list(self._out.values())
        is_open, answers = self._call(lambda: self.store.results([sent.key for sent in out]))
        now = time.monotonic()
        for sent, answer in zip(out, answers, strict=True):
            if answer is not None:
                self._longest = max(self._longest, now - sent.since)
                self._moved, self._is_lonely = now, False
                self._take(sent, answer)
        if not is_open:
            self._call(lambda: self.store.open(self.about))
            self._send_again(list(self._out.values()), "Redis has lost its data")
        elif now - self._looked > 1:
            self._looked = now
            self._look_around(now)

    def _look_around(self, now: float) -> None:
        """See who is there, and send again what is missing while somebody may be idle."""
        self._call(self.queue.keep_keys)
        self._workers = self._call(self.queue.workers)
        if self._call(self.queue.waiting):
            self._tell_lonely(now)
            return
        late = [sent for sent in self._out.values() if now - sent.since > sent.patience]
        if late:
            self._send_again(late, "nothing comes back")
        for sent in late:
            sent.patience = max(2 * sent.patience, TIMES_LONGEST * self._longest)

    def _tell_lonely(self, now: float) -> None:
        if now - self._moved > LONELY and not self._is_lonely:
            self._is_lonely = True
            self.say(f"no worker answers; each needs the same code ({self.queue.name})")

    def _send_again(self, left: list[_Sent], why: str) -> None:
        self.say(f"{why}: {len(left)} chunks are sent again")
        for sent in left:
            self._send(sent)


def make_coordinator(options: Options, say: Say) -> Coordinator:
    """Return the coordinator of a run; a resumed one knows its paths and chunks.

    Raises WrongCall for a Redis that is not there, RunFailed for one that cannot be used.
    """
    url = f"{options.url}"
    try:
        queue = Queue(url, options.heartbeat)
        run_store.check_redis_kind(queue.server)
        store = Store(queue.server, options.resume or token_hex(4))
        about = store.about() if options.resume else None
    except (RunFailed, exceptions.RedisError, OSError) as error:
        raise WrongCall(f"Redis at {mask_address(url)} cannot be used: {error}") from error
    if about:
        options.chunk = about["chunk"]
        options.paths = options.paths or [Path(name) for name in about["paths"]]
    elif options.resume:
        say(f"nothing is kept of run {options.resume}; it begins anew")
    say(f"run {store.run}; if this is interrupted, go on with --resume {store.run}")
    paths = [
        str(path) if "://" in str(path) else str(Path(path).resolve()) for path in options.paths
    ]
    about = {"paths": paths, "chunk": options.chunk}
    return Coordinator(queue, store, about, say, options.order)
