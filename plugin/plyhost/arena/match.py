"""Games of two players, who swap seats after each."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing import get_context
from random import Random
from typing import Any, NamedTuple, TypeAlias

from plyhost.contract.records import make_game_record
from plyhost.games.game import AnyGame
from plyhost.games.registry import find_game
from plyhost.search.players import Player, parse_player
from plyhost.search.thinking import draw_move
from plyhost.states.clock import get_current_stamp
from plyhost.states.forms import start_state
from plyhost.states.steps import ENOUGH_REPETITIONS, Step, make_ending_step, make_move_step

#: Plies after which a game is broken off as a draw.
LONGEST = 1000

#: What came of a game, as a line of JSON tells it.
Played: TypeAlias = dict[str, Any]


class Match(NamedTuple):
    """What is played: `a` and `b` are players as `parse_player` takes them.

    The first `opening` plies are drawn by lot, the same ones in two games that follow each other.
    """

    uid: str
    variants: tuple[str, ...]
    a: str
    b: str
    seed: int = 0
    opening: int = 0


class Game(NamedTuple):
    """One game of a match: who sits at seats 1 and 2, and the numbers that luck is drawn from."""

    rules: AnyGame
    players: Sequence[Player]
    opening: int
    lots: Random
    luck: Random

    def choose_move(self, step: Step) -> Any:
        """Return the next move."""
        position = step.position
        if step.ply < self.opening:
            return draw_move(self.rules, position, self.lots)
        move = self.players[position.seat - 1](self.rules, position, self.luck)
        if not self.rules.allows(position, move):
            raise AssertionError(f"{move} is not legal in {position}")
        return move


def play_matches(match: Match, games: int, cores: int) -> Iterator[Played]:
    """Yield what came of each game, in order."""
    play = partial(play_match_game, match)
    if cores == 1:
        yield from map(play, range(games))
        return
    with get_context("spawn").Pool(cores) as pool:
        yield from pool.imap(play, range(games))


def play_match_game(match: Match, number: int) -> Played:
    """Return what came of a game: who sat where, who won, and its record."""
    rules, a_seat = find_game(match.uid), 1 + number % 2
    names = [match.a, match.b] if a_seat == 1 else [match.b, match.a]
    lots, luck = Random(f"{match.seed}/{number // 2}"), Random(f"{match.seed}:{number}")
    game = Game(rules, [*map(parse_player, names)], match.opening, lots, luck)
    start = start_state(rules, match.variants, "compact", get_current_stamp())
    steps = list(continue_game(game, start.last))
    state = start.with_steps(steps)
    told = {"site": "arena", "gameid": str(number), "players": [{"name": one} for one in names]}
    winner = state.last.winner or []
    return {
        "number": number,
        "a_seat": a_seat,
        "winner": winner,
        "score": 0.5 if len(winner) != 1 else float(winner[0] == a_seat),
        "plies": sum(step.move is not None for step in steps),
        "end": "rules" if steps[-1].move is not None else steps[-1].text,
        "record": make_game_record(state, [start.last, *steps], told),
    }


def continue_game(game: Game, step: Step) -> Iterator[Step]:
    """Yield the steps from here to the end; a third repetition, or a very long game, is a draw."""
    stood: Counter[Any] = Counter()
    while not step.is_over:
        stood[step.position] += 1
        if stood[step.position] > ENOUGH_REPETITIONS or step.ply >= LONGEST:
            how = "repetition" if step.ply < LONGEST else "draw"
            step = make_ending_step(game.rules, step, how, None, step.timestamp)
        else:
            step = make_move_step(game.rules, step, game.choose_move(step), step.timestamp)
        yield step
