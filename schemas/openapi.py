"""The OpenAPI document of contract version 1, made from the schemas."""

from functools import cache
from importlib.metadata import version
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin

from plugin import limits, registry
from plugin.errors import PlyhostError
from schemas import answers, examples, links
from schemas.fields import Moment, StateField
from schemas.v1 import PICTURE, REQUESTS

PROBLEM = "application/problem+json"
JSON = "application/json"

STATE: dict[str, Any] = {
    "description": "A state: an object (form full) or a text (the other forms).",
    "anyOf": [{"type": "object"}, {"type": "string"}],
}
BYTES: dict[str, Any] = {"type": "string", "format": "binary"}
SVG, PNG = "image/svg+xml", "image/png"
#: The pictures that come by GET, and their kinds.
PICTURES = {"picture.svg": SVG, "picture.png": PNG, "film.svg": SVG}
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
def document() -> dict[str, Any]:
    """Return the document as an object."""
    spec = APISpec(
        title="plyhost",
        version=version("plyhost"),
        openapi_version="3.1.0",
        plugins=[plugin := MarshmallowPlugin()],
        info={"description": "Contract version 1: a state and a move in, a new state out."},
        # Where no keys are configured none is needed.
        security=[{}, {"key": []}],
        components={"links": links.components()},
    )
    spec.components.security_scheme("key", {"type": "http", "scheme": "bearer"})
    converter: Any = plugin.converter
    converter.add_attribute_function(_described)
    for path, page in answers.PAGES.items():
        spec.path(path=path, operations={"get": _page(path, page)})
    for name, kind in PICTURES.items():
        path = f"/v1/games/{{game}}/{name}"
        spec.path(path=path, operations={"get": _picture(name, kind)})
    for name in REQUESTS:
        spec.path(path=f"/v1/games/{{game}}/{name}", operations={"post": _operation(name)})
    found: dict[str, Any] = spec.to_dict()
    return found


def _described(converter: Any, field: Any, **kwargs: Any) -> dict[str, Any]:
    if isinstance(field, StateField):
        return STATE
    if isinstance(field.parent, answers.Problem) and field.name == "code":
        return {"enum": codes()}
    return {"pattern": MOMENT} if isinstance(field, Moment) else {}


def _game_parameter() -> dict[str, Any]:
    return {
        "name": "game",
        "in": "path",
        "required": True,
        "description": "A game's uid.",
        "schema": {"type": "string", "enum": list(registry.games())},
        "examples": {uid: {"value": uid} for uid in registry.games()},
    }


def _picture(name: str, kind: str) -> dict[str, Any]:
    statuses = ("404", "406", "409", "414", "422", *ALWAYS)
    return {
        "operationId": name.replace(".", "-"),
        "summary": (PICTURE.__doc__ or "").split("\n")[0],
        "parameters": [_game_parameter(), {"in": "query", "schema": PICTURE}],
        "responses": {
            "200": {"description": "The picture.", "content": {kind: {"schema": BYTES}}},
            "304": {"description": "The caller has this picture."},
            **{status: _problem(status) for status in statuses},
        },
    }


def _page(path: str, answer: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "operationId": type(answer).__name__.lower(),
        "summary": _summary(answer),
        "responses": {"200": _content("As asked.", answer, JSON), "406": _problem("406")},
    }
    if path in KEYED:
        shown["responses"] |= {status: _problem(status) for status in ALWAYS}
    if "{game}" in path:
        shown["parameters"] = [_game_parameter()]
        shown["responses"]["404"] = _problem("404")
    return shown


def _operation(name: str) -> dict[str, Any]:
    statuses = ("400", "404", "406", "409", "413", "415", "422", *ALWAYS)
    done = _content("As asked.", answers.ANSWERS[name], JSON)
    if name == "render":
        done["content"] |= {kind: {"schema": BYTES} for kind in (SVG, PNG)}
    if following := links.after(name):
        done["links"] = following
    body = {"schema": REQUESTS[name], "examples": examples.of(name)}
    return {
        "operationId": name,
        "summary": _summary(REQUESTS[name]),
        "parameters": [_game_parameter(), IDEMPOTENCY_KEY],
        "requestBody": {"required": True, "content": {JSON: body}},
        "responses": {
            "200": done,
            **{status: _problem(status) for status in statuses},
        },
    }


def _summary(schema: Any) -> str:
    return (schema.__doc__ or "").split("\n")[0]


def _problem(status: str) -> dict[str, Any]:
    return _content(f"Refused; `code` says why ({status}).", answers.Problem(), PROBLEM)


def _content(description: str, schema: Any, kind: str) -> dict[str, Any]:
    return {"description": description, "content": {kind: {"schema": schema}}}


def codes() -> list[str]:
    """Return every stable code of an error, sorted."""

    def leaves(kind: type[PlyhostError]) -> list[type[PlyhostError]]:
        below = [leaf for one in kind.__subclasses__() for leaf in leaves(one)]
        return below or [kind]

    return sorted(leaf.code for leaf in leaves(PlyhostError))
