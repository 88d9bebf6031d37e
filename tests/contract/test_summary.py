"""The sentence that tells how a game stands, in every way in which one can."""

import pytest

from plyhost.contract.operations import OPERATIONS
from plyhost.contract.view import Answer
from plyhost.games import registry

SETUP = "c3,c4/e5,e6"


def reach(uid: str, *moves: str) -> Answer:
    """Return the view after moves on the smallest board."""
    game = registry.find_game(uid)
    view = OPERATIONS["new"](game, {"variants": ["size-5"], "form": "compact"})
    for move in moves:
        view = OPERATIONS["move"](game, {"state": view["state"], "move": move, "auto": "none"})
    return view


def play_out(uid: str) -> Answer:
    """Return the last view of a seeded game."""
    game, view = registry.find_game(uid), reach(uid)
    while not view["gameover"]:
        drawn = OPERATIONS["random"](game, {"state": view["state"], "seed": str(view["ply"])})
        view = OPERATIONS["move"](
            game, {"state": view["state"], "move": drawn["move"], "auto": "none"}
        )
    return view


@pytest.mark.parametrize(
    ("uid", "moves", "told"),
    [
        ("control", (), "Control, 5 cells to a side, before the first move: Player 1 is to move."),
        ("control", ("a1",), "Control, 5 cells to a side, after ply 1 (a1): Player 2 is to move."),
        (
            "congeners",
            (SETUP, "play-second"),
            "Congeners, 5 cells to a side, after ply 2 (play-second): Black (player 1) is to move.",
        ),
    ],
)
def test_a_running_game_is_told(uid: str, moves: tuple[str, ...], told: str) -> None:
    assert reach(uid, *moves)["summary"] == told


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"how": "resign", "player": 1}, "Player 2 won: player 1 resigned."),
        ({"how": "timeout", "player": 2}, "Player 1 won: player 2 ran out of time."),
        ({"how": "draw"}, "a draw by agreement."),
        ({"how": "abandoned"}, "nobody won: the game was abandoned."),
        (
            {"how": "settle"},
            "Player 1 won: the players agreed to stop, and player 1 leads in territory, 3 to 0.",
        ),
    ],
)
def test_an_ending_says_why(how: dict[str, object], told: str) -> None:
    game = registry.find_game("control")
    view = OPERATIONS["end"](game, {"state": reach("control", "a1")["state"], **how})
    assert view["summary"].endswith(f": {told}")


def test_the_end_of_control_says_who_can_do_nothing() -> None:
    view = play_out("control")
    assert view["summary"].endswith(
        f"Player {view['winner'][0]} won: player {3 - view['winner'][0]}"
        " has neither a placement nor a capture."
    )


def test_the_end_of_congeners_says_what_decides() -> None:
    view = play_out("congeners")
    at = view["scoring"]["at"]
    assert "won: neither player has a turn, and " in view["summary"]
    higher, lower = max(at["black"], at["white"]), min(at["black"], at["white"])
    assert f", {higher} to {lower}" in view["summary"]


def test_a_draw_has_no_winner_in_the_text() -> None:
    game = registry.find_game("control")
    state = reach("control", "a1")["state"]
    drawn = OPERATIONS["end"](game, {"state": state, "how": "draw", "include": ["text"]})
    assert "A draw by agreement." in drawn["text"].splitlines()
