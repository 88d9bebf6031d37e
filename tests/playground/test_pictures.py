"""Pictures in a browser: they follow the scheme, and stand still for those who want no motion."""

from typing import Any

import pytest
from playwright.sync_api import Browser

from plyhost.contract import picture_requests
from plyhost.games.registry import find_game
from plyhost.pictures.palettes import PALETTES, Palette
from tests.tools import golden
from tests.tools.browser import tab

GAMES = [("control", "light", "dark"), ("congeners", "wood", "night")]


def still(uid: str, **look: Any) -> str:
    request = golden.asked(uid, 0, 20, look)
    return picture_requests.make_position_picture(find_game(uid), request).body.decode()


def find_colour(colour: str) -> str:
    red, green, blue = bytes.fromhex(colour[1:])
    return f"rgb({red}, {green}, {blue})"


def list_fills(page: Any) -> set[str]:
    return set(
        page.evaluate(
            "[...document.querySelectorAll('svg *')].map((one) => getComputedStyle(one).fill)"
        )
    )


def list_fills_of(palette: Palette) -> set[str]:
    one, two = palette.players[:2]
    colours = (palette.background, palette.board, palette.rim, palette.cell, one.fill, two.fill)
    return {find_colour(colour) for colour in colours}


@pytest.mark.parametrize(("uid", "light", "dark"), GAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_follows_the_scheme(
    uid: str, light: str, dark: str, scheme: Any, browser: Browser
) -> None:
    with browser.new_context(color_scheme=scheme) as context:
        page = context.new_page()
        page.set_content(still(uid, palette="auto"))
        fills = list_fills(page)
    day, night = list_fills_of(PALETTES[light]), list_fills_of(PALETTES[dark])
    shown, hidden = (night, day) if scheme == "dark" else (day, night)
    assert shown <= fills
    assert not hidden & fills


def test_pictures_on_one_page_do_not_change_each_other(browser: Browser) -> None:
    with browser.new_context(color_scheme="dark") as context:
        page = context.new_page()
        both = still("control", palette="auto") + still("congeners", palette="light")
        page.set_content(both)
        fills = list_fills(page)
    assert list_fills_of(PALETTES["wood"]) <= fills
    assert list_fills_of(PALETTES["dark"]) <= fills


def count_shown(page: Any) -> dict[str, int]:
    """Return how many pieces of each kind can be seen."""
    shown: dict[str, int] = page.evaluate(
        """() => Object.fromEntries(["first", "last", "both", "never"].map((seen) => [seen,
        [...document.querySelectorAll(`[data-seen=${seen}]`)].filter((one) =>
            getComputedStyle(one).display !== "none" && getComputedStyle(one).opacity === "1"
        ).length]))"""
    )
    return shown


def test_without_motion_a_film_is_its_first_position_and_then_its_last(browser: Browser) -> None:
    request = golden.asked("congeners", 0, 12)
    film = picture_requests.make_game_film(find_game("congeners"), request).body.decode()
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.set_content(film)
        animations = (
            "document.getAnimations().forEach((one) => { one.pause(); one.currentTime = %d })"
        )
        page.evaluate(animations % 1000)
        early = count_shown(page)
        page.evaluate(animations % 3000)
        late = count_shown(page)
    assert early["never"] == late["never"] == 0
    assert early["last"] == 0 < late["last"]
    assert late["first"] == 0
    assert early["both"] == late["both"]


def test_a_picture_that_is_opened_alone_keeps_its_rules(browser: Browser, url: str) -> None:
    with tab(browser, url, color_scheme="dark") as watched:
        page = watched.page
        page.goto(f"{url}/v1/games/control/picture.svg?moves=a1&palette=auto")
        fill = page.evaluate("getComputedStyle(document.querySelector('rect')).fill")
    assert fill == find_colour(PALETTES["dark"].background)
