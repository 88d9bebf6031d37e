"""The documents say what the code does: names, codes, statuses, fields."""

import re

import pytest

from plyhost.contract.operations import OPERATIONS
from plyhost.games import registry
from plyhost.schemas.openapi import build_openapi_document
from plyhost.schemas.problem_shapes import list_error_codes
from plyhost.schemas.requests import INCLUDES, REQUESTS
from plyhost.web.app import STATUS
from tests.tools import ROOT

DOCS = ROOT / "docs"


def rows(file: str) -> list[list[str]]:
    lines = (DOCS / file).read_text().splitlines()
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if line[:1] == "|"
    ]


def test_every_code_stands_in_the_errors_with_its_status() -> None:
    told = {row[0].strip("`"): row[1] for row in rows("errors.md")}
    assert {kind.code: str(status) for kind, status in STATUS.items()}.items() <= told.items()
    assert {kind.code for kind in STATUS} == set(list_error_codes())


@pytest.mark.parametrize("uid", sorted(registry.load_games()))
def test_every_reason_stands_in_the_errors_in_its_order(uid: str) -> None:
    game = registry.find_game(uid)
    (told,) = (row[1] for row in rows("errors.md") if row[0] == game.info.name)
    assert list(dict.fromkeys(re.findall(r"`([\w-]+)`", told))) == list(game.reasons)


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_every_operation_stands_in_the_contract_with_its_fields(name: str) -> None:
    told = {row[0].strip("`"): " ".join(row) for row in reversed(rows("contract.md"))}
    general = {"state", "verify", "include", "display", "perspective", "players"}
    general |= {"palette", "colours", "background", "labels"}
    for field, inner in REQUESTS[name].fields.items():
        assert field in general or f"`{inner.data_key or field}`" in told[name], field
    assert f"| `{name}` |" in (ROOT / "README.md").read_text()


def test_every_field_of_a_view_and_every_include_stands_in_the_contract() -> None:
    text = (DOCS / "contract.md").read_text()
    added = {"moves_count", "moves_truncated"} | set(INCLUDES)
    parts = build_openapi_document()["components"]["schemas"]
    shown = [parts[one["$ref"].rpartition("/")[2]] for one in parts["GameView"]["oneOf"]]
    for name in [*(name for one in shown for name in one["properties"]), *INCLUDES]:
        assert f"`{name}`" in text, name
    assert added <= set(re.findall(r"`(\w+)`", text))


def test_the_order_of_requests_is_that_of_the_operations() -> None:
    assert list(REQUESTS) == list(OPERATIONS)


def test_links_between_documents_lead_somewhere() -> None:
    for file in [*ROOT.glob("*.md"), *DOCS.glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)[)#]", file.read_text()):
            assert (file.parent / target).exists(), f"{file.name}: {target}"
