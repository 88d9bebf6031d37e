"""Timestamps: `YYYY-MM-DDTHH:MM:SS.mmmZ`, years 0001 to 9999, always UTC.

The texts are of one length, so comparing them as texts compares the moments.
Milliseconds are counted from 1970 and may be negative.
"""

import re
from datetime import datetime, timedelta
from time import time_ns
from typing import TypeAlias

Stamp: TypeAlias = str

# All without a time zone: it is always the same one, and without it they are quicker.
_EPOCH = datetime(1970, 1, 1)
_MILLI = timedelta(milliseconds=1)
_FIRST, _LAST = ((end - _EPOCH) // _MILLI for end in (datetime.min, datetime.max))
_FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")


def is_stamp(text: object) -> bool:
    """Tell whether a value is a timestamp, in exactly the one form."""
    if not isinstance(text, str) or not _FORM.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_moment(milliseconds: int) -> bool:
    """Tell whether milliseconds from 1970 have a timestamp."""
    return _FIRST <= milliseconds <= _LAST


def millis(stamp: Stamp) -> int:
    """Return the milliseconds from 1970 of a valid timestamp."""
    return (datetime.fromisoformat(stamp[:-1]) - _EPOCH) // _MILLI


def stamp(milliseconds: int) -> Stamp:
    """Return the timestamp of milliseconds from 1970; raises ValueError outside years 1 to 9999."""
    try:
        moment = _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError as error:
        raise ValueError("no such moment") from error
    return moment.isoformat(timespec="milliseconds") + "Z"


def now() -> Stamp:
    """Return the present moment."""
    return stamp(time_ns() // 1_000_000)
