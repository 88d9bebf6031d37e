"""Sets of cells, against Python's own sets and integers."""

from hypothesis import given
from hypothesis import strategies as st

from plyhost.board import bits
from plyhost.board.hexes import get_board

LIMIT = 90
sets = st.integers(0, 2**LIMIT - 1)
six = st.lists(sets, min_size=6, max_size=6)


def members(cells: int) -> set[int]:
    return {cell for cell in range(LIMIT) if cells >> cell & 1}


def value(planes: tuple[int, ...], cell: int) -> int:
    """Return a cell's number in two's complement planes."""
    digits = [plane >> cell & 1 for plane in planes]
    return sum(digit << place for place, digit in enumerate(digits)) - (digits[-1] << len(digits))


@given(sets)
def test_scan_and_pick_give_the_members_in_order(cells: int) -> None:
    assert list(bits.scan_cells(cells)) == sorted(members(cells))
    assert bits.pick_entries(cells, range(LIMIT)) == sorted(members(cells))


@given(six)
def test_a_tally_counts_for_each_cell_the_sets_that_hold_it(chosen: list[int]) -> None:
    ones, twos, fours = bits.tally_sets(chosen)
    for cell in range(LIMIT):
        counted = (ones >> cell & 1) + 2 * (twos >> cell & 1) + 4 * (fours >> cell & 1)
        assert counted == sum(one >> cell & 1 for one in chosen)


@given(six, six)
def test_a_margin_is_the_difference_of_two_tallies(plus: list[int], minus: list[int]) -> None:
    planes = bits.compute_margin(plus, minus)
    above, below = bits.split_margin_signs(planes)
    for cell in range(LIMIT):
        ought = sum(one >> cell & 1 for one in plus) - sum(one >> cell & 1 for one in minus)
        assert value(planes, cell) == ought
        assert (above >> cell & 1, below >> cell & 1) == (ought > 0, ought < 0)


@given(six, six, sets)
def test_raising_and_lowering_a_margin_change_it_by_one(
    plus: list[int], minus: list[int], where: int
) -> None:
    planes = bits.compute_margin([*plus[:5], 0], [*minus[:5], 0])
    up, down = bits.raise_margin(planes, where), bits.lower_margin(planes, where)
    for cell in range(LIMIT):
        step = where >> cell & 1
        assert value(up, cell) == value(planes, cell) + step
        assert value(down, cell) == value(planes, cell) - step
    assert bits.lower_margin(up, where) == planes


@given(sets, sets)
def test_letters_stand_for_none_the_first_or_the_second_set(one: int, two: int) -> None:
    two &= ~one
    ought = "".join(
        "A" if one >> cell & 1 else "B" if two >> cell & 1 else "-" for cell in range(LIMIT)
    )
    assert bits.format_cell_letters((one, two), LIMIT, "-AB") == ought


def test_flood_reaches_what_is_connected_and_no_more() -> None:
    small = get_board(3)
    row = sum(1 << small.at(2, col) for col in range(5))
    far = 1 << small.at(0, 0)
    seed = 1 << small.at(2, 0)
    assert bits.flood_region(seed, row | far, small.spread) == row
    assert bits.flood_region(far, row, small.spread) == 0
