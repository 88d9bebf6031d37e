"""Whole numbers in as few bytes as they need: groups of seven bits, the lowest first."""


def encode_varint(number: int) -> bytes:
    """Return a number from 0 in groups of seven bits, the lowest first."""
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
    """Return the signed number of `zigzag`."""
    return number >> 1 if number & 1 == 0 else -(number + 1 >> 1)


class Reader:
    """A cursor over numbers; raises ValueError when they run out."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def varint(self) -> int:
        """Return the next number, of ten groups at most."""
        number = shift = 0
        for group in self.data[self.at : self.at + 10]:
            number |= (group & 0x7F) << shift
            shift += 7
            self.at += 1
            if group < 0x80:
                return number
        raise ValueError("a number is too long" if shift == 70 else "it is cut short")
