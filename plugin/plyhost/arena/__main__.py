"""Let two players meet in many games, and say how much stronger the first one is.

Each game is a line of JSON; the last line is the summary, with the score of player A from 0 to 1,
the difference in Elo, and 95 % intervals of both.  The same call plays the same games, as long as
nobody is given seconds to think.

Players are `random`, `greedy` (looks one move ahead), `level=4`, `level=6,seconds=1`,
`visits=200`, or `visits=200,plain` (knows nothing but the rules).
"""

from collections import Counter
from os import cpu_count
from typing import Any, TextIO

import click
import orjson
from rich.console import Console
from rich.progress import track

from plyhost.arena.elo import estimate_score
from plyhost.arena.match import Match, Played, play_matches
from plyhost.errors import PlyhostError
from plyhost.games.registry import find_game
from plyhost.games.variants import normalise_variant_uids
from plyhost.search.players import parse_player


def sum_up_match(match: Match, games: list[Played]) -> dict[str, Any]:
    """Return what came of a match, games counted for A and for the first seat."""
    firsts = [one["score"] if one["a_seat"] == 1 else 1 - one["score"] for one in games]
    lengths = sorted(one["plies"] for one in games)
    return {
        **match._asdict(),
        "games": len(games),
        "draws": sum(one["score"] == 0.5 for one in games),
        **estimate_score([one["score"] for one in games]),
        "first_seat": estimate_score(firsts),
        "plies": {"least": lengths[0], "median": lengths[len(lengths) // 2], "most": lengths[-1]},
        "ends": Counter(one["end"] for one in games),
    }


def check_match(match: Match) -> None:
    """Refuse a match that cannot be played; raises click.UsageError."""
    try:
        normalise_variant_uids(find_game(match.uid).info, match.variants)
        parse_player(match.a), parse_player(match.b)
    except PlyhostError as error:
        raise click.UsageError(error.detail) from error
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def print_json_line(file: TextIO, told: Any) -> None:
    """Write a line at once, so that what was played is kept if the rest is not."""
    file.write(orjson.dumps(told).decode() + "\n")
    file.flush()


@click.command(help=(__doc__ or "").replace("`", ""))
@click.argument("uid", metavar="GAME")
@click.option("--variant", "variants", multiple=True, help="A variant's uid.")
@click.option("--a", required=True, help="A player.")
@click.option("--b", required=True, help="The other one.")
@click.option("--games", default=100, show_default=True, type=click.IntRange(1))
@click.option("--cores", default=cpu_count() or 1, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=0, show_default=True)
@click.option("--opening", default=0, help="Plies by lot that each two games have in common.")
@click.option("--records", type=click.File("w"), help="Write records, for `plyhost replay`.")
@click.option("--out", type=click.File("w"), default="-", help="Write the lines to a file.")
def run_arena(games: int, cores: int, records: TextIO | None, out: TextIO, **asked: Any) -> None:
    """Run the command."""
    match, played, console = Match(**asked), [], Console(stderr=True)
    check_match(match)
    for told in track(play_matches(match, games, cores), "Playing", games, console=console):
        if records:
            print_json_line(records, told["record"])
        played.append({name: value for name, value in told.items() if name != "record"})
        print_json_line(out, played[-1])
    print_json_line(out, sum_up_match(match, played))


if __name__ == "__main__":
    run_arena(prog_name="python -m plyhost.arena")
