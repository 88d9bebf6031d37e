"""The example of a site: two people play on it in real browsers, and it lets nobody else meddle."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser, Error, Page, expect

from tests.playground.page import shortest
from tests.tools import ROOT
from tests.tools.browser import Watched, launched
from tests.tools.redis_server import wait_until
from tests.tools.serving import BIN, free_port, running, started, wait_for

SITE = ROOT / "examples" / "site"
KEY = "ply_of_the_site"
SECRET = "0123456789abcdef0123456789abcdef"
RUDE = "<img src=x onerror=alert(1)>"


@dataclass
class Running:
    """A site and its plyhost: addresses, what the site was started with, the log of plyhost."""

    url: str
    plyhost: str
    env: dict[str, str]
    log: Path

    def list_calls(self) -> list[str]:
        """Return the operations that plyhost has answered, one after another."""
        return re.findall(r'"path": ?"/v1/games/\w+/(\w+)"', self.log.read_text())


@contextmanager
def site_running(folder: Path, clock: str = "3600") -> Iterator[Running]:
    """Run plyhost with keys, and the site on it, in processes of their own."""
    keys = {"PLYHOST_API_KEYS": f"site:{sha256(KEY.encode()).hexdigest()}"}
    env = os.environ | keys | {"PLYHOST_PICTURE_SECRET": SECRET, "PLYHOST_RATE_LIMIT": "off"}
    with (folder / "log").open("wb") as log, started(env=env, log=log) as (plyhost, _):
        told = {"PLYHOST_URL": plyhost, "PLYHOST_KEY": KEY, "PLYHOST_PICTURE_SECRET": SECRET}
        site = {"SITE_SECRET": "of tests", "SITE_DB": str(folder / "db"), "SITE_CLOCK": clock}
        port = free_port()
        command = [sys.executable, "-m", "flask", "--app", "app", "run", "--port", str(port)]
        quiet = subprocess.DEVNULL
        env = dict(os.environ) | told | site
        with running(command, cwd=SITE, env=env, stdout=quiet, stderr=quiet) as process:
            url = f"http://127.0.0.1:{port}"
            wait_for(url, process)
            yield Running(url, plyhost, env, folder / "log")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as one:
        yield one


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with site_running(tmp_path_factory.mktemp("site")) as one:
        yield one


@contextmanager
def two_people(browser: Browser, site: Running) -> Iterator[tuple[Page, Page]]:
    """Sign two people in, each in a browser's profile of their own; nothing may go wrong there."""
    with ExitStack() as stack:
        opened = []
        for name in ("Ann", RUDE):
            page = stack.enter_context(browser.new_context()).new_page()
            opened.append(Watched(page, site.url))
            page.goto(site.url)
            page.get_by_label("Name").fill(name)
            page.get_by_label("Password").fill(f"secret of {name}")
            page.get_by_text("Sign in").click()
            expect(page.locator("nav")).to_contain_text(name)
        yield opened[0].page, opened[1].page
        thumbnails = f"request: {site.plyhost}/v1/games/"
        faults = [fault for one in opened for fault in one.faults]
        assert [fault for fault in faults if not fault.startswith(thumbnails)] == []


def begin(ann: Page, bob: Page, site: Running, game: str) -> None:
    """Have one begin a game and the other join it from the list, where its thumbnail is seen."""
    ann.goto(site.url)
    ann.get_by_label("Game").select_option(f"{game} size-5")
    ann.get_by_text("Begin").click()
    expect(ann.get_by_text("Waiting for somebody")).to_be_visible()
    bob.goto(site.url)
    number = ann.url.rpartition("/")[2]
    picture = bob.get_by_alt_text(f"Game {number}", exact=True)
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("(image) => image.naturalWidth") > 0
    bob.locator(f'form[action="/games/{number}/join"] button').click()
    # The page that waits finds out by itself.
    expect(ann.locator("#submit")).to_be_visible()
    expect(ann.locator("main")).to_contain_text(RUDE)


def load_anew(page: Page) -> None:
    """Load a page again, which may be about to do so itself, since it looks for news."""
    try:
        page.reload()
    except Error as error:
        if "ERR_ABORTED" not in error.message:
            raise
        page.wait_for_load_state()


def click_move(page: Page, move: str) -> None:
    cells = re.findall(r"[a-z]\d+", move)
    if not cells:
        label = {"play-second": "Be White", "pass": "Pass"}[move]
        page.get_by_role("button", name=label).click()
        return
    for cell in cells:
        with page.expect_response("**/click"):
            page.locator(f'[data-cell="{cell}"].target').click()
    expect(page.locator("#move")).to_have_value(move)
    page.locator("#submit").click()


@pytest.mark.long
@pytest.mark.parametrize("uid", ["control", "congeners"])
def test_two_people_play_a_whole_game(
    uid: str, browser: Browser, site: Running, tmp_path: Path
) -> None:
    game = shortest(uid)
    with two_people(browser, site) as (ann, bob):
        begin(ann, bob, site, uid)
        for ply, move in enumerate(game["moves"]):
            page = (ann, bob)[ply % 2]
            load_anew(page)
            click_move(page, move)
            expect(page.locator("ol li")).to_have_count(ply + 1)
        winner = ("Ann", RUDE)[game["winner"][0] - 1]
        expect(page.locator("main")).to_contain_text(f"{winner}, winner")
        assert page.locator("ol li").all_inner_texts() == game["moves"]
        record = requests.get(f"{page.url}/record.json", timeout=5).json()
    assert [move for pair in record["moves"] for move in pair] == game["moves"]
    assert [player["name"] for player in record["header"]["players"]] == ["Ann", RUDE]
    replay_every_game(site, tmp_path)


def replay_every_game(site: Running, folder: Path) -> None:
    """Do what the site does every night."""
    archive = folder / "games.jsonl"
    command = [sys.executable, "-m", "flask", "--app", "app", "export", str(archive)]
    subprocess.run(command, cwd=SITE, env=site.env, check=True)
    assert len(archive.read_text().splitlines()) >= 1
    command = [str(BIN / "plyhost"), "replay", str(archive)]
    done = subprocess.run(command, env=dict(os.environ), capture_output=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_page_is_one_call_and_holds_no_secret(tmp_path: Path) -> None:
    with site_running(tmp_path) as site:
        ann = sign_in(site, "Ann")
        where = start(ann, site)
        page = ann.get(where).text
        ann.get(f"{where}/record.json")
        wait_until(lambda: "record" in site.list_calls())
        assert site.list_calls() == ["new", "view", "view", "record"]
        assert "targets" in page
        for secret in (KEY, SECRET, "p1:control"):
            assert secret not in page


@pytest.mark.long
def test_draws_are_offered_and_taken_and_games_resigned(browser: Browser, site: Running) -> None:
    with two_people(browser, site) as (ann, bob):
        begin(ann, bob, site, "control")
        bob.get_by_role("button", name="Draw").click()
        expect(ann.get_by_text(f"{RUDE} offers a draw")).to_be_visible()
        click_move(ann, "a1")
        expect(ann.get_by_text("offers a draw")).to_have_count(0)
        ann.get_by_role("button", name="Draw").click()
        load_anew(bob)
        bob.get_by_role("button", name="Accept the draw").click()
        expect(bob.get_by_text("winner")).to_have_count(2)
        begin(ann, bob, site, "control")
        ann.get_by_role("button", name="Resign").click()
        expect(ann.locator("main")).to_contain_text(f"{RUDE}, winner")
        expect(ann.get_by_role("button", name="Resign")).to_have_count(0)


@pytest.mark.long
def test_a_clock_that_has_run_down_ends_the_game(browser: Browser, tmp_path: Path) -> None:
    with site_running(tmp_path, clock="0") as site:
        ann, bob = sign_in(site, "Ann"), sign_in(site, "Bob")
        where = start(ann, site)
        ann.post(f"{where}/move", data={"ply": 0, "move": "a1"})
        assert ", winner" not in ann.get(where).text
        bob.post(f"{where}/join")
        page = ann.get(where).text
        assert re.search(r"Bob[\s,]*winner", page)
        assert "timeout" in page


def sign_in(site: Running, name: str) -> requests.Session:
    browser = requests.Session()
    browser.headers["Origin"] = site.url
    answer = browser.post(f"{site.url}/login", data={"name": name, "password": f"secret of {name}"})
    assert answer.status_code == 200
    return browser


def start(person: requests.Session, site: Running) -> str:
    """Begin a game of Control; return its address."""
    return person.post(f"{site.url}/games", data={"variant": "control size-5"}).url


def test_nobody_else_meddles(site: Running) -> None:
    ann, bob, eve = (sign_in(site, name) for name in ("Ann", "Bob", "Eve"))
    where = start(ann, site)
    assert ann.post(f"{where}/move", data={"ply": 0, "move": "a1"}).status_code == 403
    assert ann.post(f"{where}/join").ok
    bob.post(f"{where}/join")
    eve.post(f"{where}/join")
    begun = ann.get(f"{where}/news").json()
    assert begun == [0, "Bob", 0]
    assert eve.post(f"{where}/move", data={"ply": 0, "move": "a1"}).status_code == 403
    assert "Bob" not in requests.get(where, timeout=5).text.split("<h1>")[0]
    for origin in ("", "http://evil.example", f"{site.url}.evil.example"):
        answer = ann.post(f"{where}/resign", data={"ply": 0}, headers={"Origin": origin})
        assert answer.status_code == 403
    nobody = requests.post(f"{where}/resign", headers={"Origin": site.url}, timeout=5)
    assert nobody.status_code == 401
    for name, password in (("Ann", "wrong"), ("", "secret")):
        stranger = requests.Session()
        told = {"name": name, "password": password}
        answer = stranger.post(f"{site.url}/login", data=told, headers={"Origin": site.url})
        assert "That is not the password" in answer.text
        assert stranger.post(f"{where}/resign", headers={"Origin": site.url}).status_code == 401
    assert ann.get(f"{where}/news").json() == begun


def test_what_is_refused_is_told_and_changes_nothing(site: Running) -> None:
    ann, bob = sign_in(site, "Ann"), sign_in(site, "Bob")
    where = start(ann, site)
    bob.post(f"{where}/join")
    assert "Seat 1 is to move" in bob.post(f"{where}/move", data={"ply": 0, "move": "a1"}).text
    ann.post(f"{where}/move", data={"ply": 0, "move": "a1"})
    refused = bob.post(f"{where}/move", data={"ply": 1, "move": "a2"}).text
    assert "Your opponent controls a2" in refused
    for ply in ("0", "x", "-1"):
        answer = bob.post(f"{where}/move", data={"ply": ply, "move": "e5"})
        assert answer.ok
        assert 'role="alert"' in answer.text
    assert ann.get(f"{where}/news").json()[0] == 1
    clicked = ann.post(f"{where}/click", data={"move": RUDE, "cell": RUDE})
    assert clicked.json()["valid"] is False
    for variant in ("", "chess", "control size-30", f"{RUDE} {RUDE}"):
        answer = ann.post(f"{site.url}/games", data={"variant": variant})
        assert answer.status_code in (404, 422)
        assert answer.headers["Content-Type"].startswith("text/plain")
    for path in ("games/999", "games/999/record.json", "games/0/news"):
        assert ann.get(f"{site.url}/{path}").status_code == 404


def test_of_moves_that_come_at_once_one_is_kept(site: Running) -> None:
    ann, bob = sign_in(site, "Ann"), sign_in(site, "Bob")
    where = start(ann, site)
    bob.post(f"{where}/join")

    def is_refused(cell: str) -> bool:
        with requests.Session() as one:
            one.cookies.update(ann.cookies)
            one.headers["Origin"] = site.url
            told = {"ply": 0, "move": cell}
            return 'role="alert"' in one.post(f"{where}/move", data=told).text

    with ThreadPoolExecutor(4) as pool:
        refused = list(pool.map(is_refused, ["a1", "a2", "a3", "a4", "a5", "b1", "c1", "d1"]))
    assert refused.count(False) == 1
    assert ann.get(f"{where}/news").json()[0] == 1
    assert len(ann.get(f"{where}/record.json").json()["moves"][0]) == 1


def test_it_is_as_short_as_it_says() -> None:
    lines = [
        line
        for name in ("app.py", "static/board.js")
        for line in (SITE / name).read_text().splitlines()
        if line.strip()
    ]
    assert len(lines) < 200
    assert max(map(len, lines)) <= 130
    assert "less than 200 lines" in (SITE / "README.md").read_text()
