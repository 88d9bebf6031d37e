"""SVG pictures read back and PNG pictures opened, without the code that drew them."""

from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from PIL import Image

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
    """Return what a picture shows; marks of one kind and colour on cells are one mark."""
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
    on_cells: dict[tuple[str, int | None], list[str]] = {}
    others = []
    for kind, colour, names in notes:
        if kind in ("dots", "enter", "exit", "glyph"):
            on_cells.setdefault((kind, colour), []).extend(names)
        else:
            others.append((kind, colour, names))
    told = [(*which, tuple(sorted(names))) for which, names in on_cells.items()]
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
    """Return width, height and the rows of a picture in RGBA, four bytes a pixel."""
    with Image.open(BytesIO(png)) as opened:
        image = opened.convert("RGBA")
    data, stride = image.tobytes(), 4 * image.width
    rows = [data[at : at + stride] for at in range(0, len(data), stride)]
    return image.width, image.height, rows
