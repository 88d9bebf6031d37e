"""Colours that can be told apart, by usual eyes, by others, and without colour."""

import pytest

from plyhost.games.registry import load_games
from plyhost.pictures.contrast import (
    LABELS,
    LINES,
    SIGHTS,
    STONES,
    format_colour,
    list_flaws,
    measure_contrast,
    parse_colour,
    simulate_sight,
)
from plyhost.pictures.palettes import PALETTES
from plyhost.pictures.schemes import pair_colours


def test_the_bounds_are_those_that_were_promised() -> None:
    assert (STONES, LINES, LABELS) == (3.0, 1.7, 4.5)
    assert set(SIGHTS) == {"usual", "protanopia", "deuteranopia", "tritanopia", "grey"}


@pytest.mark.parametrize("name", PALETTES)
def test_everything_on_a_board_can_be_told_apart_by_everyone(name: str) -> None:
    assert list(list_flaws(PALETTES[name])) == []


@pytest.mark.parametrize("name", PALETTES)
def test_the_sides_weigh_alike(name: str) -> None:
    palette = PALETTES[name]
    one, two = (measure_contrast(ink.fill, palette.cell) for ink in palette.players[:2])
    assert 1 / 2.2 < one / two < 2.2


def test_contrasts_are_those_of_the_standard() -> None:
    assert measure_contrast("#000000", "#ffffff") == pytest.approx(21)
    assert measure_contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert measure_contrast("#ff0000", "#0000ff") == pytest.approx(2.15, abs=0.01)
    assert measure_contrast("#123456", "#123456") == 1


def test_colours_come_back_as_they_were_written() -> None:
    for colour in ("#000000", "#0a0b0c", "#7f7f7f", "#1b6ac9", "#ffffff"):
        assert format_colour(parse_colour(colour)) == colour


@pytest.mark.parametrize("sight", SIGHTS)
def test_greys_look_the_same_to_everyone(sight: str) -> None:
    for grey in ("#000000", "#5a5a5a", "#c8c8c8", "#ffffff"):
        seen = simulate_sight(grey, sight)
        parts = [int(seen[at : at + 2], 16) for at in (1, 3, 5)]
        assert max(abs(part - int(grey[1:3], 16)) for part in parts) <= 1


def test_what_an_eye_lacks_it_does_not_tell_apart() -> None:
    def distance(one: str, two: str, sight: str) -> float:
        seen = [parse_colour(simulate_sight(colour, sight)) for colour in (one, two)]
        return float(sum((left - right) ** 2 for left, right in zip(*seen, strict=True)))

    for sight in ("protanopia", "deuteranopia"):
        assert distance("#c83c3c", "#5a7d28", sight) < distance("#c83c3c", "#5a7d28", "usual") / 4
    assert distance("#3c78c8", "#3c8c78", "tritanopia") < distance("#3c78c8", "#3c8c78", "usual")
    assert simulate_sight("#b3262e", "grey")[1:3] * 3 == simulate_sight("#b3262e", "grey")[1:]


def test_every_game_names_boards_that_there_are() -> None:
    for game in load_games().values():
        boards = game.info.boards
        names = (boards.light, boards.dark, boards.safe, boards.mono)
        assert set(names) <= set(PALETTES)
        for day, night in pair_palettes(boards.light, boards.dark):
            assert day != "#000", "shadows are the same in both schemes"
            assert night


def pair_palettes(light: str, dark: str) -> list[tuple[str, str]]:
    return list(pair_colours(PALETTES[light], PALETTES[dark]))


@pytest.mark.parametrize("uid", load_games())
def test_a_scheme_changes_each_colour_into_one(uid: str) -> None:
    boards = load_games()[uid].info.boards
    pairs = set(pair_palettes(boards.light, boards.dark))
    assert len(dict(pairs)) == len(pairs)
