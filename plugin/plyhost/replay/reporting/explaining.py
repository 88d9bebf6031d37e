"""One game of a report shown at the ply where it differs."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from plyhost.contract import text_board
from plyhost.errors import NotConvertible
from plyhost.games.game import AnyGame, Illegal
from plyhost.games.registry import find_game
from plyhost.replay.judgement.judging import Order, judge_item_with_steps
from plyhost.replay.judgement.verdicts import Verdict, escape_controls
from plyhost.replay.reading.archive_files import Archive
from plyhost.replay.reading.archive_lines import Entry
from plyhost.replay.reading.inputs import BadInput, find_inputs
from plyhost.replay.reading.line_spans import Item, format_item_place
from plyhost.replay.reading.sources import choose_rules
from plyhost.replay.reporting.report_reading import BadReport, EarlierReport
from plyhost.states import forms
from plyhost.states.steps import ENDINGS, Step, make_move_refusal

#: Legal moves that are listed.
MOST_LISTED = 100
#: Fields that tell of the position after a ply.
AFTER = ("winner", "scores", "legal", "render", "board")


def explain_game(report: Path, name: str, site: str) -> list[str]:
    """Return lines of text on a game of a report; `name` is its id or where it stands.

    Raises BadReport when there is no such game in it, or it is not where it was.
    """
    earlier = EarlierReport(report)
    verdict = _find_verdict(earlier, name)
    options = earlier.stands_on["options"]
    item = _find_item(options, verdict.at)
    order = Order(engine=options["engine"], column=options["column"])
    now, entry, steps = judge_item_with_steps(item, order)
    now.at, now.id = verdict.at, verdict.id
    lines = [verdict.line()] if not verdict.ok else [f"{verdict.at}: it came out"]
    if (now.code, now.ply, now.field) != (verdict.code, verdict.ply, verdict.field):
        lines += ["Judged again by this code, it is otherwise:", now.line()]
    if entry is not None and steps and now.game:
        lines += _explain_steps(now, entry, steps, order, site)
    return [line if line.isprintable() else escape_controls(line) for line in lines]


def _find_verdict(earlier: EarlierReport, name: str) -> Verdict:
    for verdict in earlier.read_verdicts():
        if name in (verdict.id, verdict.at):
            return verdict
    raise BadReport(f"{earlier.path} tells of no game {name}")


def _find_item(options: dict[str, object], at: str) -> Item:
    """Return the game that stands somewhere in the archive of a report."""
    paths = options["paths"]
    assert isinstance(paths, list)
    try:
        found = find_inputs(paths, options["column"] is not None)
    except BadInput as error:
        raise BadReport(str(error)) from error
    found.files = [one for one in found.files if at.startswith(one.label)]
    archive = Archive(found, str(options["column"]) if options["column"] else None)
    for item in archive.read_items():
        if format_item_place(found, item) == at:
            return item
    raise BadReport(f"{at} is not there any more")


def _explain_steps(
    verdict: Verdict, entry: Entry, steps: list[Step], order: Order, site: str
) -> Iterator[str]:
    game = choose_rules(find_game(f"{verdict.game}"), order.engine)
    ply = len(steps) if verdict.ply is None else verdict.ply
    # What is wrong with the position itself is seen after the ply, a move before it.
    ply -= verdict.field not in AFTER
    before = steps[min(max(ply, 0), len(steps) - 1)]
    rules = game.rules(before.version)
    yield ""
    yield f"After ply {before.ply}, seat {before.position.seat} to move, engine {before.version}:"
    state = forms.start_state(rules, verdict.variants or [], "compact", steps[0].timestamp)
    if before.ply:
        state = state.with_steps(steps[1 : before.ply + 1])
    yield from text_board.format_state_text(state).splitlines()
    yield ""
    if verdict.move is not None:
        yield from _tell_readings(rules, before, verdict.move)
    yield from _list_legal_moves(game, before)
    yield ""
    yield from _link_playground(state, site)


def _tell_readings(game: AnyGame, before: Step, text: str) -> Iterator[str]:
    """Tell how a move's text is read: as an engine stored it, and as a player types it."""
    if text in ENDINGS:
        yield f"{text} ends the game."
        return
    for how, version in (("as it is stored", before.version), ("as a player types it", None)):
        try:
            move = game.read(before.position, text, version)
        except Illegal as illegal:
            refusal = make_move_refusal(game, before, text, illegal)
            yield f"{text}, read {how}: {refusal.detail}"
        else:
            yield f"{text}, read {how}: legal, written {game.text(before.position, move)}"


def _list_legal_moves(game: AnyGame, before: Step) -> Iterator[str]:
    """List the legal moves by the rules of the engine that is named, and by the newest."""
    named = game.rules(before.version)
    yield from _list_moves_by(named, before, before.version)
    newest = game.rules(None)
    if newest is not named:
        yield from _list_moves_by(newest, before, newest.version)


def _list_moves_by(game: AnyGame, before: Step, version: str) -> Iterator[str]:
    position = before.position
    texts = [
        game.text(position, move)
        for move, _ in zip(game.moves(position), range(MOST_LISTED), strict=False)
    ]
    count = game.count(position)
    yield f"{count:,} legal moves by engine {version}:"
    yield f"  {' '.join(texts)}{' ...' if count > len(texts) else ''}"


def _link_playground(state: forms.State, site: str) -> Iterator[str]:
    try:
        text = forms.dump_state(state)
    except NotConvertible:
        return
    yield f"{site}/playground#state={quote(text, safe='')}"
