"""One game in, one verdict out, whatever the game holds."""

from plugin import archive, codec
from plugin.errors import PlyhostError, StateError
from plugin.history import Step
from plugin.replay.fixtures import judge as judge_fixture
from plugin.replay.forms import Entry, Unreadable, opened
from plugin.replay.parts import game_of, source_of
from plugin.replay.quick import comes_out
from plugin.replay.reading import Item
from plugin.replay.verdicts import INTERNAL, UNREADABLE, Verdict


def judge(item: Item) -> Verdict:
    """Return the verdict on a game; never raises."""
    verdict = Verdict(id=item.at, at=item.at)
    try:
        entry = opened(item)
        verdict.form = entry.form
        verdict.id = _id(entry) or item.at
        _judge(entry, verdict)
    except Exception as error:  # whatever breaks here must not stop the run
        _refused(verdict, error)
    return verdict


def judge_closely(item: Item) -> tuple[Verdict, Entry | None, list[Step]]:
    """Return the verdict on a game with what it holds and its steps; never raises."""
    verdict, entry, steps = Verdict(id=item.at, at=item.at), None, list[Step]()
    try:
        entry = opened(item)
        verdict.form = entry.form
        verdict.id = _id(entry) or item.at
        verdict.game, (told, steps) = judge_fixture(entry)
        verdict.tell(told)
    except Exception as error:  # whatever breaks here must not stop the run
        _refused(verdict, error)
    return verdict, entry, steps


def _refused(verdict: Verdict, error: Exception) -> None:
    verdict.ok = False
    if isinstance(error, Unreadable):
        verdict.code, verdict.message = UNREADABLE, str(error)
    elif isinstance(error, StateError):
        verdict.tell(archive.failed(error, verdict.plies_ok))
    elif isinstance(error, PlyhostError):
        verdict.field, verdict.code, verdict.message = "game", error.code, error.detail
        verdict.found = error.params.get("game")
    else:
        verdict.code, verdict.message = INTERNAL, f"{type(error).__name__}: {error}"


def _id(entry: Entry) -> str | None:
    """Return the game's own name: the fixture's, or the record's on its site."""
    name = entry.id
    if name is None and isinstance(entry.record, dict):
        header = entry.record.get("header")
        site = header.get("site") if isinstance(header, dict) else None
        name = site.get("gameid") if isinstance(site, dict) else None
    return str(name) if isinstance(name, str | int) and name != "" else None


def _judge(entry: Entry, verdict: Verdict) -> None:
    if entry.form == "fixture":
        verdict.game, (told, _) = judge_fixture(entry)
        verdict.tell(told)
    elif entry.record is not None:
        _judge_record(entry.record, verdict)
    else:
        _judge_state(entry, verdict)


def _judge_record(record: object, verdict: Verdict) -> None:
    game = game_of(record)
    verdict.game = game.info.uid
    source = source_of(game, record)
    if comes_out(game, source):
        verdict.ok, verdict.plies_ok = True, len(source.moves)
    else:
        verdict.tell(archive.play(game, source)[0])


def _judge_state(entry: Entry, verdict: Verdict) -> None:
    (wire,) = entry.states.values()
    game = game_of(wire)
    verdict.game = game.info.uid
    for step in codec.trace(game, wire):
        verdict.plies_ok = step.ply
    verdict.ok = True
