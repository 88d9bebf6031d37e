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
# Every fourth of the hundred pairs of digits that end a leap year, or begin one that ends in 00.
_FOURTH = "(?:0[48]|[2468][048]|[13579][26])"
_DATES = (
    "(?!0000)[0-9]{4}-(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])",
    "(?!0000)[0-9]{4}-(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)",
    "(?!0000)[0-9]{4}-02-(?:0[1-9]|1[0-9]|2[0-8])",
    f"(?:[0-9]{{2}}{_FOURTH}|{_FOURTH}00)-02-29",
)
#: Just the texts that are timestamps, days that there are and all.
PATTERN = rf"\A(?:{'|'.join(_DATES)})T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){{2}}\.[0-9]{{3}}Z\Z"
_FORM = re.compile(PATTERN)


def is_stamp(text: object) -> bool:
    """Tell whether a value is a timestamp, in exactly the one form."""
    return isinstance(text, str) and _FORM.match(text) is not None


def is_moment(milliseconds: int) -> bool:
    """Tell whether milliseconds from 1970 have a timestamp."""
    return _FIRST <= milliseconds <= _LAST


def parse_stamp(stamp: Stamp) -> int:
    """Return the milliseconds from 1970 of a valid timestamp."""
    return (datetime.fromisoformat(stamp[:-1]) - _EPOCH) // _MILLI


def format_stamp(milliseconds: int) -> Stamp:
    """Return the timestamp of milliseconds from 1970; raises ValueError outside years 1 to 9999."""
    try:
        moment = _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError as error:
        raise ValueError("no such moment") from error
    return moment.isoformat(timespec="milliseconds") + "Z"


def get_current_stamp() -> Stamp:
    """Return the present moment."""
    return format_stamp(time_ns() // 1_000_000)
