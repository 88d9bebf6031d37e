"""Cards: a position in a frame of a given size, with its players and how it stands."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from plyhost.contract import operations, picture_requests
from plyhost.contract.picture_requests import PNG, SVG
from plyhost.errors import InvalidRequest
from plyhost.games.registry import find_game
from plyhost.pictures.letters import is_writable, measure_text, write_line
from tests.tools import golden
from tests.tools.games import recorded
from tests.tools.picture_reading import NAMESPACE, expected, parsed, read

GAME = find_game("control")
NAMES = ["\u00c5sa <Str\u00f6m> & Co.", "Bob"]


def card(made: int = 20, kind: str = SVG, **more: Any) -> bytes:
    request = golden.asked("control", 0, made, {"height": 630, "players": NAMES, **more})
    return picture_requests.make_position_picture(GAME, request, kind).body


def test_a_card_has_the_size_that_is_asked_for() -> None:
    cases: list[tuple[dict[str, Any], tuple[int, int]]] = [
        ({}, (1200, 630)),
        ({"width": 400, "height": 700}, (400, 700)),
    ]
    for asked, size in cases:
        with Image.open(BytesIO(card(kind=PNG, **asked))) as image:
            assert image.size == size
        root = parsed(card(**asked))
        assert (root.attrib["width"], root.attrib["height"]) == tuple(map(str, size))


def test_a_card_shows_the_position() -> None:
    assert read(parsed(card())) == expected(golden.renders("control", 0, 20)[-1])


@pytest.mark.parametrize("size", [(1200, 630), (630, 1200), (500, 500), (40, 2048), (2048, 40)])
def test_a_card_of_any_shape_can_be_drawn(size: tuple[int, int]) -> None:
    with Image.open(BytesIO(card(kind=PNG, width=size[0], height=size[1]))) as image:
        assert image.size == size
        edges = {image.convert("RGB").getpixel((x, y)) for x in (0, size[0] - 1) for y in (0, 1)}
        assert edges == {(255, 255, 255)}


def signs(made: int) -> set[str]:
    """Return the signs on a card: an arrow, a star, an equals sign."""
    known = {"M-6-8L8": "arrow", "M0-9.4": "star", "M-7-4.6": "equals"}
    paths = [one.get("d", "") for one in parsed(card(made)).iter(f"{NAMESPACE}path")]
    return {sign for start, sign in known.items() for path in paths if path.startswith(start)}


def test_a_card_tells_whose_turn_it_is_or_who_won() -> None:
    whole = len(recorded("control")[0]["moves"])
    assert signs(20) == {"arrow"}
    assert signs(whole) == {"star"}


def test_the_card_of_an_answer_tells_how_its_ply_stands() -> None:
    state = golden._state("control", 0, len(recorded("control")[0]["moves"]))
    for ply, sign in ((3, "M-6-8L8"), (-1, "M0-9.4")):
        request = {"state": state, "ply": ply, "display": "", "perspective": 0, "height": 300}
        answer = operations.answer_render(GAME, request)
        body = picture_requests.make_answer_picture(GAME, answer, request, SVG).body.decode()
        assert sign in body


def test_names_stand_on_it_as_paths_and_nothing_else() -> None:
    text = card().decode()
    assert NAMES[0] not in text
    assert "&lt;" not in text
    assert card() != card(players=["Ann", "Bob"])


def test_names_that_cannot_be_drawn_leave_the_colour() -> None:
    assert card(players=["\u7530\u4e2d", "\u041e\u043b\u044f"]) == card(players=["", "  "])
    assert not is_writable("\u7530\u4e2d")
    assert is_writable("Zo\u00eb \u0141ukasz-O\u2019Hara")


def test_accents_change_a_name_and_not_its_length() -> None:
    assert measure_text("Zo\u00eb") == measure_text("Zoe")
    assert write_line("Zo\u00eb", 0, 0) != write_line("Zoe", 0, 0)


@pytest.mark.parametrize("height", [39, 2049])
def test_a_height_out_of_bounds_is_refused(height: int) -> None:
    with pytest.raises(InvalidRequest):
        card(height=height)
