"""The games at hand: every installed package's, by the entry point `plyhost.games`.

One that cannot be loaded, drawn or described is left out, and so is told apart from the others.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from sys import modules

from plyhost.errors import UnknownGame
from plyhost.games.game import AnyGame
from plyhost.games.registration import Unfit, check_game, list_twins

GROUP = "plyhost.games"
TOKEN_BYTES = 8
REASON_CHARACTERS = 300

_SHARED = (
    "plyhost.board.bits",
    "plyhost.board.hexes",
    "plyhost.games.game",
    "plyhost.states.steps",
)


@dataclass(frozen=True)
class LeftOut:
    """A game that is not hosted: the entry point's `name`, and `why`, the end of a sentence."""

    name: str
    why: str


def load_games() -> dict[str, AnyGame]:
    """Return the games by uid, in the order of their names."""
    return _collect_installed()[0]


def list_left_out() -> tuple[LeftOut, ...]:
    """Return the installed games that are not hosted, each with the reason."""
    return _collect_installed()[1]


@cache
def _collect_installed() -> tuple[dict[str, AnyGame], tuple[LeftOut, ...]]:
    return collect_games(entry_points(group=GROUP))


def collect_games(
    points: Iterable[EntryPoint],
) -> tuple[dict[str, AnyGame], tuple[LeftOut, ...]]:
    """Return the fit games of entry points by uid, in the order of their names, and the others.

    Of two with one uid or name our own is taken, else the one whose package comes first.
    """
    found: dict[str, AnyGame] = {}
    left_out = []
    for point in sorted(points, key=_rank_point):
        try:
            game = _load_fit_game(point, found)
        except Unfit as unfit:
            left_out.append(LeftOut(point.name, _cut_reason(unfit)))
        else:
            found[game.info.uid] = game
    ordered = sorted(found.values(), key=lambda game: game.info.name)
    return {game.info.uid: game for game in ordered}, tuple(left_out)


def _cut_reason(unfit: Unfit) -> str:
    """Return what anybody may be told of a fault, which may hold any text."""
    return str(unfit).encode("ascii", "backslashreplace").decode()[:REASON_CHARACTERS]


def _rank_point(point: EntryPoint) -> tuple[bool, str, str]:
    package = point.dist.name if point.dist else ""
    return package != "plyhost", package, point.name


def _load_fit_game(point: EntryPoint, taken: Mapping[str, AnyGame]) -> AnyGame:
    """Return the game of an entry point; raises Unfit, also where its code breaks."""
    try:
        game: AnyGame = point.load()
    except (Exception, SystemExit) as error:
        raise Unfit(f"cannot be loaded: {type(error).__name__}: {error}") from error
    check_game(game)
    if twins := list_twins(game, iter(taken.values())):
        raise Unfit(f"has what another game has: {', '.join(twins)}")
    return game


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
