"""The games at hand: every installed package's, by the entry point `plyhost.games`."""

from functools import cache
from hashlib import blake2b
from importlib.metadata import entry_points
from pathlib import Path
from sys import modules

from plugin.errors import UnknownGame
from plugin.history import AnyGame

GROUP = "plyhost.games"
TOKEN_BYTES = 8

_SHARED = ("plugin.bits", "plugin.hexes", "plugin.game", "plugin.history")


@cache
def games() -> dict[str, AnyGame]:
    """Return the games by uid, in the order of their names."""
    found = [point.load() for point in entry_points(group=GROUP)]
    return {game.info.uid: game for game in sorted(found, key=lambda game: game.info.name)}


def game(uid: str) -> AnyGame:
    """Return a game; raises UnknownGame."""
    try:
        return games()[uid]
    except KeyError:
        raise UnknownGame(game=uid) from None


@cache
def token(uid: str) -> str:
    """Return a short text that changes whenever the code of a game's engine does."""
    digest = blake2b(digest_size=TOKEN_BYTES)
    for name in sorted(_engine_modules(game(uid))):
        path = modules[name].__file__
        digest.update(Path(path).read_bytes() if path else b"")
    return f"{uid}-{game(uid).info.version}-{digest.hexdigest()}"


def _engine_modules(one: AnyGame) -> set[str]:
    """Return the modules that decide what a move does: the game's own and those below it."""
    own = type(one).__module__
    beside = {name for name in modules if name.startswith(own)}
    return beside | set(_SHARED)
