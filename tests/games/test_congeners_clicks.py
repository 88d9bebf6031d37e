"""Congeners: clicks, begun moves as they are drawn, marks."""

import random

import pytest

from plyhost.board.hexes import Board
from plyhost.games.congeners.rules import GAME, CongenersPosition
from plyhost.games.game import Illegal, Mark
from tests.tools.congeners_games import (
    SETUP,
    TURNS,
    begun,
    listing,
    names,
    reached,
    unadvised,
    varied,
)

# --- clicks ---------------------------------------------------------------------------------


def targets(board: Board, mark: Mark) -> list[str]:
    """Return the names of what a mark is drawn over."""
    return [board.labels[board.at(point["row"], point["col"])] for point in mark["targets"]]


def clicked(position: CongenersPosition, *labels: str) -> list[str]:
    """Return the texts after some clicks."""
    texts = [""]
    for label in labels:
        texts.append(GAME.click(position, texts[-1], position.board.cell(label) or 0))
    return texts[1:]


def refused(position: CongenersPosition, text: str) -> str:
    """Return the reason for which a text is refused."""
    with pytest.raises(Illegal) as caught:
        GAME.advise(position, text)
    return caught.value.reason


def cells_of(text: str) -> list[str]:
    return text.replace("/", ",").replace("-", ",").replace("x", ",").split(",")


def test_clicks_lead_to_every_move() -> None:
    choose = random.Random(4)
    starts = [GAME.start(side) for side in (5, 6, 7)]
    for position in [*starts, *varied()]:
        texts = [text for text in listing(position) if "p" not in text]
        for whole in choose.sample(texts, min(8, len(texts))):
            *before, last = clicked(position, *cells_of(whole))
            assert last == whole
            for text in before:
                begun(position, text)


def test_setup_clicks() -> None:
    start = GAME.start(5)
    assert clicked(start, "b2", "b1", "g4", "g3") == ["b2", "b2,b1", "b2,b1/g4", "b2,b1/g4,g3"]
    assert clicked(start, "b2", "b2", "b1") == ["b2", "", "b1"]
    assert clicked(start, "b2", "b1", "b2") == ["b2", "b2,b1", "b1"]
    assert clicked(start, "b2", "b1", "g4", "g4") == ["b2", "b2,b1", "b2,b1/g4", "b2,b1"]
    assert clicked(start, "b2", "b1", "g4", "b1")[-1] == "b2,b1/g4,b1"
    wrong = GAME.click(start, SETUP, start.board.cell("c3") or 0)
    assert (wrong, refused(start, wrong)) == ("b1,b2/g3,c3", "setup-not-pair")
    assert GAME.click(start, SETUP, start.board.cell("g2") or 0) == "b1,b2/g3,g2"
    assert GAME.click(start, "b2,b1/g4,g3", start.board.cell("g4") or 0) == "b2,b1/g3"


def test_turn_clicks() -> None:
    position = reached(5, TURNS)
    assert clicked(position, "b1", "b1") == ["b1", ""]
    assert clicked(position, "b1", "c2", "d2") == ["b1", "c2", "c2-d2"]
    assert clicked(position, "b1", "h1") == ["b1", "b1xh1"]
    assert clicked(position, "b1", "d2", "d2") == ["b1", "b1-d2", "b1"]
    assert clicked(position, "b1", "d2", "c5") == ["b1", "b1-d2", "b1-d2,c5"]
    assert clicked(position, "g3", "b1") == ["g3", "b1"]
    for text in ("rubbish!", "b1-d2,h6", "pa", "b1,b2", "q1", "b", "a1-"):
        assert GAME.click(position, text, position.board.cell("c2") or 0) == "c2"
    assert GAME.click(position, "b1-d", position.board.cell("d2") or 0) == "b1-d2"


def test_clicks_change_a_whole_turn() -> None:
    position = reached(5, ["e6,e7/e4,f4", "e6-e8,c6", "e4-e5,b2", "e8-f7,f5"])
    board, ready = position.board, "e5xf5,d6"
    assert ready in listing(position)
    for label, text in {
        "d6": "e5xf5",
        "f5": "e5",
        "f4": "f4",
        "d5": "e5xf5,d5",
    }.items():
        assert GAME.click(position, ready, board.cell(label) or 0) == text, label
    offered = [(board.labels[cell], use) for cell, use in GAME.targets(position, ready)]
    assert {("d6", "take-back"), ("f5", "take-back"), ("f4", "pick")} <= set(offered)
    replaced = [f"e5xf5,{label}" for label, use in offered if use == "place"]
    turns = [text for text in listing(position) if text.startswith("e5xf5,")]
    assert sorted([*replaced, ready]) == sorted(turns)
    assert len(dict(offered)) == len(offered)


def test_click_on_black_takes_black_at_the_choice() -> None:
    position = reached(5, [SETUP])
    assert clicked(position, "b2", "c2", "c5")[-1] == "b2-c2,c5"
    assert unadvised(position, clicked(position, "g3")[0]).reason == "not-your-stone"


# --- drawing --------------------------------------------------------------------------------


def test_sketches_show_where_it_can_go_on() -> None:
    for position in varied():
        whole = next((text for text in listing(position) if "p" not in text), None)
        if whole is None:
            continue
        label, goal, last = cells_of(whole)
        stones, marks = GAME.sketch(position, label)
        assert stones == position.stones
        assert [mark["type"] for mark in marks] == ["enter", "dots"]
        goals = {cells_of(text)[1] for text in listing(position) if cells_of(text)[0] == label}
        assert {*targets(position.board, marks[1])} == goals
        _, marks = GAME.sketch(position, whole[: whole.index(",")])
        spots = {
            text for text in listing(position) if text.startswith(whole[: whole.index(",") + 1])
        }
        assert len(marks[-1]["targets"]) == len(spots)
        stones, marks = GAME.sketch(position, whole)
        assert stones == GAME.play(position, GAME.read(position, whole)).stones
        assert [mark["type"] for mark in marks][-1] == "enter"
        assert targets(position.board, marks[-1])[0] == last
        assert targets(position.board, marks[0])[1] == goal


def test_sketch_of_a_begun_bite() -> None:
    position, text = next(
        (position, text) for position in varied() for text in listing(position) if "x" in text
    )
    stones, marks = GAME.sketch(position, text[: text.index(",")])
    assert [mark["type"] for mark in marks] == ["move", "exit", "dots"]
    enemy = 1 - position.colour
    assert stones[enemy].bit_count() == position.stones[enemy].bit_count() - 1
    assert not stones[0] & stones[1]
    victims = GAME.sketch(position, text[: text.index("x") + 1])[1][1]
    named = position.board.cell
    assert all(
        position.stones[enemy] >> (named(name) or 0) & 1
        for name in targets(position.board, victims)
    )


def test_sketch_of_a_begun_setup() -> None:
    start = GAME.start(5)
    assert GAME.sketch(start, "") == ((0, 0), [])
    assert GAME.sketch(start, "b") == ((0, 0), [])
    (black, white), marks = GAME.sketch(start, "b1,b2/g3")
    assert (names(start.board, black), names(start.board, white)) == (["b1", "b2"], ["g3"])
    assert [mark["type"] for mark in marks] == ["enter", "enter", "enter", "dots"]
    assert len(marks[-1]["targets"]) == 6
    after = GAME.sketch(start, SETUP)[0]
    assert after == reached(5, [SETUP]).stones
    assert GAME.sketch(reached(5, [SETUP]), "play-second") == (after, [])


def test_marks_of_the_last_turn() -> None:
    position = reached(5, [SETUP])
    move = GAME.read(position, "b2-c2,c5")
    after = GAME.play(position, move)
    events = [*GAME.events(position, move), {"type": "eog"}]
    marks = GAME.marks(after, events, "")
    assert [(mark["type"], targets(after.board, mark)) for mark in marks] == [
        ("move", ["b2", "c2"]),
        ("enter", ["c5"]),
    ]
    assert GAME.marks(after, [{"type": "pass"}], "vertex-style") == []


def test_kin_carry_the_letter_of_their_shape() -> None:
    position = reached(5, [SETUP, "b2-c2,c5", "g4-h3,h1", "c2-b2,b4"])
    marks = GAME.marks(position, [], "kin")
    assert [(mark["type"], mark["glyph"]) for mark in marks] == [("glyph", "aA")]
    assert sorted(targets(position.board, marks[0])) == [
        "b1",
        "b2",
        "b4",
        "c5",
    ]
    assert {display.uid for display in GAME.info.displays} == {"vertex-style", "kin"}
