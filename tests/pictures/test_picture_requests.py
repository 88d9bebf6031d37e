"""Pictures as they are asked for, by state or by moves."""

from io import BytesIO
from typing import Any
from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient
from PIL import Image

from plyhost.contract import operations, picture_requests
from plyhost.contract import text_board as pictures_text
from plyhost.contract.picture_query import parse_picture_query
from plyhost.errors import GameOver, IllegalMove, InvalidRequest, TooLarge, UnknownVariant
from plyhost.games import registry
from plyhost.pictures.palettes import PALETTES
from tests.conftest import problem
from tests.tools import golden
from tests.tools.games import recorded
from tests.tools.picture_reading import NAMESPACE, parsed

GAME = registry.find_game("control")


def asked(made: int = 20, **more: Any) -> dict[str, Any]:
    return golden.asked("control", 0, made, more)


def of_state(made: int = 20, **more: Any) -> dict[str, Any]:
    request = {**asked(made), "form": "compact"}
    return {"state": operations.answer_replay(GAME, request)["view"]["state"], **more}


@pytest.mark.parametrize("kind", picture_requests.STILLS)
def test_a_state_and_its_moves_give_the_same_picture(kind: str) -> None:
    look: dict[str, Any] = {
        "display": "vertex-style",
        "perspective": 2,
        "palette": "safe",
        "width": 200,
    }
    one = picture_requests.make_position_picture(GAME, asked(**look), kind)
    other = picture_requests.make_position_picture(GAME, of_state(**look), kind)
    assert (one.etag, one.body, one.kind) == (other.etag, other.body, kind)


def test_a_film_of_a_state_is_that_of_its_moves() -> None:
    assert (
        picture_requests.make_game_film(GAME, asked()).body
        == picture_requests.make_game_film(GAME, of_state()).body
    )


def test_the_tag_changes_with_all_that_changes_the_bytes() -> None:
    looks: list[dict[str, Any]] = [
        {}, {"width": 300}, {"palette": "dark"}, {"perspective": 2}, {"display": "hide-control"},
    ]  # fmt: skip
    tags = {
        picture_requests.make_position_picture(GAME, asked(**look), kind).etag
        for look in looks
        for kind in picture_requests.STILLS
    }
    tags.add(picture_requests.make_position_picture(GAME, asked(21)).etag)
    assert len(tags) == 2 * len(looks) + 1
    assert all(tag.isalnum() for tag in tags)


def test_the_title_names_game_and_ply() -> None:
    def title(made: int) -> str | None:
        return parsed(picture_requests.make_position_picture(GAME, asked(made)).body).findtext(
            f"{NAMESPACE}title"
        )

    assert title(0) == "Control, 5 cells to a side, before the first move: Player 1 is to move."
    last = recorded("control")[0]["moves"][15]
    assert title(16) == f"Control, 5 cells to a side, after ply 16 ({last}): Player 1 is to move."


def test_answers_of_render_become_pictures() -> None:
    request = of_state(display="", perspective=0)
    still = operations.answer_render(GAME, request)
    assert picture_requests.make_answer_picture(
        GAME, still, request, picture_requests.PNG
    ).body.startswith(b"\x89PNG")
    several = operations.answer_render(GAME, {**request, "plies": [0, -1]})
    assert (
        b"<animate"
        in picture_requests.make_answer_picture(GAME, several, request, picture_requests.SVG).body
    )
    with pytest.raises(InvalidRequest):
        picture_requests.make_answer_picture(GAME, several, request, picture_requests.PNG)


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (asked(palette="neon"), InvalidRequest),
        (asked(width=39), InvalidRequest),
        (asked(width=2049), InvalidRequest),
        (asked(width=-1), InvalidRequest),
        ({"moves": ["a1"], "variants": ["size-6"]}, UnknownVariant),
        ({"moves": ["a1", "a1"]}, IllegalMove),
        ({"moves": [*recorded("control")[0]["moves"], "a1"], "variants": ["size-5"]}, GameOver),
        ({"moves": ["a1"] * 2001}, TooLarge),
    ],
)
def test_what_cannot_be_drawn_is_refused(request_: dict[str, Any], error: type) -> None:
    with pytest.raises(error):
        picture_requests.make_position_picture(GAME, request_, picture_requests.PNG)


def test_a_query_becomes_fields() -> None:
    found = {"moves": ["b4,c4/b1,b2 c4-b3,g6;pass", "x"], "variants": ["size-5,#board"]}
    found |= {"width": ["400"], "perspective": ["2"], "palette": ["dark"], "state": ["p1:"]}
    assert parse_picture_query(found) == {
        "moves": ["b4,c4/b1,b2", "c4-b3,g6", "pass", "x"],
        "variants": ["size-5", "#board"],
        "width": 400,
        "perspective": 2,
        "palette": "dark",
        "state": "p1:",
    }
    look = {"colours": ["one:a00,two:#00a;cell:eee"], "players": ["Ann Lee; Bob"]}
    look |= {"labels": ["0"], "loops": ["1"], "step": ["250"], "last": ["x"]}
    assert parse_picture_query(look) == {
        "colours": ["one:a00", "two:#00a", "cell:eee"],
        "players": ["Ann Lee", "Bob"],
        "labels": False,
        "loops": True,
        "step": 250,
        "last": "x",
    }
    assert parse_picture_query({"moves": [""], "width": ["-4"]}) == {
        "moves": [],
        "width": "-4",
    }
    with pytest.raises(InvalidRequest):
        parse_picture_query({"width": ["1", "2"]})


def test_a_film_is_bounded() -> None:
    render = golden.renders("control", 0, 0)[0]
    with pytest.raises(TooLarge):
        picture_requests.make_renders_film(GAME, [render] * 401, {}, "")


def test_the_board_as_text() -> None:
    game = registry.find_game("congeners")
    look = {**golden.asked("congeners", 0, 1), "form": "compact"}
    state = operations.answer_replay(game, look)["view"]["state"]
    asked_for = {"state": state, "display": "", "perspective": 0}
    text = pictures_text.draw_text_board(operations.answer_render(game, asked_for)["render"])
    assert text.splitlines() == [
        " i      . . . . .      5",
        " h     . . . . . .     6",
        " g    . . . . . . .    7",
        " f   . . . . . . . .   8",
        " e  . . . . . . . . .  9",
        " d   . . . . . . . .   8",
        " c    . . .(X). . .    7",
        " b    (O O).(X). .     6",
        " a      . . . . .      5",
        "        1 2 3 4 5",
    ]


def test_the_coloured_text_is_the_plain_one_with_codes() -> None:
    render = golden.renders("control", 0, 40)[-1]
    plain, coloured = (
        pictures_text.draw_text_board(render),
        pictures_text.draw_text_board(render, coloured=True),
    )
    assert coloured != plain
    assert "".join(part.partition("m")[2] for part in ("m" + coloured).split("\033[")) == plain
    assert set(plain) >= set("XOxo().")


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("picture.svg", b"<svg"),
        ("picture.png", b"\x89PNG"),
        ("film.svg", b"<svg"),
        ("film.webp", b"RIFF"),
        ("film.gif", b"GIF89a"),
        ("film.apng", b"\x89PNG"),
    ],
)
def test_every_kind_comes_by_get(name: str, start: bytes, client: FlaskClient) -> None:
    look = "palette=dark&width=80&labels=0&background=202020"
    address = f"/v1/games/congeners/{name}?moves=b1,b2/f3,f4&{look}"
    answer = client.get(address, headers={"Accept": "image/webp,image/*,*/*;q=0.8"})
    assert (answer.status_code, answer.data[: len(start)]) == (200, start)
    kind = picture_requests.KINDS[name.partition(".")[2]]
    assert answer.mimetype == kind
    words = unquote(answer.headers["Picture-Alt"].removeprefix("UTF-8''"))
    assert words == "Congeners, 6 cells to a side, after ply 1 (b1,b2/f3,f4): Player 2 is to move."
    known = client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
    assert (known.status_code, known.data) == (304, b"")


@pytest.mark.parametrize("ending", ["webp", "gif", "apng"])
def test_render_answers_with_a_film_that_is_accepted(ending: str, client: FlaskClient) -> None:
    kind = picture_requests.KINDS[ending]
    body = {**of_state(), "plies": [15, 20], "width": 80}
    answer = client.post("/v1/games/control/render", json=body, headers={"Accept": kind})
    assert (answer.status_code, answer.mimetype) == (200, kind)
    with Image.open(BytesIO(answer.data)) as image:
        assert getattr(image, "n_frames", 1) == 6


@pytest.mark.parametrize(
    "query",
    [
        "colours=one:eeeeee",
        "background=red",
        "labels=2",
        "height=20",
        "players=Ann&height=300",
        "last=1",
        "step=500",
        "palette=wood",
    ],
)
def test_a_picture_that_cannot_be_is_refused_by_field(query: str, client: FlaskClient) -> None:
    answer = client.get(f"/v1/games/control/picture.png?moves=a1&{query}")
    problem(answer, "invalid-request")
    assert query.partition("=")[0] in answer.get_json()["errors"]


def test_a_card_comes_by_get(client: FlaskClient) -> None:
    address = "/v1/games/control/picture.png?moves=a1&width=600&height=315&players=Ann;Bob"
    with Image.open(BytesIO(client.get(address).data)) as image:
        assert image.size == (600, 315)


def test_each_game_tells_the_colours_of_its_boards(client: FlaskClient) -> None:
    told = client.get("/v1/games/congeners").get_json()["colours"]
    assert set(told) == {"light", "dark", "safe", "mono"}
    assert told["light"] == [ink.fill for ink in PALETTES["wood"].players[:2]]
    assert told["dark"] == [ink.fill for ink in PALETTES["night"].players[:2]]
