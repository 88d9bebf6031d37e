"""What many games tell of a game: who wins, how long they are, what decides them.

    python -m plyhost.arena.findings records.jsonl

Reads the records that the arena writes, plays them again, and prints one object.  Shares stand with
their 95 % intervals.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import Any, TextIO, TypeAlias

import click
import orjson

from plyhost.arena.elo import bound_share
from plyhost.contract.record_reading import parse_game_record
from plyhost.contract.records import play_source
from plyhost.games.congeners.position import SECOND
from plyhost.games.game import AnyGame, Unsettled
from plyhost.games.registry import load_games
from plyhost.states.clock import get_current_stamp
from plyhost.states.steps import Step

Steps: TypeAlias = Sequence[Step]
Findings: TypeAlias = dict[str, Any]

#: Parts of a game's length at which it is asked who would win by agreement.
PARTS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


def find_share(truths: Iterable[bool]) -> Findings:
    """Return how many of some truths hold, the share, and its interval; None for none."""
    held = list(truths)
    if not held:
        return {"of": 0, "share": None, "interval": None}
    share = sum(held) / len(held)
    interval = [round(bound, 3) for bound in bound_share(share, len(held))]
    return {"of": len(held), "share": round(share, 3), "interval": interval}


def find_spread(numbers: Iterable[int]) -> Findings:
    """Return the least, the median, the mean and the most of one or more numbers."""
    held = sorted(numbers)
    mean = round(sum(held) / len(held), 1)
    return {"least": held[0], "median": median(held), "mean": mean, "most": held[-1]}


def read_played_games(file: Iterable[str]) -> Iterator[tuple[AnyGame, Steps]]:
    """Yield each record's game and its steps; raises ValueError for one that does not come out."""
    by_name = {game.info.name: game for game in load_games().values()}
    for line in file:
        record = orjson.loads(line)
        game = by_name[record["header"]["game"]["name"]]
        verdict, steps = play_source(game, parse_game_record(game, record, get_current_stamp()))
        if not verdict["ok"]:
            raise ValueError(f"a record does not come out: {verdict['message']}")
        yield game, steps


def find_common(game: AnyGame, games: Sequence[Steps]) -> Findings:
    """Return what is asked of any game."""
    ends = [steps[-1] for steps in games]
    running = [step for steps in games for step in steps if not step.is_over]
    return {
        "game": game.info.uid,
        "games": len(games),
        "first_seat_wins": find_share(end.winner == [1] for end in ends),
        "draws": find_share(len(end.winner or ()) != 1 for end in ends),
        "ends": Counter("rules" if end.move is not None else end.text for end in ends),
        "plies": find_spread(len(steps) - 1 for steps in games),
        "legal_moves": find_spread(game.count(step.position) for step in running),
    }


def find_agreement(game: AnyGame, games: Sequence[Steps]) -> Findings:
    """Return how often an agreed end names the winner of playing on, by the part played (C8).

    `settled_from` is the part of each game after which it always did.
    """
    found, firm = dict[str, Any](), list[int]()
    named = [[_is_winner_named(game, step, steps[-1]) for step in steps] for steps in games]
    for part in PARTS:
        found[f"{part:.0%}"] = find_share(truths[int(part * (len(truths) - 1))] for truths in named)
    for truths in named:
        last = max((at for at, truth in enumerate(truths) if not truth), default=-1)
        firm.append(round(100 * (last + 1) / len(truths)))
    return {"agreed_end_names_the_winner": found, "percent_until_it_always_does": find_spread(firm)}


def _is_winner_named(game: AnyGame, step: Step, end: Step) -> bool:
    try:
        return game.settled(step.position) == end.winner
    except Unsettled:
        return False


def find_congeners_ways(game: AnyGame, games: Sequence[Steps]) -> Findings:
    """Return what is asked of Congeners alone: the pie, and what decides (G3, G7 to G9)."""
    seconds = [steps[2].text == SECOND for steps in games]
    black = [(steps[-1].winner, steps[2].position.black) for steps in games]  # type: ignore[attr-defined]
    places = [steps[-1].position.facts.deciding for steps in games]  # type: ignore[attr-defined]
    return {
        "chooser_says_play_second": find_share(seconds),
        "black_wins": find_share(winner == [seat] for winner, seat in black),
        "decided_by": Counter(place.by for place in places),
        "deciding_size": Counter(str(place.size) for place in places if place.size),
        "passes": find_share(step.text == "pass" for steps in games for step in steps[1:]),
    }


def find_all(games: Sequence[Steps], game: AnyGame) -> Findings:
    """Return what the games of one game tell."""
    found = find_common(game, games)
    if game.info.uid == "control":
        found |= find_agreement(game, games)
    if game.info.uid == "congeners":
        found |= find_congeners_ways(game, games)
    return found


@click.command(help=(__doc__ or "").replace("`", ""))
@click.argument("records", type=click.File())
def print_findings(records: TextIO) -> None:
    """Run the command."""
    by_game: dict[str, tuple[AnyGame, list[Steps]]] = {}
    for game, steps in read_played_games(records):
        by_game.setdefault(game.info.uid, (game, []))[1].append(steps)
    for game, games in by_game.values():
        click.echo(orjson.dumps(find_all(games, game), option=orjson.OPT_INDENT_2))


if __name__ == "__main__":
    print_findings(prog_name="python -m plyhost.arena.findings")
