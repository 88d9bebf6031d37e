"""Who can use the playground: by keys alone, on a phone, with a screen reader, with a key."""

import os

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from plyhost.web.gates import access
from tests.playground.page import (
    at_ply,
    begin,
    by_clicks,
    cell,
    paste,
    press,
    reached,
    small,
    spoken,
)
from tests.tools.browser import PHONE, Watched, flaws, opened, settled, tab
from tests.tools.serving import serving


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=alert(1)>",
        '{"game": "<img src=x onerror=alert(1)>", "stack": []}',
        '{"game": "control", "numplayers": 2, "variants": ["<img src=x onerror=alert(1)>"]}',
        "p1:control:<b>:20240909::AAAA",
        "{",
    ],
)
def test_what_cannot_be_opened_is_said_and_never_becomes_markup(
    watched: Watched, text: str
) -> None:
    watched.refused = True
    page = watched.page
    page.click("#open")
    page.fill("#pasted", text)
    page.click("#open-form .primary")
    expect(page.locator("#open-problem")).not_to_be_empty()
    page.locator("#open-dialog [data-close]").click()
    page.locator("#log summary", has_text="422").first.click()
    assert page.locator("img, b").count() == 0
    assert "&lt;" not in page.inner_text("#open-problem")


def test_keys_alone_are_enough(page: Page) -> None:
    begin(page, "congeners")
    page.locator("#new").focus()
    press(page, "Tab", "Tab")
    assert page.evaluate("document.activeElement.dataset.cell") == "e5"
    press(page, "Enter", "ArrowUp", "ArrowUp", "Enter")
    expect(page.locator("#board .cursor")).to_be_visible()
    spoken(page, "e5 and g4 are not next to each other")
    press(page, "ArrowDown", "Enter")
    expect(page.locator("#move")).to_have_value("e5,f4")
    press(page, "Escape")
    expect(page.locator("#move")).to_have_value("")
    press(page, "Home", "Enter", "ArrowRight", "Enter", "ArrowUp", "ArrowUp", "End", "Enter")
    press(page, "ArrowLeft", "Space")
    at_ply(page, 1)
    spoken(page, "Player 1 placed a black piece at f1.*Player 2 to move.*Choose")
    assert page.evaluate("document.activeElement.ariaLabel") == "h5, stone of White"
    press(page, "PageUp")
    spoken(page, "Ply 0 of 1")
    press(page, "PageDown")
    spoken(page, "Player 2 to move")
    press(page, "Backspace")
    at_ply(page, 0)


def test_arrows_follow_the_board_as_it_is_turned(page: Page) -> None:
    page.select_option("#perspective", "2")
    settled(page)
    cell(page, "e5").focus()
    press(page, "ArrowRight")
    assert page.evaluate("document.activeElement.dataset.cell") == "e4"
    press(page, "ArrowUp", "ArrowUp", "Home")
    assert page.evaluate("document.activeElement.dataset.cell") == "c7"


def test_what_takes_long_shows_that_it_does(page: Page) -> None:
    held: list[Route] = []
    page.route("**/click", lambda route: held.append(route))
    cell(page, "a1").click()
    expect(page.locator("#busy")).to_be_visible()
    held.pop().continue_()
    at_ply(page, 1)
    expect(page.locator("#busy")).to_be_hidden()


def test_it_is_usable_on_a_phone(browser: Browser, url: str) -> None:
    options = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    with opened(browser, url, **options) as watched:
        page = watched.page
        cell(page, "e1").tap()
        at_ply(page, 1)
        paste(page, reached(url, "congeners", small("congeners")["moves"])["state"])
        for summary in page.locator(".side summary, #log summary").all()[:6]:
            summary.tap()
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        box = page.locator("#board svg").bounding_box()
        assert box is not None
        assert box["width"] > 0.9 * PHONE["width"]
        assert small_targets(page) == []
        assert flaws(page) == []


def small_targets(page: Page) -> list[str]:
    """Return the controls that are too small for a finger."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("button, select, summary, input, label.tick, nav a")]
            .filter((one) => one.checkVisibility() && one.id !== "confirm")
            .filter((one) => one.getBoundingClientRect().height < 40)
            .map((one) => one.outerHTML)"""
    )
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_anybodys_way(browser: Browser, url: str, scheme: str) -> None:
    with opened(browser, url, color_scheme=scheme) as watched:
        page = watched.page
        assert flaws(page) == []
        for opener in ("#new", "#open", "#end"):
            page.click(opener)
            assert flaws(page) == []
            page.keyboard.press("Escape")
        paste(page, reached(url, "congeners", small("congeners")["moves"][:30])["state"])
        for summary in page.locator(".side summary, #log summary").all()[:6]:
            summary.click()
        cell(page, "a1").click()
        expect(page.locator("#message.problem")).to_be_visible()
        assert flaws(page) == []


def test_a_server_that_wants_a_key_is_told_one(browser: Browser) -> None:
    key = access.make_caller_key()
    env = os.environ | {"PLYHOST_API_KEYS": f"page:{access.hash_caller_key(key)}"}
    with serving(env=env) as address, tab(browser, address) as watched:
        watched.refused = True
        page = watched.page
        expect(page.locator("#message.problem code")).to_have_text("unauthorized")
        page.fill("#key", key)
        page.press("#key", "Enter")
        at_ply(page, 0)
        page.locator("#log summary", has_text="history").click()
        assert key not in page.content()
        expect(page.locator("#log pre").last).to_contain_text('Bearer $KEY"')


def test_a_server_that_says_wait_is_asked_again(watched: Watched) -> None:
    watched.refused = True
    page = watched.page
    waits = iter(["1"])

    def limited(route: Route) -> None:
        if wait := next(waits, ""):
            route.fulfill(status=429, headers={"Retry-After": wait}, body="")
        else:
            route.continue_()

    page.route("**/move", limited)
    by_clicks(page, "a1")
    at_ply(page, 1)
    expect(page.locator("#log .problem")).to_have_count(0)


def test_a_broken_line_is_tried_once_more_and_then_told(watched: Watched) -> None:
    watched.refused = True
    page, failures = watched.page, iter([True, False, True, True])
    page.route("**/click", lambda route: route.abort() if next(failures) else route.continue_())
    by_clicks(page, "a1")
    at_ply(page, 1)
    by_clicks(page, "i5")
    expect(page.locator("#message.problem code")).to_have_text("unreachable")
