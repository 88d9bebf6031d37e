"""What was published stays true: the frozen documents are held against the running service."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from plyhost.schemas import publish
from plyhost.schemas.document_diff import Changes, compare_documents
from plyhost.schemas.openapi import build_openapi_document
from plyhost.web.problem_json import STATUS
from tests.conftest import Post

Document = dict[str, Any]
Change = Callable[[Document], Any]

HOW = (
    "raise the version in pyproject.toml, tell it in CHANGELOG.md, "
    "then python -m plyhost.schemas.publish"
)


def frozen() -> Document:
    return publish.read_published_documents()[publish.OPENAPI]


def parts(whole: Document) -> Document:
    found: Document = whole["components"]["schemas"]
    return found


def fields(whole: Document, part: str) -> Document:
    found: Document = parts(whole)[part]["properties"]
    return found


def move(whole: Document) -> Document:
    found: Document = whole["paths"]["/v1/games/{game}/move"]["post"]
    return found


def links(whole: Document) -> Document:
    found: Document = move(whole)["responses"]["200"]["links"]
    return found


def after(change: Change) -> Changes:
    """Return how a caller of today's documents meets them after a change."""
    changed = copy.deepcopy(build_openapi_document())
    change(changed)
    return compare_documents(build_openapi_document(), changed)


# --- the service as it is -----------------------------------------------------------------------


def test_the_running_service_breaks_nothing_that_was_published(client: FlaskClient) -> None:
    running = client.get("/openapi.json").get_json()
    assert compare_documents(frozen(), running).breaks == []


def test_what_was_added_is_published_under_a_version_of_its_own() -> None:
    changes = publish.compare_with_published()
    assert changes.additions == [], f"the contract grew: {HOW}"
    version = frozen()["info"]["version"]
    assert publish.build_documents(version) == publish.read_published_documents(), HOW


def test_every_published_document_is_served(client: FlaskClient) -> None:
    for file in publish.FOLDER.glob("*.json"):
        answer = client.get(f"/schemas/{file.name}")
        assert answer.status_code == 200
        assert answer.data == file.read_bytes()
        assert answer.mimetype == "application/schema+json"
    for name in ("none.json", "..%2f__init__.py", "__init__.py", "README.md", ""):
        assert client.get(f"/schemas/{name}").status_code == 404


def test_published_schemas_are_schemas_and_hold_what_is_answered(post: Post) -> None:
    kept = publish.read_published_documents()
    for name, one in kept.items():
        if name != publish.OPENAPI:
            Draft202012Validator.check_schema(one)
    view = Draft202012Validator(kept["v1-view.schema.json"])
    view.validate(post("new", include=["render", "moves", "text"]))
    requests = Draft202012Validator(kept["v1-requests.schema.json"])
    requests.validate({"state": "x", "move": "a1"})
    assert not requests.is_valid({"state": "x", "mvoe": "a1"})


def test_every_code_of_an_error_is_published() -> None:
    assert set(parts(frozen())["Problem"]["discriminator"]["mapping"]) == {
        kind.code for kind in STATUS
    }


# --- what breaks --------------------------------------------------------------------------------

BREAKS: dict[str, Change] = {
    "a path": lambda whole: whole["paths"].pop("/v1/games/{game}/click"),
    "a renamed path": lambda whole: whole["paths"].update(
        {"/v1/games/{game}/do": whole["paths"].pop("/v1/games/{game}/move")}
    ),
    "a method": lambda whole: whole["paths"]["/v1"].pop("get"),
    "a kind of answer": lambda whole: move(whole)["responses"]["200"]["content"].clear(),
    "a status": lambda whole: move(whole)["responses"].pop("409"),
    "an operation's name": lambda whole: move(whole).update(operationId="play"),
    "a link": lambda whole: links(whole).pop("validate"),
    "where a link leads": lambda whole: links(whole)["validate"].update(
        {"$ref": "#/components/links/moves-on-state"}
    ),
    "what a link carries": lambda whole: whole["components"]["links"]["moves-on-state"].update(
        requestBody={"state": "$response.body"}
    ),
    "a field of an answer": lambda whole: fields(whole, "ControlView").pop("winner"),
    "a field of a field": lambda whole: fields(whole, "AppliedPly").pop("auto"),
    "a field always there": lambda whole: parts(whole)["ControlView"]["required"].remove("ply"),
    "an answer's type": lambda whole: fields(whole, "ControlView")["ply"].update(type="string"),
    "an answer that may be null": lambda whole: fields(whole, "ControlView")["ply"].update(
        type=["integer", "null"]
    ),
    "what a list holds": lambda whole: fields(whole, "ControlView")["winner"]["items"].update(
        type="string"
    ),
    "a field of a request": lambda whole: fields(whole, "MoveRequest").pop("auto"),
    "a field that is needed": lambda whole: parts(whole)["MoveRequest"]["required"].append(
        "player"
    ),
    "a new field that is needed": lambda whole: (
        fields(whole, "NewGameRequest").update(seed={"type": "integer"}),
        parts(whole)["NewGameRequest"].update(required=["seed"]),
    ),
    "a narrower type": lambda whole: fields(whole, "ClickRequest")["piece"].update(type="string"),
    "one form of a state": lambda whole: parts(whole)["State"]["anyOf"].pop(),
    "an alternative of an answer": lambda whole: parts(whole)["Problem"]["oneOf"].pop(),
    "a value of an alternative": lambda whole: fields(whole, "PlaceResult")["where"].update(
        type="integer"
    ),
    "a lower bound": lambda whole: fields(whole, "LegalMovesRequest")["limit"].update(maximum=10),
    "a higher floor": lambda whole: fields(whole, "LegalMovesRequest")["limit"].update(minimum=1),
    "a first bound": lambda whole: fields(whole, "LegalMovesRequest")["limit"].update(maxLength=3),
    "a pattern": lambda whole: fields(whole, "NewGameRequest")["timestamp"].update(pattern="x"),
    "a default": lambda whole: fields(whole, "LegalMovesRequest")["limit"].update(
        {"x-default": 10}
    ),
    "a value of a request": lambda whole: fields(whole, "EndRequest")["how"]["enum"].remove("draw"),
    "a first list of values": lambda whole: fields(whole, "NewGameRequest")["display"].update(
        enum=["x"]
    ),
    "a code": lambda whole: fields(whole, "PlyProblem")["code"]["enum"].remove("stale-ply"),
    "a renamed code": lambda whole: fields(whole, "PlyProblem").update(
        code={"type": "string", "enum": ["stale"]}
    ),
    "a game": lambda whole: move(whole)["parameters"][0]["schema"]["enum"].remove("control"),
    "a parameter": lambda whole: move(whole)["parameters"].pop(),
    "a parameter that is needed": lambda whole: move(whole)["parameters"][1].update(required=True),
    "a new parameter that is needed": lambda whole: move(whole)["parameters"].append(
        {"name": "x", "in": "query", "required": True, "schema": {}}
    ),
}
ADDITIONS: dict[str, Change] = {
    "a link": lambda whole: links(whole).update(x=links(whole)["move"]),
    "a path": lambda whole: whole["paths"].update({"/v1/x": whole["paths"]["/v1"]}),
    "a method": lambda whole: whole["paths"]["/v1"].update(post=move(whole)),
    "a status": lambda whole: move(whole)["responses"].update({"418": {"description": ""}}),
    "a field of an answer": lambda whole: fields(whole, "ControlView").update(x={"type": "string"}),
    "a field of a request": lambda whole: fields(whole, "MoveRequest").update(x={"type": "string"}),
    "a parameter": lambda whole: move(whole)["parameters"].append({"name": "x", "in": "query"}),
    "another alternative": lambda whole: parts(whole)["Problem"]["oneOf"].append(
        {"$ref": "#/components/schemas/Health"}
    ),
    "a wider type": lambda whole: fields(whole, "LegalMovesRequest")["prefix"].update(
        type=["string", "null"]
    ),
    "a looser bound": lambda whole: fields(whole, "LegalMovesRequest")["limit"].update(
        maximum=10**6
    ),
    "no bound": lambda whole: fields(whole, "LegalMovesRequest")["limit"].pop("maximum"),
    "a value of a request": lambda whole: fields(whole, "EndRequest")["how"]["enum"].append("x"),
    "any value of a request": lambda whole: fields(whole, "EndRequest")["how"].pop("enum"),
    "a code": lambda whole: fields(whole, "PlyProblem")["code"]["enum"].append("x"),
}
NEITHER: dict[str, Change] = {
    "nothing": lambda whole: None,
    "words": lambda whole: move(whole).update(summary="Other words."),
    "order": lambda whole: fields(whole, "EndRequest")["how"]["enum"].reverse(),
    "a link written out": lambda whole: links(whole).update(
        move=whole["components"]["links"]["move-on-state"]
    ),
    "an example": lambda whole: move(whole)["requestBody"]["content"]["application/json"].pop(
        "examples"
    ),
    "a renamed part": lambda whole: (
        parts(whole).update(Seen=parts(whole)["GameView"]),
        whole["paths"]["/v1/games/{game}/new"]["post"]["responses"]["200"]["content"].update(
            {"application/json": {"schema": {"$ref": "#/components/schemas/Seen"}}}
        ),
    ),
}


@pytest.mark.parametrize("what", BREAKS)
def test_taking_away_breaks(what: str) -> None:
    assert after(BREAKS[what]).breaks


@pytest.mark.parametrize("what", ADDITIONS)
def test_adding_breaks_nothing_and_is_noticed(what: str) -> None:
    changes = after(ADDITIONS[what])
    assert changes.breaks == []
    assert changes.additions


@pytest.mark.parametrize("what", NEITHER)
def test_what_no_caller_can_notice_is_neither(what: str) -> None:
    assert after(NEITHER[what]) == Changes()


def test_a_first_name_of_an_operation_is_an_addition() -> None:
    nameless = copy.deepcopy(build_openapi_document())
    del move(nameless)["operationId"]
    assert compare_documents(nameless, build_openapi_document()).additions
    assert compare_documents(build_openapi_document(), nameless).breaks


def test_a_break_says_where() -> None:
    (told,) = after(BREAKS["a field of an answer"]).breaks[-1:]
    assert "View" in told or "winner" in told


# --- publishing ---------------------------------------------------------------------------------

GREW, BROKE = Changes(additions=["a field"]), Changes(breaks=["a field"])
LOG = "# Changes\n\n## 0.2.0\n\n### Added\n\n- A field.\n\n## 0.1.0\n\n- All.\n"


def refused(changes: Changes, new: str, log: str = LOG) -> str:
    with pytest.raises(publish.Refused) as caught:
        publish.check_publishable(changes, "0.1.0", new, log)
    return str(caught.value)


def test_an_addition_asks_for_a_version_and_a_line() -> None:
    publish.check_publishable(GREW, "0.1.0", "0.2.0", LOG)
    publish.check_publishable(Changes(), "0.1.0", "0.1.0", "")
    assert "pyproject.toml" in refused(GREW, "0.1.0")
    assert "pyproject.toml" in refused(GREW, "0.0.9")
    assert "CHANGELOG.md" in refused(GREW, "0.3.0")
    assert "CHANGELOG.md" in refused(GREW, "0.2.0", "\n## 0.2.0\n\n## 0.1.0\n\n- All.\n")


def test_a_break_is_never_published() -> None:
    assert "a field" in refused(BROKE, "9.0.0")
