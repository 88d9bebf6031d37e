"""The playground's files, and how they are served."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from plyhost.pictures.asking import AUTO, PALETTE_NAMES
from plyhost.web.get_routes.playground_pages import ASSETS, KINDS, PATH
from tests.conftest import problem
from tests.tools import ROOT

FOLDER = ROOT / "plugin" / "plyhost" / "playground"
FILES = sorted(FOLDER.iterdir())
PAGE = (FOLDER / "index.html").read_text()
STYLE = (FOLDER / "style.css").read_text()
MODULES = [file for file in FILES if file.suffix == ".js"]


def test_the_page_is_served_with_a_policy_that_allows_nothing_from_elsewhere(
    client: FlaskClient,
) -> None:
    for path in (PATH, f"{PATH}/"):
        answer = client.get(path, headers={"Accept": "text/html,*/*;q=0.8"})
        assert answer.text == PAGE
        assert answer.content_type == "text/html; charset=utf-8"
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_is_sent_once_and_then_known(client: FlaskClient, file: Path) -> None:
    path = f"{ASSETS}/{file.name}"
    answer = client.get(path, headers={"Accept": "text/css,image/*"})
    assert answer.data == file.read_bytes()
    assert answer.content_type == KINDS[file.suffix[1:]]
    assert answer.headers["Cache-Control"] == "no-cache"
    again = client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("name", ["nothing.js", "..%2fapp.py", "../app.py", "index", ".js", "%00"])
def test_nothing_else_is_served(client: FlaskClient, name: str) -> None:
    problem(client.get(f"{ASSETS}/{name}"), "not-found")


def test_every_file_is_loaded_by_the_page_or_by_another() -> None:
    asked = set(re.findall(rf'"{ASSETS}/([^"]+)"', PAGE))
    for module in MODULES:
        asked |= set(re.findall(r'from "\./([^"]+)";', module.read_text()))
    assert asked == {file.name for file in FILES} - {"index.html"}


def test_every_element_that_a_module_looks_for_is_on_the_page() -> None:
    there = set(re.findall(r'\bid="([^"]+)"', PAGE))
    assert len(there) == len(re.findall(r'\bid="', PAGE))
    for module in MODULES:
        assert set(re.findall(r'find\("([^"]+)"\)', module.read_text())) <= there, module.name


def test_every_import_is_offered_and_used() -> None:
    for module in MODULES:
        text = module.read_text()
        for names, source in re.findall(r'import \{ (.*?) \} from "\./(.*?)";', text):
            offered = (FOLDER / source).read_text()
            for name in names.split(", "):
                assert re.search(rf"export (async )?(function|class|const) {name}\b", offered), name
                assert len(re.findall(rf"\b{name}\b", text)) > 1, f"{module.name}: {name}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_nothing_makes_markup_of_text_or_leads_elsewhere(file: Path) -> None:
    text = file.read_text().replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", text)
    assert not re.search(r"https?:|//\w+\.\w+/", text)
    assert not re.search(r"<style|<script>|\sstyle=|\son\w+=", text)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_files_are_small(file: Path) -> None:
    lines = file.read_text().splitlines()
    assert len(lines) <= (200 if file.suffix == ".js" else 300)
    assert max(map(len, lines)) <= 100


def test_every_palette_that_a_page_can_show_is_offered() -> None:
    for name in PALETTE_NAMES:
        assert (f'<option value="{name}">' in PAGE) == (name != AUTO)
