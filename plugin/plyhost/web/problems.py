"""Errors as problems over HTTP: any error becomes one of ours, and that a response."""

from collections.abc import Callable

from flask import Response, request
from werkzeug.exceptions import HTTPException

from plyhost import errors
from plyhost.deadline import Overdue
from plyhost.errors import PlyhostError
from plyhost.web.gates.admission import body_too_large
from plyhost.web.middleware import CALL, Call
from plyhost.web.problem_json import PROBLEM, STATUS, dump_problem
from plyhost.web.service import Service


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
    status, headers = STATUS[type(known)], _list_problem_headers(known)
    return Response(dump_problem(known), status, headers, content_type=PROBLEM)


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
