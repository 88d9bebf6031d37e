"""The OpenAPI document holds: every answer has a documented status, type and shape."""

import schemathesis
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator
from schemathesis.specs.openapi.checks import positive_data_acceptance

from plugin.app import create
from schemas.openapi import document

#: An address that is too long is refused as such, whatever else is wrong with it.
REFUSED = ["400", "404", "405", "406", "409", "413", "414", "415", "422"]
#: No schema can say which texts are states or moves, so what it lets through may be refused.
BEYOND_SCHEMAS = [positive_data_acceptance]

config = schemathesis.Config.from_dict(
    {"checks": {"negative_data_rejection": {"expected-statuses": REFUSED}}}
)
schema = schemathesis.openapi.from_wsgi("/openapi.json", create(), config=config)


@schema.parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_answers_are_as_documented(case: schemathesis.Case) -> None:
    case.call_and_validate(excluded_checks=BEYOND_SCHEMAS)


def test_every_schema_is_a_schema() -> None:
    for shape in document()["components"]["schemas"].values():
        Draft202012Validator.check_schema(shape)
