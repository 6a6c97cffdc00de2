"""Tools from elsewhere: a Python module, a YAML file of HTTP APIs, a server that speaks MCP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentlib.registry import ToolRegistry
    from agentlib.tools import Tool


def register_all(registry: ToolRegistry | None, tools: Sequence[Tool], source: str) -> None:
    """Register every tool or, when one can't be, none. ValueError: a name is taken."""
    names = [tool.name for tool in tools]
    for tool in tools:
        old = registry.get(tool.name) if registry is not None else None
        if names.count(tool.name) > 1 or (old is not None and not tool.redefines(old)):
            taken = f"by {old.origin}" if old is not None else "twice there"
            raise ValueError(
                f"{source}: the name {tool.name!r} is taken {taken}; nothing was registered. "
                "Rename one of the tools, or use a registry of its own."
            )
    for tool in tools if registry is not None else ():
        registry.register(tool)
