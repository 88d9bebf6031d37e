"""The board, against Abstract Play's lists and against plain geometry."""

import json

import pytest

from plyhost.board import hexes
from plyhost.board.hexes import Board, get_board
from tests import naive
from tests.tools.games import VECTORS

SIDES = range(2, 10)


def test_cells_and_rows_are_those_of_abstract_play() -> None:
    listed = json.loads((VECTORS / "control_contract.json").read_text())["listCells"]
    for side, cells in listed.items():
        here = get_board(int(side))
        assert [here.labels[cell] for cell in here.cells] == cells["native"]
        rows = [
            [here.labels[here.at(row, col)] for col in range(here.row_length(row))]
            for row in range(here.rows)
        ]
        assert rows == cells["ordered"]


def test_boards_of_one_side_are_equal_and_no_others() -> None:
    assert Board(5) == get_board(5) != get_board(6)
    assert len({Board(5), get_board(5), get_board(6)}) == 2
    assert get_board(5) != "board(5)"


@pytest.mark.parametrize("side", SIDES)
def test_neighbours_and_rays_are_those_of_the_plain_rules(side: int) -> None:
    here, plain = get_board(side), naive.neighbours(side)
    assert [here.labels[cell] for cell in here.cells] == naive.cells(side)
    for cell in here.cells:
        label = here.labels[cell]
        near = {here.labels[one] for one in here.cells if here.neighbours[cell] >> one & 1}
        assert near == set(plain[label])
        rays = sorted([here.labels[one] for one in ray] for ray in here.rays[cell])
        assert rays == sorted(naive.rays(side)[label])
        assert bool(here.edge >> cell & 1) == (len(near) < 6)


@pytest.mark.parametrize("side", [*SIDES, 14, 30])
def test_names_points_and_ranks_lead_back_to_the_cell(side: int) -> None:
    here = get_board(side)
    assert len(here.cells) == 3 * side * (side - 1) + 1 == here.mask.bit_count()
    for rank, cell in enumerate(here.cells):
        point = here.points[cell]
        assert here.cell(here.labels[cell]) == cell == here.at(**point)
        assert here.has(**point)
        assert here.rank[cell] == rank
    assert here.cell("") is None


def test_rows_beyond_z_have_two_letters() -> None:
    assert get_board(30).labels[get_board(30).cells[0]] == "bg1"


def test_off_the_board_is_no_cell() -> None:
    here = get_board(5)
    assert not any(here.has(*place) for place in [(-1, 0), (0, -1), (0, 5), (9, 0), (4, 9)])


def test_name_order_goes_by_row_letter_then_by_number() -> None:
    here = get_board(7)
    names = sorted((here.labels[cell] for cell in here.cells), key=naive.name_order)
    assert sorted(here.cells, key=lambda cell: here.name_order[cell]) == [
        here.cell(name) for name in names
    ]


@pytest.mark.parametrize("side", SIDES)
def test_the_twelve_symmetries_keep_cells_and_neighbours(side: int) -> None:
    here = get_board(side)
    tables = [tuple(table[cell] for cell in here.cells) for table in here.symmetries]
    assert len(set(tables)) == 12
    for table in here.symmetries:
        assert here.mapped(here.mask, table) == here.mask
        assert here.mapped(here.edge, table) == here.edge
        for cell in here.cells:
            assert here.mapped(here.neighbours[cell], table) == here.neighbours[table[cell]]


def test_spread_is_the_union_of_the_neighbours() -> None:
    here = get_board(6)
    cells = here.neighbours[here.cells[40]] | 1 << here.cells[0]
    ought = 0
    for cell in here.cells:
        if cells >> cell & 1:
            ought |= here.neighbours[cell]
    assert here.spread(cells) == ought


def test_a_board_has_a_side_in_range_and_is_kept() -> None:
    assert get_board(9) is get_board(9)
    for side in (hexes.SMALLEST_SIDE - 1, hexes.LARGEST_SIDE + 1, 10**9):
        with pytest.raises(ValueError, match="side must be"):
            get_board(side)
