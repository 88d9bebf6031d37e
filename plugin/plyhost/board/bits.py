"""Sets of cells as Python ints: bit *n* is set when cell *n* is in the set.

Counts over a whole board are bit-sliced: a number per cell is kept as a few
sets, the *planes*, of which plane *k* holds the cells whose number has bit
*k*.  One machine operation then counts for thirty cells at once.  The last
plane of a margin is its sign (two's complement).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from typing import TypeAlias, TypeVar

Bits: TypeAlias = int
Cell: TypeAlias = int
Planes: TypeAlias = tuple[Bits, Bits, Bits, Bits]

T = TypeVar("T")

EMPTY_MARGIN: Planes = (0, 0, 0, 0)
_ZERO_ONE = bytes.maketrans(b"01", b"\x00\x01")


def scan_cells(bits: Bits) -> Iterator[Cell]:
    """Yield the cells of a set, lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def pick_entries(bits: Bits, table: Sequence[T]) -> list[T]:
    """Return `table[cell]` for each cell of a set, lowest first, without a loop in Python."""
    if not bits & (bits - 1):
        return [table[bits.bit_length() - 1]] if bits else []
    flags = f"{bits:b}".encode().translate(_ZERO_ONE)[::-1]
    return list(compress(table, flags))


def format_cell_letters(stones: tuple[Bits, Bits], limit: int, letters: str) -> str:
    """Return a letter for each cell below `limit`: for none, the first set, or the second."""
    one, two = stones
    # Read as hexadecimal, binary digits become digits of a cell each: one addition adds them all.
    # With `-AB`, 0b001 and 0b100 below 3: 0x001 + 2 * 0x100 = 0x201, backwards 102, so `A-B`.
    sums = int(f"{one:b}", 16) + 2 * int(f"{two:b}", 16)
    return f"{sums:0{limit}x}"[::-1].translate(str.maketrans("012", letters))


def flood_region(seed: Bits, within: Bits, spread: Callable[[Bits], Bits]) -> Bits:
    """Return the part of `within` connected to `seed`, where `spread` gives a set's neighbours."""
    reached = frontier = seed & within
    while frontier:
        frontier = spread(frontier) & within & ~reached
        reached |= frontier
    return reached


def tally_sets(sets: Sequence[Bits]) -> tuple[Bits, Bits, Bits]:
    """Return planes (ones, twos, fours) that count, for each cell, how many of six sets hold it."""
    a, b, c, d, e, f = sets
    # Two full adders of three sets each, and a third one for what they carry.
    ab, de = a ^ b, d ^ e
    low, high = ab ^ c, de ^ f
    one, two, three = a & b | ab & c, d & e | de & f, low & high
    either = one ^ two
    return low ^ high, either ^ three, one & two | either & three


def compute_margin(plus: Sequence[Bits], minus: Sequence[Bits]) -> Planes:
    """Return signed planes that tell, for each cell, how many more of six sets hold it than of six.

    The numbers are from -6 to 6.
    """
    a, b, c = tally_sets(plus)
    x, y, z = tally_sets(minus)
    ones, borrow = a ^ x, x & ~a
    either = b ^ y
    twos, borrow = either ^ borrow, (y & ~b) | (borrow & ~either)
    either = c ^ z
    return ones, twos, either ^ borrow, (z & ~c) | (borrow & ~either)


def raise_margin(planes: Planes, where: Bits) -> Planes:
    """Return a margin one higher on the cells of `where`, none of which holds the highest value."""
    ones, twos, fours, sign = planes
    carry = ones & where
    if not carry:
        return ones ^ where, twos, fours, sign
    carry_twos = twos & carry
    carry_fours = fours & carry_twos
    return ones ^ where, twos ^ carry, fours ^ carry_twos, sign ^ carry_fours


def lower_margin(planes: Planes, where: Bits) -> Planes:
    """Return a margin one lower on the cells of `where`, none of which holds the lowest value."""
    ones, twos, fours, sign = planes
    borrow = where & ~ones
    if not borrow:
        return ones ^ where, twos, fours, sign
    borrow_twos = borrow & ~twos
    borrow_fours = borrow_twos & ~fours
    return ones ^ where, twos ^ borrow, fours ^ borrow_twos, sign ^ borrow_fours


def split_margin_signs(planes: Planes) -> tuple[Bits, Bits]:
    """Return the cells where a margin is above zero, and those where it is below."""
    ones, twos, fours, sign = planes
    return (ones | twos | fours) & ~sign, sign
