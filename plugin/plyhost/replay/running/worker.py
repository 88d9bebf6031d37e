"""Workers that take chunks from Redis, by dramatiq; and the queue through which they get them.

Delivery is at least once: a chunk whose worker dies comes back.  The queue's name carries a digest
of the code, so a worker never judges by other rules than were asked for.  The games are judged in a
process beside the worker's, so that one which ends or holds up its process does not take the worker
along.
"""

import logging
import signal
import threading
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias, cast

import dramatiq
import msgspec
import redis
from dramatiq.brokers.redis import RedisBroker

from plyhost.replay.judgement.judges import Judges
from plyhost.replay.judgement.judging import Order
from plyhost.replay.options import HEARTBEAT
from plyhost.replay.reporting.code_digest import digest_judging_code
from plyhost.replay.running import run_store
from plyhost.replay.running.chunks import Result, Work, pack_result, pack_work, unpack_work
from plyhost.replay.running.run_errors import RunFailed
from plyhost.replay.running.run_store import KEPT_SECONDS, Say, Store, retry_redis_call

#: Of a million commands so many look for dead workers; ours are few and large.
_MAINTENANCE = 200_000
_STOP_SECONDS = 30
_NAMESPACE = "plyhost:queue"

#: Judges the packed chunk of a run: run, key, payload.
Judging: TypeAlias = Callable[[str, str, str], None]
#: The run, the key of a chunk, and what to do, packed, zipped and as text.
Message: TypeAlias = tuple[str, str, str]


class Queue:
    """The queue of chunks for workers with this very code."""

    def __init__(self, url: str, heartbeat: float = HEARTBEAT) -> None:
        self.server = run_store.make_redis_client(url)
        self.broker = RedisBroker(  # type: ignore[no-untyped-call]
            client=self.server,
            middleware=[],
            namespace=_NAMESPACE,
            heartbeat_timeout=int(heartbeat * 1000),
            maintenance_chance=_MAINTENANCE,
        )
        self.name = f"replay-{digest_judging_code()}"

    def actor(self, work: Judging) -> dramatiq.Actor[[str, str, str], None]:
        """Return the actor under which messages are sent and received."""
        made = dramatiq.actor(broker=self.broker, queue_name=self.name, actor_name="judge_chunk")
        return made(work)

    def waiting(self) -> int:
        """Return how many chunks no worker has taken yet."""
        return int(self.server.llen(f"{_NAMESPACE}:{self.name}"))

    def workers(self) -> int:
        """Return how many have given a sign of life, this end of the queue included."""
        return int(self.server.zcard(f"{_NAMESPACE}:__heartbeats__"))

    def keep_keys(self) -> None:
        """Let every key of the queue go some day, should nobody come back to it."""
        ends = ("", ".msgs", ".DQ", ".DQ.msgs", ".XQ", ".XQ.msgs")
        names = [f"{_NAMESPACE}:{self.name}{end}" for end in ends]
        workers = cast("list[bytes]", self.server.zrange(f"{_NAMESPACE}:__heartbeats__", 0, -1))
        for one in workers:
            names += [f"{_NAMESPACE}:__acks__.{one.decode()}.{self.name}{end}" for end in ends]
        pipe = self.server.pipeline(transaction=False)
        for name in (*names, f"{_NAMESPACE}:__heartbeats__"):
            pipe.expire(name, KEPT_SECONDS)
        pipe.execute()


#: Bytes of a message once it is unpacked, of which a chunk takes far fewer.
LARGEST_MESSAGE = 256 * 1024 * 1024


def make_chunk_message(run: str, key: str, work: Work, order: Order) -> Message:
    """Return the arguments of a job."""
    asked = msgspec.msgpack.encode((order, pack_work(work)))
    return run, key, b64encode(zlib.compress(asked, 1)).decode()


_asked = msgspec.msgpack.Decoder(tuple[Order, bytes])


def open_chunk_message(payload: str) -> tuple[Order, Work]:
    """Return how to judge, and what; raises ValueError for what no coordinator of ours has sent."""
    try:
        unpacker = zlib.decompressobj()
        asked = unpacker.decompress(b64decode(payload), LARGEST_MESSAGE)
        order, work = _asked.decode(asked)
        return order, unpack_work(work)
    except (TypeError, zlib.error, msgspec.MsgspecError) as error:
        raise ValueError(str(error)) from error


class Worker:
    """One process that judges one chunk after another until it is told to stop."""

    def __init__(self, url: str, heartbeat: float, say: Say) -> None:
        self.queue, self.say = Queue(url, heartbeat), say
        self._stopped = threading.Event()
        self._failed: RunFailed | None = None
        self._judges: Judges | None = None
        self.queue.actor(self.judge)
        self._worker = dramatiq.Worker(self.queue.broker, worker_threads=1)

    def judge(self, run: str, key: str, payload: str) -> None:
        """Judge a chunk and keep the result, unless that was done or the run is over."""
        store = Store(self.queue.server, run)
        try:
            if not self._patiently(lambda: store.is_due(key)):
                return
            asked = self._open(payload)
            if asked is None:
                return
            answer = pack_result(self._judge_apart(*asked))
            self._patiently(lambda: store.put(key, answer))
        except RunFailed as error:
            self._failed = error
            self._stopped.set()

    def _open(self, payload: str) -> tuple[Order, Work] | None:
        try:
            return open_chunk_message(payload)
        except ValueError as error:
            self.say(f"a message that cannot be read is dropped: {error}"[:200])
            return None

    def _judge_apart(self, order: Order, work: Work) -> Result:
        if work.span is not None:
            try:
                work.span.check_file()
            except OSError:
                return Result(is_unseen=True)
        if self._judges is None or self._judges.order != order:
            self.close()
            self._judges = Judges(1, order)
        self._judges.give(0, work)
        while True:
            for _, result in self._judges.collect():
                return result

    def _patiently(self, call: Callable[[], run_store.Answer]) -> run_store.Answer | None:
        return retry_redis_call(call, self.say, lambda: not self._stopped.is_set())

    def close(self) -> None:
        """End the process that judges."""
        if self._judges:
            self._judges.close()
            self._judges = None

    def run(self) -> None:
        """Work until SIGINT or SIGTERM; the chunk under way is finished, others go back.

        Raises RunFailed for a Redis that cannot be used.
        """
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self._stopped.set())
        # What it says of a Redis that is away, we say once.
        logging.getLogger("dramatiq").setLevel(logging.CRITICAL)
        self._patiently(lambda: run_store.check_redis_kind(self.queue.server))
        if not self._stopped.is_set():
            self._worker.start()
            self.say(f"judging what comes through {self.queue.name}")
            while not self._stopped.wait(1.0):
                with suppress(redis.RedisError, OSError):
                    self.queue.keep_keys()
            self._worker.stop(_STOP_SECONDS * 1000)
        self.close()
        if self._failed:
            raise self._failed
