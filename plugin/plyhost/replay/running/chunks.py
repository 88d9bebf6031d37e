"""A chunk of games judged: what is asked of whoever judges, and what comes back."""

import gc
from collections.abc import Callable, Iterable
from hashlib import blake2b

import msgspec

from plyhost.games import registry
from plyhost.replay.judgement.fixture_writer import dump_fixture
from plyhost.replay.judgement.judging import Order, judge_item, judge_item_with_steps, name_item
from plyhost.replay.judgement.verdicts import INTERNAL, Verdict
from plyhost.replay.reading.archive_files import Chunk
from plyhost.replay.reading.line_spans import Item, Place, Span, SpanReader

_DIGEST_BYTES = 16


class FileShare(msgspec.Struct, array_like=True):
    """What was read of a file: games, their size in bytes, and the sum of their digests.

    The sum is the same in whatever order and shares the games are read.
    """

    games: int = 0
    size: int = 0
    digest: bytes = bytes(_DIGEST_BYTES)

    def add_game(self, data: bytes) -> None:
        """Count a game."""
        self.add_share(FileShare(1, len(data), blake2b(data, digest_size=_DIGEST_BYTES).digest()))

    def add_share(self, other: "FileShare") -> None:
        """Count what was read elsewhere."""
        self.games += other.games
        self.size += other.size
        total = int.from_bytes(self.digest) + int.from_bytes(other.digest)
        self.digest = (total % (1 << 8 * _DIGEST_BYTES)).to_bytes(_DIGEST_BYTES)


class Work(msgspec.Struct, frozen=True, array_like=True):
    """Games to judge: those of `items`, or the lines that begin in `span`."""

    items: list[Item]
    span: Span | None = None

    def read_items(self) -> list[Item]:
        """Return the games."""
        return list(SpanReader(self.span).read_items()) if self.span else self.items


class Result(msgspec.Struct, array_like=True):
    """What became of some games: their places and verdicts, and the fixtures of sound ones.

    `lines` is how many lines a span has, by its file; the numbers in its places count from where it
    begins.  A worker that does not see the file of a span says `is_unseen` and judges nothing.
    """

    places: list[Place] = []
    verdicts: list[Verdict] = []
    fixtures: list[bytes] = []
    lines: dict[int, int] = {}
    shares: dict[int, FileShare] = {}
    is_unseen: bool = False

    def add(self, other: "Result") -> None:
        """Take in what became of the games that follow."""
        self.places += other.places
        self.verdicts += other.verdicts
        self.fixtures += other.fixtures
        for file, lines in other.lines.items():
            self.lines[file] = self.lines.get(file, 0) + lines
        for file, share in other.shares.items():
            self.shares.setdefault(file, FileShare()).add_share(share)


Begin = Callable[[Item], None]


def _begin_nothing(item: Item) -> None:
    """Take no notice of a game that begins."""


_encoder = msgspec.msgpack.Encoder()
_works = msgspec.msgpack.Decoder(Work)
_results = msgspec.msgpack.Decoder(Result)
_verdicts = msgspec.json.Encoder()


def pack_work(work: Work) -> bytes:
    """Return games as they are sent."""
    return _encoder.encode(work)


def unpack_work(payload: bytes) -> Work:
    """Return the games of a message."""
    return _works.decode(payload)


def pack_result(result: Result) -> bytes:
    """Return a result as it is sent."""
    return _encoder.encode(result)


def unpack_result(answer: bytes) -> Result:
    """Return the result that an answer holds."""
    return _results.decode(answer)


def judge_work(work: Work, order: Order, begin: Begin = _begin_nothing) -> Result:
    """Return the result of some games; `begin` is called before each."""
    if work.span is None:
        return judge_items(work.items, order, begin)
    reader = SpanReader(work.span)
    result = judge_items(reader.read_items(), order, begin)
    result.lines = {work.span.file: reader.lines}
    return result


def judge_items(
    items: Iterable[Item],
    order: Order = Order(),  # noqa: B008 - it is frozen
    begin: Begin = _begin_nothing,
) -> Result:
    """Return the result of some games, one after the other; `begin` is called before each."""
    result = Result([], [], [], {}, {})
    for item in items:
        begin(item)
        verdict, written = _judge_one(item, order)
        result.places.append(item.place)
        result.verdicts.append(verdict)
        result.fixtures += written
        if item.data:
            result.shares.setdefault(item.place.file, FileShare()).add_game(item.data)
    return result


def _judge_one(item: Item, order: Order) -> tuple[Verdict, list[bytes]]:
    if not order.is_written:
        return _ensure_writable(judge_item(item, order)), []
    verdict, entry, steps = judge_item_with_steps(item, order)
    if not verdict.ok or entry is None:
        return _ensure_writable(verdict), []
    try:
        return verdict, [dump_fixture(verdict, entry, steps)]
    except Exception as error:  # a game that comes out and cannot be written down
        verdict.ok = False
        verdict.tell({"code": INTERNAL, "message": f"{type(error).__name__}: {error}"})
        return verdict, []


def _ensure_writable(verdict: Verdict) -> Verdict:
    """Return a verdict, or one that says that it cannot be written."""
    if verdict.ok:
        return verdict
    try:
        _verdicts.encode(verdict)
        _encoder.encode(verdict)
    except Exception as error:  # whatever an archive holds must not stop the run
        told = f"its verdict cannot be written: {type(error).__name__}"
        return Verdict(bytes=verdict.bytes, code=INTERNAL, message=told)
    return verdict


def give_up_item(item: Item, order: Order, why: str) -> Result:
    """Return the result of a game that nobody can judge."""
    share = FileShare()
    share.add_game(item.data)
    verdict = name_item(item, order)
    verdict.tell({"code": INTERNAL, "message": why})
    return Result([item.place], [verdict], [], {}, {item.place.file: share})


def prepare_judging() -> None:
    """Make this process ready to judge: games loaded, and garbage looked for rarely."""
    registry.load_games()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def make_work(chunk: Chunk) -> Work:
    """Return what is to be judged of a chunk."""
    return Work(chunk.items, chunk.span)
