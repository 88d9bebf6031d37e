"""Everything that plyhost refuses, as one tree; each leaf has a stable code.

    PlyhostError
    +-- RequestError    the call itself: format, size, path, rights
    +-- StateError      the state, its variants or its engine
    +-- Conflict        the game stands otherwise than the caller thinks
    +-- IllegalMove     the move, with one reason of the game's closed list
    +-- ServiceError    ours

HTTP statuses are given in `plyhost.web.problem_json`.  `detail` is made from `params`.
Both are plain text, long strings of a request cut short; whoever puts them into a page, or into
anything else that has markup, escapes them there.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

Params = Mapping[str, Any]
LONGEST_QUOTE = 200


def cut_strings(value: Any) -> Any:
    """Return a value with its strings cut to a quotable length."""
    if isinstance(value, str):
        return value if len(value) <= LONGEST_QUOTE else value[: LONGEST_QUOTE - 1] + "…"
    if isinstance(value, Mapping):
        return {cut_strings(str(key)): cut_strings(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [cut_strings(entry) for entry in value]
    return value


def fill_sentence(template: str, params: Params) -> str:
    """Fill a message template with parameters, long ones cut short."""
    return template.format_map({name: cut_strings(value) for name, value in params.items()})


class PlyhostError(Exception):
    """The root: `code`, `title`, `detail`, `params` and `beside` make the body of a problem."""

    code: ClassVar[str]
    title: ClassVar[str]
    text: ClassVar[str] = "{why}"

    def __init__(self, beside: Params | None = None, /, **params: Any) -> None:
        super().__init__(self.code)
        self.params = params
        self.beside = dict(beside or {})

    @property
    def detail(self) -> str:
        """What went wrong, in a sentence."""
        return fill_sentence(self.text, self.params)

    def body(self) -> dict[str, Any]:
        """Return the members of the problem that do not depend on the transport."""
        told = {"detail": self.detail, "code": self.code, "params": cut_strings(self.params)}
        return {"title": self.title, **told, **cut_strings(self.beside)}


class RequestError(PlyhostError):
    """The call cannot be understood or is not allowed."""


class NotJson(RequestError):
    code, title = "not-json", "The body is not JSON"


class UnsupportedMediaType(RequestError):
    code, title = "unsupported-media-type", "Only application/json is read"
    text = "The content type must be application/json, not {found}."


class NotAcceptable(RequestError):
    code, title = "not-acceptable", "No acceptable form of answer"
    text = "This answer comes as {offered} only."


class TooLarge(RequestError):
    code, title = "too-large", "The request is too large"
    text = "{what} is over the limit of {limit}."


class UriTooLong(RequestError):
    code, title = "uri-too-long", "The address is too long"
    text = "The address is over the limit of {limit} bytes."


class HeadersTooLarge(RequestError):
    code, title = "headers-too-large", "A header is too long"
    text = "{what} is over the limit of {limit} characters."


class Misdirected(RequestError):
    code, title = "misdirected", "This service answers under other names"
    text = "There is no service named {host} here; PLYHOST_HOSTS adds names to localhost."


class InvalidRequest(RequestError):
    """`beside` carries `errors`: for each field (or `_schema`) a list of sentences."""

    code, title = "invalid-request", "The request has wrong or missing fields"
    text = "Look at these fields: {fields}."

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        names = ", ".join(sorted(map(str, errors)))
        super().__init__({"errors": errors}, fields=names)


class UnknownGame(RequestError):
    """`choices` are the uids of those that are."""

    code, title = "unknown-game", "No such game here"
    text = "There is no game {game} here, but these: {known}."

    def __init__(self, game: str, choices: Sequence[str]) -> None:
        super().__init__({"choices": list(choices)}, game=game, known=", ".join(choices))


class NotFound(RequestError):
    code, title = "not-found", "Nothing is there"
    text = "There is nothing at this address."


class MethodNotAllowed(RequestError):
    """`allow` lists the methods that the address takes."""

    code, title = "method-not-allowed", "This address takes another method"
    text = "This address takes {allow}."


class IdempotencyMismatch(RequestError):
    code, title = "idempotency-mismatch", "The key was used for another request"
    text = "This Idempotency-Key came before with another request."


class IdempotencyInProgress(RequestError):
    code, title = "idempotency-in-progress", "The first request with this key still runs"
    text = "The first request with this Idempotency-Key has not been answered yet."


class Unauthorized(RequestError):
    code, title = "unauthorized", "A valid key is needed"
    text = "Send a valid key as Authorization: Bearer."


class RateLimited(RequestError):
    code, title = "rate-limited", "Too many requests"
    text = "The limit is {limit}."


class NotOffered(RequestError):
    code, title = "not-offered", "This server makes no suggestions"
    text = "This server makes no suggestions."


class Busy(RequestError):
    code, title = "busy", "Too many suggestions are being thought about"
    text = "As many suggestions are being thought about as may be; ask again in {retry_after} s."


class StateError(PlyhostError):
    """The state (or what it is to become) is at fault; `where` names the place.

    `trace` says more of a place in the history: `ply`, `field`, `move`, `reason`, `expected` and
    `found`, as far as they are known; verdicts are made from it.
    """

    def __init__(self, where: str, why: str, **trace: Any) -> None:
        super().__init__({"where": where}, where=where or "state", why=why)
        self.trace = trace


class UnknownVariant(StateError):
    """`choices` are the uids of those that the game has, the default board's too."""

    code, title = "unknown-variant", "The game has no such variants"
    text = "{where}: {why}"

    def __init__(self, where: str, why: str, choices: Sequence[str] = (), **trace: Any) -> None:
        super().__init__(where, why, **trace)
        self.beside["choices"] = list(choices)


class InvalidState(StateError):
    code, title = "invalid-state", "The state is not one of this game"
    text = "{where}: {why}"


class UnsupportedEngine(StateError):
    code, title = "unsupported-engine", "The state is of an engine that is not known here"
    text = "{where}: {why}"


class NotConvertible(StateError):
    code, title = "not-convertible", "The state has no equal in that form"
    text = "{where}: {why}"


class Conflict(PlyhostError):
    """The game does not stand where the caller thinks: `ply` and `to_move` say where."""

    def __init__(self, ply: int, to_move: int | None, **params: Any) -> None:
        where = {"ply": ply, "to_move": to_move}
        super().__init__(where, **where, **params)


class StalePly(Conflict):
    code, title = "stale-ply", "The game is at another ply"
    text = "The game is at ply {ply}, not at {expected}."


class GameOver(Conflict):
    code, title = "game-over", "The game is over"
    text = "The game ended at ply {ply}."


class NotYourTurn(Conflict):
    code, title = "not-your-turn", "Another player is to move"
    text = "Seat {to_move} is to move, not seat {player}."


class NotRepeated(Conflict):
    code, title = "not-repeated", "The position does not stand for the third time"
    text = "The position stands for the {standing} time; a draw can be claimed from the third on."


class NotSettleable(Conflict):
    code, title = "not-settleable", "It is too early to settle"
    text = "There is nothing to compare yet."


class NotOver(Conflict):
    code, title = "not-over", "The game is not over"
    text = "The game still runs at ply {ply}."


class IllegalMove(PlyhostError):
    """`reason` is one of the game's closed list; `why` is the game's own sentence for it."""

    code, title = "illegal-move", "The move is not legal"

    def __init__(self, move: str, ply: int, reason: str, why: str, params: Params) -> None:
        super().__init__({"move": move, "ply": ply, "reason": reason}, **params)
        self.why = why

    @property
    def detail(self) -> str:
        """The game's sentence for the reason."""
        return fill_sentence(self.why, self.params)


class ServiceError(PlyhostError):
    """Ours: `request_id` finds it in the log; nothing of the inside is told."""

    def __init__(self, request_id: str) -> None:
        super().__init__({"request_id": request_id}, request_id=request_id)


class TimedOut(ServiceError):
    code, title = "timed-out", "The request took too long"
    text = "The request took too long; nothing was changed."


class Internal(ServiceError):
    code, title = "internal", "Something broke here"
    text = "Something broke here; nothing was changed. Tell us request {request_id}."
