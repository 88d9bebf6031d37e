"""Congeners: the rules, against recorded games and against the slow second implementation."""

import hashlib
from itertools import pairwise
from typing import Any

import pytest

from plyhost.board.hexes import get_board
from plyhost.games.congeners.rules import GAME, CongenersPosition
from tests import naive
from tests.conftest import long
from tests.tools.congeners_games import (
    POLICIES,
    listing,
    names,
    played,
    reached,
    recorded,
    replayed,
    side_of,
    varied,
)

# Eight bites that lead back to where they began (G10), on side 6 with White to move.
CYCLE = ["d8xf9,f4", "d3xf4,f6", "d5xf6,h6", "h7xh6,d8", "f9xd8,d3", "f4xd3,d5", "f6xd5,h7"]
CYCLE += ["h6xh7,f9"]
CYCLE_BLACK, CYCLE_WHITE = ("i6", "h7", "f9", "e4", "d3"), ("e5", "e9", "d5", "d8")


def digest(texts: list[str]) -> str:
    return hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()


# --- recorded games -------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(recorded("congeners_games.jsonl"))))
def test_recorded_game(number: int) -> None:
    game = recorded("congeners_games.jsonl")[number]
    positions = replayed(side_of(game), game["moves"])
    for seen in game["positions"]:
        position = positions[seen["ply"]]
        texts = listing(position)
        assert len(texts) == GAME.count(position) == seen["legal_count"]
        assert digest(texts) == seen["legal_sha256"]
        assert sorted(texts) == seen.get("legal", sorted(texts))
        assert position.seat == seen["to_move"]
    assert [GAME.winners(position) for position in positions[:-1]] == [None] * len(game["moves"])
    end = positions[-1]
    assert GAME.winners(end) == sorted(game["winner"])
    assert [sorted(names(end.board, stones)) for stones in end.stones] == [
        sorted(game["final"][colour]) for colour in ("black", "white")
    ]
    assert end.black == game["colours"]["black"]
    check_scoring(GAME.shown(end)["scoring"], game)


def check_scoring(scoring: dict[str, Any], game: dict[str, Any]) -> None:
    points = [
        {
            "size": entry["size"],
            "black": [kind["points"] for kind in entry["black"]],
            "white": [kind["points"] for kind in entry["white"]],
        }
        for entry in scoring["sizes"]
    ]
    assert points == game["scoring"]
    assert scoring["decided_by"] == game["decided_by"]


def test_largest_listing() -> None:
    largest = recorded("congeners_largest.json")[0]
    position = reached(side_of(largest), largest["moves"])
    texts = listing(position)
    assert len(texts) == GAME.count(position) == 3315
    assert digest(texts) == largest["legal_sha256"]


# --- the second implementation --------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("side", "seed"), [(3, 1), (4, 1), (5, 1), *long((5, 2), (6, 1), (7, 1))])
def test_agrees_with_naive(side: int, policy: str, seed: int) -> None:
    for position, slow, texts in played(side, policy, seed):
        assert texts == slow.legal()
        assert GAME.count(position) == len(texts)
        assert GAME.winners(position) == slow.outcome()
        same_scoring(position, slow.scoring())


def same_scoring(position: CongenersPosition, slow: dict[str, Any]) -> None:
    ours = GAME.shown(position)["scoring"]
    assert ours["decided_by"] == slow["decided_by"]
    assert [bare(entry) for entry in ours["sizes"]] == [bare(entry) for entry in slow["sizes"]]
    if ours["at"] is None:
        assert slow["at"] is None
        return
    assert ours["at"] == {**slow["at"], "place": slow["at"]["place"] + 1}


def bare(entry: dict[str, Any]) -> dict[str, Any]:
    """Return a size's entry without shapes: these are written differently on the two sides."""
    pairs = {
        colour: [(kind["creatures"], kind["points"]) for kind in entry[colour]]
        for colour in ("black", "white")
    }
    return {"size": entry["size"], **{colour: sorted(pair) for colour, pair in pairs.items()}}


@pytest.mark.parametrize(("side", "number"), [(2, 6), (3, 756), (4, 5472), (5, 19350)])
def test_setups(side: int, number: int) -> None:
    start = GAME.start(side)
    assert GAME.count(start) == number
    assert listing(start) == naive.Congeners.start(side).legal()


@pytest.mark.parametrize(("side", "number"), [(6, 49518), (7, 105048)])
def test_setups_of_large_boards(side: int, number: int) -> None:
    start = GAME.start(side)
    assert GAME.count(start) == len(list(GAME.moves(start))) == number


def test_setup_order() -> None:
    texts = listing(GAME.start(6))
    assert texts[0] == "a1,a2/a4,a5"
    keys = [
        [naive.name_order(cell) for cell in text.replace("/", ",").split(",")] for text in texts
    ]
    assert keys == sorted(keys)


# --- symmetry -------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", range(12))
def test_symmetry_of_turns(turn: int) -> None:
    for position in varied()[::3]:
        table, on = position.board.symmetries[turn], position.board
        stones = on.mapped(position.stones[0], table), on.mapped(position.stones[1], table)
        image = CongenersPosition(on, stones, position.seat, position.black)
        turned = {carried(move, table) for move in GAME.moves(position)}
        assert turned == set(GAME.moves(image))
        assert GAME.shown(image) == GAME.shown(position)


def carried(move: Any, table: list[int]) -> Any:
    return move if isinstance(move, str) else (*(table[cell] for cell in move[:3]), move[3])


def test_swapped_colours() -> None:
    for position in varied():
        if position.black is None:
            continue
        black, white = position.stones
        other = CongenersPosition(position.board, (white, black), position.seat, 3 - position.black)
        assert list(GAME.moves(other)) == list(GAME.moves(position))
        assert GAME.settled(other) == GAME.settled(position)
        assert GAME.scores(other) == GAME.scores(position)


# --- positions ------------------------------------------------------------------------------


def test_undo_is_the_inverse_of_play() -> None:
    for game in recorded("congeners_games.jsonl"):
        positions = replayed(side_of(game), game["moves"])
        steps = zip(pairwise(positions), game["moves"], strict=True)
        for ply, ((before, after), text) in enumerate(steps, 1):
            move = GAME.read(before, text)
            assert GAME.undo(after, move, ply) == before
            for wrong in (ply + 1, ply - 1 or 3, 2 - ply % 2 if ply > 2 else 3):
                with pytest.raises(ValueError, match=r"lead|leaves"):
                    GAME.undo(after, move, wrong)


def test_undo_of_every_turn() -> None:
    for position in varied()[::5]:
        ply = 2 if position.black is None else 4 - position.seat % 2
        for move in GAME.moves(position):
            assert GAME.undo(GAME.play(position, move), move, ply) == position


@pytest.mark.parametrize("text", ["b3-c3,c5", "b2-b2,c4", "b2-b3,b3", "b2-b3,a1", "c4-b3,c5"])
def test_undo_of_impossible_turns(text: str) -> None:
    position = reached(5, ["b1,b2/g3,g4", "b2-c2,c5"])
    cells = [position.board.cell(name) or 0 for name in text.replace("-", ",").split(",")]
    with pytest.raises(ValueError, match=r"lead|leaves"):
        GAME.undo(position, (cells[0], cells[1], cells[2], False), 2)


def test_words_are_undone_in_their_phase_only() -> None:
    position = reached(5, ["b1,b2/g3,g4", "play-second"])
    assert GAME.undo(position, "play-second", 2).black is None
    for move, ply in (("pass", 2), ("play-second", 4), ("pass", 1)):
        with pytest.raises(ValueError, match="lead"):
            GAME.undo(position, move, ply)


def test_stored_fields_restore_the_position() -> None:
    for position in [GAME.start(6), *varied()]:
        fields = GAME.stored(position)
        assert GAME.restore(position.board, position.stones, position.seat, fields) == position


@pytest.mark.parametrize("black", [0, 3, True, "1", 1.0, [1], None])
def test_restore_refuses_black(black: Any) -> None:
    position = reached(5, ["b1,b2/g3,g4", "b2-c2,c5"])
    with pytest.raises(ValueError, match="black"):
        GAME.restore(position.board, position.stones, position.seat, {"black": black})


def test_restore_refuses_black_on_an_empty_board() -> None:
    with pytest.raises(ValueError, match="black"):
        GAME.restore(get_board(5), (0, 0), 1, {"black": 1})


def test_who_holds_black() -> None:
    setup = reached(5, ["b1,b2/g3,g4"])
    second = GAME.play(setup, "play-second")
    taken = GAME.play(setup, GAME.read(setup, "b2-c2,c5"))
    assert [each.black for each in (setup, second, taken)] == [None, 1, 2]
    assert [each.seat for each in (setup, second, taken)] == [2, 1, 1]
    assert [GAME.colours(each) for each in (setup, second, taken)] == [[1, 2], [1, 2], [2, 1]]
    assert [each.colour for each in (setup, second, taken)] == [0, 0, 1]


@pytest.mark.parametrize("side", [5, 6, 7])
def test_endless_cycle(side: int) -> None:
    position, table = cycle_on(side)
    seen = [position]
    for text in CYCLE:
        move = GAME.read(seen[-1], moved_text(text, table))
        assert GAME.recurs(move)
        seen.append(GAME.play(seen[-1], move))
    assert seen[-1] == position
    assert len(set(seen)) == len(CYCLE)


def cycle_on(side: int) -> tuple[CongenersPosition, dict[str, str]]:
    """Return the start of the cycle on a board, and its cells' names there by those of side 6."""
    old, on = get_board(6), get_board(side)
    down, across = {5: (-1, -1), 6: (0, 0), 7: (1, 1)}[side]
    table = {}
    for cell in old.cells:
        row, column = divmod(cell, old.width)
        image = (row + down) * on.width + column + across
        table[old.labels[cell]] = on.labels[image] if image in on.cells else ""
    stones = [
        sum(1 << (on.cell(table[name]) or 0) for name in cells)
        for cells in (CYCLE_BLACK, CYCLE_WHITE)
    ]
    return CongenersPosition(on, (stones[0], stones[1]), 2, 1), table


def moved_text(text: str, table: dict[str, str]) -> str:
    source, rest = text.split("x")
    goal, placed = rest.split(",")
    return f"{table[source]}x{table[goal]},{table[placed]}"


def test_recurring_moves_keep_the_number_of_stones() -> None:
    for position in varied():
        number = sum(stones.bit_count() for stones in position.stones)
        for move in GAME.moves(position):
            after = sum(stones.bit_count() for stones in GAME.play(position, move).stones)
            assert GAME.recurs(move) == (after == number and move != "play-second")


# --- packing and events ---------------------------------------------------------------------


def test_packed_moves_come_back() -> None:
    for position in [GAME.start(4), GAME.start(7), *varied()]:
        for number, move in enumerate(GAME.moves(position)):
            data = GAME.pack(position, move)
            assert GAME.unpack(position.board, b"!" + data + b"!", 1) == (move, len(data) + 1)
            if number > 2000:
                break


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        b"\x00\x01",
        b"\x5b\x01\x02",
        b"\x00\x5b\x02",
        b"\x00\xdb\x02",
        b"\x00\x01\x5b",
        b"\x05\x05\x07",
        b"\x05\x07\x07",
        b"\xfc\x01\x02",
        b"\x80\x01\x02",
        b"\xfd\x00\x01\x02",
        b"\xfd\x00\x01\x02\x02",
        b"\xfd\x01\x00\x09\x08",
        b"\xfd\x00\x01\x02\x5b",
    ],
)
def test_unpack_refuses(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"number|order|twice"):
        GAME.unpack(get_board(6), data, 0)


def test_packed_sizes() -> None:
    start = GAME.start(5)
    setup = GAME.read(start, "b1,b2/g3,g4")
    choice = GAME.play(start, setup)
    assert len(GAME.pack(start, setup)) == 5
    assert len(GAME.pack(choice, "play-second")) == 1
    assert len(GAME.pack(choice, GAME.read(choice, "b2-c2,c5"))) == 3


def test_events() -> None:
    start = GAME.start(5)
    setup = GAME.read(start, "b1,b2/g3,g4")
    choice = GAME.play(start, setup)
    assert GAME.events(start, setup) == [
        {"type": "place", "where": "b1", "what": "black"},
        {"type": "place", "where": "b2", "what": "black"},
        {"type": "place", "where": "g3", "what": "white"},
        {"type": "place", "where": "g4", "what": "white"},
    ]
    assert GAME.events(choice, "play-second") == [{"type": "pie"}]
    assert GAME.events(choice, "pass") == [{"type": "pass"}]
    move = GAME.read(choice, "b2-c2,c5")
    step, place = {"type": "move", "from": "b2", "to": "c2"}, {"type": "place", "where": "c5"}
    assert GAME.events(choice, move) == [step, place]
    assert isinstance(move, tuple)
    bite = (*move[:3], True)
    assert GAME.events(choice, bite) == [step, {"type": "capture", "where": "c2"}, place]
