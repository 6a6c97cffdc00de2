"""The tools that come with the library. Importing them registers none of them.

from agentlib.builtin_tools import read_file, builtin_tools
registry = ToolRegistry(builtin_tools())
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agentlib.builtin_tools.clock import get_current_time
    from agentlib.builtin_tools.files import edit_file, list_dir, read_file, write_file
    from agentlib.builtin_tools.shell import run_shell, shell_tool
    from agentlib.builtin_tools.weather import get_weather, weather_on
    from agentlib.builtin_tools.web import allow_addresses, fetch_url
    from agentlib.tools import Tool

    BUILTIN_TOOLS: tuple[Tool, ...]

_HOME = {
    "list_dir": "files",
    "read_file": "files",
    "write_file": "files",
    "run_shell": "shell",
    "fetch_url": "web",
    "get_weather": "weather",
    "get_current_time": "clock",
    "edit_file": "files",
}
_MORE = {"allow_addresses": "web", "shell_tool": "shell", "weather_on": "weather"}
__all__ = [
    "BUILTIN_TOOLS",
    "allow_addresses",
    "builtin_tools",
    "edit_file",
    "fetch_url",
    "get_current_time",
    "get_weather",
    "list_dir",
    "read_file",
    "run_shell",
    "shell_tool",
    "weather_on",
    "write_file",
]


def builtin_tools() -> tuple[Tool, ...]:
    """The eight built-in tools as fresh Tool objects, in the order of the course."""
    from agentlib.tools import Tool

    return tuple(Tool.from_function(_load(name)) for name in _HOME)


def _load(name: str) -> Any:
    home = {**_HOME, **_MORE}[name]
    return getattr(import_module(f"agentlib.builtin_tools.{home}"), name)


def __getattr__(name: str) -> Any:
    if name == "BUILTIN_TOOLS":
        return builtin_tools()
    if name in _HOME or name in _MORE:
        value = globals()[name] = _load(name)
        return value
    raise AttributeError(f"module 'agentlib.builtin_tools' has no attribute {name!r}")
