"""Reading a game record: variants by any of their names, rounds of moves, what its header claims.

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

#: The site whose engine wrote the states that ours are interchangeable with.
REFERENCE_SITE = "Abstract Play"


class NotRecord(ValueError):
    """What is no game record: `where` names the field, `why` is a sentence."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where, self.why = where, why


@dataclass
class Source:
    """A game to replay: `scores` and `winner` are None where nothing is claimed.

    `version` is the engine that is named, whose stored texts are read as it wrote them.  Without
    one, a record's texts must be canonical, and others are read as a player's input; but where site
    and date tell that `site_version` wrote a record, what is not canonical is read as that did, and
    `read_as` says so.  `is_even` tells a claim of equal results of zero, a draw or no winner.
    """

    variants: list[str]
    moves: list[str]
    started: clock.Stamp
    version: str | None = None
    is_record: bool = False
    scores: list[Any] | None = None
    winner: list[int] | None = None
    results: dict[int, Any] = field(default_factory=dict)
    is_even: bool = False
    site_version: str | None = None
    read_as: str | None = None

    @property
    def loser(self) -> int | None:
        """The seat that the results tell to have lost, None where they do not tell."""
        winner = self.winner or []
        return 3 - winner[0] if len(winner) == 1 else None


def parse_game_record(game: AnyGame, found: Any, started: clock.Stamp) -> Source:
    """Return the game of a record; raises NotRecord, UnknownVariant or UnsupportedEngine."""
    record, header, about = _open_record(found)
    if about.get("name") not in (game.info.name, game.info.uid):
        raise NotRecord("header.game.name", f"must be {game.info.name}")
    version = _parse_record_engine(game.info, header, about)
    uids = _parse_record_variants(game.info, about.get("variants"))
    players = _parse_record_players(header.get("players"))
    start: Any = header.get("date-start")
    moves, results = _flatten_record_rounds(record.get("moves"))
    if len(moves) > limits.LAST_PLY:
        raise NotRecord("moves", f"must be at most {limits.LAST_PLY}")
    given = [_expect_result(one.get("result")) for one in players]
    return Source(
        uids,
        moves,
        start if clock.is_stamp(start) else started,
        version,
        is_record=True,
        scores=[player.get("score") for player in players],
        winner=_parse_record_winner(given),
        results=results,
        is_even=None not in given and given[0] == given[1] and given[0] <= 0,
        site_version=None if version else _find_site_engine(game.info, header),
    )


def read_record_game(found: Any) -> Any:
    """Return what a record calls its game; raises NotRecord."""
    return _open_record(found)[2].get("name")


def _open_record(found: Any) -> tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any]]:
    """Return a record, its header, and what that tells of the game."""
    record = _expect_object(found, "record")
    header = _expect_object(record.get("header"), "header")
    return record, header, _expect_object(header.get("game"), "header.game")


def _expect_object(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise NotRecord(where, "must be an object")
    return value


def _parse_record_players(found: Any) -> list[Mapping[str, Any]]:
    if not isinstance(found, list) or len(found) != 2:
        raise NotRecord("header.players", "must be an array of two")
    return [_expect_object(one, f"header.players.{at}") for at, one in enumerate(found)]


def _expect_result(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float | None):
        raise NotRecord("header.players", "a result must be a number")
    return value


def _parse_record_engine(
    info: Info, header: Mapping[str, Any], about: Mapping[str, Any]
) -> str | None:
    """Return the engine that a header names, beside the game's name or beside the game, if any."""
    found = None
    for where, place in (("/header/game", about), ("/header", header)):
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


def _find_site_engine(info: Info, header: Mapping[str, Any]) -> str | None:
    """Return the engine that the reference site had when a game was played, if its header tells.

    Engines are named by the day from which they wrote.
    """
    site, end = header.get("site"), header.get("date-end")
    if not isinstance(site, dict) or site.get("name") != REFERENCE_SITE:
        return None
    day = end[:10].replace("-", "") if isinstance(end, str) else ""
    return max((one for one in info.versions if one <= day), default=None)


def _parse_record_variants(info: Info, named: Any) -> list[str]:
    """Return variant uids, given by any of their names."""
    if named is None:
        return []
    if not isinstance(named, list):
        raise NotRecord("header.game.variants", "must be an array")
    return variants.normalise_variant_uids(info, variants.resolve_variant_names(info, named))


def _parse_record_winner(results: Sequence[Any]) -> list[int] | None:
    """Return the seats with the highest result; of equal ones both, or none if it is 0."""
    one, two = results
    if one is None or two is None:
        return None
    if one == two:
        return [1, 2] if one > 0 else []
    return [1] if one > two else [2]


def _flatten_record_rounds(rounds: Any) -> tuple[list[str], dict[int, Any]]:
    """Return the moves in order and, by ply, the results that some of them claim.

    A round holds texts, nulls or objects with `move`, `sequence` and `result`; a result that is a
    text is for human readers and claims nothing.  Raises NotRecord.
    """
    if not isinstance(rounds, list):
        raise NotRecord("moves", "must be an array of rounds")
    flat = [one for moves in rounds for one in (moves if isinstance(moves, list) else [moves])]
    if all(type(one) is str for one in flat):
        return flat, {}
    read = [one for at, moves in enumerate(rounds) for one in _parse_record_round(moves, at)]
    results = {ply: result for ply, (_, result) in enumerate(read, 1) if isinstance(result, list)}
    return [move for move, _ in read], results


def _parse_record_round(moves: Any, at: int) -> list[tuple[str, Any]]:
    """Return the moves of a round with their results, ordered by `sequence` where all have one."""
    where = f"moves.{at}"
    given = [one for one in (moves if isinstance(moves, list) else [moves]) if one is not None]
    objects = [one if isinstance(one, dict) else {"move": one} for one in given]
    for one in objects:
        if not isinstance(one.get("move"), str):
            raise NotRecord(where, "a move must be a text")
        if not isinstance(one.get("result"), list | str | None):
            raise NotRecord(where, "a move's result must be a text or an array")
    if objects and all(type(one.get("sequence")) is int for one in objects):
        objects.sort(key=lambda one: int(one["sequence"]))
    return [(one["move"], one.get("result")) for one in objects]
