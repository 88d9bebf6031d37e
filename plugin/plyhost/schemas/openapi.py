"""The OpenAPI document of contract version 1, made from the schemas."""

from functools import cache
from importlib.metadata import version
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin

from plyhost import limits
from plyhost.contract.picture_requests import FILMS, KINDS, STILLS
from plyhost.errors import PlyhostError
from plyhost.games import registry
from plyhost.schemas import answers, examples, links
from plyhost.schemas.fields import Moment, StateField
from plyhost.schemas.requests import FILM, PICTURE, REQUESTS

PROBLEM = "application/problem+json"
JSON = "application/json"

STATE: dict[str, Any] = {
    "description": "A state: an object (form full) or a text (the other forms).",
    "anyOf": [{"type": "object"}, {"type": "string"}],
}
BYTES: dict[str, Any] = {"type": "string", "format": "binary"}
#: The pictures that come by GET, and their kinds.
PICTURES = {
    **{f"picture.{ending}": (kind, PICTURE) for ending, kind in KINDS.items() if kind in STILLS},
    **{f"film.{ending}": (kind, FILM) for ending, kind in KINDS.items() if kind in FILMS},
}
#: What any call but those of health and documents may meet: no key, too many, too long, a fault.
ALWAYS = ("401", "429", "500", "503")
KEYED = ("/v1", "/v1/games", "/v1/games/{game}")
MOMENT = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"


IDEMPOTENCY_KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "The same request with the same key is answered once.",
    "schema": {
        "type": "string",
        "minLength": 1,
        "maxLength": limits.IDEMPOTENCY_KEY_CHARACTERS,
        "pattern": "^[ -~]+$",
    },
}


@cache
def build_openapi_document() -> dict[str, Any]:
    """Return the document as an object."""
    spec = APISpec(
        title="plyhost",
        version=version("plyhost"),
        openapi_version="3.1.0",
        plugins=[plugin := MarshmallowPlugin()],
        info={"description": "Contract version 1: a state and a move in, a new state out."},
        # Where no keys are configured none is needed.
        security=[{}, {"key": []}],
        components={"links": links.list_link_components()},
    )
    spec.components.security_scheme("key", {"type": "http", "scheme": "bearer"})
    converter: Any = plugin.converter
    converter.add_attribute_function(_describe_field)
    for path, page in answers.PAGES.items():
        spec.path(path=path, operations={"get": _describe_page_call(path, page)})
    for name, (kind, schema) in PICTURES.items():
        path = f"/v1/games/{{game}}/{name}"
        spec.path(path=path, operations={"get": _describe_picture_call(name, kind, schema)})
    for name in REQUESTS:
        spec.path(
            path=f"/v1/games/{{game}}/{name}", operations={"post": _describe_operation_call(name)}
        )
    found: dict[str, Any] = spec.to_dict()
    return found


def _describe_field(converter: Any, field: Any, **kwargs: Any) -> dict[str, Any]:
    if isinstance(field, StateField):
        return STATE
    if isinstance(field.parent, answers.Problem) and field.name == "code":
        return {"enum": list_error_codes()}
    return {"pattern": MOMENT} if isinstance(field, Moment) else {}


def _make_game_parameter() -> dict[str, Any]:
    return {
        "name": "game",
        "in": "path",
        "required": True,
        "description": "A game's uid.",
        "schema": {"type": "string", "enum": list(registry.load_games())},
        "examples": {uid: {"value": uid} for uid in registry.load_games()},
    }


def _describe_picture_call(name: str, kind: str, schema: Any) -> dict[str, Any]:
    statuses = ("404", "406", "409", "414", "422", *ALWAYS)
    return {
        "operationId": name.replace(".", "-"),
        "summary": (schema.__doc__ or "").split("\n")[0],
        "parameters": [_make_game_parameter(), {"in": "query", "schema": schema}],
        "responses": {
            "200": {"description": "The picture.", "content": {kind: {"schema": BYTES}}},
            "304": {"description": "The caller has this picture."},
            **{status: _describe_problem_answer(status) for status in statuses},
        },
    }


def _describe_page_call(path: str, answer: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "operationId": type(answer).__name__.lower(),
        "summary": _read_schema_summary(answer),
        "responses": {
            "200": _describe_content("As asked.", answer, JSON),
            "406": _describe_problem_answer("406"),
        },
    }
    if path in KEYED:
        shown["responses"] |= {status: _describe_problem_answer(status) for status in ALWAYS}
    if "{game}" in path:
        shown["parameters"] = [_make_game_parameter()]
        shown["responses"]["404"] = _describe_problem_answer("404")
    return shown


def _describe_operation_call(name: str) -> dict[str, Any]:
    statuses = ("400", "404", "406", "409", "413", "415", "422", *ALWAYS)
    done = _describe_content("As asked.", answers.ANSWERS[name], JSON)
    if name == "render":
        done["content"] |= {kind: {"schema": BYTES} for kind in KINDS.values()}
    if following := links.list_operation_links(name):
        done["links"] = following
    body = {"schema": REQUESTS[name], "examples": examples.list_operation_examples(name)}
    return {
        "operationId": name,
        "summary": _read_schema_summary(REQUESTS[name]),
        "parameters": [_make_game_parameter(), IDEMPOTENCY_KEY],
        "requestBody": {"required": True, "content": {JSON: body}},
        "responses": {
            "200": done,
            **{status: _describe_problem_answer(status) for status in statuses},
        },
    }


def _read_schema_summary(schema: Any) -> str:
    return (schema.__doc__ or "").split("\n")[0]


def _describe_problem_answer(status: str) -> dict[str, Any]:
    return _describe_content(f"Refused; `code` says why ({status}).", answers.Problem(), PROBLEM)


def _describe_content(description: str, schema: Any, kind: str) -> dict[str, Any]:
    return {"description": description, "content": {kind: {"schema": schema}}}


def list_error_codes() -> list[str]:
    """Return every stable code of an error, sorted."""

    def leaves(kind: type[PlyhostError]) -> list[type[PlyhostError]]:
        below = [leaf for one in kind.__subclasses__() for leaf in leaves(one)]
        return below or [kind]

    return sorted(leaf.code for leaf in leaves(PlyhostError))
