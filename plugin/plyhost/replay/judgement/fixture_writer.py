"""Fixtures out: the games of an archive that came out, written down to be held against later."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import orjson

from plyhost.contract import records
from plyhost.contract.record_reading import Source
from plyhost.errors import NotConvertible
from plyhost.games.game import AnyGame
from plyhost.pictures import render_json
from plyhost.replay.judgement.legal_digest import count_legal_moves, digest_legal_moves
from plyhost.replay.judgement.verdicts import Verdict
from plyhost.replay.reading.archive_lines import Entry
from plyhost.replay.reading.sources import identify_game, read_archived_record
from plyhost.states import conversion, forms
from plyhost.states.forms import State
from plyhost.states.steps import Step

#: The shares of a game at which it is drawn, the end apart.
DRAWN_AT = (0.3, 0.7)
#: Legal moves of a game, all plies together, that are told by digests: half a second's work.
MOST_LEGAL = 200_000
PLAYERS = ({"name": "Player 1"}, {"name": "Player 2"})


def dump_fixture(verdict: Verdict, entry: Entry, steps: Sequence[Step]) -> bytes:
    """Return a sound game as a line: id, record if it is over, full and compact state, drawings.

    The id stands first, and is left out where the game has none.  Legal moves are told by digests
    unless they are too many.
    """
    first, *_ = [entry.record] if entry.record is not None else entry.states.values()
    game = identify_game(first)
    state = _make_fixture_state(game, first, steps)
    written: dict[str, Any] = {"id": verdict.id} if verdict.id else {}
    written |= {"game": game.info.uid, "engine": game.version}
    if entry.record is not None or state.last.is_over:
        written["record"] = entry.record or _make_fixture_record(
            state, steps, verdict.id or "unnamed"
        )
    written["state"] = forms.dump_state(state)
    with suppress(NotConvertible):  # some texts and orders are kept in full alone
        written["compact"] = forms.dump_state(conversion.convert_state(state, "compact").state)
    written["renders"] = list(_list_fixture_drawings(game, steps))
    if count_legal_moves(game, steps) <= MOST_LEGAL:
        written["legal"] = digest_legal_moves(game, steps)
    return orjson.dumps(written)


def _make_fixture_state(game: AnyGame, part: Any, steps: Sequence[Step]) -> State:
    """Return the full state of a part; a stored one stays as it is stored."""
    if isinstance(part, dict):
        source: Source = read_archived_record(game, part)
        rules = game.rules(source.version)
        state = forms.start_state(rules, source.variants, "full", source.started)
        return state.with_steps(steps[1:]) if len(steps) > 1 else state
    return conversion.convert_state(forms.parse_state(game, part), "full").state


def _make_fixture_record(state: State, steps: Sequence[Step], name: str) -> dict[str, Any]:
    site = {"site": "plyhost", "gameid": name, "players": PLAYERS}
    return records.make_game_record(state, steps, site | {"timestamp": state.last.timestamp})


def _list_fixture_drawings(game: AnyGame, steps: Sequence[Step]) -> Iterable[dict[str, Any]]:
    """Yield drawings of two plies on the way, and of the last in every display."""
    last = len(steps) - 1
    for ply in sorted({int(last * share) for share in DRAWN_AT}):
        yield _draw_fixture_step(game, steps[ply], "")
    for display in ("", *(one.uid for one in game.info.displays)):
        yield _draw_fixture_step(game, steps[last], display)


def _draw_fixture_step(game: AnyGame, step: Step, display: str) -> dict[str, Any]:
    drawing = render_json.render_step(game, step, display)
    return {"ply": step.ply, "display": display, "render": drawing}
