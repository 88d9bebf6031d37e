"""Parts of chunks that are judged apart, and what is done with one over which a process died."""

from dataclasses import dataclass

from plyhost.replay.judgement.judging import Order
from plyhost.replay.reading.line_spans import SpanReader
from plyhost.replay.running.chunks import Result, Work, give_up_item

#: Deaths over one game after which it is given up: with others, and twice alone.
MOST_DEATHS = 3


@dataclass
class Piece:
    """A part of a chunk; `deaths` counts the processes that died over it when it is one game."""

    number: int
    work: Work
    deaths: int = 0
    result: Result | None = None


def split_piece(piece: Piece, begun: int, order: Order, is_timed_out: bool) -> list[Piece]:
    """Return what is left to judge of a piece over which a process died, after `begun` games."""
    items = piece.work.read_items()
    if len(items) == 1 and piece.work.span is None:
        piece.deaths += 1
        if piece.deaths >= MOST_DEATHS:
            piece.result = give_up_item(items[0], order, _tell_death(is_timed_out))
        return [piece]
    at = min(max(begun - 1, 0), max(len(items) - 1, 0))
    pieces = [
        Piece(piece.number, Work(share))
        for share in (items[:at], items[at : at + 1], items[at + 1 :])
        if share
    ]
    for one in pieces:
        if one.work.items[0] is items[at]:
            one.deaths = 1
    return [*pieces, *_count_span_lines(piece)]


def _count_span_lines(piece: Piece) -> list[Piece]:
    """Return a piece that is done and tells how many lines the span of another one has."""
    if piece.work.span is None:
        return []
    reader = SpanReader(piece.work.span)
    for _ in reader.read_items():
        pass
    lines = {piece.work.span.file: reader.lines}
    return [Piece(piece.number, Work([]), result=Result([], [], [], lines, {}))]


def _tell_death(is_timed_out: bool) -> str:
    if is_timed_out:
        return "It took longer than a game may (--game-seconds)."
    return "It ended every process that judged it."
