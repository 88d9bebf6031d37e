"""A record or a state of an archive in the terms of its game."""

from functools import cache
from typing import Any

from plyhost.contract import records
from plyhost.contract.record_reading import NotRecord, Source, parse_game_record, read_record_game
from plyhost.errors import StateError, UnknownGame
from plyhost.games import registry
from plyhost.games.game import AnyGame
from plyhost.replay.reading.archive_lines import Unreadable
from plyhost.states import forms
from plyhost.states.full.raw_stack import StateParts
from plyhost.states.steps import Step

#: The time that stands where a record has none, so that the same archive gives the same fixtures.
NO_DATE = "1970-01-01T00:00:00.000Z"

Told = tuple[records.Verdict, list[Step]]


@cache
def _map_games_by_name() -> dict[str, AnyGame]:
    games = registry.load_games()
    return {game.info.name: game for game in games.values()} | games


def identify_game(part: Any) -> AnyGame:
    """Return the game of a record, of a compact text or of a full state's parts.

    Raises UnknownGame, or Unreadable for a record that names none.
    """
    if isinstance(part, dict):
        try:
            name = read_record_game(part)
        except NotRecord as error:
            raise Unreadable(f"it is no game record: {error}") from error
    else:
        name = part.game if isinstance(part, StateParts) else part.split(":")[1]
    game = _map_games_by_name().get(name) if isinstance(name, str) else None
    if game is None or (not isinstance(part, dict) and name != game.info.uid):
        raise UnknownGame(name if isinstance(name, str) else "", list(registry.load_games()))
    return game


def choose_rules(game: AnyGame, engine: str | None) -> AnyGame:
    """Return a game by the rules of one engine alone, if it has that engine; else as it is."""
    return game.fix_rules(engine) if engine in game.info.versions else game


def read_archived_record(game: AnyGame, record: Any) -> Source:
    """Return what a record claims; raises Unreadable, UnknownVariant or UnsupportedEngine."""
    try:
        return parse_game_record(game, record, NO_DATE)
    except NotRecord as error:
        raise Unreadable(f"it is no game record: {error}") from error


def play_archived_part(game: AnyGame, part: Any) -> Told:
    """Return the verdict on a part and its steps up to the end or to the first difference.

    Raises Unreadable for a record that is none.
    """
    steps = list[Step]()
    try:
        if isinstance(part, dict):
            return records.play_source(game, read_archived_record(game, part))
        steps.extend(forms.trace_state(game, part))
    except StateError as error:
        return records.make_fault_verdict(error, steps[-1].ply if steps else 0), steps
    return records.make_pass_verdict(steps[-1].ply), steps
