"""The body of the request that is answered, read at most once."""

from flask import request

from plyhost.web.middleware import Call


def read_body(call: Call) -> bytes:
    """Return the whole body; raises TooLarge, NotJson or Overdue as `Stay.read_body` does."""
    if call.body is None:
        call.body = call.ticket.read_body(request.environ, request.content_length)
    return call.body
