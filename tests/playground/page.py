"""What somebody does on the page, and what is seen there."""

import re
from typing import Any

import requests
from playwright.sync_api import Locator, Page, expect

from tests.tools.browser import settled
from tests.tools.games import recorded


def small(uid: str) -> dict[str, Any]:
    """Return the first recorded game on the small board."""
    return next(game for game in recorded(uid) if game["variants"] == ["size-5"])


def shortest(uid: str) -> dict[str, Any]:
    """Return the recorded game with the fewest moves that somebody won on the small board."""
    won = (
        game
        for game in recorded(uid)
        if game["variants"] == ["size-5"] and len(game["winner"]) == 1
    )
    return min(won, key=lambda game: len(game["moves"]))


def reached(url: str, uid: str, moves: list[str]) -> dict[str, Any]:
    """Return the view after some moves on the small board."""
    fields = {"variants": ["size-5"], "moves": moves, "form": "compact"}
    answer = requests.post(f"{url}/v1/games/{uid}/replay", json=fields, timeout=20).json()
    view: dict[str, Any] = answer["view"]
    return view


def cell(page: Page, name: str) -> Locator:
    return page.locator(f'#board [data-cell="{name}"]')


def stones(page: Page) -> dict[str, int]:
    """Return the value of each stone on the drawn board, as a state has it."""
    found = page.eval_on_selector_all(
        "#board [data-cell]:has([data-piece])",
        """all => all.map((one) =>
            [one.dataset.cell, one.querySelector("[data-piece]").dataset.piece])""",
    )
    return {name: " AB".index(piece) for name, piece in found}


def begin(page: Page, game: str, variant: str = "size-5") -> None:
    page.click("#new")
    page.select_option("#new-game", game)
    page.select_option("#variant-board", variant)
    page.click("#new-form .primary")
    expect(page.locator("#game")).to_contain_text(re.compile(game, re.IGNORECASE))
    expect(page.locator("#plies li")).to_have_count(1)


def paste(page: Page, text: str) -> None:
    page.click("#open")
    page.fill("#pasted", text)
    page.click("#open-form .primary")
    expect(page.locator("#open-dialog")).to_be_hidden()


def at_ply(page: Page, ply: int) -> None:
    """Wait until the page has arrived at a ply."""
    expect(page.locator("#game")).to_contain_text(f"ply {ply}")
    expect(page.locator("#plies li")).to_have_count(ply + 1)


def by_clicks(page: Page, move: str) -> None:
    if move in ("pass", "play-second"):
        label = "Be White" if move == "play-second" else "Pass"
        page.locator("#words").get_by_text(label).click()
        settled(page)
        return
    for name in re.split("[-x,/]", move.removesuffix("x")):
        cell(page, name).click()
        settled(page)


def press(page: Page, *keys: str) -> None:
    """Press keys one by one, each when what the one before asked for has been answered."""
    for key in keys:
        page.keyboard.press(key)
        settled(page)


def spoken(page: Page, pattern: str) -> None:
    expect(page.locator("#spoken")).to_have_text(re.compile(pattern))
