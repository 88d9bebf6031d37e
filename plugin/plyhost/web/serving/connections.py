"""The connections of a worker: whoever was sent nothing for too long is let go.

The server bounds the time that headers take, and nothing else.  So once a second the kernel is
asked of each connection when something was last sent to its caller.  That is long ago where a body
does not come, or comes in drops, or where an answer is not read: such a connection is closed.
Where connections become many, or requests that wait for their bodies, those that were sent nothing
for longest are closed sooner, so that others find the door open.

This needs what Linux tells of a connection; elsewhere nothing is closed here.
"""

import os
import socket
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

#: How many connections are kept where there are too many, and where too many of them wait or are
#: waited for, and the seconds for which one must have been sent nothing to be closed then.
CROWD, PRESSED_CROWD, CROWD_SECONDS = 1024, 64, 2.0

# Of Linux's `struct tcp_info`: where the milliseconds since data was sent stand.
_SINCE_SENT, _INFO_BYTES = 44, 48
_DESCRIPTORS = "/proc/self/fd"


class Connection(NamedTuple):
    """A connection of a caller, and the seconds since data was sent to it."""

    link: socket.socket
    sent: float

    def close(self) -> None:
        """End it for both sides; whoever reads from it is told so."""
        with suppress(OSError):
            self.link.shutdown(socket.SHUT_RDWR)


def close_silent(longest: float, is_pressed: Callable[[], bool]) -> int:
    """Close what was sent nothing for so many seconds, and what is too much; return how many."""
    found = sorted(list_connections(), key=lambda one: one.sent, reverse=True)
    overdue = [one for one in found if one.sent > longest]
    closed = overdue or _list_surplus(found, PRESSED_CROWD if is_pressed() else CROWD)
    for one in closed:
        one.close()
    for one in found:
        one.link.close()
    return len(closed)


def _list_surplus(ordered: Sequence[Connection], most: int) -> list[Connection]:
    """Return those beyond a number that may go, of connections in the order of their silence."""
    surplus = ordered[: max(0, len(ordered) - most)]
    return [one for one in surplus if one.sent > CROWD_SECONDS]


def list_connections() -> Iterator[Connection]:
    """Yield the connections that callers have with this process, each held by a copy of its own."""
    if sys.platform != "linux":
        return
    links = list(_list_sockets())
    ports = {link.getsockname()[1] for link in links if _is_listening(link)}
    for link in links:
        known = None if _is_listening(link) else _recognise_connection(link, ports)
        if known is None:
            link.close()
        else:
            yield known


def _list_sockets() -> Iterator[socket.socket]:
    """Yield copies of the process's TCP sockets: a copy is the same one whatever happens to it."""
    for name in os.listdir(_DESCRIPTORS):
        try:
            if not os.readlink(f"{_DESCRIPTORS}/{name}").startswith("socket:"):
                continue
            link = socket.socket(fileno=os.dup(int(name)))
        except OSError:
            continue
        if link.family in (socket.AF_INET, socket.AF_INET6) and link.type == socket.SOCK_STREAM:
            yield link
        else:
            link.close()


def _is_listening(link: socket.socket) -> bool:
    return bool(link.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))


def _recognise_connection(link: socket.socket, ports: set[int]) -> Connection | None:
    """Return a connection to one of the ports that are listened on; None for any other."""
    try:
        if link.getsockname()[1] not in ports:
            return None
        told = link.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO_BYTES)
        (sent,) = struct.unpack_from("=I", told, _SINCE_SENT)
    except (OSError, struct.error):
        return None
    return Connection(link, sent / 1000)
