"""Animations of whole games: what they show at each time is the position of that time."""

from typing import Any

import pytest

from plyhost.pictures import film
from plyhost.pictures.layout import Undrawable
from plyhost.pictures.look import Look
from tests.tools import golden
from tests.tools.picture_reading import NAMESPACE, expected, parsed, read, still


def filmed(renders: list[dict[str, Any]], **timing: Any) -> str:
    scenes = film.draw_film_scenes(renders, Look())
    return film.draw_film(scenes, "", film.choose_timing(len(scenes), **timing))


CASES = [("control", 0, "", 40), ("control", 15, "hide-control", 147), ("congeners", 1, "kin", 65)]


@pytest.mark.parametrize(("uid", "number", "display", "made"), CASES)
def test_each_position_is_shown_in_its_turn(uid: str, number: int, display: str, made: int) -> None:
    renders = golden.renders(uid, number, made, display)
    text = filmed(renders, step=1000)
    length = len(renders) + film.REST / 1000
    for frame in range(0, len(renders), 7):
        shown = still(parsed(text), (frame + 0.5) / length)
        assert read(shown) == expected(renders[frame])
    assert read(still(parsed(text), 0.999)) == expected(renders[-1])


def test_a_viewer_that_does_not_animate_shows_the_end() -> None:
    renders = golden.renders("congeners", 0, 20)
    root = parsed(filmed(renders))
    for parent in list(root.iter()):
        for child in list(parent):
            if child.get("opacity") == "0":
                parent.remove(child)
    assert read(root) == expected(renders[-1])


def animations(text: str) -> list[dict[str, str]]:
    return [one.attrib for one in parsed(text).iter(f"{NAMESPACE}animate")]


def test_it_loops_or_plays_once() -> None:
    renders = golden.renders("congeners", 0, 20)
    assert {one.get("repeatCount") for one in animations(filmed(renders))} == {"indefinite"}
    once = animations(filmed(renders, loops=False))
    assert {one.get("repeatCount") for one in once} == {None}
    assert {one["fill"] for one in once} == {"freeze"}


def test_a_long_game_is_played_faster() -> None:
    def length(made: int) -> float:
        return float(animations(filmed(golden.renders("control", 22, made)))[0]["dur"][:-1])

    assert length(20) == pytest.approx((21 * film.STEP + film.REST) / 1000, rel=0.001)
    assert length(255) == pytest.approx((film.LONGEST + film.REST) / 1000, rel=0.003)


def test_one_position_is_a_film_too() -> None:
    renders = golden.renders("control", 0, 0)
    assert read(parsed(filmed(renders))) == expected(renders[0])


def test_what_makes_no_film_is_refused() -> None:
    small, large = golden.renders("control", 0, 1), golden.renders("control", 15, 1)
    wrong: list[list[dict[str, Any]]] = [[], small + large, small * film.MOST_FRAMES]
    for renders in wrong:
        with pytest.raises(Undrawable):
            filmed(renders)


def test_pieces_tell_whether_they_are_in_the_first_and_in_the_last_position() -> None:
    renders = golden.renders("congeners", 0, 20)
    for seen, one in (("first", renders[0]), ("last", renders[-1])):
        root = parsed(filmed(renders))
        for parent in list(root.iter()):
            for child in list(parent):
                if child.get("data-seen") not in (None, seen, "both"):
                    parent.remove(child)
        assert read(root) == expected(one)
