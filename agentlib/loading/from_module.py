"""Tools from a Python module: the functions it marks as tools, and nothing else that is in it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from agentlib.loading import register_all
from agentlib.tools import Tool

if TYPE_CHECKING:
    from agentlib.registry import ToolRegistry


def from_module(
    module: ModuleType | str | Path, registry: ToolRegistry | None = None
) -> list[Tool]:
    """The module's own tools in the order of their definition, registered when `registry` is given.

    module: a module, its name, or the path of a .py file (it is run). Its own are the functions
    decorated with @tool and the Tool objects whose function was written in it; a helper without
    the decorator, and a tool imported from elsewhere, are not. ValueError: there are none, or a
    name is taken. ModuleNotFoundError: there is no such module.
    """
    module = module if isinstance(module, ModuleType) else _import(module)
    tools = list(_own_tools(module))
    if not tools:
        raise ValueError(
            f"module {module.__name__} has no tools of its own. Mark its functions with @tool; "
            "what it only imports is not counted."
        )
    register_all(registry, tools, f"module {module.__name__}")
    return tools


def _import(name: str | Path) -> ModuleType:
    path = Path(name)
    if path.suffix != ".py":
        return importlib.import_module(str(name))
    if not path.is_file():
        raise FileNotFoundError(f"no module file {path}: check the path.")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(path.stem)
    sys.modules[path.stem] = module  # hints are resolved through it
    try:
        spec.loader.exec_module(module)
    finally:
        if before is not None:  # a file named like a module in use does not take its place
            sys.modules[path.stem] = before
    return module


def _own_tools(module: ModuleType) -> Iterator[Tool]:
    seen: set[int] = set()
    for value in list(vars(module).values()):
        function = value.function if isinstance(value, Tool) else value
        home = getattr(function, "__module__", None)
        if id(function) in seen or home != module.__name__ or isinstance(function, type):
            continue
        if isinstance(value, Tool):
            seen.add(id(function))
            yield value
        elif hasattr(function, "__tool_options__"):
            seen.add(id(function))
            yield Tool.from_function(function)
