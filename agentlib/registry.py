"""The registry: which tools there are, found by name, category, tag or words."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any

from agentlib.tools import Tool, make_decorator


class ToolCategory(StrEnum):
    """What a tool is for, in one word."""

    SEARCH = "search"
    DATA = "data"
    ACTION = "action"
    UTILITY = "utility"


class ToolRegistry:
    """Tools by name, in the order they were registered."""

    def __init__(self, tools: Any = ()) -> None:
        self._tools: dict[str, Tool] = {}
        self.tool = make_decorator(self)
        if isinstance(tools, str | Tool) or callable(tools):
            raise TypeError(f"tools must be a list of tools or functions: [{tools!r}].")
        for each in tools or ():
            self.register(each)

    def register(self, tool: Tool | Callable[..., Any], replace: bool = False) -> Tool:
        """Add a Tool, or a function with hints and a docstring.

        ValueError: the name is taken by another tool and `replace` is False. The same function
        defined again (a notebook cell run twice) replaces its own older self quietly.
        """
        new = tool if isinstance(tool, Tool) else _tool_of(tool)
        old = self.get(new.name)
        if old is not None and old is not new:
            again = new.redefines(old)
            if not replace and not again:
                raise ValueError(
                    f"a tool named {new.name!r} is registered already, from {old.origin}. "
                    "Choose another name, or pass replace=True."
                )
            if again:  # agents made earlier, with registries of their own, follow
                old.successor = new
        self._tools[new.name] = new
        return new

    def unregister(self, name: str) -> bool:
        """Remove a tool; False when there was none of that name."""
        return self._tools.pop(name, None) is not None

    def get(self, name: str) -> Tool | None:
        """The tool of exactly this name, in its newest definition."""
        found = self._tools.get(name)
        return found.latest if found else None

    def names(self) -> list[str]:
        return list(self._tools)

    def by_category(self, category: ToolCategory | str) -> list[Tool]:
        return [t for t in self if t.category == category]

    def by_tag(self, tag: str) -> list[Tool]:
        return [t for t in self if tag in t.tags]

    def search(self, words: str) -> list[Tool]:
        """Tools in whose name, description or tags every one of the words occurs, in any case."""
        wanted = _fold(words).split()
        return [t for t in self if wanted and all(_occurs(w, _text_of(t)) for w in wanted)]

    def schemas(self, strict: bool = False) -> list[dict[str, Any]]:
        """The request's `tools` list."""
        return [t.schema(strict) for t in self]

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __iter__(self) -> Iterator[Tool]:
        return iter([t.latest for t in self._tools.values()])


def _tool_of(function: Callable[..., Any]) -> Tool:
    """The Tool that `@tool` made of this very function, so that a later redefinition reaches it."""
    made = getattr(function, "__tool__", None)
    if isinstance(made, Tool) and made.function is function:
        return made.latest
    return Tool.from_function(function)


def _occurs(word: str, text: str) -> bool:
    """Chinese is written without spaces: there a word may also stand in parts of two or more."""
    if word in text or not "\u4e00" <= word[:1] <= "\u9fff":
        return word in text
    found = {0}  # where a part may begin
    for end in range(2, len(word) + 1):
        if any(word[start:end] in text for start in found if end - start >= 2):
            found.add(end)
    return len(word) in found


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _text_of(tool: Tool) -> str:
    return _fold(" ".join((tool.name, tool.description, *tool.tags)))


default_registry = ToolRegistry()
