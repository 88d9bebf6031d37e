"""Who a caller is where no key says it: an address, of IPv6 the network that one caller has.

Behind proxies that are trusted it is the address that they tell.  Whatever stands where an address
should is passed over, so that no one gets a count of its own by what it claims to be.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

Address = IPv4Address | IPv6Address
Application = Callable[[dict[str, Any], Any], Iterable[bytes]]

#: Characters of an address, and how many of a chain of proxies are looked at, the last ones.
LONGEST_ADDRESS = 64
LONGEST_CHAIN = 16


def read_address(text: str) -> Address | None:
    """Return the address in a text, which may have a port or brackets around it; else None."""
    text = text.strip()
    if len(text) > LONGEST_ADDRESS:
        return None
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        return ip_address(text)
    except ValueError:
        return None


@lru_cache(maxsize=4096)
def name_neighbourhood(address: str) -> str:
    """Return what is counted for an address: of IPv6 the network of 64 bits that one caller has."""
    found = read_address(address)
    if found is None:
        return address[:LONGEST_ADDRESS]
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(IPv6Network((int(found), 64), strict=False))


class Forwarded:
    """The application behind proxies: it sees their callers' addresses."""

    def __init__(self, inner: Application, trusted: Iterable[str]) -> None:
        self.inner = inner
        self._trusted = [ip_network(one) for one in trusted]

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer a request."""
        told = environ.get("HTTP_X_FORWARDED_FOR")
        if told and self._is_trusted(read_address(environ.get("REMOTE_ADDR", ""))):
            self._believe(environ, told)
        return self.inner(environ, start_response)

    def _is_trusted(self, address: Address | None) -> bool:
        return address is not None and any(address in network for network in self._trusted)

    def _believe(self, environ: dict[str, Any], told: str) -> None:
        """Take the last address of a chain that no trusted proxy has, and the scheme it used."""
        for one in told.rsplit(",", LONGEST_CHAIN)[: -LONGEST_CHAIN - 1 : -1]:
            address = read_address(one)
            if address is None:
                break
            environ["REMOTE_ADDR"] = str(address)
            if not self._is_trusted(address):
                break
        if environ.get("HTTP_X_FORWARDED_PROTO") in ("http", "https"):
            environ["wsgi.url_scheme"] = environ["HTTP_X_FORWARDED_PROTO"]
