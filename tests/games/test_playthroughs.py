"""Playthroughs: what a game looked like when somebody read it, line by line."""

from pathlib import Path

import pytest

from plyhost.games import registry
from tests.tools.playthroughs import CHOSEN, FOLDER, moves_of, name, told

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_moves_of_a_playthrough_lead_to_its_lines(file: Path) -> None:
    text = file.read_text()
    variants, moves = moves_of(text)
    again = told(file.stem.split("-")[0], variants, moves)
    assert again.splitlines() == text.splitlines()


def test_every_game_and_variant_has_one() -> None:
    for uid, game in registry.load_games().items():
        stored = {tuple(variants) for variants in CHOSEN[uid]}
        assert len(stored) == len(game.info.variants)
        assert {name(uid, list(variants)) for variants in stored} <= {file.name for file in FILES}
