"""The documents that callers build on, as files: `python -m plyhost.schemas.publish` writes them.

What was published is kept: a change that breaks it is refused, an addition needs a higher version
in `pyproject.toml` and a line under that version in `CHANGELOG.md`.
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from plyhost.schemas.document_diff import Changes, compare_documents
from plyhost.schemas.openapi import build_openapi_document

#: The project's folder: these documents are written in a clone, and only there.
ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "schemas"
OPENAPI = "v1-openapi.json"
#: Schemas that also stand alone: the file's name and its part of the OpenAPI document.
ALONE = {"view": "GameView", "problem": "Problem"}
DIALECT = "https://json-schema.org/draft/2020-12/schema"

_COMPONENTS = "#/components/schemas/"
_LOCAL = "#/$defs/"

Document = dict[str, Any]


class Refused(ValueError):
    """The documents cannot be published as they are; the message says what to do."""


def read_release_version() -> str:
    """Return the version that the project's file gives."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        version: str = tomllib.load(file)["project"]["version"]
    return version


def build_documents(version: str) -> dict[str, Document]:
    """Return every document by its file's name, as the code has it, under a version."""
    whole = build_openapi_document() | {
        "info": build_openapi_document()["info"] | {"version": version}
    }
    parts = whole["components"]["schemas"]
    asked = sorted(_find_referenced_parts(whole["paths"], "requestBody"))
    made = {
        f"v1-{name}.schema.json": _make_standalone_schema(parts, [part])
        for name, part in ALONE.items()
    }
    made["v1-requests.schema.json"] = _make_standalone_schema(parts, asked)
    for name, one in made.items():
        one |= {"$schema": DIALECT, "$id": f"/schemas/{name}"}
    return {OPENAPI: whole, **made}


def _make_standalone_schema(parts: Document, names: list[str]) -> Document:
    """Return a schema of one part, or of any of several, with all that it refers to."""
    held: Document = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in held:
            held[name] = _move_references(parts[name])
            waiting += _find_referenced_parts(parts[name])
    refs = [{"$ref": _LOCAL + name} for name in names]
    return {**(refs[0] if len(refs) == 1 else {"anyOf": refs}), "$defs": dict(sorted(held.items()))}


def _move_references(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _move_references(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_move_references(inner) for inner in value]
    return value.replace(_COMPONENTS, _LOCAL) if isinstance(value, str) else value


def _find_referenced_parts(value: Any, below: str = "") -> Iterator[str]:
    """Yield the parts that a value refers to, if need be only below a key."""
    if isinstance(value, dict):
        if not below and str(value.get("$ref", "")).startswith(_COMPONENTS):
            yield value["$ref"].removeprefix(_COMPONENTS)
        for key, inner in value.items():
            yield from _find_referenced_parts(inner, "" if key == below else below)
    elif isinstance(value, list):
        for inner in value:
            yield from _find_referenced_parts(inner, below)


def read_published_documents() -> dict[str, Document]:
    """Return the documents of contract version 1 that were published, by file name."""
    return {file.name: orjson.loads(file.read_bytes()) for file in FOLDER.glob("v1-*.json")}


def compare_with_published() -> Changes:
    """Return how the code differs from what was published."""
    old = read_published_documents().get(OPENAPI)
    return compare_documents(old, build_openapi_document()) if old else Changes()


def _parse_release_number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def check_publishable(changes: Changes, old: str, new: str, changelog: str) -> None:
    """Raise Refused unless changes may be published as a version that follows an old one."""
    if changes.breaks:
        raise Refused("this breaks callers:\n" + "\n".join(changes.breaks))
    if not changes.additions:
        return
    told = "this was added:\n" + "\n".join(changes.additions) + "\n"
    if _parse_release_number(new) <= _parse_release_number(old):
        raise Refused(f"{told}so the version in pyproject.toml must be higher than {old}")
    _, heading, rest = changelog.partition(f"\n## {new}")
    lines = rest.partition("\n## ")[0].splitlines()
    if not heading or not any(line.startswith("- ") for line in lines):
        raise Refused(f"{told}so CHANGELOG.md needs a line on it under ## {new}")


def publish_documents() -> None:
    """Write the documents; raises Refused."""
    version, kept = read_release_version(), read_published_documents()
    old = kept[OPENAPI]["info"]["version"] if kept else version
    check_publishable(compare_with_published(), old, version, (ROOT / "CHANGELOG.md").read_text())
    for name, one in build_documents(version).items():
        data = orjson.dumps(one, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    try:
        publish_documents()
    except Refused as error:
        sys.exit(f"not published: {error}")
