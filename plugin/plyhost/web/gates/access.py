"""Who may call: keys of callers, and addresses of pictures that carry a signature.

A key is long and random, so its SHA-256 is all that a configuration needs to hold.  An address is
signed as it stands: whoever knows the secret appends

    &expires=<seconds from 1970>&signature=<HMAC-SHA256 of all before it, base64url, no padding>

(with `?expires=` where there was no query yet), and nothing may follow.
"""

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from time import time
from urllib.parse import parse_qs

#: Under these no key is asked for, nor any rate counted: health, documents, pages.
OPEN = ("/docs", "/schemas/", "/playground")
OPEN_PAGES = frozenset({"/", "/openapi.json", "/healthz", "/readyz", "/docs", "/favicon.ico"})

_PICTURE = re.compile(r"/v1/games/[^/]+/(picture\.(svg|png)|film\.(svg|webp|gif|apng))")

KEY_BYTES = 32
KEY_MARK = "ply_"
#: Fields of a query that are the signature's, not the picture's.
SIGNING_FIELDS = ("expires", "signature")

_SIGNED = "&signature="
#: Plain digits, and no more of them than are read at once: a text may hold thousands, or others.
_SECONDS = re.compile("[0-9]{1,15}")


def make_caller_key() -> str:
    """Return a fresh key."""
    return KEY_MARK + secrets.token_urlsafe(KEY_BYTES)


def hash_caller_key(key: str) -> str:
    """Return what a configuration holds of a key."""
    return sha256(key.encode()).hexdigest()


def find_key_owner(keys: Iterable[tuple[str, str]], authorization: str) -> str | None:
    """Return the name of the caller whose key a header `Authorization: Bearer <key>` brings.

    Every known key is compared, in constant time, whichever it is.
    """
    scheme, _, key = authorization.partition(" ")
    if scheme.lower() != "bearer":
        return None
    found, given = None, hash_caller_key(key.strip())
    for name, known in keys:
        if hmac.compare_digest(known, given):
            found = name
    return found


def is_open_path(path: str) -> bool:
    """Tell whether an address needs no key."""
    return path in OPEN_PAGES or path.startswith(OPEN)


def is_picture_path(path: str) -> bool:
    """Tell whether an address is that of a picture, which a signature opens."""
    return _PICTURE.fullmatch(path) is not None


def sign_address(secret: str, address: str, expires: int) -> str:
    """Return a path, perhaps with a query, with its end and its signature."""
    text = f"{address}{'&' if '?' in address else '?'}expires={expires}"
    return text + _SIGNED + _compute_signature(secret, text)


def is_signed_address(secret: str, path: str, query: str, now: float | None = None) -> bool:
    """Tell whether a path and its raw query carry a signature that has not expired."""
    text, mark, signature = f"{path}?{query}".rpartition(_SIGNED)
    if not secret or not mark:
        return False
    right = _compute_signature(secret, text)
    if not hmac.compare_digest(right.encode(), signature.encode()):
        return False
    expires = parse_qs(text.partition("?")[2]).get("expires", ["0"])[-1]
    if not _SECONDS.fullmatch(expires):
        return False
    return int(expires) > (time() if now is None else now)


def _compute_signature(secret: str, text: str) -> str:
    digest = hmac.digest(secret.encode(), text.encode(), "sha256")
    return urlsafe_b64encode(digest).rstrip(b"=").decode()
