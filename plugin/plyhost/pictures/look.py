"""How a picture is to look: its colours and size, and what is left out."""

from dataclasses import dataclass, field

from plyhost.pictures.layout import HALF, Layout
from plyhost.pictures.palettes import PALETTES, Palette
from plyhost.pictures.strokes import DIGIT_HEIGHT

#: A cell narrower than this many pixels is drawn plainly: see `Look.is_small`.
SMALL_CELL = 13.0
#: Labels that would be lower than this many pixels are left out.
LEGIBLE = 5.0


@dataclass(frozen=True)
class Look:
    """The looks of one picture.

    `night` is the palette for readers whose scheme is dark, if the picture follows the scheme.
    `width` in pixels is 0 where the picture fits any size.  `background` replaces the palette's,
    `none` leaves it out.  `joined` bridges neighbouring pieces of one kind.
    """

    palette: Palette = field(default_factory=lambda: PALETTES["light"])
    night: Palette | None = None
    width: int = 0
    labelled: bool = True
    background: str = ""
    joined: bool = False

    def is_small(self, place: Layout) -> bool:
        """Tell whether cells come out so small that only their colours can be seen."""
        return 0 < self.width * 2 * HALF < SMALL_CELL * 2 * place.box(True)[0]

    def has_labels(self, place: Layout) -> bool:
        """Tell whether labels are wanted and can be read."""
        height = DIGIT_HEIGHT * self.width / (2 * place.box(True)[0])
        is_legible = not self.width or height >= LEGIBLE
        return self.labelled and is_legible and not self.is_small(place)
