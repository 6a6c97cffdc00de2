"""A small MCP server for the tests: run with `stdio`, or with `http PORT`."""

import asyncio
import os
import sys

from mcp.server.fastmcp import FastMCP, Image
from mcp.types import EmbeddedResource, ResourceLink, TextContent, TextResourceContents

server = FastMCP("small server", host="127.0.0.1", port=int((sys.argv + ["", "0"])[2] or 0))


@server.tool()
def add(a: int, b: int = 1) -> int:
    """Add two numbers."""
    return a + b


@server.tool(name="order.get all")
def order() -> dict:
    """A name that the chat API refuses."""
    return {"id": 7, "city": "北京"}


@server.tool()
def contents() -> list:
    """One content of each kind."""
    uri = "memo://note"
    return [
        TextContent(type="text", text="first"),
        Image(data=b"\x89PNG" + b"x" * 96, format="png"),
        EmbeddedResource(
            type="resource", resource=TextResourceContents(uri=uri, text="the note's text")
        ),
        ResourceLink(type="resource_link", name="more", uri="https://example.com/more"),
    ]


@server.tool()
def fail(reason: str) -> str:
    """Fail."""
    raise ValueError(reason)


@server.tool()
async def slow(seconds: float) -> str:
    """Sleep."""
    await asyncio.sleep(seconds)
    return "awake"


@server.tool()
def pid() -> str:
    """The server's process, and what it sees of the environment."""
    return f"{os.getpid()} {os.environ.get('GIVEN')} {os.environ.get('HIDDEN_KEY')}"


@server.tool()
def die() -> str:
    """End without an answer."""
    os._exit(3)


if __name__ == "__main__":
    server.run("stdio" if sys.argv[1] == "stdio" else "streamable-http")
