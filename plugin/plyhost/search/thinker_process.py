"""A process that thinks for a worker: a question comes in on a line, its answer goes out on one.

Thinking takes all of a processor, and a worker's threads share one: here it slows none of them, the
less so as the process is content with what others leave it.  It ends when its input does.
"""

import os
import signal
import sys
from math import inf

import orjson

from plyhost import deadline
from plyhost.search.suggestion import Suggestion, decode_question, suggest_move

#: How far others go before it.
NICENESS = 10


def answer_line(line: bytes) -> Suggestion | None:
    """Return the suggestion for an encoded question, None when it takes too long."""
    game, position, question, seconds = decode_question(line)
    clock = deadline.start_deadline(inf if seconds is None else seconds)
    try:
        return suggest_move(game, position, question)
    except deadline.Overdue:
        return None
    finally:
        deadline.stop_deadline(clock)


def answer_lines() -> None:
    """Answer until the input ends."""
    # An interrupt at the terminal is meant for the worker, which ends the input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(orjson.dumps(answer_line(line)) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    answer_lines()
