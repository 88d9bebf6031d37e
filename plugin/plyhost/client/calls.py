"""Every call of contract 1 as a value, for `Client.ask` and `AsyncClient.ask` alike.

Fields that a request need not have are named in `plyhost.client.options`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar, Unpack
from urllib.parse import quote, urlencode

import msgspec

from plyhost.client import options as of
from plyhost.client.options import State
from plyhost.client.problem import Problem
from plyhost.client.views import ClickedText, GameView, GameViewAfterMove, ReplayedGame
from plyhost.schemas import answers
from plyhost.web.gates.access import sign_address

Answer = TypeVar("Answer")
Picture = Literal["picture.svg", "picture.png", "film.svg", "film.webp", "film.gif", "film.apng"]
Image = Literal["svg+xml", "png", "webp", "gif", "apng"]


@dataclass(frozen=True)
class Call(Generic[Answer]):
    """One request and the type of its answer; `bytes` for a picture."""

    path: str
    answer: type[Answer]
    body: Mapping[str, Any] | None = None
    accept: str = "application/json"
    named: tuple[str, str] = field(default=("", ""), compare=False)

    def read_answer(self, body: bytes) -> Answer:
        """Return what a body of status 200 says; raises `msgspec.DecodeError`."""
        if self.answer is bytes:
            return body  # type: ignore[return-value]
        return msgspec.json.decode(body, type=self.answer)

    def read_entry(self, entry: answers.BatchEntry) -> Answer:
        """Return this call's answer out of a batch; raises its `Problem`."""
        if entry.status != 200:
            raise Problem(entry.status, entry.problem or {})
        return msgspec.convert(entry.answer, self.answer)


def _call(game: str, operation: str, answer: type[Answer], **body: Any) -> Call[Answer]:
    path = f"/v1/games/{quote(game, safe='')}/{operation}"
    return Call(path, answer, body, named=(game, operation))


def describe_service() -> Call[answers.ServiceInfo]:
    """Ask what the server is."""
    return Call("/v1", answers.ServiceInfo)


def list_games() -> Call[answers.GameList]:
    """Ask for every game at hand."""
    return Call("/v1/games", answers.GameList)


def describe_game(game: str) -> Call[answers.GameInfo]:
    """Ask what a site shows of a game."""
    return Call(f"/v1/games/{quote(game, safe='')}", answers.GameInfo)


def check_health() -> Call[answers.Health]:
    """Ask whether the server answers."""
    return Call("/healthz", answers.Health)


def check_readiness() -> Call[answers.Readiness]:
    """Ask whether the server can do its work."""
    return Call("/readyz", answers.Readiness)


def new(game: str, **more: Unpack[of.NewOptions]) -> Call[GameView]:
    """Start a game."""
    return _call(game, "new", GameView, **more)


def move(
    game: str, state: State, move: str, **more: Unpack[of.MoveOptions]
) -> Call[GameViewAfterMove]:
    """Make a move."""
    return _call(game, "move", GameViewAfterMove, state=state, move=move, **more)


def plan(
    game: str, state: State, plan: of.Plan, **more: Unpack[of.PlanOptions]
) -> Call[answers.PlanVerdict]:
    """Have a plan of the waiting player judged."""
    return _call(game, "plan", answers.PlanVerdict, state=state, plan=plan, **more)


def moves(game: str, state: State, **more: Unpack[of.MovesOptions]) -> Call[answers.LegalMoves]:
    """Ask for legal moves."""
    return _call(game, "moves", answers.LegalMoves, state=state, **more)


def random(game: str, state: State, **more: Unpack[of.RandomOptions]) -> Call[answers.RandomMove]:
    """Ask for one of the legal moves."""
    return _call(game, "random", answers.RandomMove, state=state, **more)


def validate(
    game: str, state: State, move: str, **more: Unpack[of.ValidateOptions]
) -> Call[answers.MoveVerdict]:
    """Have a text judged."""
    return _call(game, "validate", answers.MoveVerdict, state=state, move=move, **more)


def click(game: str, state: State, **more: Unpack[of.ClickOptions]) -> Call[ClickedText]:
    """Have a click added to a text, and that judged; with `make` a completed move is made."""
    return _call(game, "click", ClickedText, state=state, **more)


def render(
    game: str, state: State, **more: Unpack[of.RenderOptions]
) -> Call[answers.RenderedBoards]:
    """Have boards drawn as render JSON."""
    return _call(game, "render", answers.RenderedBoards, state=state, **more)


def draw(game: str, state: State, image: Image, **more: Unpack[of.RenderOptions]) -> Call[bytes]:
    """Have a board drawn as a picture or film."""
    asked = _call(game, "render", bytes, state=state, **more)
    return Call(asked.path, bytes, asked.body, accept=f"image/{image}")


def end(game: str, state: State, how: of.Ending, **more: Unpack[of.EndOptions]) -> Call[GameView]:
    """End a game by other means than a move."""
    return _call(game, "end", GameView, state=state, how=how, **more)


def view(game: str, state: State, **more: Unpack[of.ViewOptions]) -> Call[GameView]:
    """See a game as it is."""
    return _call(game, "view", GameView, state=state, **more)


def at(game: str, state: State, ply: int, **more: Unpack[of.ViewOptions]) -> Call[GameView]:
    """See a game as it was at a ply; -1 is the last."""
    return _call(game, "at", GameView, state=state, ply=ply, **more)


def history(
    game: str, state: State, **more: Unpack[of.HistoryOptions]
) -> Call[answers.GameHistory]:
    """Ask for every ply, and the chat log."""
    return _call(game, "history", answers.GameHistory, state=state, **more)


def same(
    game: str, state: State, move: str, other: str, **more: Unpack[of.Checking]
) -> Call[answers.MoveComparison]:
    """Ask whether two texts are one move."""
    return _call(game, "same", answers.MoveComparison, state=state, move=move, other=other, **more)


def record(
    game: str,
    state: State,
    players: Sequence[Mapping[str, Any]],
    **more: Unpack[of.RecordOptions],
) -> Call[answers.RecordAnswer]:
    """Ask for a game's record."""
    fields = {name.replace("_", "-"): value for name, value in more.items()}
    return _call(game, "record", answers.RecordAnswer, state=state, players=players, **fields)


def replay(game: str, **more: Unpack[of.ReplayOptions]) -> Call[ReplayedGame]:
    """Have a record, or moves, played again."""
    return _call(game, "replay", ReplayedGame, **more)


def verify(game: str, state: State) -> Call[answers.GameVerdict]:
    """Have a state's whole history checked."""
    return _call(game, "verify", answers.GameVerdict, state=state)


def convert(
    game: str, state: State, form: answers.Form, **more: Unpack[of.ConvertOptions]
) -> Call[answers.ConvertedState]:
    """Ask for the same state in another form."""
    return _call(game, "convert", answers.ConvertedState, state=state, form=form, **more)


def suggest(game: str, state: State, **more: Unpack[of.SuggestOptions]) -> Call[answers.Suggestion]:
    """Ask for the best moves."""
    return _call(game, "suggest", answers.Suggestion, state=state, **more)


def batch(*calls: Call[Any]) -> Call[answers.BatchAnswers]:
    """Put up to 50 operations into one; each call's `read_entry` reads its own answer."""
    listed = [
        {"game": call.named[0], "operation": call.named[1], "body": call.body} for call in calls
    ]
    return Call("/v1/batch", answers.BatchAnswers, {"calls": listed})


def picture(game: str, kind: Picture, **query: str) -> Call[bytes]:
    """Ask for a picture by GET; `path` is its address, for pages and mails."""
    asked = f"/v1/games/{quote(game, safe='')}/{kind}"
    return Call(f"{asked}?{urlencode(query)}" if query else asked, bytes, accept="*/*")


def sign_picture(call: Call[bytes], secret: str, expires: int) -> Call[bytes]:
    """Return a picture's call with its signature; `expires` in seconds from 1970."""
    return Call(sign_address(secret, call.path, expires), bytes, accept=call.accept)
