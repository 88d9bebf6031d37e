"""Pictures as they are asked for, by state or by moves."""

from typing import Any

import pytest

from plyhost.contract import operations, picture_requests
from plyhost.contract import text_board as pictures_text
from plyhost.errors import GameOver, IllegalMove, InvalidRequest, TooLarge, UnknownVariant
from plyhost.games import registry
from tests.tools import golden
from tests.tools.games import recorded
from tests.tools.picture_reading import NAMESPACE, parsed

GAME = registry.find_game("control")


def asked(made: int = 20, **more: Any) -> dict[str, Any]:
    return golden.asked("control", 0, made, more)


def of_state(made: int = 20, **more: Any) -> dict[str, Any]:
    request = {**asked(made), "form": "compact"}
    return {"state": operations.answer_replay(GAME, request)["view"]["state"], **more}


@pytest.mark.parametrize("kind", picture_requests.KINDS.values())
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
        for kind in picture_requests.KINDS.values()
    }
    tags.add(picture_requests.make_position_picture(GAME, asked(21)).etag)
    assert len(tags) == 2 * len(looks) + 1
    assert all(tag.isalnum() for tag in tags)


def test_the_title_names_game_and_ply() -> None:
    def title(made: int) -> str | None:
        return parsed(picture_requests.make_position_picture(GAME, asked(made)).body).findtext(
            f"{NAMESPACE}title"
        )

    assert title(0) == "Control, before the first move"
    assert title(16) == f"Control, ply 16: {recorded('control')[0]['moves'][15]}"


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
    assert picture_requests.parse_picture_query(found) == {
        "moves": ["b4,c4/b1,b2", "c4-b3,g6", "pass", "x"],
        "variants": ["size-5", "#board"],
        "width": 400,
        "perspective": 2,
        "palette": "dark",
        "state": "p1:",
    }
    assert picture_requests.parse_picture_query({"moves": [""], "width": ["-4"]}) == {
        "moves": [],
        "width": "-4",
    }
    with pytest.raises(InvalidRequest):
        picture_requests.parse_picture_query({"width": ["1", "2"]})


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
