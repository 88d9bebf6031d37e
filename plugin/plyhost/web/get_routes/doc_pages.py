"""The documents of the contract as pages: made from the Markdown that `docs/` holds, once.

`/` leads to the contract.  A page fits a phone, and is dark where its reader's scheme is.
"""

import re
from collections.abc import Callable
from functools import cache
from html import escape
from importlib.resources import files
from posixpath import dirname, join, normpath

from flask import Flask, Response, redirect
from markdown_it import MarkdownIt
from werkzeug.wrappers import Response as Redirect

from plyhost.web.get_routes.page_frame import frame_page

#: The documents that callers need, in the order in which a page lists them.
NAMES = (
    "contract",
    "site",
    "errors",
    "states",
    "differences",
    "playground",
    "replay",
    "operating",
    "speed",
    "games/control",
    "games/congeners",
)
CONTRACT, ERRORS = "/docs/contract", "/docs/errors"

_HEADING = re.compile(r"<h([1-3])>(.*?)</h\1>")
_TAG = re.compile("<[^>]+>")
#: A link to a file beside the document, not to another site or a place on the page.
_FILE_LINK = re.compile(r'<a href="([^":#]+)(#[^"]*)?">(.*?)</a>')
#: A code's own row in the table of errors, where the `type` of a problem leads.
_CODE_CELL = re.compile(r"<td>(<code>([a-z-]+)</code></td>\n<td>[0-9]{3}<)")


def install_doc_pages(app: Flask) -> None:
    """Add a page for each document, and the way from `/` to the contract."""
    for name in NAMES:
        path = locate_document(name)
        app.add_url_rule(path, path, _make_document_view(name))
    app.add_url_rule("/", "/", _lead_to_contract)


def locate_document(name: str) -> str:
    """Return the address of a document's page."""
    return f"/docs/{name}"


def _lead_to_contract() -> Redirect:
    return redirect(CONTRACT)


def _make_document_view(name: str) -> Callable[[], Response]:
    return lambda: Response(render_document(name), mimetype="text/html")


@cache
def render_document(name: str) -> str:
    """Return a document as a whole page."""
    text = (files("plyhost.documents") / f"{name}.md").read_text()
    body = _HEADING.sub(_anchor_heading, MarkdownIt("commonmark").enable("table").render(text))
    body = _CODE_CELL.sub(r'<td id="\2">\1', body)
    body = _FILE_LINK.sub(lambda found: _lead_file_link(name, found), body)
    return frame_page(_name_page(name), _list_documents() + body)


def _lead_file_link(name: str, found: re.Match[str]) -> str:
    """Return the link to another document's page; only the words where it is none of them."""
    file, anchor, words = found[1], found[2] or "", found[3]
    other = normpath(join(dirname(name), file)).removesuffix(".md")
    return f'<a href="{locate_document(other)}{anchor}">{words}</a>' if other in NAMES else words


def _name_page(name: str) -> str:
    return name.rpartition("/")[2].title()


def _anchor_heading(found: re.Match[str]) -> str:
    level, words = found.groups()
    plain = re.sub(r"[^\w -]", "", _TAG.sub("", words)).lower().replace(" ", "-")
    return f'<h{level} id="{escape(plain)}">{words}</h{level}>'


def _list_documents() -> str:
    places = [(_name_page(name), locate_document(name)) for name in NAMES]
    places += [("Try a call", "/docs/"), ("Play", "/playground"), ("OpenAPI", "/openapi.json")]
    links = " ".join(f'<a href="{path}">{title}</a>' for title, path in places)
    return f"<nav>{links}</nav>"
