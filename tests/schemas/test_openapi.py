"""The OpenAPI document holds: every answer has a documented status, type and shape."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from plyhost.games import registry
from plyhost.schemas import examples, links
from plyhost.schemas.openapi import build_openapi_document
from plyhost.schemas.requests import REQUESTS
from tests.conftest import sent
from tests.tools.fuzz_openapi import Seen, loaded, run, unanswered
from tests.tools.vectors import read

UIDS = tuple(registry.load_games())


def fuzzed(app: Flask, examples: int, *phases: str) -> Seen:
    return run(loaded(app, examples, 1, phases))


@pytest.mark.long
def test_answers_are_as_documented_and_no_call_is_always_refused(app: Flask) -> None:
    seen = fuzzed(app, 25, "examples", "coverage", "fuzzing")
    assert not seen.wrong, seen.wrong[0]
    # The others have no example, and chance decides what they are asked for in so short a run.
    assert not {one for one in unanswered(seen) if one.split()[0] in REQUESTS}


@pytest.mark.long
def test_links_lead_from_call_to_call(app: Flask) -> None:
    """Links that no walk could follow would let the test pass with nothing looked at."""
    seen = fuzzed(app, 60, "stateful")
    assert not seen.wrong, seen.wrong[0]
    assert seen.followed.total() > 10
    assert sum(seen.followed[name] for name in links.STATES) > 0


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("operation", REQUESTS)
def test_every_example_is_answered(uid: str, operation: str, client: FlaskClient) -> None:
    response = sent(client, operation, examples.make_example_bodies(uid)[operation], uid)
    assert response.status_code == 200, response.text


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("operation", REQUESTS)
def test_every_link_carries_what_the_next_call_takes(
    uid: str, operation: str, client: FlaskClient
) -> None:
    asked = examples.make_example_bodies(uid)[operation]
    answer = read(sent(client, operation, asked, uid).data)
    for target, link in links.list_operation_links(operation).items():
        fields = {
            name: found(asked, answer, source)
            for name, source in links.list_link_components()[named(link)]["requestBody"].items()
        }
        own = {} if target == "replay" else examples.make_example_bodies(uid)[target]
        response = sent(client, target, own | fields, uid)
        # The example's own move or ply may not fit a state that has gone on.
        assert response.status_code in (200, 409, 422), response.text
        assert b"invalid-state" not in response.data, response.text
        assert target != "replay" or response.status_code == 200


def named(link: dict[str, Any]) -> str:
    return str(link["$ref"].removeprefix("#/components/links/"))


def found(asked: Any, answer: Any, source: str) -> Any:
    """Return what a runtime expression of ours stands for."""
    where, _, pointer = source.partition("#")
    value = {"$request.body": asked, "$response.body": answer}[where]
    for key in pointer.split("/")[1:]:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def test_every_schema_is_a_schema() -> None:
    for shape in build_openapi_document()["components"]["schemas"].values():
        Draft202012Validator.check_schema(shape)
