"""Colours that a site gives, backgrounds, labels: taken if they can be seen, else refused."""

import re
from typing import Any

import pytest

from plyhost.contract import picture_requests
from plyhost.errors import InvalidRequest
from plyhost.games.registry import find_game
from plyhost.pictures.asking import read_look
from plyhost.pictures.contrast import list_flaws
from plyhost.pictures.own_colours import PARTS
from tests.tools import golden
from tests.tools.picture_reading import NAMESPACE, parsed

GAME = find_game("control")


def drawn(**look: Any) -> str:
    request = golden.asked("control", 0, 20, look)
    return picture_requests.make_position_picture(GAME, request).body.decode()


def refusal(**look: Any) -> dict[str, list[str]]:
    with pytest.raises(InvalidRequest) as refused:
        drawn(**look)
    errors: dict[str, list[str]] = refused.value.beside["errors"]
    return errors


@pytest.mark.parametrize(
    "colours",
    [
        ["cell:eeeeee", "one:c00000", "two:003399"],
        ["one:#a00"],
        ["cell:7a8b5c", "one:101010", "two:ffffff"],
        ["background:222222", "cell:303030", "one:ff7a70", "two:fff"],
        ["accent:5a2a82", "label:333"],
    ],
)
def test_colours_that_can_be_seen_are_used(colours: list[str]) -> None:
    text = drawn(colours=colours)
    for colour in colours:
        digits = colour.partition(":")[2].removeprefix("#")
        whole = digits if len(digits) == 6 else "".join(2 * digit for digit in digits)
        assert f'"#{whole}"' in text
    palette = read_look(GAME.info, {"colours": colours}, 0).palette
    assert list(list_flaws(palette, sides=1.3)) == []


@pytest.mark.parametrize(
    ("colours", "reason"),
    [
        (["one:f0f0f0"], "Stones of player 1 on a cell: #f0f0f0 and #"),
        (["two:ffe08a"], "Stones of player 2 on a cell"),
        (["board:ffffff"], "Lines between cells"),
        (["label:dddddd"], "Labels on the background"),
        (["accent:ffff00"], "The mark of the last turn on a cell"),
        (["one:a51d2a", "two:a51d2b"], "The stones of both players"),
        (["one:red"], "Write each as part:rrggbb"),
        (["seven:a51d2a"], "Write each as part:rrggbb"),
        (["one:a51d2a", "one:a51d2a"], "Write each as part:rrggbb"),
        (['one:"/><script>'], "Write each as part:rrggbb"),
    ],
)
def test_colours_that_cannot_are_refused_with_a_reason(colours: list[str], reason: str) -> None:
    assert any(one.startswith(reason) for one in refusal(colours=colours)["colours"])


def test_every_part_is_named_in_the_refusal() -> None:
    (told,) = refusal(colours=["x"])["colours"]
    assert all(part in told for part in PARTS)


def test_own_colours_follow_no_scheme() -> None:
    assert "colours" in refusal(colours=["one:a51d2a"], palette="auto")


def test_the_background_is_left_out_or_another() -> None:
    def backgrounds(text: str) -> list[str]:
        root = parsed(text)
        return [one.attrib["fill"] for one in root.findall(f"{NAMESPACE}rect")]

    assert backgrounds(drawn()) == ["#ffffff"]
    assert backgrounds(drawn(background="none")) == []
    assert backgrounds(drawn(background="f4f3ef")) == ["#f4f3ef"]
    for wrong in ("red", "#12", "url(x)", '"><script>'):
        assert "background" in refusal(background=wrong)


def test_labels_are_left_out_at_any_size() -> None:
    assert "data-label" in drawn(width=800)
    assert "data-label" not in drawn(width=800, labels=False)


def test_a_picture_that_follows_the_scheme_has_a_rule_for_each_colour_of_its_own() -> None:
    text = drawn(palette="auto")
    (style,) = re.findall("<style>(.*?)</style>", text)
    assert style.startswith("@media (prefers-color-scheme:dark){")
    ruled = set(re.findall(r'\[(?:fill|stroke)="(#[0-9a-f]{6})"\]', style))
    root = parsed(text)
    used = {one.get(name) for one in root.iter() for name in ("fill", "stroke")}
    fixed = {None, "none", "#000", "#fffefa"}
    assert used - fixed <= ruled
    (scheme,) = set(re.findall(r'data-scheme="(\w+)"', style))
    assert root.attrib["data-scheme"] == scheme
    assert "<style" not in drawn()
