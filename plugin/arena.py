"""The arena: two players meet in many games, and what comes of it can be repeated by anyone.

    python -m plugin.arena control --a level=4 --b level=3 --games 200

A game is a line of JSON on standard output, or in a file; the last line is the summary.  Players
swap seats after each game.  The same call plays the same games, as long as nobody is given seconds
to think.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from multiprocessing import get_context
from os import cpu_count
from random import Random
from typing import Any, NamedTuple, TextIO

import click
import orjson
from rich.console import Console
from rich.progress import track

from plugin import archive, clock, codec, history, registry, variants
from plugin.errors import PlyhostError
from plugin.history import ENOUGH_REPETITIONS, AnyGame, Step
from plugin.search.elo import estimate_score
from plugin.search.players import Player, parse_player

#: Plies after which a game is broken off as a draw.
LONGEST = 1000


class Match(NamedTuple):
    """What is played: players as `parse_player` takes them; the first `opening` plies by lot.

    Two games that follow each other have the same opening.
    """

    uid: str
    variants: tuple[str, ...]
    a: str
    b: str
    seed: int = 0
    opening: int = 0


def play_match_game(match: Match, number: int) -> dict[str, Any]:
    """Return what came of a game: who sat where, who won, and its record."""
    game, a_seat = registry.game(match.uid), 1 + number % 2
    players = [parse_player(match.a), parse_player(match.b)][:: 3 - 2 * a_seat]
    names = [match.a, match.b][:: 3 - 2 * a_seat]
    start = codec.start(game, list(match.variants), "compact", clock.now())
    steps = list(_continue_game(game, start.last, players, match, number))
    state = start.with_steps(steps)
    told = {"site": "arena", "gameid": str(number), "players": [{"name": one} for one in names]}
    winner = state.last.winner or []
    return {
        "number": number,
        "a_seat": a_seat,
        "winner": winner,
        "score": 0.5 if len(winner) != 1 else float(winner[0] == a_seat),
        "plies": sum(step.move is not None for step in steps),
        "end": steps[-1].text if steps[-1].move is None else "rules",
        "record": archive.record(state, [start.last, *steps], told),
    }


def _continue_game(
    game: AnyGame, step: Step, players: list[Player], match: Match, number: int
) -> Iterator[Step]:
    """Yield the steps of a game up to its end."""
    lots, luck = Random(f"{match.seed}/{number // 2}"), Random(f"{match.seed}:{number}")
    stood: Counter[Any] = Counter()
    opening, players = parse_player("random"), list(players)
    while not step.is_over:
        position = step.position
        stood[position] += 1
        if stood[position] > ENOUGH_REPETITIONS or step.ply >= LONGEST:
            how = "repetition" if stood[position] > ENOUGH_REPETITIONS else "draw"
            step = history.ending(game, step, how, None, step.timestamp)
        elif step.ply < match.opening:
            step = history.move(game, step, opening(game, position, lots), step.timestamp)
        else:
            made = players[position.seat - 1](game, position, luck)
            if not game.allows(position, made):
                raise AssertionError(f"{made} is not legal in {position}")
            step = history.move(game, step, made, step.timestamp)
        yield step


def play_match(match: Match, games: int, cores: int) -> Iterator[dict[str, Any]]:
    """Yield what came of each game, in order."""
    play = partial(play_match_game, match)
    if cores == 1:
        yield from map(play, range(games))
        return
    with get_context("spawn").Pool(cores) as pool:
        yield from pool.imap(play, range(games))


def sum_up_match(match: Match, played: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the score of player A, from 0 to 1, and the difference in Elo, with intervals."""
    games = list(played)
    scores = [one["score"] for one in games]
    firsts = [float(one["winner"] == [1]) + (len(one["winner"]) != 1) / 2 for one in games]
    lengths = sorted(one["plies"] for one in games)
    return {
        **match._asdict(),
        "games": len(games),
        "wins": scores.count(1.0),
        "draws": scores.count(0.5),
        **estimate_score(scores),
        "first_seat": estimate_score(firsts)["score"],
        "plies": {"least": lengths[0], "median": lengths[len(lengths) // 2], "most": lengths[-1]},
        "ends": dict(Counter(one["end"] for one in games)),
    }


def _check_call(match: Match) -> None:
    try:
        variants.chosen(registry.game(match.uid).info, match.variants)
        for player in (match.a, match.b):
            parse_player(player)
    except (PlyhostError, ValueError) as error:
        raise click.UsageError(getattr(error, "detail", None) or str(error)) from error


def _print_line(file: TextIO, told: Any) -> None:
    file.write(orjson.dumps(told).decode() + "\n")
    file.flush()


@click.command(help=__doc__)
@click.argument("uid", metavar="GAME")
@click.option("--variant", "variants", multiple=True, help="A variant's uid.")
@click.option("--a", required=True, help="A player: random, greedy, level=4, visits=200, ...")
@click.option("--b", required=True, help="The other one.")
@click.option("--games", default=100, show_default=True, type=click.IntRange(1))
@click.option("--cores", default=cpu_count() or 1, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=0, show_default=True)
@click.option("--opening", default=0, help="Plies by lot that two games have in common.")
@click.option("--records", type=click.File("w"), help="Write the records, for `plyhost replay`.")
@click.option("--out", type=click.File("w"), default="-", help="Write the results.")
def main(games: int, cores: int, records: TextIO | None, out: TextIO, **asked: Any) -> None:
    """Run the command."""
    match = Match(**asked)
    _check_call(match)
    results, console = [], Console(stderr=True)
    for told in track(play_match(match, games, cores), "Playing", games, console=console):
        record = told.pop("record")
        if records:
            _print_line(records, record)
        _print_line(out, told)
        results.append(told)
    summary = sum_up_match(match, results)
    _print_line(out, summary)
    if out is not sys.stdout:
        _print_line(sys.stdout, summary)


if __name__ == "__main__":
    main()
