"""A server and a browser for all tests of the playground that one worker runs, a tab for each."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.tools.browser import Watched, launched, opened
from tests.tools.serving import serving


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched() as running:
        yield running


@pytest.fixture(scope="package")
def url(browser: Browser) -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture
def watched(browser: Browser, url: str) -> Iterator[Watched]:
    with opened(browser, url) as one:
        yield one


@pytest.fixture
def page(watched: Watched) -> Page:
    return watched.page
