"""A real browser for tests: the system's Chromium, driven by playwright, in a fresh profile."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
#: Every wait ends after this many milliseconds.
PATIENCE = 15_000


def program() -> str:
    """Return the path of a browser; without one the test is skipped, or fails if it must not be."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    if os.environ.get("TEST_BROWSER") == "required":
        pytest.fail("TEST_BROWSER=required, but there is no Chromium here")
    pytest.skip("there is no Chromium here, so the page is not tried in a browser")


@contextmanager
def launched() -> Iterator[Browser]:
    """Run the browser without a window."""
    path = program()
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=[*ARGUMENTS])
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Watched:
    """A page with what went wrong on it: messages, errors, requests to anywhere else.

    The browser itself reports every refusal of the server; `refused` says that some are meant.
    """

    page: Page
    origin: str
    refused: bool = False
    interrupted: bool = False
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        self.page.on("request", self._asked)

    def _said(self, message: Any) -> None:
        # Chromium drops what it is loading when the machine gains or loses an interface.
        if "ERR_NETWORK_CHANGED" in message.text:
            self.interrupted = True
            return
        is_refusal = "Failed to load resource" in message.text
        if not (self.refused and is_refusal):
            self.faults.append(f"{message.type}: {message.text}")

    def _asked(self, request: Any) -> None:
        if not request.url.startswith(f"{self.origin}/"):
            self.faults.append(f"request: {request.url}")


@contextmanager
def tab(browser: Browser, url: str, **options: Any) -> Iterator[Watched]:
    """Open the playground in a tab of its own; afterwards nothing must have gone wrong on it."""
    with browser.new_context(**{"viewport": DESK, **options}) as context:
        watched = Watched(context.new_page(), url)
        while not _visited(watched, f"{url}/playground"):
            watched.page.wait_for_timeout(500)
        yield watched
        assert not watched.faults, watched.faults


def _visited(watched: Watched, address: str) -> bool:
    """Load the page; tell whether all of it came."""
    watched.interrupted = False
    try:
        watched.page.goto(address)
    except Error as error:
        if "ERR_NETWORK_CHANGED" not in error.message:
            raise
        return False
    return not watched.interrupted


@contextmanager
def opened(browser: Browser, url: str, **options: Any) -> Iterator[Watched]:
    """Open the playground, and wait for the game that it begins with."""
    with tab(browser, url, **options) as watched:
        try:
            settled(watched.page)
        except Error as error:
            error.add_note(f"on the page: {watched.faults}, {watched.page.inner_text('body')}")
            raise
        yield watched


def settled(page: Page) -> None:
    """Wait until everything that was asked for has been answered and drawn."""
    page.wait_for_selector("#board[aria-busy=false]")


def flaws(page: Page) -> list[str]:
    """Return what axe finds wrong with the page as it is."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in found
        for node in one["nodes"]
    ]
