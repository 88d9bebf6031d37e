"""The caller who does nothing wrong: it asks on and on, and judges every answer."""

import time
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import requests

from plyhost.web.app import create_app
from plyhost.web.config import Settings
from tests.tools.vectors import LATER, cut, game, in_form

#: Seconds between two requests.
PAUSE = 0.01


@dataclass
class Heard:
    """What was answered in some time: seconds of each answer, and what was wrong."""

    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def percentile(self, share: float) -> float:
        """Return the seconds within which a share of the answers came."""
        ordered = sorted(self.seconds) or [0.0]
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _questions() -> list[tuple[str, dict[str, Any] | None]]:
    one = game()
    on = {"state": in_form(cut(one, 20), "compact"), "timestamp": LATER}
    whole = {"state": in_form(cut(one, 40), "full-string")}
    return [
        ("/v1/games/control/move", {**on, "move": one["moves"][20], "include": ["render"]}),
        ("/v1/games/control/moves", whole),
        ("/v1/games/control/validate", {"state": on["state"], "move": "a1"}),
        ("/v1/games/congeners/new", {"timestamp": LATER}),
        ("/v1/games/control", None),
    ]


def _expected() -> list[bytes]:
    """Return what the engine says in this process, without any service."""
    site = create_app(Settings(log_level="error")).test_client()
    return [
        (site.get(path) if body is None else site.post(path, json=body)).data
        for path, body in _questions()
    ]


def _ask_on(url: str, key: str, line: Connection) -> None:
    expected, session = _expected(), requests.Session()
    session.headers["Authorization"] = f"Bearer {key}"
    heard, index = Heard(), 0
    while True:
        if line.poll():
            if line.recv() is None:
                return
            line.send(heard)
            heard = Heard()
        path, body = _questions_held[index % len(expected)]
        began = time.monotonic()
        try:
            answer = session.request(
                "GET" if body is None else "POST", url + path, json=body, timeout=30
            )
            if answer.content != expected[index % len(expected)]:
                heard.wrong.append(f"{path}: {answer.status_code} {answer.text[:200]}")
        except requests.ConnectionError:
            # A kept connection may be closed just when it is used; not twice.
            answer = session.request(
                "GET" if body is None else "POST", url + path, json=body, timeout=30
            )
        except requests.RequestException as error:
            heard.wrong.append(f"{path}: {error}"[:200])
        heard.seconds.append(time.monotonic() - began)
        index += 1
        time.sleep(PAUSE)


_questions_held = _questions()


class Neighbour:
    """The caller, in a process of its own so that attackers do not slow it down."""

    def __init__(self, url: str, key: str) -> None:
        context = get_context("fork")
        self._line, other = context.Pipe()
        self._process = context.Process(target=_ask_on, args=(url, key, other), daemon=True)
        self._process.start()

    def hear(self) -> Heard:
        """Return what was answered since the last time."""
        self._line.send(True)
        found: Heard = self._line.recv()
        return found

    def stop(self) -> None:
        """Let it end."""
        self._line.send(None)
        self._process.join(40)
