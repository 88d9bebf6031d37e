"""A problem as JSON, for whatever answers one."""

import orjson

from plyhost.errors import PlyhostError
from plyhost.web.get_routes import doc_pages

PROBLEM = "application/problem+json"


def dump_problem(known: PlyhostError, status: int) -> bytes:
    """Return the JSON of an error as a problem."""
    about = {"type": f"{doc_pages.ERRORS}#{known.code}", **known.body(), "status": status}
    return orjson.dumps(about)
