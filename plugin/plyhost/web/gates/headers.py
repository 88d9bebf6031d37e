"""What a request's headers may be before anything reads them: short and plain.

The server bounds them all together; here each that is read is bounded by itself, so that no
library's pattern can take long over one.
"""

import re
from collections.abc import Collection
from typing import Any

from plyhost import limits
from plyhost.errors import HeadersTooLarge, Misdirected
from plyhost.web.gates.callers import read_address

Environ = dict[str, Any]

#: Headers without which a request means something else: one that is too long is refused.
NEEDED = ("HTTP_ACCEPT", "HTTP_AUTHORIZATION", "CONTENT_TYPE", "HTTP_CONTENT_ENCODING")
#: Headers that a request can do without: one that is too long counts as not sent.
SPARE = (
    "HTTP_ACCESS_CONTROL_REQUEST_METHOD",
    "HTTP_CACHE_CONTROL",
    "HTTP_COOKIE",
    "HTTP_IF_MATCH",
    "HTTP_IF_MODIFIED_SINCE",
    "HTTP_IF_NONE_MATCH",
    "HTTP_IF_RANGE",
    "HTTP_IF_UNMODIFIED_SINCE",
    "HTTP_ORIGIN",
    "HTTP_RANGE",
    "HTTP_TRACEPARENT",
    "HTTP_X_REQUEST_ID",
)
SPARE_CHARACTERS = 256
_PORT = re.compile(":[0-9]{1,5}$")
_BLANKS = str.maketrans("", "", " \t")


def drop_long_headers(environ: Environ) -> None:
    """Drop the headers that are too long to be read and that a request can do without."""
    for name in SPARE:
        if len(environ.get(name, "")) > SPARE_CHARACTERS:
            del environ[name]


def check_headers(environ: Environ) -> None:
    """Refuse headers that are too long to be read; raises HeadersTooLarge."""
    most = limits.HEADER_CHARACTERS
    for name in NEEDED:
        if len(environ.get(name, "")) > most:
            told = name.removeprefix("HTTP_").replace("_", "-").title()
            raise HeadersTooLarge({"limit": most}, what=told, limit=most)


def check_host(environ: Environ, known: Collection[str]) -> None:
    """Refuse a name that is not this machine's own, nor a known one; raises Misdirected.

    Otherwise a page that a browser here has open could ask by a name that its owner leads here.
    """
    host = environ.get("HTTP_HOST", "")
    name = host.lower().rpartition(":")[0] if _PORT.search(host[-6:]) else host.lower()
    if not name or name.rstrip(".") == "localhost" or name.rstrip(".").endswith(".localhost"):
        return
    if name in known or "*" in known:
        return
    address = read_address(name)
    if address is None or not address.is_loopback:
        raise Misdirected(host=host)


def squeeze_accept(accept: str) -> str:
    """Return an Accept header without blanks, which say nothing and are slow to look for."""
    return accept.translate(_BLANKS)
