"""Answers are of the shapes that the document gives them, and no shape is a bare object."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from plyhost.schemas import examples
from plyhost.schemas.openapi import build_openapi_document
from plyhost.schemas.requests import INCLUDES, REQUESTS
from tests.conftest import Answer, Post, sent
from tests.contract.test_every_game import UIDS, call, views
from tests.tools.games import LEAD, ROUND
from tests.tools.vectors import read

#: What may hold anything, because no shape of it is known: by the end of its place.
OPEN = ("params", "answer", "body", "StateObject", "RecordToReplay", "expected", "found", "glyph")


def validator(part: str) -> Draft202012Validator:
    return Draft202012Validator(
        {
            "$ref": f"#/components/schemas/{part}",
            "components": build_openapi_document()["components"],
        }
    )


def bare(value: Any, place: str) -> Iterator[str]:
    """Yield the places of schemas that say nothing of what they hold."""
    if isinstance(value, dict):
        says = {"properties", "additionalProperties", "$ref", "anyOf", "oneOf", "enum", "const"}
        is_bare = value == {} or (value.get("type") == "object" and not says & set(value))
        is_open = value.get("additionalProperties") in (True, {})
        if is_bare or is_open:
            yield place
        for key, inner in value.items():
            if key not in ("examples", "x-default", "parameters"):
                yield from bare(inner, f"{place}/{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from bare(inner, place)


def test_no_shape_is_bare_where_it_is_known() -> None:
    parts = build_openapi_document()["components"]["schemas"]
    found = [place for name, part in parts.items() for place in bare(part, name)]
    assert not [
        place for place in found if not place.removesuffix("/additionalProperties").endswith(OPEN)
    ]


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("form", ["full", "compact"])
def test_views_are_of_their_shape_at_every_ply(uid: str, form: str) -> None:
    view, moved = validator("GameView"), validator("GameViewAfterMove")
    shown = [*views(uid, form="compact")[::11], views(uid)[-1]]
    for one in shown:
        moved.validate(one) if "applied" in one else view.validate(one)
        state = call(uid, "convert", state=one["state"], form=form)["state"]
        page = call(uid, "view", state=state, include=list(INCLUDES))
        view.validate(page)
        assert set(page) == set(known_fields(uid))
    ended = call(uid, "end", state=views(uid)[2]["state"], how="settle")
    view.validate(ended)


def known_fields(uid: str) -> Any:
    name = f"{uid.title()}View"
    return build_openapi_document()["components"]["schemas"][name]["properties"]


def test_bites_and_repetitions_are_of_their_shape() -> None:
    state = call("congeners", "replay", moves=LEAD + 2 * ROUND, variants=["size-5"])["view"][
        "state"
    ]
    over = call("congeners", "end", state=state, how="repetition", include=["history", "render"])
    validator("GameView").validate(over)
    assert over["results"][0]["reason"] == "repetition"


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("operation", REQUESTS)
def test_examples_are_of_their_shape_in_and_out(
    uid: str, operation: str, client: FlaskClient
) -> None:
    asked = examples.make_example_bodies(uid)[operation]
    call = build_openapi_document()["paths"][f"/v1/games/{{game}}/{operation}"]["post"]
    body = call["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    validator(body.rpartition("/")[2]).validate(asked)
    answer = call["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
    validator(answer.rpartition("/")[2]).validate(read(sent(client, operation, asked, uid).data))


@pytest.mark.parametrize("page", ["/v1", "/v1/games", "/v1/games/{game}", "/healthz", "/readyz"])
def test_pages_are_of_their_shape(page: str, client: FlaskClient) -> None:
    call = build_openapi_document()["paths"][page]["get"]
    shape = call["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
    for uid in UIDS:
        validator(shape.rpartition("/")[2]).validate(client.get(page.format(game=uid)).json)


def test_a_problem_is_of_one_shape_which_its_code_names(post: Post, client: FlaskClient) -> None:
    state = post("new")["state"]
    union = build_openapi_document()["components"]["schemas"]["Problem"]
    asked: list[tuple[str, Answer]] = [
        ("move", {"state": state, "move": "g7"}),
        ("move", {"state": state, "move": "a1", "expected_ply": 3}),
        ("move", {"state": state}),
        ("move", {"state": "x", "move": "a1"}),
        ("new", {"variants": ["x"]}),
        ("record", {"state": state, "gameid": "1", "players": [{"name": "A"}, {"name": "B"}]}),
    ]
    bodies = [read(sent(client, operation, fields).data) for operation, fields in asked]
    bodies += [client.get("/v1/games/x").json, client.get("/nothing").json]
    bodies.append(client.get("/v1?" + "x" * 9000).json)
    for body in bodies:
        validator("Problem").validate(body)
        shape = union["discriminator"]["mapping"][body["code"]].rpartition("/")[2]
        validator(shape).validate(body)
        assert set(body) == set(known(shape))
    assert len({body["code"] for body in bodies}) == len(bodies)


def known(shape: str) -> Any:
    return build_openapi_document()["components"]["schemas"][shape]["properties"]


def test_choices_are_told_where_a_name_is_unknown(client: FlaskClient) -> None:
    assert client.get("/v1/games/x").get_json()["choices"] == UIDS
    body = read(sent(client, "new", {"variants": ["size-6"]}).data)
    assert body["choices"] == ["size-5", "#board", "size-9"]
    assert "size-9" in body["detail"]
