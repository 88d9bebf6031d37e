"""One game in, one verdict out, whatever the game holds."""

from plyhost.contract import records
from plyhost.errors import PlyhostError, StateError
from plyhost.replay.archive_files import Item
from plyhost.replay.archive_lines import Entry, Unreadable, parse_archive_line
from plyhost.replay.fixtures import judge_fixture
from plyhost.replay.quick_records import is_record_sound
from plyhost.replay.sources import identify_game, read_archived_record
from plyhost.replay.verdicts import INTERNAL, UNREADABLE, Verdict
from plyhost.states import forms
from plyhost.states.steps import Step


def judge_item(item: Item) -> Verdict:
    """Return the verdict on a game; never raises."""
    verdict = Verdict(id=item.at, at=item.at)
    try:
        entry = parse_archive_line(item)
        verdict.form = entry.form
        verdict.id = _find_game_id(entry) or item.at
        _judge_archive_entry(entry, verdict)
    except Exception as error:  # whatever breaks here must not stop the run
        _note_refusal(verdict, error)
    return verdict


def judge_item_with_steps(item: Item) -> tuple[Verdict, Entry | None, list[Step]]:
    """Return the verdict on a game with what it holds and its steps; never raises."""
    verdict, entry, steps = Verdict(id=item.at, at=item.at), None, list[Step]()
    try:
        entry = parse_archive_line(item)
        verdict.form = entry.form
        verdict.id = _find_game_id(entry) or item.at
        verdict.game, (told, steps) = judge_fixture(entry)
        verdict.tell(told)
    except Exception as error:  # whatever breaks here must not stop the run
        _note_refusal(verdict, error)
    return verdict, entry, steps


def _note_refusal(verdict: Verdict, error: Exception) -> None:
    verdict.ok = False
    if isinstance(error, Unreadable):
        verdict.code, verdict.message = UNREADABLE, str(error)
    elif isinstance(error, StateError):
        verdict.tell(records.make_fault_verdict(error, verdict.plies_ok))
    elif isinstance(error, PlyhostError):
        verdict.field, verdict.code, verdict.message = "game", error.code, error.detail
        verdict.found = error.params.get("game")
    else:
        verdict.code, verdict.message = INTERNAL, f"{type(error).__name__}: {error}"


def _find_game_id(entry: Entry) -> str | None:
    """Return the game's own name: the fixture's, or the record's on its site."""
    name = entry.id
    if name is None and isinstance(entry.record, dict):
        header = entry.record.get("header")
        site = header.get("site") if isinstance(header, dict) else None
        name = site.get("gameid") if isinstance(site, dict) else None
    return str(name) if isinstance(name, str | int) and name != "" else None


def _judge_archive_entry(entry: Entry, verdict: Verdict) -> None:
    if entry.form == "fixture":
        verdict.game, (told, _) = judge_fixture(entry)
        verdict.tell(told)
    elif entry.record is not None:
        _judge_archived_record(entry.record, verdict)
    else:
        _judge_archived_state(entry, verdict)


def _judge_archived_record(record: object, verdict: Verdict) -> None:
    game = identify_game(record)
    verdict.game = game.info.uid
    source = read_archived_record(game, record)
    if is_record_sound(game, source):
        verdict.ok, verdict.plies_ok = True, len(source.moves)
    else:
        verdict.tell(records.play_source(game, source)[0])


def _judge_archived_state(entry: Entry, verdict: Verdict) -> None:
    (wire,) = entry.states.values()
    game = identify_game(wire)
    verdict.game = game.info.uid
    for step in forms.trace_state(game, wire):
        verdict.plies_ok = step.ply
    verdict.ok = True
