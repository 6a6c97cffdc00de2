"""Tools of a server that speaks MCP (Model Context Protocol), over stdio or streamable HTTP."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.loading.mcp_connection import McpConnection
from agentlib.loading.mcp_text import to_plain_text
from agentlib.loading.mcp_transport import Server
from agentlib.tools import Tool

if TYPE_CHECKING:
    from agentlib.registry import ToolRegistry

LONGEST_NAME = 64


class mcp_tools:
    """`async with mcp_tools(server) as tools:` the server's tools, until the block's end.

    server: the address of a streamable HTTP server ("http://127.0.0.1:8000/mcp"), or the command
    that starts a stdio server, as a list of its words. The tools are in `registry` meanwhile, if
    one is given. A name that is taken there (or twice here) gets `prefix_` before it; prefix:
    None takes the server's own name, for clashes only; a text goes before every name.
    env: for a stdio server, which gets a handful of harmless variables besides; headers: for an
    HTTP server. options: of every Tool, such as confirm=True, permissions=, timeout= (seconds).
    A plain `with` works too, and so do `open()` and `close()` in two notebook cells.

    ConnectionError: the server can't be started or reached, or does not answer within
    `startup_timeout` seconds, with what it said on stderr.
    """

    def __init__(
        self,
        server: str | Sequence[str],
        registry: ToolRegistry | None = None,
        *,
        prefix: str | None = None,
        env: dict[str, str] | None = None,
        headers: dict[str, str] | None = None,
        startup_timeout: float = 20.0,
        **options: Any,
    ) -> None:
        self._connection = McpConnection(Server(server, env, headers), startup_timeout)
        self._registry, self._prefix, self._options = registry, prefix, options
        self._tools: list[Tool] = []

    def open(self) -> list[Tool]:
        """Start or reach the server and return its tools."""
        self._connection.open()
        try:
            self._tools = self._make_tools()
            for tool in self._tools if self._registry is not None else ():
                self._registry.register(tool)
        except BaseException:
            self.close()
            raise
        return self._tools

    def close(self) -> None:
        """End the server and take its tools out of the registry; a second time does nothing."""
        for tool in self._tools if self._registry is not None else ():
            if self._registry.get(tool.name) is tool:
                self._registry.unregister(tool.name)
        self._tools = []
        self._connection.close()

    def __enter__(self) -> list[Tool]:
        return self.open()

    def __exit__(self, *exc: object) -> None:
        self.close()

    async def __aenter__(self) -> list[Tool]:
        opening = asyncio.ensure_future(asyncio.to_thread(self.open))
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            self._connection.give_up()
            await asyncio.wait([opening])
            self.close()
            raise

    async def __aexit__(self, *exc: object) -> None:
        await asyncio.shield(asyncio.to_thread(self.close))

    def _make_tools(self) -> list[Tool]:
        tools, label = [], self._connection.server_name
        taken = set(self._registry.names()) if self._registry is not None else set()
        for offered in self._connection.offered:
            name = choose_name(offered.name, taken, self._prefix, label)
            taken.add(name)
            schema = {k: v for k, v in offered.inputSchema.items() if k != "$schema"}
            options = {"tags": ("mcp", label), **self._options}
            tools.append(
                Tool(
                    name=name,
                    description=offered.description or offered.title or "",
                    parameters={"type": "object", "properties": {}, **schema},
                    function=_function(self._connection, name, offered.name),
                    **options,
                )
            )
        return tools


def choose_name(wanted: str, taken: Collection[str], prefix: str | None, label: str) -> str:
    """`wanted` as the API's rule allows it, with the prefix where asked for or needed."""
    name = _mend(f"{prefix}_{wanted}" if prefix else wanted)
    if name in taken:
        name = _mend(f"{label}_{wanted}")
    stem, count = name, 1
    while name in taken:
        count += 1
        name = f"{stem[: LONGEST_NAME - 1 - len(str(count))]}_{count}"
    return name


def _mend(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:LONGEST_NAME] or "tool"


def _function(connection: McpConnection, name: str, remote_name: str) -> Any:
    async def call(**arguments: Any) -> str:
        result = await connection.call(name, remote_name, arguments)
        text = to_plain_text(result)
        if result.isError:
            raise ToolCallError(
                f"{name}: {text or 'the server reports an error without a text'}",
                category=ErrorCategory.BUSINESS_ERROR,
                code="mcp_error",
            )
        return text

    call.__module__, call.__qualname__ = f"mcp {connection.server}", remote_name
    return call
