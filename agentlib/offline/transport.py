"""The offline model as an httpx transport: the official client talks to it without a network."""

from __future__ import annotations

import datetime
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any

import httpx

from agentlib.offline.endpoint import Answer, Endpoint
from agentlib.offline.quirk_effects import Dropped


class OfflineTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """For `httpx.Client(transport=...)` and `httpx.AsyncClient(transport=...)` alike.

    quirks, require_key, today, plan: as for `Endpoint`. sleep: called with the seconds that a slow
    answer takes (default: really waits); a test hands in its own.
    Raises `httpx.ReadTimeout` for an answer slower than the client's read timeout, and
    `httpx.RemoteProtocolError` for a dropped connection.
    """

    def __init__(
        self,
        quirks: str | Iterable[str] = (),
        require_key: str | None = None,
        today: datetime.date | None = None,
        sleep: Callable[[float], None] | None = None,
        plan: Callable[[dict[str, Any]], Any] | None = None,
    ) -> None:
        self.endpoint = Endpoint(quirks, require_key, today, plan)
        self._sleep = sleep

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._answer(request, request.read())
        wait = self._sleep or time.sleep
        if answer.delay:
            _wait_within_timeout(request, answer.delay, wait)
        return _response(answer, _Pieces(answer, wait))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        import anyio

        answer = self._answer(request, await request.aread())
        if answer.delay:
            seconds = _seconds(request, answer.delay)
            if self._sleep:
                self._sleep(seconds)
            else:
                await anyio.sleep(seconds)
            _check_timeout(request, answer.delay)
        return _response(answer, _AsyncPieces(answer, self._sleep))

    def _answer(self, request: httpx.Request, body: bytes) -> Answer:
        try:
            return self.endpoint.answer(request.method, request.url.path, request.headers, body)
        except Dropped as error:
            text = f"Server disconnected without sending a response: {error}."
            raise httpx.RemoteProtocolError(text, request=request) from None


class _Pieces(httpx.SyncByteStream):
    def __init__(self, answer: Answer, wait: Callable[[float], None]) -> None:
        self.answer, self.wait = answer, wait

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.answer.body:
            if self.answer.pause:
                self.wait(self.answer.pause)
            yield piece


class _AsyncPieces(httpx.AsyncByteStream):
    def __init__(self, answer: Answer, wait: Callable[[float], None] | None) -> None:
        self.answer, self.wait = answer, wait

    async def __aiter__(self) -> AsyncIterator[bytes]:
        import anyio

        for piece in self.answer.body:
            if self.answer.pause and self.wait:
                self.wait(self.answer.pause)
            elif self.answer.pause:
                await anyio.sleep(self.answer.pause)
            yield piece


def _response(answer: Answer, stream: httpx.SyncByteStream | httpx.AsyncByteStream) -> Any:
    if isinstance(answer.body, bytes):
        return httpx.Response(answer.status, headers=answer.headers, content=answer.body)
    return httpx.Response(answer.status, headers=answer.headers, stream=stream)


def _wait_within_timeout(
    request: httpx.Request, delay: float, wait: Callable[[float], None]
) -> None:
    wait(_seconds(request, delay))
    _check_timeout(request, delay)


def _seconds(request: httpx.Request, delay: float) -> float:
    limit = request.extensions.get("timeout", {}).get("read")
    return delay if limit is None else min(delay, limit)


def _check_timeout(request: httpx.Request, delay: float) -> None:
    if _seconds(request, delay) < delay:
        raise httpx.ReadTimeout("The read operation timed out", request=request)
