"""A replay on this machine: in this process, or over its cores, always in the order read."""

from collections.abc import Iterable, Iterator

from plyhost.replay.judgement.judges import Judges
from plyhost.replay.judgement.judging import Order
from plyhost.replay.reading.archive_files import Chunk
from plyhost.replay.running.chunks import Result, judge_work, make_work
from plyhost.replay.running.ordering import ResultOrder

#: Bytes of games that wait for a process to take them.
MOST_WAITING = 48 << 20


def run_chunks(
    chunks: Iterable[Chunk],
    jobs: int = 0,
    order: Order = Order(),  # noqa: B008 - it is frozen
) -> Iterator[tuple[int, Result]]:
    """Yield the position behind every chunk and its result, in order; `jobs` processes judge.

    With no process the games are judged in this one, which then ends with a game that ends it.
    """
    if jobs:
        with Judges(jobs, order) as judges, ResultOrder() as sequence:
            yield from _run_over_judges(chunks, judges, sequence)
        return
    for chunk in chunks:
        yield chunk.position, judge_work(make_work(chunk), order)


def _run_over_judges(
    chunks: Iterable[Chunk], judges: Judges, sequence: ResultOrder
) -> Iterator[tuple[int, Result]]:
    out, weight = dict[int, Chunk](), 0
    for chunk in chunks:
        out[chunk.number] = chunk
        weight += chunk.weight
        judges.give(chunk.number, make_work(chunk))
        while sequence.is_full or not judges.is_hungry or weight > MOST_WAITING:
            for done, result in judges.collect():
                weight -= out[done].weight
                sequence.put(done, out.pop(done).position, result)
            yield from sequence.take_ready()
            if not out:
                break
    while not judges.is_idle:
        for done, result in judges.collect():
            sequence.put(done, out.pop(done).position, result)
        yield from sequence.take_ready()
