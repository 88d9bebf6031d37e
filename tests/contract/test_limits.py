"""Limits that no other test tries: at each one all is well, one past it the request is refused."""

import gzip
import re
from base64 import b64encode
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyhost import limits
from plyhost.contract import picture_requests
from plyhost.errors import TooLarge
from plyhost.games.registry import find_game
from tests.conftest import posted, problem, sent
from tests.tools import ROOT
from tests.tools.commands import run
from tests.tools.vectors import cut, game, tight

GAME = game()


def nested(levels: int) -> Any:
    value: Any = 0
    for _ in range(levels):
        value = [value]
    return value


def test_every_limit_is_tried_somewhere() -> None:
    text = "".join(file.read_text() for file in (ROOT / "tests").rglob("test_*.py"))
    tried = set(re.findall(r"limits\.([A-Z_]+)", text))
    assert {name.upper() for name in limits.list_limits()} <= tried


@pytest.mark.parametrize(("levels", "code"), [(0, "invalid-request"), (1, "not-json")])
def test_json_of_just_the_greatest_depth_is_read(
    levels: int, code: str, client: FlaskClient
) -> None:
    inside = nested(limits.JSON_DEPTH - 2 + levels)
    problem(sent(client, "replay", {"record": {"header": inside}}), code)


def test_json_deeper_than_any_reader_goes_is_refused(client: FlaskClient) -> None:
    for levels in (limits.JSON_DEPTH + 1, 1000, 10_000, 100_000):
        for body in (b"[" * levels, b"[" * levels + b"]" * levels, b'{"a":' * levels):
            problem(posted(client, "new", body), "not-json")


def test_an_object_of_just_the_most_fields_is_read(client: FlaskClient) -> None:
    for number, said in ((limits.FIELDS, "Unknown field."), (limits.FIELDS + 1, "At most")):
        fields = {f"field {place}": 0 for place in range(number)}
        told = problem(sent(client, "new", fields), "invalid-request")["errors"]
        assert any(said in text for texts in told.values() for text in texts)


@pytest.mark.parametrize(("operation", "name"), [("new", "variants"), ("new", "include")])
def test_a_list_of_just_the_most_names_is_read(
    operation: str, name: str, client: FlaskClient
) -> None:
    one = {"variants": "#x", "include": "text"}[name]
    for number, status in ((limits.LISTED_NAMES, 200), (limits.LISTED_NAMES + 1, 422)):
        assert sent(client, operation, {name: [one] * number}).status_code == status


def test_a_state_that_unpacks_to_just_the_most_bytes_is_read(client: FlaskClient) -> None:
    data = tight(cut(GAME, 4)).encode()
    for size, status in ((limits.STATE_BYTES, 200), (limits.STATE_BYTES + 1, 422)):
        packed = b64encode(gzip.compress(data + b" " * (size - len(data)))).decode()
        answer = sent(client, "moves", {"state": f"gz:{packed}"})
        assert answer.status_code == status
    bomb = b64encode(gzip.compress(bytes(256 * 1024 * 1024), 1)).decode()
    problem(sent(client, "moves", {"state": f"gz:{bomb}"}), "invalid-state")


def test_just_the_most_plies_are_drawn_at_once(client: FlaskClient) -> None:
    over = sent(client, "end", {"state": cut(GAME, 4), "how": "draw"}).get_json()["state"]
    over["stack"] += [over["stack"][-1]] * limits.RENDERED_PLIES
    for last, status in ((limits.RENDERED_PLIES - 1, 200), (limits.RENDERED_PLIES, 422)):
        answer = sent(client, "render", {"state": over, "plies": [0, last]})
        assert answer.status_code == status
        assert status != 200 or len(answer.get_json()["renders"]) == limits.RENDERED_PLIES


def test_a_film_of_just_the_most_positions_is_made(client: FlaskClient) -> None:
    drawn = sent(client, "render", {"state": cut(GAME, 4)}).get_json()["render"]
    most = limits.FILMED_POSITIONS
    assert (
        b"<svg"
        in picture_requests.make_renders_film(find_game("control"), [drawn] * most, {}, "").body
    )
    with pytest.raises(TooLarge):
        picture_requests.make_renders_film(find_game("control"), [drawn] * (most + 1), {}, "")


@pytest.mark.parametrize(
    ("fine", "wrong"),
    [
        (limits.SHORTEST_STEP, limits.SHORTEST_STEP - 1),
        (limits.LONGEST_STEP, limits.LONGEST_STEP + 1),
    ],
)
def test_a_film_of_just_the_shortest_or_longest_step_is_made(
    fine: int, wrong: int, client: FlaskClient
) -> None:
    path = "/v1/games/control/film.svg?moves=a1&step="
    assert client.get(f"{path}{fine}").status_code == 200
    problem(client.get(f"{path}{wrong}"), "invalid-request")


@pytest.mark.parametrize(
    ("fine", "wrong"),
    [
        (limits.NARROWEST_PICTURE, limits.NARROWEST_PICTURE - 1),
        (limits.WIDEST_PICTURE, limits.WIDEST_PICTURE + 1),
    ],
)
def test_a_picture_of_just_the_least_or_greatest_width_is_drawn(
    fine: int, wrong: int, client: FlaskClient
) -> None:
    path = "/v1/games/control/picture.svg?moves=a1&width="
    assert client.get(f"{path}{fine}").status_code == 200
    problem(client.get(f"{path}{wrong}"), "invalid-request")


def test_a_state_of_just_the_longest_text_is_read_in_an_address(client: FlaskClient) -> None:
    path = "/v1/games/control/picture.svg?state="
    problem(client.get(path + "x" * limits.PICTURED_STATE), "invalid-state")
    problem(client.get(path + "x" * (limits.PICTURED_STATE + 1)), "invalid-request")


def test_sequences_of_just_the_greatest_depth_are_counted() -> None:
    over = tight(GAME["final_state"])
    assert run("count", str(limits.COUNT_DEPTH), "-", given=over).stdout == b"0\n"
    assert run("count", str(limits.COUNT_DEPTH + 1), "-", given=over).returncode == 2
