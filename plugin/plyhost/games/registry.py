"""The games at hand: every installed package's, by the entry point `plyhost.games`."""

from functools import cache
from hashlib import blake2b
from importlib.metadata import entry_points
from pathlib import Path
from sys import modules

from plyhost.errors import UnknownGame
from plyhost.games.game import AnyGame

GROUP = "plyhost.games"
TOKEN_BYTES = 8

_SHARED = (
    "plyhost.board.bits",
    "plyhost.board.hexes",
    "plyhost.games.game",
    "plyhost.states.steps",
)


@cache
def load_games() -> dict[str, AnyGame]:
    """Return the games by uid, in the order of their names."""
    found = [point.load() for point in entry_points(group=GROUP)]
    return {game.info.uid: game for game in sorted(found, key=lambda game: game.info.name)}


def find_game(uid: str) -> AnyGame:
    """Return a game; raises UnknownGame."""
    try:
        return load_games()[uid]
    except KeyError:
        raise UnknownGame(uid, list(load_games())) from None


@cache
def compute_engine_token(uid: str) -> str:
    """Return a short text that changes whenever the code of a game's engine does."""
    digest = blake2b(digest_size=TOKEN_BYTES)
    for name in sorted(_list_engine_modules(find_game(uid))):
        path = modules[name].__file__
        digest.update(Path(path).read_bytes() if path else b"")
    return f"{uid}-{find_game(uid).info.version}-{digest.hexdigest()}"


def _list_engine_modules(one: AnyGame) -> set[str]:
    """Return the modules that decide what a move does: those of the game's package, and ours."""
    own = type(one).__module__
    package = own.rpartition(".")[0] or own
    return {own, *_SHARED} | {name for name in modules if f"{name}.".startswith(f"{package}.")}
