"""Timestamps: `YYYY-MM-DDTHH:MM:SS.mmmZ`, years 0001 to 9999, always UTC.

The texts are of one length, so comparing them as texts compares the moments.
Milliseconds are counted from 1970 and may be negative.
"""

from datetime import UTC, datetime, timedelta
from typing import TypeAlias

Stamp: TypeAlias = str

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLI = timedelta(milliseconds=1)


def _written(moment: datetime) -> Stamp:
    return moment.isoformat(timespec="milliseconds")[:23] + "Z"


def is_stamp(text: object) -> bool:
    """Tell whether a value is a timestamp, in exactly the one form."""
    if not isinstance(text, str) or len(text) != 24:
        return False
    try:
        return _written(datetime.fromisoformat(text)) == text
    except ValueError:
        return False


def millis(stamp: Stamp) -> int:
    """Return the milliseconds from 1970 of a valid timestamp."""
    return (datetime.fromisoformat(stamp) - _EPOCH) // _MILLI


def stamp(milliseconds: int) -> Stamp:
    """Return the timestamp of milliseconds from 1970; raises ValueError outside years 1 to 9999."""
    try:
        return _written(_EPOCH + milliseconds * _MILLI)
    except OverflowError as error:
        raise ValueError("no such moment") from error


def now() -> Stamp:
    """Return the present moment."""
    return _written(datetime.now(UTC))
