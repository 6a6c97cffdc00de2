"""One MCP session, alive in a thread and event loop of its own.

There its tasks start and end in one place, whatever happens to the caller's; calls may come from
any event loop; and a server that dies ends this session only, not the caller.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import tempfile
import threading
from typing import Any

from agentlib.errors import ErrorCategory, ToolCallError, describe
from agentlib.loading.mcp_transport import Server


class _Over(Exception):
    """The session's loop ended before it began this call."""


class McpConnection:
    """Open, call, close. offered: the server's tools; server_name: as it calls itself."""

    def __init__(self, server: Server, startup_timeout: float) -> None:
        self.server, self._startup_timeout = server, startup_timeout
        self.server_name, self.offered = "mcp", []
        self._thread: threading.Thread | None = None
        self._running: set[asyncio.Task[Any]] = set()
        self._lock, self._over = threading.Lock(), False
        self._asked: dict[concurrent.futures.Future[Any], Any] = {}  # and its coroutine

    def open(self) -> None:
        """Start the session. ConnectionError: it can't be, with the reason."""
        if self._thread is not None:
            raise RuntimeError(f"mcp_tools: {self.server} is open already.")
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (the server's stderr, until close)
        self._ready: concurrent.futures.Future[None] = concurrent.futures.Future()
        self._over = False
        self._thread = threading.Thread(target=self._work, name="agentlib-mcp", daemon=True)
        self._thread.start()
        atexit.register(self.close)
        try:
            self._ready.result()
        except Exception as error:  # of any library on the way: told in one form
            said = self._said()
            self.close()
            raise ConnectionError(f"MCP server {self.server}: {_reason(error)}.{said}") from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the session and the server's process; a second time does nothing."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self.give_up()
        thread.join()
        self._errors.close()
        atexit.unregister(self.close)

    def give_up(self) -> None:
        """Ask the session to end, from any thread, also while it is still starting."""
        with contextlib.suppress(AttributeError, RuntimeError):  # not begun, or over already
            self._loop.call_soon_threadsafe(self._main.cancel)

    async def call(self, name: str, remote_name: str, arguments: dict[str, Any]) -> Any:
        """The server's CallToolResult. ToolCallError: no answer, or a protocol error."""
        if self._thread is None:
            raise self._gone(name)
        with self._lock:
            if self._over:  # and its loop with it
                raise self._gone(name)
            coroutine = self._call(name, remote_name, arguments)
            try:
                future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
            except RuntimeError:  # closed a moment ago
                coroutine.close()
                raise self._gone(name) from None
            self._asked[future] = coroutine
        try:
            return await asyncio.wrap_future(future)
        except _Over:
            raise self._gone(name) from None
        except asyncio.CancelledError:
            if asyncio.current_task().cancelling():  # the caller's own
                raise
            raise self._gone(name) from None  # the loop's end cancelled it
        finally:
            self._asked.pop(future, None)

    def _work(self) -> None:
        """The thread: the session, then an answer for what its loop was asked too late to begin."""
        try:
            asyncio.run(self._live())
        finally:
            with self._lock:
                self._over, late = True, dict(self._asked)
            for future, coroutine in late.items():
                if not future.done():
                    coroutine.close()
                    with contextlib.suppress(concurrent.futures.InvalidStateError):
                        future.set_exception(_Over())

    async def _live(self) -> None:
        self._loop, self._main = asyncio.get_running_loop(), asyncio.current_task()
        self._ended = asyncio.Event()
        try:
            async with self.server.session(self._errors, self._ended.set) as session:
                async with asyncio.timeout(self._startup_timeout):
                    await self._greet(session)
                self._session = session
                self._ready.set_result(None)
                await self._ended.wait()
        except BaseException as error:  # whatever it was, it goes to `open`, or ends the session
            if not self._ready.done():
                self._ready.set_exception(error)
        finally:
            self._ended.set()
            if self._running:  # each is told that the server is gone
                await asyncio.wait(self._running)

    async def _greet(self, session: Any) -> None:
        from mcp.types import PaginatedRequestParams

        info = await session.initialize()
        self.server_name = info.serverInfo.name or "mcp"
        self.offered, cursor = [], None
        while True:
            params = PaginatedRequestParams(cursor=cursor) if cursor else None
            page = await session.list_tools(params=params)
            self.offered += page.tools
            cursor = page.nextCursor
            if not cursor:
                return

    async def _call(self, name: str, remote_name: str, arguments: dict[str, Any]) -> Any:
        """In the session's loop: the answer, or the session's end, whichever is first."""
        if self._ended.is_set():  # nothing is begun in a loop that is ending
            raise self._gone(name)
        task = asyncio.current_task()
        self._running.add(task)
        call = asyncio.ensure_future(self._session.call_tool(remote_name, arguments))
        ended = asyncio.ensure_future(self._ended.wait())
        try:
            await asyncio.wait([call, ended], return_when=asyncio.FIRST_COMPLETED)
            return self._outcome(name, call)
        finally:
            call.cancel()
            ended.cancel()
            self._running.discard(task)

    def _outcome(self, name: str, call: asyncio.Future[Any]) -> Any:
        import anyio
        from mcp import McpError

        category = ErrorCategory.EXTERNAL_SERVICE
        if not call.done():
            raise self._gone(name)
        try:
            return call.result()
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            raise self._gone(name) from None
        except McpError as error:
            if self._ended.is_set() or error.error.message == "Connection closed":
                raise self._gone(name) from None
            message, category = error.error.message, ErrorCategory.BUSINESS_ERROR
        except RuntimeError as error:  # its structured answer breaks the schema it promised
            message = str(error)
        raise ToolCallError(f"{name}: {message}", category=category, code="mcp_error")

    def _gone(self, name: str) -> ToolCallError:
        return ToolCallError(
            f"{name}: its MCP server ({self.server}) has ended or can't be reached any more. "
            "Other tools still work; the owner can start it again with mcp_tools.",
            category=ErrorCategory.EXTERNAL_SERVICE,
            code="mcp_server_gone",
        )

    def _said(self) -> str:
        """The end of what the server wrote to stderr."""
        self._errors.seek(0, 2)
        self._errors.seek(max(0, self._errors.tell() - 2_000))
        text = self._errors.read().decode("utf-8", "replace").strip()
        return f" It wrote: {text}" if text else ""


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        return "no answer within the startup_timeout"
    if isinstance(error, FileNotFoundError):
        return "there is no such command; install it, or check its spelling"
    return describe(error)
