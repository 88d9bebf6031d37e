"""Reading a game record: variants by name or uid, rounds of moves, what its header claims.

The seat of a resignation or time-out is nowhere else than in the players' results.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plyhost import limits
from plyhost.errors import UnsupportedEngine
from plyhost.games import variants
from plyhost.games.game import AnyGame, Info
from plyhost.states import clock


@dataclass
class Source:
    """A game to replay: `scores` and `winner` are None where nothing is claimed.

    `version` is the engine that is named, whose stored texts are read as it wrote them.  Without
    one, a record's texts must be canonical, and others are read as a player's input.
    """

    variants: list[str]
    moves: list[str]
    started: clock.Stamp
    version: str | None = None
    is_record: bool = False
    scores: list[Any] | None = None
    winner: list[int] | None = None
    results: dict[int, Any] = field(default_factory=dict)

    @property
    def loser(self) -> int | None:
        """The seat that the results tell to have lost, None where they do not tell."""
        winner = self.winner or []
        return 3 - winner[0] if len(winner) == 1 else None


def parse_game_record(game: AnyGame, found: Mapping[str, Any], started: clock.Stamp) -> Source:
    """Return the game of a record.

    Raises ValueError (or a kin of it) when it is none, UnknownVariant or UnsupportedEngine.
    """
    header = found["header"]
    named = header["game"]["name"]
    if named not in (game.info.name, game.info.uid):
        raise ValueError("it is of another game")
    version = _parse_record_engine(game.info, header)
    uids = _parse_record_variants(game.info, header["game"].get("variants") or [])
    players = header["players"]
    if not isinstance(players, list) or len(players) != 2:
        raise ValueError("it needs two players")
    start = header.get("date-start")
    moves, results = _flatten_record_rounds(found["moves"])
    if len(moves) > limits.LAST_PLY:
        raise ValueError(f"it has more than {limits.LAST_PLY} moves")
    return Source(
        uids,
        moves,
        start if clock.is_stamp(start) else started,
        version,
        True,
        [player.get("score") for player in players],
        _parse_record_winner([player.get("result") for player in players]),
        results,
    )


def _parse_record_engine(info: Info, header: Mapping[str, Any]) -> str | None:
    """Return the engine that a header names, beside the game's name or beside the game, if any."""
    found = None
    for where, place in (("/header/game", header["game"]), ("/header", header)):
        if (version := place.get("version")) is None:
            continue
        if (why := _find_engine_fault(info, version, found)) is not None:
            raise UnsupportedEngine(f"{where}/version", why)
        found = str(version)
    return found


def _find_engine_fault(info: Info, version: Any, found: str | None) -> str | None:
    """Return what is wrong with a version where another one may have been found, None if nothing.

    A number is told as such: what one reader takes for 20240909 is 20240909.0 to another.
    """
    if not isinstance(version, str):
        return f"an engine's version is a text, as {info.version!r}, and not {version!r:.50}"
    if found is not None and version != found:
        return f"two engines are named that contradict each other, {found} and {version}"
    if version not in info.versions:
        return f"engine {version} is not among {', '.join(info.versions)}"
    return None


def _parse_record_variants(info: Info, named: Sequence[Any]) -> list[str]:
    """Return variant uids, given as uids or as display names."""
    by_name = {variant.name: variant.uid for variant in info.variants}
    return variants.normalise_variant_uids(
        info, [by_name.get(name, name) for name in map(str, named)]
    )


def _parse_record_winner(results: Sequence[Any]) -> list[int] | None:
    """Return the seats with the highest result; of equal ones both, or none if it is 0."""
    if any(isinstance(one, bool) or not isinstance(one, int | float | None) for one in results):
        raise ValueError("a result must be a number")
    one, two = results
    if one is None or two is None:
        return None
    if one == two:
        return [1, 2] if one > 0 else []
    return [1] if one > two else [2]


def _flatten_record_rounds(rounds: Sequence[Any]) -> tuple[list[str], dict[int, Any]]:
    """Return the moves in order and, by ply, the results that some of them claim.

    A round holds texts, nulls or objects with `move`, `sequence` and `result`; a result that is a
    text is for human readers and claims nothing.  Raises ValueError or a kin of it.
    """
    if not isinstance(rounds, list):
        raise ValueError("moves must be an array of rounds")
    flat = [one for moves in rounds for one in (moves if isinstance(moves, list) else [moves])]
    if all(type(one) is str for one in flat):
        return flat, {}
    read = [one for moves in rounds for one in _parse_record_round(moves)]
    results = {ply: result for ply, (_, result) in enumerate(read, 1) if isinstance(result, list)}
    return [move for move, _ in read], results


def _parse_record_round(moves: Any) -> list[tuple[str, Any]]:
    """Return the moves of a round with their results, ordered by `sequence` where all have one."""
    given = [one for one in (moves if isinstance(moves, list) else [moves]) if one is not None]
    objects = [one if isinstance(one, dict) else {"move": one} for one in given]
    for one in objects:
        if not isinstance(one["move"], str):
            raise ValueError("a move must be a text")
        if not isinstance(one.get("result"), list | str | None):
            raise ValueError("a move's result must be a text or an array")
    if objects and all(type(one.get("sequence")) is int for one in objects):
        objects.sort(key=lambda one: int(one["sequence"]))
    return [(one["move"], one.get("result")) for one in objects]
