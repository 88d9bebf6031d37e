"""Each code of the contract is reached, in one shape, with its status and what stands beside it."""

import json
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from plyhost import errors, limits
from plyhost.games import registry
from plyhost.games.control.info import REASONS
from plyhost.web.app import STATUS, create_app
from tests.conftest import HTML_ESCAPES, QUIET, Post, posted, problem, sent
from tests.tools.damage import GAME, NEXT, state_at
from tests.tools.vectors import LATER, cut, in_form, read, tight

MARKUP = "<img src=x onerror=\"alert('1')\">&{0}{move}%s"
#: Codes whose parts of the service have tests of their own.
ELSEWHERE = {
    "busy",
    "not-offered",
    "idempotency-mismatch",
    "idempotency-in-progress",
    "unauthorized",
    "rate-limited",
    "timed-out",
}

Asked = Callable[[FlaskClient], TestResponse]


def leaves(kind: type[errors.PlyhostError]) -> set[type[errors.PlyhostError]]:
    below = kind.__subclasses__()
    return {leaf for one in below for leaf in leaves(one)} if below else {kind}


def asked(operation: str, **fields: Any) -> Asked:
    return lambda client: sent(client, operation, fields)


def odd(**header: Any) -> dict[str, Any]:
    return cut(GAME, 20) | header


def loose() -> dict[str, Any]:
    """Return a sound state that no compact one can say."""
    state = cut(GAME, 20)
    state["stack"][20]["lastmove"] = GAME["moves"][19].rstrip("x") + "x"
    return state


def future() -> dict[str, Any]:
    state = cut(GAME, 20)
    state["stack"][20]["_version"] = "20991231"
    return state


REACHED: dict[str, tuple[Asked, dict[str, Any]]] = {
    "not-json": (lambda client: posted(client, "new", b"{"), {}),
    "unsupported-media-type": (
        lambda client: client.post("/v1/games/control/new", data=b"{}", content_type="text/plain"),
        {},
    ),
    "not-acceptable": (lambda client: client.get("/v1", headers={"Accept": "text/csv"}), {}),
    "too-large": (
        lambda client: posted(client, "new", b" " * (limits.BODY_BYTES + 1)),
        {"limit": limits.BODY_BYTES},
    ),
    "uri-too-long": (
        lambda client: client.get("/v1?" + "a" * limits.URI_BYTES),
        {"limit": limits.URI_BYTES},
    ),
    "headers-too-large": (
        lambda client: client.get("/v1", headers={"Accept": "a/b," * limits.HEADER_CHARACTERS}),
        {"limit": limits.HEADER_CHARACTERS},
    ),
    "misdirected": (lambda client: client.get("/v1", headers={"Host": "site.example"}), {}),
    "invalid-request": (asked("new", forn="full"), {"errors": {"forn": ["Unknown field."]}}),
    "unknown-game": (lambda client: client.get("/v1/games/nogame"), {}),
    "not-found": (lambda client: client.get("/v2"), {}),
    "method-not-allowed": (lambda client: client.get("/v1/games/control/move"), {}),
    "unknown-variant": (asked("new", variants=["#x", "size-6"]), {"where": "/variants/1"}),
    "invalid-state": (asked("moves", state=odd(numplayers=3)), {"where": "/numplayers"}),
    "unsupported-engine": (
        lambda client: sent(client, "moves", {"state": future()}),
        {"where": "/stack/20/_version"},
    ),
    "not-convertible": (
        lambda client: sent(client, "convert", {"state": loose(), "form": "compact"}),
        {"where": "/stack/20/lastmove"},
    ),
    "stale-ply": (
        lambda client: sent(
            client, "move", {"state": state_at(), "move": "zz", "expected_ply": 19}
        ),
        {"ply": 20, "to_move": 1},
    ),
    "game-over": (
        lambda client: sent(client, "move", {"state": GAME["final_state"], "move": "zz"}),
        {"ply": len(GAME["moves"]), "to_move": None},
    ),
    "not-your-turn": (
        lambda client: sent(client, "move", {"state": state_at(), "move": "zz", "player": 2}),
        {"ply": 20, "to_move": 1},
    ),
    "not-repeated": (
        lambda client: sent(client, "end", {"state": state_at(), "how": "repetition"}),
        {"ply": 20, "to_move": 1},
    ),
    "not-settleable": (
        lambda client: sent(client, "end", {"state": state_at(0), "how": "settle"}),
        {"ply": 0, "to_move": 1},
    ),
    "not-over": (
        lambda client: sent(
            client,
            "record",
            {"state": state_at(), "gameid": "1", "players": [{"name": "A"}, {"name": "B"}]},
        ),
        {"ply": 20, "to_move": 1},
    ),
    "illegal-move": (
        lambda client: sent(client, "move", {"state": state_at(), "move": "zz"}),
        {"move": "zz", "ply": 20, "reason": "malformed"},
    ),
    "internal": (lambda client: broken().test_client().get("/broken"), {}),
}


def broken() -> Flask:
    """Return the application with an address at which something breaks."""
    app = create_app(QUIET)
    app.add_url_rule("/broken", view_func=lambda: str(1 // 0))
    return app


@pytest.mark.parametrize("code", REACHED)
def test_the_code_is_reached_with_what_stands_beside_it(code: str, client: FlaskClient) -> None:
    ask, beside = REACHED[code]
    body = problem(ask(client), code)
    assert body["type"].endswith(f"#{code}")
    for name, value in beside.items():
        assert body[name] == value


def test_every_code_has_a_status_and_a_test() -> None:
    every = leaves(errors.PlyhostError)
    assert set(STATUS) == every
    codes = [error.code for error in every]
    assert len(set(codes)) == len(codes)
    assert set(REACHED) | ELSEWHERE == set(codes)
    assert set(REACHED).isdisjoint(ELSEWHERE)


def test_fields_at_fault_are_listed_each(refused: Post) -> None:
    body = refused("new", "invalid-request", forn="x", form="ful", variants="size-5")
    assert body["errors"].keys() == {"forn", "form", "variants"}
    assert all(isinstance(said, str) for one in body["errors"].values() for said in one)
    body = refused("record", "invalid-request", players=[{"name": 1}, {"nick": "B"}])
    assert body["errors"].keys() == {
        "state",
        *("players.0.name", "players.1.name", "players.1.nick"),
    }


def test_a_wrong_method_is_told_the_right_ones(client: FlaskClient) -> None:
    for path, method in (("/v1/games/control/move", "GET"), ("/v1", "POST"), ("/v1/games", "PUT")):
        response = client.open(path, method=method)
        allowed = {one.strip() for one in response.headers["Allow"].split(",")}
        body = problem(response, "method-not-allowed")
        assert ("POST" if method == "GET" else "GET") in allowed
        assert method not in allowed
        assert body["params"]["allow"] == response.headers["Allow"]


def test_what_broke_inside_is_logged_and_not_told(capfdbinary: Any) -> None:
    body = problem(broken().test_client().get("/broken"), "internal")
    assert not any(word in json.dumps(body) for word in ("Zero", "division", "Traceback", ".py"))
    logged = json.loads(capfdbinary.readouterr().out)
    assert logged["request_id"] == body["request_id"]
    assert "ZeroDivisionError" in logged["exception"]


def test_no_refusal_changes_the_next_answer(client: FlaskClient) -> None:
    before = sent(client, "moves", {"state": state_at()}).data
    for ask, _ in REACHED.values():
        ask(client)
    assert sent(client, "moves", {"state": state_at()}).data == before


# --- which of several ---------------------------------------------------------------------------

#: What can be wrong with one `move`, the first to be told first; each changes some fields.
WRONGS: list[tuple[str, dict[str, Any]]] = [
    ("invalid-request", {"auto": "sometimes"}),
    ("invalid-state", {"numplayers": 3}),
    ("stale-ply", {"expected_ply": 3}),
    ("game-over", {"over": True}),
    ("not-your-turn", {"player": 2}),
    ("illegal-move", {"move": "e5xx"}),
]


@pytest.mark.parametrize("form", ["full", "full-string"])
def test_of_several_faults_the_first_is_told(form: str, refused: Post) -> None:
    for number in range(1, len(WRONGS) + 1):
        for chosen in combinations(WRONGS, number):
            wrong = {name: value for _, fields in chosen for name, value in fields.items()}
            base = GAME["final_state"] if wrong.pop("over", False) else cut(GAME, 20)
            state = base | {"numplayers": wrong.pop("numplayers", 2)}
            fields = {"move": NEXT, **wrong, "state": in_form(state, form)}
            refused("move", chosen[0][0], **fields)


def test_the_clock_of_a_request_is_looked_at_before_its_ply(refused: Post) -> None:
    fields = {"state": state_at(), "expected_ply": 3, "move": "zz"}
    body = refused("move", "invalid-request", **fields, timestamp="2020-01-01T00:00:00.000Z")
    assert list(body["errors"]) == ["timestamp"]
    refused("move", "stale-ply", **fields, timestamp=LATER)


def test_an_unknown_game_is_told_before_the_body_is_read(client: FlaskClient) -> None:
    problem(client.post("/v1/games/nogame/move", data=b"{"), "unknown-game")


# --- what comes back ---------------------------------------------------------------------------


def test_markup_from_a_request_comes_back_as_it_came(client: FlaskClient, refused: Post) -> None:
    state = state_at()
    for code, operation, fields in (
        ("illegal-move", "move", {"move": MARKUP}),
        ("illegal-move", "render", {"move": MARKUP}),
        ("invalid-request", "moves", {MARKUP: 1}),
        ("invalid-request", "moves", {"verify": MARKUP}),
        ("invalid-request", "move", {"move": "a1", "auto": MARKUP}),
        ("invalid-state", "moves", {"state": MARKUP}),
        ("invalid-state", "moves", {"state": f"p1:{MARKUP}:::::"}),
        ("invalid-state", "moves", {"state": odd(game=MARKUP)}),
        ("invalid-state", "moves", {"state": odd(variants=[MARKUP])}),
    ):
        refused(operation, code, **{"state": state, **fields})
    assert MARKUP in refused("move", "illegal-move", state=state, move=MARKUP)["detail"]
    assert MARKUP in refused("moves", "invalid-request", state=state, **{MARKUP: 1})["errors"]
    assert MARKUP in refused("new", "unknown-variant", variants=[MARKUP])["params"]["why"]
    assert "game's" in refused("new", "unknown-variant", variants=[MARKUP])["detail"]
    refused("new", "invalid-request", form=MARKUP)
    refused("replay", "invalid-request", record={MARKUP: MARKUP})
    refused("replay", "invalid-request", record={"header": {"game": {"name": MARKUP}}})
    header = {"game": {"name": "Control", "variants": [MARKUP]}}
    refused("replay", "unknown-variant", record={"header": header})
    problem(client.get(f"/v1/games/{MARKUP}"), "unknown-game")
    problem(client.get(f"/{MARKUP}"), "not-found")
    problem(client.get("/v1", headers={"Accept": MARKUP}), "not-acceptable")
    wrong = client.post("/v1/games/control/new", data=b"{}", content_type=MARKUP)
    problem(wrong, "unsupported-media-type")
    coded = {"Content-Encoding": MARKUP}
    path = "/v1/games/control/new"
    problem(client.post(path, json={}, headers=coded), "unsupported-media-type")


def test_markup_in_stored_states_comes_back_as_it_came(client: FlaskClient) -> None:
    for field, value in (
        ("_version", MARKUP),
        ("_timestamp", MARKUP),
        ("lastmove", MARKUP),
        (MARKUP, [[]] * 2),
        ("_results", [{"type": MARKUP}]),
    ):
        state = cut(GAME, 20)
        state["stack"][20][field] = value
        response = sent(client, "moves", {"state": state})
        if response.status_code != 200:
            problem(response, read(response.data)["code"])
            verdict = read(sent(client, "verify", {"state": state}).data)
            assert not any(escape in verdict["message"] for escape in HTML_ESCAPES)
    doubled = tight(cut(GAME, 20)).replace(
        '{"_version"', f'{{{json.dumps(MARKUP)}:1e999,"_version"'
    )
    assert doubled != tight(cut(GAME, 20))
    problem(sent(client, "moves", {"state": doubled}), "invalid-state")


def test_markup_in_verdicts_and_names_comes_back_as_it_came(post: Post) -> None:
    verdict = post("validate", state=state_at(), move=MARKUP)
    assert verdict["move"] == MARKUP
    assert verdict["params"]["move"] == "".join(MARKUP.split())
    assert verdict["params"]["move"] in verdict["message"]
    verdict = post("click", state=state_at(), move=MARKUP, row=-1, col=0)
    assert verdict["move"] == MARKUP
    replayed = post("replay", moves=["a1", MARKUP])
    assert replayed["move"] == MARKUP
    assert MARKUP in replayed["message"]
    chat = post("history", state=state_at(), players=[MARKUP, "B&B"])["chat"]
    said = [line for entry in chat for line in entry[1:]]
    assert any(line.startswith(f"{MARKUP} ") for line in said)
    assert any(line.startswith("B&B ") for line in said)


def test_long_texts_come_back_short(refused: Post) -> None:
    body = refused("move", "illegal-move", state=state_at(), move="<" * limits.MOVE_CHARACTERS)
    assert len(body["detail"]) < 2000
    assert len(tight(body)) < 6000
    body = refused("moves", "invalid-request", state=state_at(), **{"<" * 100_000: 1})
    assert len(tight(body)) < 6000


def test_reasons_are_of_the_closed_list_and_say_their_sentence(client: FlaskClient) -> None:
    assert list(registry.find_game("control").reasons) == list(REASONS)
    late, early = state_at(60), state_at(0)
    cells = [f"{row}{col}{x}" for row in "abcdefghij" for col in range(11) for x in ("", "x")]
    found = {}
    for state, move in (*((early, cell) for cell in cells), *((late, cell) for cell in cells)):
        response = sent(client, "move", {"state": state, "move": move})
        if response.status_code != 200:
            body = problem(response, "illegal-move")
            assert body["detail"] == REASONS[body["reason"]].format_map(body["params"])
            found[body["reason"]] = body
    assert set(found) == set(REASONS)
