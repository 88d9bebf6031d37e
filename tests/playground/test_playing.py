"""The playground in a real browser: games played, opened, stepped through and ended."""

import json
import re
import subprocess

import pytest
import requests
from playwright.sync_api import Page, Route, expect

from tests.conftest import long
from tests.playground.page import (
    at_ply,
    begin,
    by_clicks,
    cell,
    paste,
    reached,
    shortest,
    small,
    spoken,
    stones,
)
from tests.tools.browser import Watched, flaws, settled
from tests.tools.games import LEAD, ROUND


@pytest.mark.long
@pytest.mark.parametrize("uid", ["control", *long("congeners")])
def test_a_whole_game_is_played_by_clicks(page: Page, uid: str) -> None:
    game = shortest(uid)
    begin(page, uid)
    for ply, move in enumerate(game["moves"], 1):
        by_clicks(page, move)
        expect(page.locator("#plies li").nth(ply)).to_have_text(f"{ply}. {move}")
    (winner,) = game["winner"]
    expect(page.locator("#situation")).to_contain_text(f"Game over: Player {winner}")
    expect(page.locator("#running")).to_be_hidden()
    assert flaws(page) == []


@pytest.mark.parametrize("uid", ["control", "congeners"])
def test_every_variant_is_begun(page: Page, uid: str) -> None:
    page.click("#new")
    page.select_option("#new-game", uid)
    options = page.locator("#variant-board option").all()
    names = [(one.get_attribute("value"), one.inner_text()) for one in options]
    page.keyboard.press("Escape")
    for variant, name in names:
        begin(page, uid, variant or "")
        expect(page.locator("#game")).to_contain_text(name.partition(":")[0])
        cells = int(re.findall(r"(\d+) cells", name)[0])
        expect(page.locator("#board [data-cell]")).to_have_count(cells)
    assert len(names) == 3


def test_a_state_that_abstract_play_saved_is_looked_at_and_played_on(page: Page) -> None:
    game = small("control")
    stack = game["final_state"]["stack"][:41]
    paste(page, json.dumps(game["final_state"] | {"gameover": False, "winner": [], "stack": stack}))
    at_ply(page, 40)
    assert stones(page) == dict(stack[40]["board"]["value"])
    scores = page.locator("#score tr", has_text="Controlled").locator("td")
    expect(scores).to_have_text([str(score) for score in stack[40]["scores"]])
    by_clicks(page, game["moves"][40])
    at_ply(page, 41)
    assert stones(page) == dict(game["final_state"]["stack"][41]["board"]["value"])


def test_a_record_is_made_and_opened_again(page: Page, url: str) -> None:
    game = small("congeners")
    paste(page, reached(url, "congeners", game["moves"])["state"])
    at_ply(page, len(game["moves"]))
    held = stones(page)
    page.select_option("#form", "record")
    expect(page.locator("#state")).to_have_value(re.compile('"header"'))
    record = json.loads(page.input_value("#state"))
    begin(page, "control")
    paste(page, json.dumps(record))
    at_ply(page, len(game["moves"]))
    assert stones(page) == held


def test_a_broken_record_is_shown_as_far_as_it_goes(page: Page, url: str) -> None:
    view = reached(url, "control", small("control")["moves"])
    fields = {"state": view["state"], "gameid": "g", "players": [{"name": "A"}, {"name": "B"}]}
    answer = requests.post(f"{url}/v1/games/control/record", json=fields, timeout=20).json()
    moves = answer["record"]["moves"]
    moves[3][0] = moves[0][0]
    paste(page, json.dumps(answer))
    at_ply(page, 6)
    expect(page.locator("#message")).to_contain_text("The record goes wrong at ply 7")


def test_typing_is_judged_completed_and_made(page: Page, url: str) -> None:
    paste(page, reached(url, "congeners", small("congeners")["moves"][:30])["state"])
    page.fill("#move", "i1-")
    expect(page.locator("#message")).to_contain_text("not yours")
    page.fill("#move", " B2-")
    expect(page.locator("#message")).to_contain_text("Choose an empty cell")
    page.get_by_role("button", name="Complete").click()
    expect(page.locator("#message")).to_contain_text("can be made")
    expect(page.locator("#board [data-mark=move]")).to_have_attribute("data-cells", "b2 e3")
    page.get_by_role("button", name="Make the move").click()
    at_ply(page, 31)
    expect(page.locator("#move")).to_have_value("")


def test_a_begun_move_is_drawn_and_a_wrong_click_explained(page: Page, url: str) -> None:
    moves = small("congeners")["moves"]
    paste(page, reached(url, "congeners", moves[:30])["state"])
    cell(page, "b2").click()
    expect(cell(page, "e3").locator("[data-mark=dots]")).to_be_visible()
    expect(cell(page, "e3")).to_have_attribute("aria-label", "e3, empty, possible")
    cell(page, "i2").click()
    expect(page.locator("#message.problem code")).to_have_text("not-adjacent")
    expect(cell(page, "e3").locator("[data-mark=dots]")).to_be_visible()
    cell(page, "e3").click()
    expect(page.locator("#board [data-mark=move]")).to_have_attribute("data-cells", "b2 e3")
    assert flaws(page) == []
    page.click("#let-go")
    settled(page)
    assert "b2" in stones(page)


def test_a_click_is_for_the_position_that_it_was_made_on(page: Page) -> None:
    asked: list[Route] = []

    def hold_the_first(route: Route) -> None:
        asked.append(route)
        if len(asked) > 1:
            route.continue_()

    page.route("**/click", hold_the_first)
    with page.expect_request("**/click"):
        cell(page, "a1").click()
    cell(page, "e5").click()
    asked[0].continue_()
    at_ply(page, 1)
    settled(page)
    cell(page, "i5").dblclick()
    at_ply(page, 2)
    settled(page)
    assert stones(page) == {"a1": 1, "i5": 2}
    expect(page.locator("#message.problem")).to_have_count(0)


def test_with_the_tick_a_whole_move_waits(page: Page) -> None:
    page.check("#confirm")
    cell(page, "a1").click()
    expect(page.locator("#message")).to_have_text("This move can be made.")
    assert stones(page) == {"a1": 1}
    at_ply(page, 0)
    page.get_by_role("button", name="Make the move").click()
    at_ply(page, 1)


def test_history_is_stepped_through_undone_and_branched_from(page: Page, url: str) -> None:
    moves = small("control")["moves"]
    paste(page, reached(url, "control", moves[:20])["state"])
    at_ply(page, 20)
    page.click("#back")
    expect(page.locator("#game")).to_contain_text("ply 19")
    page.fill("#ply", "6")
    expect(page.locator("#game")).to_contain_text("ply 6")
    expect(page.locator("#told")).to_contain_text(moves[5])
    expect(page.locator("#plies [aria-current]")).to_have_text(f"6. {moves[5]}")
    cell(page, "e5").click()
    expect(page.locator("#message")).to_contain_text("earlier position: go back")
    assert flaws(page) == []
    page.click("#return")
    expect(page.locator("#game")).to_contain_text("ply 20")
    page.locator("#plies button", has_text=re.compile(r"^4\.")).click()
    expect(page.locator("#game")).to_contain_text("ply 4")
    page.click("#branch")
    at_ply(page, 4)
    page.click("#undo")
    at_ply(page, 3)
    by_clicks(page, moves[3])
    at_ply(page, 4)


def test_the_look_is_switched_and_the_score_explained(page: Page, url: str) -> None:
    paste(page, reached(url, "congeners", small("congeners")["moves"][:30])["state"])
    at_ply(page, 30)
    expect(page.locator("#score")).to_contain_text("Black is ahead by shapes of size 3, 18 to 0.")
    expect(page.locator("#score .deciding")).to_contain_text(re.compile("2 . 3 . 3 = 18"))
    page.select_option("#display", "kin")
    expect(page.locator('#board [aria-label*="shares shape A"]').first).to_be_visible()
    page.select_option("#display", "vertex-style")
    settled(page)
    before = page.inner_html("#board")
    cell(page, "b2").click()
    expect(page.locator("#move")).to_have_value("b2")
    page.select_option("#palette", "dark")
    expect(page.locator("body")).to_have_attribute("data-palette", "dark")
    assert page.inner_html("#board") != before
    page.get_by_text("Board in words").click()
    expect(page.locator("#text")).to_contain_text("Black's creatures")
    page.get_by_text("Rules", exact=True).click()
    expect(page.locator("#rules")).to_contain_text("G11.")


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("Player 2 (White) resigns", "Player 1 (Black) has won"),
        ("Agree to a draw", "a draw"),
        ("Settle", "Player 1 (Black) has won"),
        ("Claim repetition", "a draw"),
        ("Abandon", "nobody has won"),
    ],
)
def test_a_game_is_ended_otherwise(page: Page, url: str, label: str, said: str) -> None:
    view = reached(url, "congeners", [*LEAD, *ROUND, *ROUND])
    paste(page, view["state"])
    page.click("#end")
    page.get_by_role("button", name=label).click()
    expect(page.locator("#situation")).to_have_text(f"Game over: {said}")
    page.click("#undo")
    expect(page.locator("#situation")).to_contain_text("to move")


def test_an_ending_that_is_refused_says_why(watched: Watched) -> None:
    watched.refused = True
    page = watched.page
    page.click("#end")
    assert flaws(page) == []
    page.get_by_role("button", name="Claim repetition").click()
    expect(page.locator("#message.problem code")).to_have_text("not-repeated")
    spoken(page, "claimed from the third on")
    page.click("#undo")
    expect(page.locator("#message")).to_contain_text("nothing to take back")


@pytest.mark.long
def test_random_moves_are_made_to_the_end_or_until_stop(page: Page) -> None:
    asked: list[Route] = []

    def hold_the_sixth(route: Route) -> None:
        asked.append(route)
        if len(asked) != 6:
            route.continue_()

    page.route("**/move", hold_the_sixth)
    page.click("#random")
    at_ply(page, 1)
    page.click("#play-out")
    expect(page.locator("#played-text")).to_have_text(re.compile(r"Ply 5, \d of 61 cells"))
    # The page tells of ply 5 before it asks for the next; a stop in between is obeyed at once.
    while len(asked) < 6:
        page.wait_for_timeout(20)
    page.click("#stop")
    asked[5].continue_()
    expect(page.locator("#playing")).to_be_hidden()
    settled(page)
    expect(page.locator("#play-out")).to_be_focused()
    at_ply(page, 6)
    assert "to move" in page.inner_text("#situation")
    page.click("#play-out")
    expect(page.locator("#situation")).to_contain_text("Game over", timeout=60_000)
    spoken(page, r"Played to ply \d+\. Game over")


def test_what_goes_wrong_on_the_way_is_still_said_at_its_end(watched: Watched) -> None:
    watched.refused = True
    page = watched.page
    page.route("**/move", lambda route: route.fulfill(status=503, body="no JSON"))
    page.click("#play-out")
    expect(page.locator("#playing")).to_be_hidden()
    settled(page)
    expect(page.locator("#message.problem")).to_contain_text("status 503")


def test_requests_are_shown_and_repeat_as_a_command(page: Page, url: str) -> None:
    by_clicks(page, "a1")
    at_ply(page, 1)
    entry = page.locator("#log li", has_text="history").first
    entry.locator("summary").click()
    assert flaws(page) == []
    command = entry.locator("pre").last.inner_text()
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=True, timeout=20)
    assert json.loads(done.stdout) == json.loads(entry.locator("pre").nth(1).inner_text())
    entry.get_by_role("button", name="Copy as curl").click()
    expect(entry.get_by_role("button", name=re.compile("Copied|Selected"))).to_be_visible()


def test_a_state_is_shown_in_every_form(page: Page) -> None:
    by_clicks(page, "a1")
    at_ply(page, 1)
    starts = {"full": "{", "full-string": "{", "full-gz": "gz:", "compact": "p1:"}
    for form, start in starts.items():
        page.select_option("#form", form)
        expect(page.locator("#state")).to_have_value(re.compile(f"^{re.escape(start)}"))
        paste(page, page.input_value("#state"))
        settled(page)
        expect(page.locator("#form")).to_have_value("full-string" if form == "full" else form)
        assert stones(page) == {"a1": 1}


def test_a_game_is_still_there_after_loading_again(page: Page) -> None:
    by_clicks(page, "a1")
    at_ply(page, 1)
    page.reload()
    at_ply(page, 1)
    assert stones(page) == {"a1": 1}
