"""The life of a process that judges: what it is sent, what a game may take, what it answers."""

import queue
import resource
import signal
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from plyhost.replay.judgement.judging import Order
from plyhost.replay.reading.line_spans import Item
from plyhost.replay.running.chunks import judge_work, pack_result, prepare_judging, unpack_work


def judge_sent_pieces(pipe: Connection, counter: Any, order: Order) -> None:
    """Judge what comes until the pipe is closed; the life of one process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What it takes too long over ends it, whatever it is doing.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    prepare_judging()
    _limit_memory(order.memory)
    come: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=_receive_pieces, args=(pipe, come), daemon=True).start()
    while (payload := come.get()) is not None:
        counter.value = 0
        work = unpack_work(payload)
        answer = pack_result(judge_work(work, order, _Watch(counter, order.seconds).begin))
        signal.setitimer(signal.ITIMER_PROF, 0)
        counter.value = 0
        with suppress(OSError):
            pipe.send_bytes(answer)


def _receive_pieces(pipe: Connection, come: "queue.SimpleQueue[bytes | None]") -> None:
    try:
        while True:
            come.put(pipe.recv_bytes())
    except (EOFError, OSError):
        come.put(None)


def _limit_memory(mebibytes: int) -> None:
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (mebibytes << 20, resource.RLIM_INFINITY))


class _Watch:
    """What is told before each game: its turn has come, and so has its time."""

    def __init__(self, counter: Any, seconds: float) -> None:
        self.counter, self.seconds = counter, seconds

    def begin(self, item: Item) -> None:
        """Count a game and set its limit of processor time."""
        self.counter.value += 1
        signal.setitimer(signal.ITIMER_PROF, self.seconds)
