"""Calls from pages of other origins, where they are configured; otherwise browsers refuse them."""

from collections.abc import Iterable

Headers = list[tuple[str, str]]

_READABLE = "ETag, Idempotency-Replayed, Picture-Alt, Retry-After, X-Request-Id"
_PREFLIGHT: Headers = [
    ("Access-Control-Allow-Methods", "GET, POST"),
    (
        "Access-Control-Allow-Headers",
        "Authorization, Content-Type, Idempotency-Key, X-Request-Id, traceparent",
    ),
    ("Access-Control-Max-Age", "7200"),
]


class Origins:
    """The origins whose pages may call; `*` is all of them."""

    def __init__(self, allowed: Iterable[str]) -> None:
        self.allowed = frozenset(allowed)

    def headers(self, origin: str) -> Headers:
        """Return what an answer to a page of an origin carries."""
        if "*" in self.allowed:
            return _make_origin_headers("*")
        vary = ("Vary", "Origin")
        return [vary, *_make_origin_headers(origin)] if origin in self.allowed else [vary]

    def preflight(self, origin: str) -> Headers:
        """Return what the answer to a browser's question before a call carries."""
        found = self.headers(origin)
        return found + _PREFLIGHT if len(found) != 1 else found


def _make_origin_headers(origin: str) -> Headers:
    return [
        ("Access-Control-Allow-Origin", origin),
        ("Access-Control-Expose-Headers", _READABLE),
    ]
