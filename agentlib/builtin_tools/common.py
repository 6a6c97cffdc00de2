"""What the built-in tools share: their options, the workspace, and text fit for a question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def options(**chosen: Any) -> Callable[[F], F]:
    """Keep a tool's options on its function, without registering it anywhere."""

    def keep(function: F) -> F:
        function.__tool_options__ = chosen
        return function

    return keep


def workspace() -> Path:
    """The calling context's workspace; without one, the current working directory."""
    from agentlib.executor import Context

    context = Context.current()
    return (context.workspace if context else None) or Path.cwd()


def visible(text: str, limit: int = 400) -> str:
    """`text` for a person's question: what would be invisible is escaped, long text is cut."""
    shown = "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text[:limit])
    return shown if len(text) <= limit else f"{shown}... [{len(text):,} characters in all]"
