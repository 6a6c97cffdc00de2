"""How the bytes of an MCP session travel: a child process's pipes, or streamable HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

CALL_TIMEOUT = 600.0  # seconds, a last resort: the tool's own time limit comes first


@dataclass(frozen=True)
class Server:
    """An address, or a command as a list of words, and what it is started or asked with."""

    where: str | Sequence[str]
    env: dict[str, str] | None = None
    headers: dict[str, str] | None = None

    def __post_init__(self) -> None:
        address = isinstance(self.where, str)
        if address and not self.where.startswith(("http://", "https://")) or not self.where:
            raise ValueError(
                f"mcp_tools: {self.where!r} is no http(s) address. Give the command of a stdio "
                'server as a list of words: ["python", "-m", "mcp_server_time"].'
            )

        if importlib.util.find_spec("mcp") is None:
            raise ModuleNotFoundError(
                "mcp_tools needs the package mcp, which is not installed. "
                'Install it: pip install "mcp>=1.24,<2".'
            )

    def __str__(self) -> str:
        return self.where if isinstance(self.where, str) else " ".join(self.where)

    def _transport(self, errors: BinaryIO, on_end: Callable[[], None]) -> Any:
        if isinstance(self.where, str):
            return self._over_http(on_end)
        from mcp import StdioServerParameters
        from mcp.client.stdio import stdio_client

        command, *args = map(str, self.where)
        return stdio_client(
            StdioServerParameters(command=command, args=args, env=self.env), errlog=errors
        )

    @contextlib.asynccontextmanager
    async def _over_http(self, on_end: Callable[[], None]) -> AsyncIterator[Any]:
        import httpx
        from mcp.client.streamable_http import streamable_http_client

        limit = httpx.Timeout(30, read=CALL_TIMEOUT)
        async with (
            httpx.AsyncClient(
                headers=self.headers, timeout=limit, transport=_watched_transport(on_end)
            ) as web,
            streamable_http_client(self.where, http_client=web) as streams,
        ):
            yield streams

    @contextlib.asynccontextmanager
    async def session(self, errors: BinaryIO, on_end: Callable[[], None]) -> AsyncIterator[Any]:
        """An MCP ClientSession; `on_end` is told when the server closes its side.

        errors: an open file for a child's stderr.
        """
        from datetime import timedelta

        import anyio
        from mcp import ClientSession

        async with self._transport(errors, on_end) as (read, write, *_):
            out, passed = anyio.create_memory_object_stream(0)

            async def watch() -> None:  # the session itself does not say that its server is gone
                async with out:
                    async for message in read:
                        await out.send(message)
                on_end()

            async with asyncio.TaskGroup() as group:
                watching = group.create_task(watch())
                limit = timedelta(seconds=CALL_TIMEOUT)
                async with ClientSession(passed, write, read_timeout_seconds=limit) as session:
                    yield session
                watching.cancel()


def _watched_transport(on_end: Callable[[], None]) -> Any:
    """httpx's transport; `on_end` is told when the answer to a POST breaks off.

    The protocol's client only logs that, and its caller would wait until the time limit.
    """
    import httpx

    class Answer(httpx.AsyncByteStream):
        def __init__(self, stream: httpx.AsyncByteStream) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            try:
                async for piece in self._stream:
                    yield piece
            except httpx.TransportError:
                on_end()
                raise

        async def aclose(self) -> None:
            await self._stream.aclose()

    class Transport(httpx.AsyncHTTPTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            response = await super().handle_async_request(request)
            if request.method == "POST":
                response.stream = Answer(response.stream)
            return response

    return Transport()
