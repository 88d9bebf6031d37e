"""Golden pictures: `python -m tests.tools.golden` writes `fixtures/pictures` anew.

Look at the pictures that have changed before they are committed: a mistake that is written again
passes.
"""

from collections.abc import Mapping
from typing import Any

from plyhost.contract import operations, picture_requests
from plyhost.games import registry
from tests.tools import ROOT
from tests.tools.games import recorded

FOLDER = ROOT / "fixtures" / "pictures"

Look = Mapping[str, Any]

#: By file name: game, number of the recorded game, moves made, and how it is drawn.
STILLS: Mapping[str, tuple[str, int, int, Look]] = {
    "control-start": ("control", 15, 0, {}),
    "control-place": ("control", 0, 40, {}),
    "control-capture": ("control", 0, 46, {"palette": "mono", "perspective": 2}),
    "control-vertices": ("control", 15, 60, {"display": "vertex-style", "palette": "dark"}),
    "control-thumbnail": ("control", 15, 60, {"display": "hide-control", "width": 120}),
    "control-large": ("control", 22, 120, {"palette": "safe"}),
    "congeners-setup": ("congeners", 6, 1, {}),
    "congeners-move": ("congeners", 0, 14, {"display": "vertex-style", "perspective": 2}),
    "congeners-bite": ("congeners", 6, 25, {"palette": "mono"}),
    "congeners-kin": ("congeners", 1, 60, {"display": "kin", "palette": "dark"}),
}
#: Texts that are begun, as far as their first comma: recorded game and moves made before.
BEGUN: Mapping[str, tuple[int, int]] = {"congeners-begun": (6, 24)}
#: Whole games: game, number of the recorded game, moves made.
FILMS: Mapping[str, tuple[str, int, int]] = {"congeners-film": ("congeners", 0, 24)}


def asked(uid: str, number: int, made: int, look: Look | None = None) -> dict[str, Any]:
    """Return the request for the picture of a recorded game after some moves."""
    game = recorded(uid)[number]
    return {"moves": game["moves"][:made], "variants": game["variants"], **(look or {})}


def renders(
    uid: str, number: int, made: int, display: str = "", perspective: int = 0
) -> list[dict[str, Any]]:
    """Return the render JSON of each ply of a recorded game, as far as some moves."""
    state = _state(uid, number, made)
    looked = {"state": state, "plies": [0, -1], "display": display, "perspective": perspective}
    found: list[dict[str, Any]] = operations.answer_render(registry.find_game(uid), looked)[
        "renders"
    ]
    return found


def begun(number: int, made: int) -> dict[str, Any]:
    """Return the render JSON of Congeners with the first part of the next recorded turn."""
    text = recorded("congeners")[number]["moves"][made].split(",")[0]
    state = _state("congeners", number, made)
    looked = {"state": state, "move": text, "display": "", "perspective": 0}
    render: dict[str, Any] = operations.answer_render(registry.find_game("congeners"), looked)[
        "render"
    ]
    return render


def _state(uid: str, number: int, made: int) -> str:
    request = {**asked(uid, number, made), "form": "compact"}
    state: str = operations.answer_replay(registry.find_game(uid), request)["view"]["state"]
    return state


def drawn(name: str) -> bytes:
    """Return a golden picture as it is drawn today."""
    if name in STILLS:
        uid, number, made, look = STILLS[name]
        return picture_requests.make_position_picture(
            registry.find_game(uid), asked(uid, number, made, look)
        ).body
    if name in BEGUN:
        game = registry.find_game("congeners")
        return picture_requests.make_render_picture(
            game, begun(*BEGUN[name]), {}, picture_requests.SVG, "Congeners"
        ).body
    uid, number, made = FILMS[name]
    return picture_requests.make_game_film(registry.find_game(uid), asked(uid, number, made)).body


NAMES = (*STILLS, *BEGUN, *FILMS)

#: The pictures in the documents, by file name.
DOCS = ROOT / "docs" / "pictures"
SHOWN: Mapping[str, tuple[str, int, int, Look]] = {
    "control": ("control", 3, 34, {}),
    "congeners": ("congeners", 0, 40, {"palette": "mono", "display": "kin"}),
}


def shown(name: str) -> bytes:
    """Return a picture of the documents as it is drawn today."""
    uid, number, made, look = SHOWN[name]
    return picture_requests.make_position_picture(
        registry.find_game(uid), asked(uid, number, made, look)
    ).body


def write() -> None:
    """Write every golden picture, and those of the documents, anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    DOCS.mkdir(parents=True, exist_ok=True)
    for name in SHOWN:
        (DOCS / f"{name}.svg").write_bytes(shown(name) + b"\n")
    for name in NAMES:
        (FOLDER / f"{name}.svg").write_bytes(drawn(name) + b"\n")


if __name__ == "__main__":
    write()
