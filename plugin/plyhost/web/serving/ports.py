"""The address that a service listens on: found by its name, and held by one service alone.

Workers share a port among themselves, which the system lets any other program of the same user do
as well.  So before they start the port must be free, and a name is held that no second service can
hold at the same time.
"""

import errno
import socket
import sys
from time import monotonic, sleep

from plyhost.web.config import Misconfigured

#: Seconds for which a port may still be held by workers that end with their main process.
PATIENCE = 3.0
_PAUSE = 0.1


def resolve_host(host: str, port: int) -> str:
    """Return the address of a host by its name, IPv4 before IPv6; raises Misconfigured."""
    name = host.removeprefix("[").removesuffix("]")
    try:
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Misconfigured([f"There is no host {host} to listen on: {_say_why(error)}."]) from None
    found.sort(key=lambda one: one[0] != socket.AF_INET)
    return str(found[0][4][0])


def claim_port(address: str, port: int) -> socket.socket | None:
    """Return what holds an address for this service as long as it lives, where there is such.

    Waits a little for one that is just given up.  Raises Misconfigured when it is taken.
    """
    until = monotonic() + PATIENCE
    while True:
        try:
            return _take_port(address, port)
        except OSError as error:
            if not _is_taken(error) or monotonic() > until:
                raise Misconfigured([_explain_refusal(address, port, error)]) from None
            sleep(_PAUSE)


def _take_port(address: str, port: int) -> socket.socket | None:
    """Return what `claim_port` does; raises OSError where the port, or its name, is taken."""
    if sys.platform != "linux":
        _try_port(address, port)
        return None
    claim = socket.socket(socket.AF_UNIX)
    try:
        claim.bind(f"\0plyhost {address} {port}")
        _try_port(address, port)
    except OSError:
        claim.close()
        raise
    return claim


def _try_port(address: str, port: int) -> None:
    """Raise OSError where an address cannot be listened on by one program alone."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        trial.bind((address, port))
        trial.listen(1)


def _is_taken(error: OSError) -> bool:
    return error.errno == errno.EADDRINUSE


def _explain_refusal(address: str, port: int, error: OSError) -> str:
    if _is_taken(error):
        return f"Port {port} of {address} is taken by another program."
    return f"Port {port} of {address} cannot be listened on: {_say_why(error)}."


def _say_why(error: OSError | UnicodeError) -> str:
    return str(getattr(error, "strerror", None) or error).lower().rstrip(".")
