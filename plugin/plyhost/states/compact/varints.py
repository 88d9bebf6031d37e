"""Whole numbers in as few bytes as they need: groups of seven bits, the lowest first."""

_MOST_GROUPS = 10
# Groups that others follow, empty last ones, and other last ones.
_GROUPS = bytes(ord("+") if byte > 0x7F else ord(".") if byte else ord("0") for byte in range(256))


def encode_varint(number: int) -> bytes:
    """Return the bytes of a number from 0."""
    groups = bytearray()
    while number > 0x7F:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    groups.append(number)
    return bytes(groups)


def encode_zigzag(number: int) -> int:
    """Return a signed number as one from 0: 0, -1, 1, -2, ..."""
    return number << 1 if number >= 0 else (-number << 1) - 1


def decode_zigzag(number: int) -> int:
    """Return the signed number that `encode_zigzag` made a number of."""
    return number >> 1 if number & 1 == 0 else -(number + 1 >> 1)


def check_varints(data: bytes, number: int) -> None:
    """Check that bytes are so many numbers, each in as few groups as it needs; raises ValueError.

    The numbers themselves are not read.
    """
    groups = data.translate(_GROUPS)
    if groups.count(b".") + groups.count(b"0") != number or groups[-1:] == b"+":
        raise ValueError("the times are more or fewer than the count says")
    if b"+0" in groups or len(data) > _MOST_GROUPS * number:
        raise ValueError("a time is longer than it needs to be")


class VarintReader:
    """A cursor over numbers; raises ValueError when they run out."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def read_varint(self) -> int:
        """Return the next number, of ten groups at most."""
        number = shift = 0
        for group in self.data[self.at : self.at + _MOST_GROUPS]:
            number |= (group & 0x7F) << shift
            shift += 7
            self.at += 1
            if group < 0x80:
                return number
        raise ValueError("a number is too long" if shift == 7 * _MOST_GROUPS else "it is cut short")
