"""Pictures as SVG: what they show is what the render JSON says, and they stand alone."""

import gzip
import re
from typing import Any

import pytest

from plyhost.pictures import svg
from plyhost.pictures.contrast import measure_contrast
from plyhost.pictures.layout import Undrawable, make_board_layout
from plyhost.pictures.letters import outline_text
from plyhost.pictures.look import Look
from plyhost.pictures.palettes import PALETTES
from tests.tools import golden
from tests.tools.games import recorded
from tests.tools.picture_reading import NAMESPACE, cells, expected, parsed, read

DISPLAYS = ("default", "hide-control", "vertex-style")
LARGEST, LARGEST_ZIPPED = 126_000, 8_000


def render(**changes: Any) -> dict[str, Any]:
    """Return a small render JSON of a position in the middle of a game."""
    found: dict[str, Any] = recorded("control")[0]["positions"][5]["render"]["default"]
    return {**found, **changes}


def on_board(**changes: Any) -> dict[str, Any]:
    return render(board={**render()["board"], **changes})


@pytest.mark.parametrize("display", DISPLAYS)
@pytest.mark.parametrize("number", range(24))
def test_control_is_read_back_from_its_pictures(number: int, display: str) -> None:
    for position in recorded("control")[number]["positions"][::3]:
        drawn = position["render"][display]
        assert read(parsed(svg.draw_svg(drawn))) == expected(drawn)


@pytest.mark.parametrize("display", ["", "vertex-style", "kin"])
@pytest.mark.parametrize("number", range(0, 26, 5))
def test_congeners_is_read_back_from_its_pictures(number: int, display: str) -> None:
    for drawn in golden.renders("congeners", number, 30, display, 2):
        assert read(parsed(svg.draw_svg(drawn, Look(PALETTES["safe"], joined=True)))) == expected(
            drawn
        )


def test_a_begun_turn_is_read_back() -> None:
    drawn = golden.begun(6, 24)
    stones, notes = read(parsed(svg.draw_svg(drawn)))
    assert (stones, notes) == expected(drawn)
    assert {kind for kind, _, _ in notes} == {"move", "exit", "dots"}


@pytest.mark.parametrize("name", golden.NAMES)
def test_golden_pictures_have_not_drifted(name: str) -> None:
    kept = (golden.FOLDER / f"{name}.svg").read_bytes()
    assert golden.drawn(name) + b"\n" == kept, "python -m tests.tools.golden writes them anew"


@pytest.mark.parametrize("name", golden.SHOWN)
def test_the_pictures_of_the_documents_have_not_drifted(name: str) -> None:
    kept = (golden.DOCS / f"{name}.svg").read_bytes()
    assert golden.shown(name) + b"\n" == kept, "python -m tests.tools.golden writes them anew"


def test_no_golden_picture_is_left_over() -> None:
    assert {file.stem for file in golden.DOCS.glob("*.svg")} == set(golden.SHOWN)
    assert {file.stem for file in golden.FOLDER.glob("*.svg")} == set(golden.NAMES)


@pytest.mark.parametrize("name", golden.NAMES)
def test_a_picture_stands_alone(name: str) -> None:
    text = golden.drawn(name).decode()
    root = parsed(text)
    assert root.findtext(f"{NAMESPACE}title")
    assert root.findtext(f"{NAMESPACE}desc")
    assert {one.tag.removeprefix(NAMESPACE) for one in root.iter()} <= {
        "svg", "title", "desc", "style", "g", "path", "circle", "ellipse", "rect", "animate",
    }  # fmt: skip
    style = root.findtext(f"{NAMESPACE}style") or ""
    assert bool(style) == (name in golden.FILMS)
    assert style.startswith("@media (prefers-reduced-motion:reduce){") or not style
    names = {attribute for one in root.iter() for attribute in one.attrib}
    assert not {name for name in names if "href" in name or name.startswith("on")}
    assert not names & {"id", "class", "style", "font-family"}
    assert "url(" not in text


@pytest.mark.parametrize("side", [2, 5, 7, 9, 30])
@pytest.mark.parametrize("style", ["hex-of-hex", "hex-of-tri"])
def test_each_cell_is_there_once(style: str, side: int) -> None:
    board = {"style": style, "minWidth": side, "maxWidth": 2 * side - 1}
    empty = {"board": board, "legend": {}, "pieces": "\n".join("_" * (2 * side - 1))}
    found = cells(parsed(svg.draw_svg(empty)))
    assert list(found) == [name for name in make_board_layout(style, side, 0).board.labels if name]
    # Row by row, from the top left: whatever the names are.
    places = [
        tuple(int(cell.attrib[f"data-{one}"]) for one in ("row", "col")) for cell in found.values()
    ]
    lengths = [2 * side - 1 - abs(side - 1 - row) for row in range(2 * side - 1)]
    assert places == [(row, col) for row, length in enumerate(lengths) for col in range(length)]


@pytest.mark.parametrize("number", [22, 23])
@pytest.mark.parametrize("display", DISPLAYS)
def test_a_large_board_is_small(number: int, display: str) -> None:
    for position in recorded("control")[number]["positions"]:
        data = svg.draw_svg(position["render"][display]).encode()
        assert len(data) < LARGEST
        assert len(gzip.compress(data)) < LARGEST_ZIPPED


def shape(root: Any, name: str) -> list[str]:
    """Return what is drawn on a cell, without its colours."""
    hues = ("fill", "stroke", "data-piece", "data-colour")
    return [
        f"{one.tag} {[item for item in one.attrib.items() if item[0] not in hues]}"
        for one in cells(root)[name].iter()
        if "data-cell" not in one.attrib
    ]


@pytest.mark.parametrize("palette", PALETTES)
def test_players_differ_by_shape_where_lightness_is_not_enough(palette: str) -> None:
    drawn = render()
    stones, _ = expected(drawn)
    root = parsed(svg.draw_svg({**drawn, "annotations": []}, Look(PALETTES[palette])))
    shapes = {
        piece: {tuple(shape(root, name)) for name, held in stones.items() if held == piece}
        for piece in "AB"
    }
    assert len(shapes["A"]) == len(shapes["B"]) == 1
    one, two, *_ = PALETTES[palette].players
    assert shapes["A"] != shapes["B"] or measure_contrast(one.fill, two.fill, "grey") > 7


def test_stones_of_one_colour_are_joined_where_the_game_says_so() -> None:
    drawn = golden.renders("congeners", 0, 40)[-1]
    apart, joined = (parsed(svg.draw_svg(drawn, Look(joined=joined))) for joined in (False, True))
    assert read(apart) == read(joined) == expected(drawn)
    stones, place = expected(drawn)[0], make_board_layout("hex-of-hex", 5, 0)
    near = dict(zip(place.names, place.neighbours, strict=True))
    for name, piece in stones.items():
        alike = [place.names[rank] for rank in near[name] if rank >= 0]
        friends = [other for other in alike if stones.get(other) == piece]
        bridges = [
            one.get("d", "") for one in cells(joined)[name].iter() if one.get("stroke-width")
        ]
        assert {path.count("M0 0") for path in bridges if path.startswith("M0 0")} == (
            {len(friends)} if friends else set()
        )
    assert "M0 0L" not in svg.draw_svg(drawn)


def labels(text: str) -> list[str]:
    return [one.attrib["data-label"] for one in parsed(text).iter() if "data-label" in one.attrib]


def test_rows_are_lettered_and_columns_numbered_at_both_ends() -> None:
    found = labels(svg.draw_svg(render()))
    assert found[:9] == list("ihgfedcba")
    assert sorted(map(int, found[9:])) == sorted([*range(1, 10), *range(1, 9)])


def test_labels_can_be_hidden_and_go_where_they_would_be_too_small() -> None:
    assert labels(svg.draw_svg(render(options=["hide-labels"]))) == []
    assert labels(svg.draw_svg(render(), Look(width=120))) == []
    assert labels(svg.draw_svg(render(), Look(width=400)))


def test_every_letter_and_digit_has_a_path() -> None:
    for sign in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789":
        assert re.fullmatch(r"M[-0-9. MmaqhvlHVz]+", outline_text(sign, 0, 0))
    assert outline_text("\u7530", 0, 0) == ""


def place(text: str, name: str) -> tuple[float, float]:
    found = re.fullmatch(r"translate\((\S+) (\S+)\)", cells(parsed(text))[name].attrib["transform"])
    assert found
    return float(found[1]), float(found[2])


def test_the_board_turns_clockwise() -> None:
    assert place(svg.draw_svg(render()), "e1") == (-208, 0)
    assert place(svg.draw_svg(on_board(rotate=180)), "e1") == (208, 0)
    assert place(svg.draw_svg(on_board(rotate=90)), "e1") == (0, -208)
    assert place(svg.draw_svg(on_board(rotate=-90)), "e1") == (0, 208)


@pytest.mark.parametrize("rotate", [0, 30, 45, 90, 180, 300])
@pytest.mark.parametrize("width", [0, 100])
def test_everything_is_inside_the_picture(rotate: int, width: int) -> None:
    text = svg.draw_svg(on_board(rotate=rotate), Look(width=width))
    left, top, across, down = map(float, parsed(text).attrib["viewBox"].split())
    for name in cells(parsed(text)):
        x, y = place(text, name)
        assert left + 30 <= x <= left + across - 30
        assert top + 30 <= y <= top + down - 30


def test_the_size_is_asked_for_only_with_a_width() -> None:
    assert "width" not in parsed(svg.draw_svg(render())).attrib
    root = parsed(svg.draw_svg(render(), Look(width=400)))
    assert (root.attrib["width"], root.attrib["height"]) == ("400", "350")


def test_every_kind_of_annotation_and_marker_is_drawn() -> None:
    spots = [{"row": 4, "col": 1}, {"row": 4, "col": 4}, {"row": 2, "col": 2}]
    kinds = ("enter", "exit", "move", "line", "eject", "outline", "dots")
    notes = [{"type": kind, "targets": spots} for kind in kinds]
    notes += [{"type": "dots", "targets": spots[:1], "colour": "#0f0", "dotShape": "chevron"}]
    notes += [{"type": "glyph", "targets": spots, "glyph": "A"}, {"type": "new", "targets": spots}]
    markers = [{"type": "flood", "points": spots, "colour": 1}, {"type": "dots", "points": spots}]
    drawn = {**on_board(markers=markers), "annotations": notes}
    seen = {one.get("data-mark") for one in parsed(svg.draw_svg(drawn)).iter()} - {None}
    assert seen == {*kinds, "glyph"}


def test_legends_may_stack_scale_and_write() -> None:
    text = svg.draw_svg(
        render(
            legend={
                "A": {"name": "piece", "colour": 3, "scale": 0.5},
                "B": [
                    {"name": "piece", "colour": "_context_fill"},
                    {"text": "k7", "colour": "#000"},
                ],
            }
        )
    )
    assert read(parsed(text))[0] == expected(render())[0]
    assert 'transform="scale(0.5)"' in text


@pytest.mark.parametrize(
    "wrong",
    [
        on_board(style="squares"),
        on_board(minWidth=1),
        on_board(minWidth=31),
        on_board(minWidth=6),
        render(pieces="A"),
        render(pieces="A\n" * 8 + "A"),
        render(legend={}),
        render(annotations=[{"type": "enter", "targets": [{"row": 0, "col": 5}]}]),
        render(annotations=[{"type": "move", "targets": [{"row": 0, "col": 0}]}]),
    ],
)
def test_what_cannot_be_drawn_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(Undrawable):
        svg.draw_svg(wrong)


def test_texts_are_escaped() -> None:
    root = parsed(svg.draw_svg(render(), title="<b>&\"'"))
    assert root.findtext(f"{NAMESPACE}title") == "<b>&\"'"
    text = svg.draw_svg(render(legend={"A": {"colour": '"/><script>'}, "B": {"colour": "#12"}}))
    assert "<script" not in text
    assert read(parsed(text))[0] == expected(render())[0]


def test_the_description_tells_the_position_in_words() -> None:
    words = parsed(svg.draw_svg(render())).findtext(f"{NAMESPACE}desc") or ""
    stones, notes = expected(render())
    for piece, colour in (("A", 1), ("B", 2)):
        names = [
            name for name in cells(parsed(svg.draw_svg(render()))) if stones.get(name) == piece
        ]
        assert f"({len(names)}): {' '.join(names)}." in words
        assert f"colour {colour} (" in words
    assert [f"enter: {names[0]}." in words for kind, _, names in notes if kind == "enter"] == [True]
