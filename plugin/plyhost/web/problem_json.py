"""A problem as JSON, for whatever answers one, and the one table of the statuses that errors have.

The 2018 contract knows no problems: what it refuses is a 400 (`plyhost.web.legacy_routes`).
"""

import orjson

from plyhost import errors
from plyhost.errors import PlyhostError
from plyhost.web.get_routes import doc_pages

PROBLEM = "application/problem+json"


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


def dump_problem(known: PlyhostError) -> bytes:
    """Return the JSON of an error as a problem."""
    about = {
        "type": f"{doc_pages.ERRORS}#{known.code}",
        **known.body(),
        "status": STATUS[type(known)],
    }
    return orjson.dumps(about)
