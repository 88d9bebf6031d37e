"""The OpenAPI document of contract version 1, made from the schemas."""

from functools import cache
from importlib.metadata import version
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin

from plyhost import limits
from plyhost.contract.picture_requests import FILMS, KINDS, STILLS
from plyhost.games import registry
from plyhost.schemas import answers, examples, links, operation_words, shapes
from plyhost.schemas.fields import MOMENT_PATTERN, Moment, PlanField, StateField, Whole
from plyhost.schemas.requests import BATCH, FILM, PICTURE, REQUESTS

PROBLEM = "application/problem+json"
JSON = "application/json"

BYTES: dict[str, Any] = {"type": "string", "format": "binary"}
#: The pictures that come by GET, and their kinds.
PICTURES = {
    **{f"picture.{ending}": (kind, PICTURE) for ending, kind in KINDS.items() if kind in STILLS},
    **{f"film.{ending}": (kind, FILM) for ending, kind in KINDS.items() if kind in FILMS},
}
#: What any call but those of health and documents may meet: no key, too many, a fault, too long.
ALWAYS = ("401", "429", "500", "503")
#: Whole numbers whose highest and lowest are less than this apart are told one by one.
ENUMERATED_RANGE = 3
#: Pages that need a caller's key.
KEYED = ("/v1", "/v1/games", "/v1/games/{game}")


INFO = {
    "description": (
        "Contract version 1: a state and a move in, a new state out. Nothing is kept here; whoever "
        "asks keeps the state. Texts are plain text, not HTML."
    ),
    "license": {"name": "MIT", "identifier": "MIT"},
    "contact": {"name": "plyhost"},
}
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
        info=INFO,
        servers=[{"url": "/", "description": "The service that this document comes from."}],
        tags=[{"name": name, "description": text} for name, text in operation_words.TAGS.items()],
        # Where no keys are configured none is needed.
        security=[{}, {"key": []}],
        components={"links": links.list_link_components()},
    )
    spec.components.security_scheme("key", {"type": "http", "scheme": "bearer"})
    converter: Any = plugin.converter
    converter.add_attribute_function(_describe_field)
    for name, part in shapes.build_answer_parts().items():
        spec.components.schema(name, dict(part))
    for path, page in answers.PAGES.items():
        spec.path(path=path, operations={"get": _describe_page_call(path, page)})
    for name, (kind, schema) in PICTURES.items():
        path = f"/v1/games/{{game}}/{name}"
        spec.path(path=path, operations={"get": _describe_picture_call(name, kind, schema)})
    for name in REQUESTS:
        spec.path(
            path=f"/v1/games/{{game}}/{name}", operations={"post": _describe_operation_call(name)}
        )
    spec.path(path="/v1/batch", operations={"post": _describe_batch_call()})
    found: dict[str, Any] = _settle_schema(spec.to_dict())
    return found


def _describe_field(converter: Any, field: Any, **kwargs: Any) -> dict[str, Any]:
    if isinstance(field, StateField):
        return {"$ref": "#/components/schemas/State"}
    if isinstance(field, PlanField):
        return {"$ref": "#/components/schemas/MovePlan"}
    if field.name == "record":
        return {"$ref": "#/components/schemas/RecordToReplay"}
    if isinstance(field, Whole) and field.highest - field.lowest < ENUMERATED_RANGE:
        return {"enum": list(range(field.lowest, field.highest + 1))}
    return {"pattern": MOMENT_PATTERN} if isinstance(field, Moment) else {}


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
        **operation_words.describe_picture(name),
        "parameters": [_make_game_parameter(), {"in": "query", "schema": schema}],
        "responses": {
            "200": {"description": "The picture.", "content": {kind: {"schema": BYTES}}},
            "304": {"description": "The caller has this picture."},
            **{status: _describe_problem_answer(status) for status in statuses},
        },
    }


def _describe_page_call(path: str, answer: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {
        **operation_words.describe_page(path),
        "responses": {
            "200": _describe_content("As asked.", shapes.describe_answer(answer), JSON),
            "406": _describe_problem_answer("406"),
        },
    }
    if path not in KEYED:
        shown["security"] = []
    else:
        shown["responses"] |= {status: _describe_problem_answer(status) for status in ALWAYS}
    if "{game}" in path:
        shown["parameters"] = [_make_game_parameter()]
        shown["responses"]["404"] = _describe_problem_answer("404")
    return shown


def _describe_operation_call(name: str) -> dict[str, Any]:
    statuses = ("400", "404", "406", "409", "413", "415", "422", *ALWAYS)
    done = _describe_content("As asked.", shapes.describe_answer(answers.ANSWERS[name]), JSON)
    if name == "render":
        done["content"] |= {kind: {"schema": BYTES} for kind in KINDS.values()}
    if following := links.list_operation_links(name):
        done["links"] = following
    body = {"schema": REQUESTS[name], "examples": examples.list_operation_examples(name)}
    return {
        **operation_words.describe_operation(name),
        "parameters": [_make_game_parameter(), IDEMPOTENCY_KEY],
        "requestBody": {"required": True, "content": {JSON: body}},
        "responses": {
            "200": done,
            **{status: _describe_problem_answer(status) for status in statuses},
        },
    }


def _describe_batch_call() -> dict[str, Any]:
    statuses = ("400", "406", "409", "413", "415", "422", *ALWAYS)
    body = {"schema": BATCH, "examples": {"two": {"value": examples.make_batch_example()}}}
    done = _describe_content("As asked.", shapes.describe_answer(answers.BATCH), JSON)
    return {
        **operation_words.BATCH,
        "parameters": [IDEMPOTENCY_KEY],
        "requestBody": {"required": True, "content": {JSON: body}},
        "responses": {
            "200": done,
            **{status: _describe_problem_answer(status) for status in statuses},
        },
    }


def _describe_problem_answer(status: str) -> dict[str, Any]:
    problem = {"$ref": "#/components/schemas/Problem"}
    return _describe_content(f"Refused; `code` says why ({status}).", problem, PROBLEM)


def _describe_content(description: str, schema: Any, kind: str) -> dict[str, Any]:
    return {"description": description, "content": {kind: {"schema": schema}}}


def _settle_schema(value: Any) -> Any:
    """Return a document that generators of clients read as it is meant.

    A reference stands alone.  A list of a fixed length is a tuple.  A default is told in words: by
    the keyword some generators take the field for one that is always there.
    """
    if isinstance(value, list):
        return [_settle_schema(one) for one in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("$ref"), str):
        return {"$ref": value["$ref"]}
    settled = {key: _settle_schema(inner) for key, inner in value.items() if key != "properties"}
    if isinstance(named := value.get("properties"), dict):
        settled["properties"] = {name: _settle_schema(part) for name, part in named.items()}
    if settled.get("type") == "object" and not _SAYING & settled.keys():
        settled["additionalProperties"] = True
    if "default" in settled:
        settled["x-default"] = settled.pop("default")
    kinds = {type(one) for one in settled.get("enum", ())}
    if len(kinds) == 1:
        settled.setdefault("type", _TYPES[kinds.pop()])
    return _settle_tuple(settled)


#: What tells the inside of an object.
_SAYING = {"properties", "additionalProperties", "anyOf", "oneOf"}
_TYPES = {str: "string", int: "integer"}
#: No longer list is told as a tuple.
_LONGEST_TUPLE = 4


def _settle_tuple(settled: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a list; one of fixed length has its items in order, too."""
    length = settled.get("maxItems", 0)
    if length != settled.get("minItems") or not 0 < length <= _LONGEST_TUPLE:
        return settled
    ordered = settled.get("prefixItems") or [settled["items"]] * length
    return settled | {"prefixItems": ordered, "items": ordered[0]}
