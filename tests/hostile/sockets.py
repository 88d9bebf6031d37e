"""Raw connections, for what no client library would send."""

import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress

#: Seconds for which an attacker waits for anything.
PATIENCE = 5.0


class Target:
    """The address of a service, and what a caller with a key sends along."""

    def __init__(self, url: str, key: str) -> None:
        host, port = url.removeprefix("http://").split(":")
        self.url, self.place, self.key = url, (host, int(port)), key

    def link(self) -> socket.socket:
        """Return a connection."""
        return socket.create_connection(self.place, timeout=PATIENCE)

    def head(
        self,
        path: str,
        *lines: str,
        method: str = "POST",
        keyed: bool = False,
        length: int | None = 0,
    ) -> bytes:
        """Return the head of a request; a length of None leaves it out."""
        told = [f"{method} {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
        told += [f"Authorization: Bearer {self.key}"] * keyed
        told += [] if length is None else [f"Content-Length: {length}"]
        return "\r\n".join((*told, *lines, "", "")).encode("latin-1", "replace")

    def say(self, data: bytes, wait: bool = True) -> bytes:
        """Return the first bytes of what a connection answers to some bytes."""
        with suppress(OSError), self.link() as link:
            link.sendall(data)
            return link.recv(4096) if wait else b""
        return b""

    @contextmanager
    def holding(self, said: Iterable[bytes]) -> Iterator[list[socket.socket]]:
        """Hold connections on which these were said, as far as they are taken."""
        with ExitStack() as held:
            links = []
            for one in said:
                with suppress(OSError):
                    link = held.enter_context(self.link())
                    link.sendall(one)
                    links.append(link)
            yield links

    def hold(self, said: Iterable[bytes], seconds: float, drop: bytes = b"") -> int:
        """Hold connections for some seconds, sending a drop on each twice a second if there is one.

        Returns how many there were.
        """
        with self.holding(said) as links:
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                for link in links if drop else ():
                    with suppress(OSError):
                        link.sendall(drop)
                time.sleep(0.5)
            return len(links)
