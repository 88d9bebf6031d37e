"""Films as WebP, GIF and APNG: every position in its turn, small, and bounded."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops

from plyhost import deadline, limits
from plyhost.contract import picture_requests
from plyhost.contract.picture_requests import KINDS
from plyhost.errors import InvalidRequest, TooLarge
from plyhost.games.registry import find_game
from plyhost.pictures import film, frames
from plyhost.pictures.look import Look
from plyhost.pictures.palettes import PALETTES
from plyhost.pictures.stamps import paint_scene
from tests.tools import golden
from tests.tools.games import recorded

IMAGES = ("webp", "gif", "apng")
CONTROL = find_game("control")


def made(uid: str, number: int, plies: int, ending: str, **asked: Any) -> bytes:
    request = golden.asked(uid, number, plies, asked)
    return picture_requests.make_game_film(find_game(uid), request, KINDS[ending]).body


def shown(data: bytes) -> list[tuple[Image.Image, float]]:
    """Return each image of a film with the milliseconds that it stands."""
    with Image.open(BytesIO(data)) as image:
        found = []
        for frame in range(getattr(image, "n_frames", 1)):
            image.seek(frame)
            image.load()
            found.append((image.convert("RGBA").convert("RGB"), image.info.get("duration", 0)))
        return found


@pytest.mark.parametrize("ending", IMAGES)
@pytest.mark.parametrize(("uid", "palette"), [("control", "light"), ("congeners", "wood")])
def test_each_position_is_shown_in_its_turn(uid: str, palette: str, ending: str) -> None:
    look = Look(PALETTES[palette], width=200, joined=uid == "congeners")
    scenes = film.draw_film_scenes(golden.renders(uid, 0, 20), look)
    data = frames.encode_film(scenes, KINDS[ending], film.Timing(500, 2000, loops=True))
    found = shown(data)
    assert [duration for _, duration in found] == [500] * 20 + [2500]
    for scene, (image, _) in zip(scenes, found, strict=True):
        ought = paint_scene(scene).convert("RGB").crop((0, 0, 200, image.height - 4))
        off = ImageChops.difference(ought, image.crop((0, 0, 200, image.height - 4)))
        # A palette of 127 colours, and the bar along the lower edge.
        assert max(off.convert("L").tobytes()) < 48
        assert sum(off.convert("L").histogram()[16:]) < ought.width * ought.height / 200


@pytest.mark.long
@pytest.mark.parametrize("ending", IMAGES)
def test_a_whole_game_of_side_7_fits_into_a_chat(ending: str) -> None:
    moves = recorded("control")[15]["moves"]
    data = made("control", 15, len(moves), ending)
    assert len(data) < 1_000_000
    assert len(shown(data)) == len(moves) + 1


@pytest.mark.parametrize("ending", IMAGES)
def test_it_loops_or_plays_once(ending: str) -> None:
    def loops(**asked: Any) -> object:
        with Image.open(BytesIO(made("control", 0, 4, ending, width=60, **asked))) as image:
            return image.info.get("loop")

    assert loops() == 0
    assert loops(loops=False) in (None, 1)


@pytest.mark.parametrize("ending", [*IMAGES, "svg"])
def test_the_same_film_has_the_same_bytes(ending: str) -> None:
    assert made("congeners", 0, 6, ending) == made("congeners", 0, 6, ending)


@pytest.mark.parametrize("ending", IMAGES)
def test_one_position_is_a_film_too(ending: str) -> None:
    assert len(shown(made("control", 0, 0, ending))) == 1


def test_one_move_alone_is_a_film_of_before_and_after() -> None:
    whole = shown(made("control", 0, 12, "gif", width=100))
    last = shown(made("control", 0, 12, "gif", width=100, last=1))
    assert len(last) == 2
    assert len(whole) == 13
    assert len(shown(made("control", 0, 12, "gif", width=100, last=400))) == 13


def test_the_time_of_a_position_can_be_given() -> None:
    assert shown(made("control", 0, 3, "gif", width=60, step=250))[0][1] == 250


@pytest.mark.parametrize("ending", IMAGES)
def test_a_film_is_bounded_before_it_is_painted(ending: str) -> None:
    moves = recorded("control")[15]["moves"]
    widest = int((limits.FILM_PIXELS / (len(moves) + 1)) ** 0.5)
    request = golden.asked("control", 15, len(moves), {"width": widest})
    picture_requests.make_game_film(CONTROL, request, KINDS[ending])
    wider = {**request, "width": widest + 1}
    with pytest.raises(TooLarge):
        picture_requests.make_game_film(CONTROL, wider, KINDS[ending])


@pytest.mark.parametrize("ending", IMAGES)
def test_a_film_is_given_up_between_two_positions(ending: str) -> None:
    scenes = film.draw_film_scenes(golden.renders("control", 0, 20), Look(width=100))
    frames.encode_film(scenes, KINDS[ending], film.Timing())
    token = deadline.start_deadline(-1)
    try:
        with pytest.raises(deadline.Overdue):
            frames.encode_film(scenes, KINDS[ending], film.Timing())
    finally:
        deadline.stop_deadline(token)


def test_what_an_image_cannot_show_is_refused() -> None:
    for wrong in ({"background": "none"}, {"height": 300}):
        with pytest.raises(InvalidRequest):
            made("control", 0, 2, "gif", **wrong)
    with pytest.raises(InvalidRequest):
        picture_requests.make_game_film(CONTROL, golden.asked("control", 0, 2), KINDS["png"])
