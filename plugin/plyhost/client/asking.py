"""Clients that ask calls, one at a time or many at once.

Every call is pure, so one that nothing was answered to is asked again.  Where the service keeps
answers (it has Redis), a `key` makes the repeated call's answer the first one's, clock and all.
"""

import asyncio
import time
from collections.abc import Iterator
from typing import Any, Self, TypeVar

import httpx
import msgspec

from plyhost.client.calls import Call
from plyhost.client.problem import NoAnswer, Problem, read_problem

Answer = TypeVar("Answer")

#: What says that nothing was answered, and soon enough to ask again.
UNANSWERED = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ConnectTimeout)
FIRST_PAUSE = 0.1


def list_pauses(retries: int) -> Iterator[float | None]:
    """Yield the seconds to wait after each try that fails; none after the last."""
    yield from (FIRST_PAUSE * 2**tried for tried in range(retries))
    yield None


def _read(call: Call[Answer], answer: httpx.Response) -> Answer:
    if answer.status_code != 200:
        raise read_problem(answer.status_code, answer.content)
    try:
        return call.read_answer(answer.content)
    except msgspec.DecodeError as error:
        raise Problem(200, {"detail": f"The answer is none of the contract's: {error}"}) from error


def _describe(call: Call[Any], key: str | None) -> dict[str, Any]:
    headers = {"Accept": call.accept} | ({"Idempotency-Key": key} if key else {})
    if call.body is None:
        return {"method": "GET", "url": call.path, "headers": headers}
    headers["Content-Type"] = "application/json"
    content = msgspec.json.encode(call.body)
    return {"method": "POST", "url": call.path, "headers": headers, "content": content}


def _configure(url: str, key: str | None, timeout: float) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return {"base_url": url, "headers": headers, "timeout": timeout}


class Client:
    """Asks a service and waits; `timeout` in seconds, `key` the caller's own if it needs one."""

    def __init__(
        self, url: str, *, key: str | None = None, timeout: float = 10, retries: int = 2
    ) -> None:
        self.retries = retries
        self._http = httpx.Client(**_configure(url, key, timeout))

    def ask(self, call: Call[Answer], *, key: str | None = None) -> Answer:
        """Return a call's answer; `key` is an Idempotency-Key.  Raises `Problem`, `NoAnswer`."""
        request = _describe(call, key)
        for pause in list_pauses(self.retries):
            try:
                return _read(call, self._http.request(**request))
            except UNANSWERED as error:
                if pause is None:
                    raise NoAnswer(str(error)) from error
                time.sleep(pause)
            except httpx.TransportError as error:
                raise NoAnswer(str(error)) from error
        raise AssertionError("the last try answers or raises")

    def close(self) -> None:
        """Close its connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient:
    """The same for programs with an event loop."""

    def __init__(
        self, url: str, *, key: str | None = None, timeout: float = 10, retries: int = 2
    ) -> None:
        self.retries = retries
        self._http = httpx.AsyncClient(**_configure(url, key, timeout))

    async def ask(self, call: Call[Answer], *, key: str | None = None) -> Answer:
        """Return a call's answer; `key` is an Idempotency-Key.  Raises `Problem`, `NoAnswer`."""
        request = _describe(call, key)
        for pause in list_pauses(self.retries):
            try:
                return _read(call, await self._http.request(**request))
            except UNANSWERED as error:
                if pause is None:
                    raise NoAnswer(str(error)) from error
                await asyncio.sleep(pause)
            except httpx.TransportError as error:
                raise NoAnswer(str(error)) from error
        raise AssertionError("the last try answers or raises")

    async def close(self) -> None:
        """Close its connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
