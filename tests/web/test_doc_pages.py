"""The documents as pages: the contract stands where `/` leads, and no link on a page is dead."""

import re
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from plyhost.web.app import STATUS
from plyhost.web.get_routes import doc_pages

BROWSER = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"}


class Seen(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.links |= {str(given["href"])} if "href" in given else set()
        self.anchors |= {str(given["id"])} if "id" in given else set()


def opened(client: FlaskClient, path: str) -> str:
    answer = client.get(path, headers=BROWSER, follow_redirects=True)
    assert answer.status_code == 200, path
    return answer.text


@pytest.mark.parametrize("accept", [BROWSER, {}, {"Accept": "text/html"}])
def test_the_contract_stands_where_the_root_leads(
    client: FlaskClient, accept: dict[str, str]
) -> None:
    answer = client.get("/", headers=accept)
    assert (answer.status_code, answer.location) == (302, doc_pages.CONTRACT)
    page = client.get(answer.location, headers=accept)
    assert page.mimetype == "text/html"
    assert "<h1" in page.text
    assert "color-scheme: light dark" in page.text
    assert "width=device-width" in page.text


@pytest.mark.parametrize("name", doc_pages.NAMES)
def test_every_link_of_a_page_leads_somewhere(name: str, client: FlaskClient) -> None:
    seen = Seen(opened(client, doc_pages.locate_document(name)))
    for link in seen.links:
        path, _, anchor = link.partition("#")
        if re.match("https?:", path):
            continue
        there = Seen(opened(client, path)) if path else seen
        assert not anchor or anchor in there.anchors, link


def test_every_code_has_its_place_on_the_page_that_problems_name(client: FlaskClient) -> None:
    assert {kind.code for kind in STATUS} <= Seen(opened(client, doc_pages.ERRORS)).anchors
