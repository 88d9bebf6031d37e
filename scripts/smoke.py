#!/usr/bin/env python3
"""Play a move of each game over HTTP, and see a picture: scripts/smoke.py URL.

KEY in the environment is sent as the bearer key.  Any answer but the right one ends it with
status 1.
"""

import json
import os
import sys
import urllib.request
from typing import Any


def post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request; anything but a 2xx raises."""
    answer: dict[str, Any] = json.loads(sent(url, json.dumps(body).encode()))
    return answer


def sent(url: str, body: bytes | None = None) -> bytes:
    """Return the body of the answer to a POST, or to a GET without a body."""
    headers = {"Content-Type": "application/json"} if body else {}
    if key := os.environ.get("KEY"):
        headers["Authorization"] = f"Bearer {key}"
    request = urllib.request.Request(url, body, headers)
    with urllib.request.urlopen(request, timeout=10) as response:
        found: bytes = response.read()
    return found


def play(site: str) -> int:
    """Make the first legal move of every game; returns the number of requests."""
    sent(f"{site}/readyz")
    count = 1
    for game in ("control", "congeners"):
        url = f"{site}/v1/games/{game}"
        start = post(f"{url}/new", {})
        listed = post(f"{url}/moves", {"state": start["state"], "limit": 1})
        view = post(f"{url}/move", {"state": start["state"], "move": listed["moves"][0]})
        if (view["ply"], view["lastmove"]) != (1, listed["moves"][0]):
            raise ValueError(f"{game}: {view}")
        if not sent(f"{url}/picture.png?moves=&width=200").startswith(b"\x89PNG"):
            raise ValueError(f"{game}: no picture")
        count += 4
    return count


if __name__ == "__main__":
    print(f"{play(sys.argv[1].rstrip('/'))} requests, every answer right")
