"""Workers that take chunks from Redis, by dramatiq; and the queue through which they get them.

Delivery is at least once: a chunk whose worker dies comes back after the heartbeat's time.  The
queue's name carries a digest of the code, so a worker never judges by other rules than were asked
for.
"""

import logging
import signal
import threading
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import TypeAlias

import dramatiq
from dramatiq.brokers.redis import RedisBroker

from plyhost.replay import chunks, run_store
from plyhost.replay.run_store import Say, Store, retry_redis_call

#: Seconds without a sign of life after which a worker's chunks are handed to others.
HEARTBEAT = 20.0
#: Of a million commands so many look for dead workers; ours are few and large.
_MAINTENANCE = 200_000
_STOP_SECONDS = 30

#: Judges the packed chunk of a run: run, key, payload.
Work: TypeAlias = Callable[[str, str, str], None]
#: The run, the key of a chunk, and its games packed, zipped and as text.
Message: TypeAlias = tuple[str, str, str]


class Queue:
    """The queue of chunks for workers with this very code."""

    def __init__(self, url: str, heartbeat: float = HEARTBEAT) -> None:
        self.server = run_store.make_redis_client(url)
        self.broker = RedisBroker(  # type: ignore[no-untyped-call]
            client=self.server,
            middleware=[],
            heartbeat_timeout=int(heartbeat * 1000),
            maintenance_chance=_MAINTENANCE,
        )
        self.name = f"plyhost-replay-{run_store.digest_judging_code()}"

    def actor(self, work: Work) -> dramatiq.Actor[[str, str, str], None]:
        """Return the actor under which messages are sent and received."""
        made = dramatiq.actor(broker=self.broker, queue_name=self.name, actor_name="judge_chunk")
        return made(work)

    def waiting(self) -> int:
        """Return how many chunks no worker has taken yet."""
        return int(self.server.llen(f"{self.broker.namespace}:{self.name}"))


def make_chunk_message(run: str, key: str, payload: bytes) -> Message:
    """Return the arguments of a job."""
    return run, key, b64encode(zlib.compress(payload, 1)).decode()


class Worker:
    """One process that judges one chunk after another until it is told to stop."""

    def __init__(self, url: str, heartbeat: float, say: Say) -> None:
        self.queue, self.say = Queue(url, heartbeat), say
        self._stopped = threading.Event()
        self.queue.actor(self.judge)
        self._worker = dramatiq.Worker(self.queue.broker, worker_threads=1)

    def judge(self, run: str, key: str, payload: str) -> None:
        """Judge a chunk and keep the result, unless that was done or the run is over."""
        store = Store(self.queue.server, run)
        if not self._patiently(lambda: store.is_due(key)):
            return
        answer = chunks.judge_packed_items(zlib.decompress(b64decode(payload)))
        self._patiently(lambda: store.put(key, answer))

    def _patiently(self, call: Callable[[], run_store.Answer]) -> run_store.Answer:
        return retry_redis_call(call, self.say, lambda: not self._stopped.is_set())

    def run(self) -> None:
        """Work until SIGINT or SIGTERM; the chunk under way is finished, others go back."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self._stopped.set())
        logging.basicConfig(format="plyhost: %(message)s", level=logging.WARNING)
        chunks.prepare_judging()
        self._patiently(self.queue.server.ping)
        self._worker.start()
        self.say(f"judging what comes through {self.queue.name}")
        self._stopped.wait()
        self._worker.stop(_STOP_SECONDS * 1000)
