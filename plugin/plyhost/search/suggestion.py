"""A suggestion in words: what is asked of a position, and the answer as JSON has it.

A question can be put into another process as a line of bytes, and comes out the same.
"""

from dataclasses import asdict, dataclass, replace
from typing import Any, TypeAlias

import orjson

from plyhost.board.hexes import get_board
from plyhost.games.game import AnyGame, Position
from plyhost.games.registry import find_game
from plyhost.search.thinking import Effort, Thought, think_of_move, think_of_position

#: What a suggestion says, as an object.
Suggestion: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """What is asked: `limit` moves at most are told; `move` is a legal text to be judged, or None.

    A move to be judged takes half of the seconds, and as many visits again.
    """

    effort: Effort
    limit: int = 5
    move: str | None = None


def suggest_move(game: AnyGame, position: Position, question: Question) -> Suggestion:
    """Return the suggestion for a position whose game is not over; raises deadline.Overdue."""
    effort, analysis = question.effort, None
    if question.move is not None:
        effort = halve_seconds(effort)
        move = game.read(position, question.move)
        analysis = describe_thought(game, position, think_of_move(game, position, move, effort))
    thoughts = think_of_position(game, position, effort)
    best = thoughts.best[: question.limit]
    return {
        "move": game.text(position, thoughts.choice),
        "moves": [describe_thought(game, position, thought) for thought in best],
        "analysis": analysis,
        "visits": thoughts.visits,
        "stopped": thoughts.stopped,
    }


def halve_seconds(effort: Effort) -> Effort:
    """Return an effort with half of its seconds, where it has any."""
    halves = [one if one is None else one / 2 for one in (effort.seconds, effort.longest)]
    return replace(effort, seconds=halves[0], longest=halves[1])


def describe_thought(game: AnyGame, position: Position, thought: Thought) -> Suggestion:
    """Return a thought with its moves in notation."""
    line = []
    for move in thought.line:
        line.append(game.text(position, move))
        position = game.play(position, move)
    return {
        "move": line[0],
        "visits": thought.visits,
        "expected": round(thought.expected, 4),
        "proved": thought.proved,
        "line": line,
    }


def encode_question(
    game: AnyGame, position: Position, question: Question, seconds: float | None
) -> bytes:
    """Return a question on one line, with the seconds that it may take in all, None for ever."""
    one, two = position.stones
    return orjson.dumps(
        {
            "game": game.info.uid,
            "side": position.board.side,
            "stones": [f"{one:x}", f"{two:x}"],
            "seat": position.seat,
            "stored": game.stored(position),
            "effort": asdict(question.effort),
            "limit": question.limit,
            "move": question.move,
            "seconds": seconds,
        }
    )


def decode_question(line: bytes) -> tuple[AnyGame, Position, Question, float | None]:
    """Return what `encode_question` was given."""
    asked = orjson.loads(line)
    game, (one, two) = find_game(asked["game"]), asked["stones"]
    stones = int(one, 16), int(two, 16)
    position = game.restore(get_board(asked["side"]), stones, asked["seat"], asked["stored"])
    question = Question(Effort(**asked["effort"]), asked["limit"], asked["move"])
    return game, position, question, asked["seconds"]
