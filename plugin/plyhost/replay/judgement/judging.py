"""One game in, one verdict out, whatever the game holds."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec

from plyhost.contract import records
from plyhost.errors import PlyhostError, StateError
from plyhost.games.game import AnyGame
from plyhost.replay.judgement.fixtures import judge_fixture
from plyhost.replay.judgement.quick_records import is_record_sound
from plyhost.replay.judgement.verdicts import INTERNAL, LONGEST_ID, Verdict
from plyhost.replay.reading.archive_lines import Entry, NoGame, Unreadable, parse_archive_line
from plyhost.replay.reading.line_spans import Item
from plyhost.replay.reading.sources import choose_rules, identify_game, read_archived_record
from plyhost.states import forms
from plyhost.states.full.raw_stack import StateParts
from plyhost.states.steps import Step


class Order(msgspec.Struct, frozen=True):
    """How games are to be judged.

    `engine` is the version by whose rules every game of an engine that knows it is judged, `game`
    the only game that is; `seconds` of a processor and `memory` in MiB are what one may take.
    """

    engine: str | None = None
    game: str | None = None
    column: str | None = None
    is_written: bool = False
    seconds: float = 60.0
    memory: int = 2048


class _NotAsked(NoGame):
    code = "not-asked"


def judge_item(item: Item, order: Order = Order()) -> Verdict:  # noqa: B008 - it is frozen
    """Return the verdict on a game; never raises."""
    verdict = Verdict(bytes=len(item.data))
    try:
        entry = _open_item(item, order, verdict)
        _judge_archive_entry(entry, verdict, order)
    except (Exception, SystemExit) as error:  # whatever breaks here must not stop the run
        _note_refusal(verdict, error)
    return verdict


def judge_item_with_steps(
    item: Item,
    order: Order = Order(),  # noqa: B008 - it is frozen
) -> tuple[Verdict, Entry | None, list[Step]]:
    """Return the verdict on a game with what it holds and its steps; never raises."""
    verdict, entry, steps = Verdict(bytes=len(item.data)), None, list[Step]()
    try:
        entry = _open_item(item, order, verdict)
        steps = _judge_fixture_entry(entry, verdict, order)
    except (Exception, SystemExit) as error:  # whatever breaks here must not stop the run
        _note_refusal(verdict, error)
    return verdict, entry, steps


def name_item(item: Item, order: Order) -> Verdict:
    """Return a verdict that says which game it is, as far as can be told without its rules."""
    verdict = Verdict(bytes=len(item.data))
    with suppress(Exception):
        entry = _open_item(item, order, verdict)
        first, *_ = [entry.record] if entry.record is not None else entry.states.values()
        _find_asked_game(first, verdict, order)
    return verdict


def _open_item(item: Item, order: Order, verdict: Verdict) -> Entry:
    entry = parse_archive_line(item, order.column)
    verdict.form = entry.form
    verdict.id = _find_game_id(entry) or ""
    return entry


def _note_refusal(verdict: Verdict, error: BaseException) -> None:
    verdict.ok = False
    if isinstance(error, Unreadable | NoGame):
        verdict.code, verdict.message = error.code, str(error)
    elif isinstance(error, StateError):
        verdict.tell(records.make_fault_verdict(error, verdict.plies_ok))
    elif isinstance(error, PlyhostError):
        told = {"field": "game", "code": error.code, "message": error.detail}
        verdict.tell(told | {"found": error.params.get("game")})
    else:
        verdict.tell({"code": INTERNAL, "message": f"{type(error).__name__}: {error}"})


def _find_game_id(entry: Entry) -> str | None:
    """Return the game's own name: the fixture's, or the record's on its site."""
    name = entry.id
    if name is None and isinstance(entry.record, dict):
        header = entry.record.get("header")
        site = header.get("site") if isinstance(header, dict) else None
        name = site.get("gameid") if isinstance(site, dict) else None
    if not isinstance(name, str | int) or name == "":
        return None
    text = str(name)
    return text if len(text) <= LONGEST_ID else text[:LONGEST_ID] + "…"


def _judge_archive_entry(entry: Entry, verdict: Verdict, order: Order) -> None:
    if entry.form == "fixture":
        _judge_fixture_entry(entry, verdict, order)
    elif entry.record is not None:
        _judge_archived_record(entry.record, verdict, order)
    else:
        (wire,) = entry.states.values()
        _judge_archived_state(wire, verdict, order)


def _find_asked_game(part: Any, verdict: Verdict, order: Order) -> AnyGame:
    """Return the game of a part, by the rules that are asked for; tells the verdict what it is."""
    game = identify_game(part)
    if order.game not in (None, game.info.uid):
        raise _NotAsked(f"Only {order.game} was asked for.")
    verdict.game = game.info.uid
    verdict.variants = _find_variants(game, part)
    return choose_rules(game, order.engine)


def _find_variants(game: AnyGame, part: Any) -> list[str] | None:
    """Return the variants of a state by what it says, None where they are none of the game's."""
    if isinstance(part, StateParts):
        named = part.variants
    elif isinstance(part, str):
        named = [one for one in part.split(":")[2].split("+") if one]
    else:
        return None
    if not isinstance(named, list) or any(not isinstance(one, str) for one in named):
        return None
    return named if all(one in game.info.by_uid for one in named) else None


def _judge_fixture_entry(entry: Entry, verdict: Verdict, order: Order) -> list[Step]:
    first, *_ = [entry.record] if entry.record is not None else entry.states.values()
    game = _find_asked_game(first, verdict, order)
    told, steps = judge_fixture(entry, order.engine)
    verdict.tell(told)
    if isinstance(first, Mapping):
        source = read_archived_record(game, first)
        verdict.variants = source.variants
    verdict.engine = game.name_engine(steps[-1].version) if steps else None
    return steps


def _judge_archived_record(record: object, verdict: Verdict, order: Order) -> None:
    game = _find_asked_game(record, verdict, order)
    source = read_archived_record(game, record)
    game = game.rules(source.version)
    verdict.variants = source.variants
    verdict.engine = game.name_engine(source.version or game.version)
    if is_record_sound(game, source):
        verdict.ok, verdict.plies_ok = True, len(source.moves)
    else:
        verdict.tell(records.play_source(game, source)[0])


def _judge_archived_state(wire: Any, verdict: Verdict, order: Order) -> None:
    game = _find_asked_game(wire, verdict, order)
    step = None
    try:
        for step in forms.trace_state(game, wire):
            verdict.plies_ok = step.ply
    finally:
        verdict.engine = game.name_engine(step.version) if step else None
    verdict.ok = True
