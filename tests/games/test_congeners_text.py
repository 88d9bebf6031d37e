"""Congeners: reading texts, reasons, begun texts and completion."""

import random
from contextlib import suppress
from itertools import islice

import pytest

from plyhost.errors import LONGEST_QUOTE
from plyhost.games.congeners.info import HINTS, REASONS
from plyhost.games.congeners.rules import GAME, CongenersPosition
from plyhost.games.game import Advice, Illegal, find_common_start
from tests.tools.congeners_games import (
    SETUP,
    TURNS,
    begun,
    listing,
    names,
    reached,
    recorded,
    side_of,
    unadvised,
    varied,
)


def refusal(position: CongenersPosition, text: str, stored: bool = False) -> str:
    """Return the reason against a text, after filling its sentence."""
    with pytest.raises(Illegal) as caught:
        GAME.read(position, text, GAME.info.version if stored else None)
    assert REASONS[caught.value.reason].format_map(caught.value.params)
    return caught.value.reason


@pytest.mark.parametrize("number", range(len(recorded("congeners_turns.jsonl"))))
def test_recorded_turn(number: int) -> None:
    turn = recorded("congeners_turns.jsonl")[number]
    position = reached(side_of(turn), turn["moves"])
    if not turn["legal"]:
        assert refusal(position, turn["turn"]) == turn["code"]
        return
    move = GAME.read(position, turn["turn"])
    assert move in list(islice(GAME.moves(position), 20000))
    assert GAME.advise(position, turn["turn"]).complete == 1


def test_listed_moves_are_read() -> None:
    for position in varied():
        for move in GAME.moves(position):
            text = GAME.text(position, move)
            assert GAME.read(position, text) == move
            assert GAME.read(position, text, GAME.info.version) == move


def test_what_is_not_listed_is_refused() -> None:
    choose, reached_reasons = random.Random(1), set()
    for position in varied():
        legal, labels = set(listing(position)), position.board.labels
        mine = names(position.board, position.stones[position.colour])
        cells = [labels[cell] for cell in position.board.cells]
        for _ in range(150):
            source = choose.choice([choose.choice(cells), *mine])
            near = choose.choice(sorted(legal)).replace("x", "-").split("-")[-1]
            text = choose.choice(
                [
                    f"{source}{choose.choice('-x')}{choose.choice(cells)},{choose.choice(cells)}",
                    f"{source}{choose.choice('-x')}{near}",
                ]
            )
            if text not in legal:
                reached_reasons.add(refusal(position, text))
    assert reached_reasons >= set(REASONS) - {
        "off-board",
        "setup-due",
        "setup-over",
        "choice-over",
        "must-turn",
        "setup-not-pair",
        "setup-overlap",
        "setup-adjacent",
        "incomplete",
    }


@pytest.mark.parametrize(
    ("moves", "text", "reason"),
    [
        ([], "d4e5", "malformed"),
        ([], "b1,b2/g3,g4,g5", "malformed"),
        ([], "a0", "malformed"),
        ([], "a01,a2/g3,g4", "malformed"),
        ([], "bb", "malformed"),
        ([], "b1,bb", "malformed"),
        ([], "z", "malformed"),
        ([], "b1,b2/g\u0663", "malformed"),
        ([], "passs", "malformed"),
        ([], "b1,b2/g3,g99", "off-board"),
        ([], "z1-d4,d6", "off-board"),
        ([], "pass", "setup-due"),
        ([], "play", "setup-due"),
        ([], "d4-", "setup-due"),
        ([], "b1,b3/g3,g4", "setup-not-pair"),
        ([], "b1,b1", "setup-not-pair"),
        ([], "b1,b2/g3,g5", "setup-not-pair"),
        ([], "b1,b2/b2,b3", "setup-overlap"),
        ([], "b1,b2/b2", "setup-overlap"),
        ([], "b1,b2/b3,b4", "setup-adjacent"),
        ([], "b1,b2/b3", "setup-adjacent"),
        ([], "", "incomplete"),
        ([], "b1", "incomplete"),
        ([], "b", "incomplete"),
        ([SETUP], SETUP, "setup-over"),
        ([SETUP], "b1,", "setup-over"),
        ([SETUP], "pass", "must-turn"),
        ([SETUP], "p", "incomplete"),
        ([SETUP], "g3-g5,g7", "not-your-stone"),
        (TURNS, "play-second", "choice-over"),
        (TURNS, "play", "choice-over"),
        (TURNS, "p", "must-turn"),
        (TURNS, "pas", "must-turn"),
        (TURNS, "b1,b2/g3,g4", "setup-over"),
        (TURNS, "a1", "empty-source"),
        (TURNS, "g3", "not-your-stone"),
        (TURNS, "c5", "single-stone"),
        (TURNS, "b1-b1", "occupied"),
        (TURNS, "b1-g3", "occupied"),
        (TURNS, "b1xc2", "occupied"),
        (TURNS, "b1xb2", "nothing-to-bite"),
        (TURNS, "b1xg3", "victim-not-smaller"),
        (TURNS, "b1xh1", "not-adjacent"),
        (TURNS, "b1-e5", "not-adjacent"),
        (TURNS, "b1-d2", "incomplete"),
        (TURNS, "b1-d2,", "incomplete"),
        (TURNS, "b1-d2,h", "incomplete"),
        (TURNS, "b1-d2,d2", "occupied"),
        (TURNS, "b1-d2,e4", "not-in-line"),
        (TURNS, "b1-d2,d3", "adjacent-placement"),
        (TURNS, "b1-d2,c5", "occupied"),
    ],
)
def test_reason(moves: list[str], text: str, reason: str) -> None:
    position = reached(5, moves)
    assert refusal(position, text) == reason
    if reason != "incomplete":
        assert unadvised(position, text).reason == reason


def test_reasons_are_a_closed_list() -> None:
    assert list(REASONS) == [
        "malformed",
        "off-board",
        "setup-due",
        "setup-over",
        "choice-over",
        "must-turn",
        "setup-not-pair",
        "setup-overlap",
        "setup-adjacent",
        "empty-source",
        "not-your-stone",
        "single-stone",
        "occupied",
        "nothing-to-bite",
        "victim-not-smaller",
        "not-adjacent",
        "incomplete",
        "not-in-line",
        "adjacent-placement",
        "blocked-line",
        "merge",
        "split",
    ]


def test_sentences_are_short_enough_to_be_quoted() -> None:
    assert all(len(sentence) <= LONGEST_QUOTE for sentence in HINTS.values())


def test_input_is_cleaned() -> None:
    position = reached(5, [" B2,\u00a0b1 / G4,g3\n"])
    assert GAME.read(position, "B2 - C2, c5") == GAME.read(position, "b2-c2,c5")
    assert GAME.read(position, "Play-Second") == "play-second"


@pytest.mark.parametrize("text", ["b2,b1/g3,g4", "b1,b2/g4,g3", " b1,b2/g3,g4", "B1,b2/g3,g4"])
def test_stored_texts_are_canonical(text: str) -> None:
    start = GAME.start(5)
    assert GAME.text(start, GAME.read(start, text)) == SETUP
    assert refusal(start, text, stored=True) == "malformed"
    assert GAME.advise(start, text) == Advice(1, True, "ready", SETUP)


def test_rubbish_is_refused_with_a_reason() -> None:
    choose = random.Random(5)
    for position in [GAME.start(5), reached(5, [SETUP]), *varied()[::9]]:
        for _ in range(60):
            text = "".join(choose.choices("abgi12590-x,/ps\u00e9 ", k=choose.randrange(9)))
            with suppress(Illegal):
                assert GAME.advise(position, text).hint in HINTS
            assert GAME.click(position, text, position.board.cells[0])


# --- begun texts ----------------------------------------------------------------------------


def names_more(text: str, whole: str) -> bool:
    """Tell whether a beginning of a whole text stops within a column's number."""
    return text[-1:].isdigit() and whole[len(text) : len(text) + 1].isdigit()


def test_beginnings_of_legal_moves_are_good() -> None:
    choose = random.Random(2)
    for position in varied():
        texts = listing(position)
        for whole in choose.sample(texts, min(3, len(texts))):
            assert GAME.advise(position, whole).complete == 1
            for end in range(len(whole)):
                if not names_more(whole[:end], whole):
                    advice = begun(position, whole[:end])
                    assert advice.text == whole[:end]
                    assert advice.autocomplete == longest(texts, whole[:end])
                    assert advice.hint in HINTS


def longest(texts: list[str], text: str) -> str | None:
    shared = find_common_start([each for each in texts if each.startswith(text)])
    return shared if len(shared) > len(text) else None


def test_other_beginnings_are_refused() -> None:
    choose = random.Random(3)
    for position in varied():
        texts = listing(position)
        for whole in choose.sample(texts, min(4, len(texts))):
            text = whole[: choose.randrange(len(whole))] + choose.choice("abcdefgh123456789-x,/p")
            if names_more(text, text + "0") and any(
                names_more(text, each) for each in texts if each.startswith(text)
            ):
                continue
            if any(each.startswith(text) for each in texts):
                GAME.advise(position, text)
            else:
                assert unadvised(position, text).reason in REASONS


def test_beginnings_of_setups() -> None:
    start = GAME.start(5)
    for whole in (SETUP, "b2,b1/g4,g3", "i5,h6/a1,b1"):
        for end in range(len(whole)):
            begun(start, whole[:end])
    assert begun(start, "b2,b1/").text == "b1,b2/"
    assert begun(start, "b2,b1") == Advice(-1, True, "white-first", "b1,b2", "b1,b2/")
    assert begun(start, "b1,b2/g3").autocomplete == "b1,b2/g3,"
    assert begun(start, "").hint == "setup"
    assert begun(start, "b1").hint == "black-second"
    assert begun(start, "b1,b2").hint == "white-first"
    assert begun(start, "b1,b2/g3").hint == "white-second"
    assert begun(start, "b1,b2/g").hint == "column"


def test_setup_without_room() -> None:
    flaw = unadvised(GAME.start(2), "b2,a1")
    assert (flaw.reason, flaw.params["nearest"]) == ("incomplete", "setup-adjacent")


def test_a_whole_cell_is_what_it_names() -> None:
    position = reached(6, ["e10,f10/a1,a2"])
    assert begun(position, "e10").hint == "empty-goal"
    assert unadvised(position, "e1").reason == "empty-source"


def test_hints_of_a_turn() -> None:
    position = reached(5, TURNS)
    hints = {text: begun(position, text).hint for text in ("", "b", "b1", "b1-", "b1-d2", "b1-d2,")}
    assert list(hints.values()) == ["begin", "column", "empty-goal", "empty-goal", "place", "place"]
    assert begun(reached(5, [SETUP]), "").hint == "choice"
    assert begun(reached(5, [SETUP]), "pl") == Advice(-1, False, "word", "pl", "play-second")
    assert begun(position, "b1").canrender
    assert not begun(position, "b").canrender


def test_forced_pass_is_completed() -> None:
    passing = next(position for position in varied() if listing(position) == ["pass"])
    assert begun(passing, "") == Advice(-1, False, "must-pass", "", "pass")
    assert begun(passing, "pa").autocomplete == "pass"
    assert GAME.advise(passing, "pass").complete == 1


def test_dead_ends_tell_what_comes_closest() -> None:
    turn = next(each for each in recorded("congeners_turns.jsonl") if each["turn"] == "c2-b1")
    position = reached(side_of(turn), turn["moves"])
    flaw = unadvised(position, "c2-b1")
    assert (flaw.reason, flaw.params["nearest"]) == ("incomplete", "blocked-line")
    for cell in position.board.cells:
        flaw = unadvised(position, position.board.labels[cell])
        assert flaw.reason in ("empty-source", "not-your-stone", "single-stone", "incomplete")
    assert unadvised(position, "c2x").params["nearest"]
    assert unadvised(position, "c").params["nearest"] is None


def test_stones_of_all_sorts_are_judged_alike() -> None:
    for position in varied()[::4]:
        movable = {
            text[: 2 + text[2].isdigit()] for text in listing(position) if text[1:2].isdigit()
        }
        for cell in position.board.cells:
            label = position.board.labels[cell]
            if label in movable:
                begun(position, label)
            else:
                assert unadvised(position, label).reason in REASONS
