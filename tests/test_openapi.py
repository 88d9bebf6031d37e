"""The OpenAPI document holds: every answer has a documented status, type and shape."""

import schemathesis
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator

from plugin.app import create
from schemas.openapi import document

schema = schemathesis.openapi.from_wsgi("/openapi.json", create())


@schema.parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_answers_are_as_documented(case: schemathesis.Case) -> None:
    case.call_and_validate()


def test_every_schema_is_a_schema() -> None:
    for shape in document()["components"]["schemas"].values():
        Draft202012Validator.check_schema(shape)
