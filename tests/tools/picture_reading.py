"""SVG pictures read back and PNG pictures opened, without the code that drew them."""

import struct
import zlib
from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

NAMESPACE = "{http://www.w3.org/2000/svg}"

#: A mark: its type, its colour's number if it has one, its cells by name.
Note = tuple[str, int | None, tuple[str, ...]]
#: What is on a board: a legend id by cell, and marks.
Shown = tuple[dict[str, str], list[Note]]


def parsed(svg: str | bytes) -> Element:
    """Return the root of an SVG."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{NAMESPACE}svg"
    return root


def cells(root: Element) -> dict[str, Element]:
    """Return the group of each cell by its name; no name may stand twice."""
    found = [(one.attrib["data-cell"], one) for one in root.iter() if "data-cell" in one.attrib]
    assert len(dict(found)) == len(found)
    return dict(found)


def read(root: Element) -> Shown:
    """Return what a picture shows; dots of one colour are one mark."""
    stones: dict[str, str] = {}
    notes: list[Note] = []
    for name, cell in cells(root).items():
        for one in cell.iter():
            if "data-piece" in one.attrib:
                assert name not in stones
                stones[name] = one.attrib["data-piece"]
            elif "data-mark" in one.attrib:
                colour = one.get("data-colour")
                notes.append((one.attrib["data-mark"], int(colour) if colour else None, (name,)))
    notes += [
        (one.attrib["data-mark"], None, tuple(one.attrib["data-cells"].split()))
        for one in root.iter()
        if "data-cells" in one.attrib
    ]
    return stones, _gathered(notes)


def expected(render: Mapping[str, Any]) -> Shown:
    """Return what a render JSON says that its picture should show."""
    side = render["board"]["minWidth"]
    stones = {}
    for row, line in enumerate(render["pieces"].split("\n")):
        for col, piece in enumerate(line.split(",")):
            if piece not in "-_":
                stones[_name(side, row, col)] = piece
    notes = [
        (
            note["type"],
            note.get("colour"),
            tuple(_name(side, target["row"], target["col"]) for target in note["targets"]),
        )
        for note in render.get("annotations", ())
    ]
    return stones, _gathered(notes)


def _name(side: int, row: int, col: int) -> str:
    return f"{chr(ord('a') + 2 * side - 2 - row)}{col + 1}"


def _gathered(notes: Iterable[Note]) -> list[Note]:
    dots: dict[int | None, list[str]] = {}
    others = []
    for kind, colour, names in notes:
        if kind == "dots":
            dots.setdefault(colour, []).extend(names)
        else:
            others.append((kind, colour, names))
    told = [("dots", colour, tuple(sorted(names))) for colour, names in dots.items()]
    return sorted([*others, *told], key=str)


def still(root: Element, fraction: float) -> Element:
    """Take away what an animation does not show at a part of its length; changes `root`."""
    for parent in list(root.iter()):
        for child in list(parent):
            if _is_hidden(child, fraction):
                parent.remove(child)
    return root


def _is_hidden(element: Element, fraction: float) -> bool:
    course = element.find(f"{NAMESPACE}animate[@attributeName='opacity']")
    if course is None:
        return False
    times = [float(time) for time in course.attrib["keyTimes"].split(";")]
    values = course.attrib["values"].split(";")
    assert times == sorted(times)
    assert times[0] == 0
    assert len(times) == len(values)
    return [value for time, value in zip(times, values, strict=True) if time <= fraction][-1] == "0"


def pixels(png: bytes) -> tuple[int, int, list[bytes]]:
    """Return width, height and the rows of a PNG in RGBA, four bytes a pixel."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert (depth, kind) == (8, 6)
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += length + 12
    raw = zlib.decompress(data)
    stride = 1 + 4 * width
    rows: list[bytes] = []
    for row in range(height):
        line = raw[row * stride : (row + 1) * stride]
        rows.append(_unfiltered(line[0], line[1:], rows[-1] if rows else bytes(4 * width)))
    return width, height, rows


def _unfiltered(how: int, line: bytes, above: bytes) -> bytes:
    out = bytearray(line)
    for at in range(len(out)):
        left = out[at - 4] if at > 3 else 0
        corner = above[at - 4] if at > 3 else 0
        out[at] = (out[at] + _guess(how, left, above[at], corner)) & 255
    return bytes(out)


def _guess(how: int, left: int, up: int, corner: int) -> int:
    if how == 4:
        base = left + up - corner
        return min((left, up, corner), key=lambda one: abs(base - one))
    return (0, left, up, (left + up) // 2)[how]
