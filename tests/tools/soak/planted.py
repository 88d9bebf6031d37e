"""A service that breaks its promises, to see that a soak finds it; `run_server` takes it."""

import os
from itertools import count

from flask import Flask, Response

from plyhost.web.app import create_app as sound

#: One in so many answers is not as it should be; after so many the worker is gone.
WRONG, LAST = 20, 200


def create() -> Flask:
    """Return the application with its faults."""
    app, numbers = sound(), count(1)

    def spoil(answer: Response) -> Response:
        number = next(numbers)
        if number == LAST:
            os._exit(1)
        if number % WRONG == 0 and answer.is_json:
            # JSON readers would take it for the same answer.
            answer.data = answer.data.replace(b":", b": ", 1)
        return answer

    app.after_request(spoil)
    return app
