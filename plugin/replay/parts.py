"""A record or a state of an archive in the terms of its game."""

from functools import cache
from typing import Any

from plugin import archive, codec, registry
from plugin.archive_reading import Source, read_record
from plugin.errors import StateError, UnknownGame
from plugin.history import AnyGame, Step
from plugin.parts import Parts
from plugin.replay.forms import Unreadable

#: The time that stands where a record has none, so that the same archive gives the same fixtures.
NO_DATE = "1970-01-01T00:00:00.000Z"

Told = tuple[archive.Verdict, list[Step]]


@cache
def _by_name() -> dict[str, AnyGame]:
    games = registry.games()
    return {game.info.name: game for game in games.values()} | games


def game_of(part: Any) -> AnyGame:
    """Return the game of a record, of a compact text or of a full state's parts.

    Raises UnknownGame, or Unreadable for a record that names none.
    """
    if isinstance(part, dict):
        try:
            name = part["header"]["game"]["name"]
        except (KeyError, TypeError) as error:
            raise Unreadable(f"it is no game record: {error}") from error
    else:
        name = part.game if isinstance(part, Parts) else part.split(":")[1]
    game = _by_name().get(name) if isinstance(name, str) else None
    if game is None or (not isinstance(part, dict) and name != game.info.uid):
        raise UnknownGame(game=name if isinstance(name, str) else "")
    return game


def source_of(game: AnyGame, record: Any) -> Source:
    """Return what a record claims; raises Unreadable, UnknownVariant or UnsupportedEngine."""
    try:
        return read_record(game, record, NO_DATE)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise Unreadable(f"it is no game record: {error}") from error


def played(game: AnyGame, part: Any) -> Told:
    """Return the verdict on a part and its steps up to the end or to the first difference.

    Raises Unreadable for a record that is none.
    """
    steps = list[Step]()
    try:
        if isinstance(part, dict):
            return archive.play(game, source_of(game, part))
        steps.extend(codec.trace(game, part))
    except StateError as error:
        return archive.failed(error, steps[-1].ply if steps else 0), steps
    return archive.passed(steps[-1].ply), steps
