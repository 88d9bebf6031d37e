"""The service as tests call it: Flask's test client, and two ways to post to Control."""

from collections.abc import Callable
from typing import Any

import hypothesis
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from plyhost.web.app import STATUS, create_app
from plyhost.web.config import Settings
from tests.tools import vectors

# A red test means that the code is wrong, so nothing is left to chance: examples follow from a
# test's own text, what an earlier run kept is not read, and no example is too slow.
hypothesis.settings.register_profile(
    "suite",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("suite")

QUIET = Settings(log_level="error")
MEMBERS = {"type", "title", "status", "detail", "code", "params"}
#: Texts of the contract are plain: whoever writes HTML escapes them there.
HTML_ESCAPES = ("&lt;", "&gt;", "&amp;", "&quot;", "&#")
STATUSES = {error.code: status for error, status in STATUS.items()}

Answer = dict[str, Any]
Post = Callable[..., Answer]


def long(*values: Any) -> list[Any]:
    """Return values of a parameter, or tuples of several, whose tests take their time."""
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.long)
        for value in values
    ]


def problem(response: TestResponse, code: str) -> Answer:
    """Return the problem of a response, its shape and its status checked."""
    body: Answer = vectors.read(response.data)
    assert response.content_type == "application/problem+json"
    assert body["code"] == code, body["detail"]
    assert response.status_code == body["status"] == STATUSES[code]
    assert body.keys() >= MEMBERS
    assert all(isinstance(body[name], str) for name in MEMBERS - {"status", "params"})
    assert isinstance(body["params"], dict)
    assert not any(escape in response.text for escape in HTML_ESCAPES)
    return body


def sent(client: FlaskClient, operation: str, fields: Answer, uid: str = "control") -> TestResponse:
    """Post fields to an operation of a game; keys stay in their order."""
    return posted(client, operation, vectors.tight(fields).encode(), uid)


def posted(client: FlaskClient, operation: str, body: bytes, uid: str = "control") -> TestResponse:
    """Post a body to an operation of a game."""
    return client.post(f"/v1/games/{uid}/{operation}", data=body, content_type="application/json")


@pytest.fixture(scope="session")
def app() -> Flask:
    return create_app(QUIET)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def post(client: FlaskClient) -> Post:
    """Post to an operation of Control and return its answer."""

    def post(operation: str, **fields: Any) -> Answer:
        response = sent(client, operation, fields)
        assert response.status_code == 200, response.text
        assert response.content_type == "application/json"
        answer: Answer = vectors.read(response.data)
        return answer

    return post


@pytest.fixture
def refused(client: FlaskClient) -> Post:
    """Post to an operation of Control and return the problem, which must be of the code given."""

    def refused(operation: str, code: str, **fields: Any) -> Answer:
        return problem(sent(client, operation, fields), code)

    return refused
