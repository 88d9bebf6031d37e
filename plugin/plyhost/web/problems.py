"""Errors as problems over HTTP: the one place where an error becomes a status."""

from collections.abc import Callable

from flask import Response, request
from werkzeug.exceptions import HTTPException

from plyhost import errors
from plyhost.deadline import Overdue
from plyhost.errors import PlyhostError
from plyhost.web.gates.room import body_too_large
from plyhost.web.middleware import CALL, Call
from plyhost.web.problem_json import PROBLEM, dump_problem
from plyhost.web.service import Service

STATUS: dict[type[PlyhostError], int] = {
    errors.NotJson: 400,
    errors.UnsupportedMediaType: 415,
    errors.NotAcceptable: 406,
    errors.TooLarge: 413,
    errors.UriTooLong: 414,
    errors.HeadersTooLarge: 431,
    errors.Misdirected: 421,
    errors.InvalidRequest: 422,
    errors.UnknownGame: 404,
    errors.NotFound: 404,
    errors.MethodNotAllowed: 405,
    errors.IdempotencyMismatch: 422,
    errors.IdempotencyInProgress: 409,
    errors.Unauthorized: 401,
    errors.RateLimited: 429,
    errors.NotOffered: 404,
    errors.Busy: 503,
    errors.UnknownVariant: 422,
    errors.InvalidState: 422,
    errors.UnsupportedEngine: 422,
    errors.NotConvertible: 422,
    errors.StalePly: 409,
    errors.GameOver: 409,
    errors.NotYourTurn: 409,
    errors.NotRepeated: 409,
    errors.NotSettleable: 409,
    errors.NotOver: 409,
    errors.IllegalMove: 422,
    errors.TimedOut: 503,
    errors.Internal: 500,
}


def make_error_handler(parts: Service) -> Callable[[Exception], Response]:
    """Return what makes a problem of an error."""

    def refuse(error: Exception) -> Response:
        call: Call = request.environ[CALL]
        known = _identify_error(error, call)
        if isinstance(known, errors.Internal):
            parts.log.error("broke", request_id=call.request_id, exc_info=error)
        call.code = known.code
        return _make_problem_response(known)

    return refuse


def _make_problem_response(known: PlyhostError) -> Response:
    status = STATUS[type(known)]
    return Response(
        dump_problem(known, status), status, _list_problem_headers(known), content_type=PROBLEM
    )


def _list_problem_headers(known: PlyhostError) -> dict[str, str]:
    if isinstance(known, errors.MethodNotAllowed):
        return {"Allow": known.params["allow"]}
    if isinstance(known, errors.RateLimited | errors.Busy):
        return {"Retry-After": str(known.params["retry_after"])}
    return {"WWW-Authenticate": "Bearer"} if isinstance(known, errors.Unauthorized) else {}


def _identify_error(error: Exception, call: Call) -> PlyhostError:
    if isinstance(error, PlyhostError):
        return error
    if isinstance(error, Overdue):
        return errors.TimedOut(call.request_id)
    found = _convert_http_error(error) if isinstance(error, HTTPException) else None
    return found or errors.Internal(call.request_id)


def _convert_http_error(error: HTTPException) -> PlyhostError | None:
    """Return the error that one of the framework is, None for one that only a fault explains."""
    if error.code == 404:
        return errors.NotFound()
    if error.code == 405:
        # A set: sorted, or every worker would name them in an order of its own.
        allowed = sorted(getattr(error, "valid_methods", None) or ())
        return errors.MethodNotAllowed(allow=", ".join(allowed))
    if error.code == 413:
        return body_too_large()
    if error.code == 400:
        return errors.NotJson(why="The request cannot be read.")
    if error.code is not None and 400 < error.code < 500:
        return errors.InvalidRequest({"_schema": [f"{error.name}."]})
    return None
