"""What changed between two OpenAPI documents, in the eyes of a caller who knew the first.

A change breaks when a request that was good may be refused, or when something that an answer held
may be missing or of another type.  All else that a caller can notice is an addition.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Document = Mapping[str, Any]

METHODS = ("get", "post", "put", "patch", "delete", "head", "options")
#: Keywords that bound a request: whether the larger number is the looser bound.
_BOUNDS = {
    "maximum": True,
    "maxLength": True,
    "maxItems": True,
    "minimum": False,
    "minLength": False,
    "minItems": False,
}
#: Keywords of schemas that are any, or one, of several.
_UNIONS = ("oneOf", "anyOf")
#: Keywords that must stay as they are in a request.
_FIXED = ("pattern", "x-default", "format")


@dataclass
class Changes:
    """Sentences on what breaks, and on what was added."""

    breaks: list[str] = field(default_factory=list)
    additions: list[str] = field(default_factory=list)


def compare_documents(old: Document, new: Document) -> Changes:
    """Return what a caller of the old document meets in the new one."""
    comparison = _Comparison(old, new)
    comparison.keys("", old["paths"], new["paths"], "path", comparison.path)
    return comparison.changes


class _Comparison:
    def __init__(self, old: Document, new: Document) -> None:
        self.old, self.new, self.changes = old, new, Changes()
        self.open: set[tuple[str, str, bool]] = set()

    def broke(self, where: str, what: str) -> None:
        self.changes.breaks.append(f"{where}: {what}")

    def added(self, where: str, what: str) -> None:
        self.changes.additions.append(f"{where}: {what}")

    def keys(self, where: str, old: Document, new: Document, what: str, each: Any) -> None:
        """Compare two mappings of things that must not go, then each that stayed."""
        for name in sorted(old.keys() - new.keys()):
            self.broke(f"{where} {name}".strip(), f"the {what} is gone")
        for name in sorted(new.keys() - old.keys()):
            self.added(f"{where} {name}".strip(), f"a new {what}")
        for name in sorted(old.keys() & new.keys()):
            each(f"{where} {name}".strip(), old[name], new[name])

    def path(self, where: str, old: Document, new: Document) -> None:
        calls = [{key: one[key] for key in METHODS if key in one} for one in (old, new)]
        self.keys(where, calls[0], calls[1], "method", self.call)

    def call(self, where: str, old: Document, new: Document) -> None:
        self.fixed(f"{where} operationId", old.get("operationId"), new.get("operationId"))
        self.parameters(where, _map_call_parameters(old), _map_call_parameters(new))
        bodies = [one.get("requestBody", {}).get("content", {}) for one in (old, new)]
        self.keys(f"{where} request", bodies[0], bodies[1], "kind of body", self.request)
        answers = [one["responses"] for one in (old, new)]
        self.keys(where, answers[0], answers[1], "status", self.answer)

    def fixed(self, where: str, old: Any, new: Any) -> None:
        """Compare what callers' own code is named for or made from: it comes, and stays."""
        if old is None and new is not None:
            self.added(where, f"is {new}")
        elif old != new:
            self.broke(where, f"was {old}, is {new}")

    def parameters(self, where: str, old: Document, new: Document) -> None:
        def each(where: str, old: Document, new: Document) -> None:
            if new.get("required") and not old.get("required"):
                self.broke(where, "is needed now")
            self.schema(where, old.get("schema", {}), new.get("schema", {}), is_request=True)

        for name in new.keys() - old.keys():
            if new[name].get("required"):
                self.broke(f"{where} {name}", "a new parameter is needed")
        self.keys(where, old, new, "parameter", each)

    def request(self, where: str, old: Document, new: Document) -> None:
        self.schema(where, old["schema"], new["schema"], is_request=True)

    def answer(self, where: str, old: Document, new: Document) -> None:
        contents = old.get("content", {}), new.get("content", {})
        self.keys(where, *contents, "kind of answer", self.answered)
        ways = [one.get("links", {}) for one in (old, new)]
        self.keys(where, ways[0], ways[1], "link", self.link)

    def link(self, where: str, old: Document, new: Document) -> None:
        self.fixed(where, _resolve_reference(self.old, old), _resolve_reference(self.new, new))

    def answered(self, where: str, old: Document, new: Document) -> None:
        self.schema(where, old["schema"], new["schema"], is_request=False)

    def schema(self, where: str, old: Document, new: Document, is_request: bool) -> None:
        """Compare two schemas, one inside another compared once only."""
        pair = (old.get("$ref", ""), new.get("$ref", ""), is_request)
        if pair[0] and pair in self.open:
            return
        self.open.add(pair)
        old, new = _resolve_reference(self.old, old), _resolve_reference(self.new, new)
        if any(key in one for key in _UNIONS for one in (old, new)):
            self.alternatives(where, old, new, is_request)
            return
        self.types(where, _collect_schema_types(old), _collect_schema_types(new), is_request)
        self.enums(where, old.get("enum"), new.get("enum"), is_request)
        if is_request:
            self.bounds(where, old, new)
        self.members(where, old, new, is_request)
        if "items" in old and "items" in new:
            self.schema(f"{where}[]", old["items"], new["items"], is_request)

    def alternatives(self, where: str, old: Document, new: Document, is_request: bool) -> None:
        """Compare a union's members, known by name or type; a schema alone is its only member."""

        def each(where: str, old: Document, new: Document) -> None:
            self.schema(where, old, new, is_request)

        self.keys(where, _map_alternatives(old), _map_alternatives(new), "alternative", each)

    def types(self, where: str, old: set[str], new: set[str], is_request: bool) -> None:
        if old == new:
            return
        if is_request and old <= new:
            self.added(where, f"takes {', '.join(sorted(new - old))} too")
        else:
            self.broke(where, f"was {', '.join(sorted(old))}, is {', '.join(sorted(new))}")

    def enums(self, where: str, old: Any, new: Any, is_request: bool) -> None:
        gone = [value for value in old or () if new and value not in new]
        fresh = [value for value in new or () if old and value not in old]
        if gone:
            self.broke(where, f"these values are gone: {gone}")
        if fresh:
            self.added(where, f"new values: {fresh}")
        if bool(old) != bool(new):
            is_narrower = is_request and bool(new)
            (self.broke if is_narrower else self.added)(where, f"was any of {old}, is {new}")

    def bounds(self, where: str, old: Document, new: Document) -> None:
        for key, is_top in _BOUNDS.items():
            before, after = old.get(key), new.get(key)
            if before == after:
                continue
            is_looser = after is None or (before is not None and (after > before) == is_top)
            (self.added if is_looser else self.broke)(where, f"{key} was {before}, is {after}")
        for key in _FIXED:
            if old.get(key) != new.get(key):
                self.broke(where, f"{key} was {old.get(key)!r}, is {new.get(key)!r}")

    def members(self, where: str, old: Document, new: Document, is_request: bool) -> None:
        needed = set(old.get("required", ())), set(new.get("required", ()))
        for name in sorted(needed[1] - needed[0] if is_request else needed[0] - needed[1]):
            told = "is needed now" if is_request else "is not always there any more"
            self.broke(f"{where} {name}", told)

        def each(where: str, old: Document, new: Document) -> None:
            self.schema(where, old, new, is_request)

        self.keys(where, old.get("properties", {}), new.get("properties", {}), "field", each)


def _map_alternatives(schema: Document) -> dict[str, Document]:
    found = next((schema[key] for key in _UNIONS if key in schema), [schema])
    return {one.get("$ref", "").rpartition("/")[2] or str(one.get("type")): one for one in found}


def _map_call_parameters(call: Document) -> dict[str, Any]:
    return {f"{one['in']} {one['name']}": one for one in call.get("parameters", ())}


def _resolve_reference(document: Document, schema: Document) -> Document:
    while "$ref" in schema:
        found: Any = document
        for key in schema["$ref"].removeprefix("#/").split("/"):
            found = found[key]
        schema = found
    return schema


def _collect_schema_types(schema: Document) -> set[str]:
    found = schema.get("type", "any")
    return {found} if isinstance(found, str) else set(found)
