"""The service from Python: `Client` and `AsyncClient` ask what `plyhost.client.calls` makes."""

from plyhost.client.asking import AsyncClient, Client
from plyhost.client.calls import Call
from plyhost.client.problem import NoAnswer, Problem
from plyhost.client.views import GameView, GameViewAfterMove

__all__ = [
    "AsyncClient",
    "Call",
    "Client",
    "GameView",
    "GameViewAfterMove",
    "NoAnswer",
    "Problem",
]
