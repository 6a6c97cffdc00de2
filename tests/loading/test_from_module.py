"""Tools from a module: its own, all of them, nothing else."""

import sys
import types

import pytest

from agentlib.executor import Executor
from agentlib.loading.from_module import from_module
from agentlib.registry import ToolRegistry, default_registry
from agentlib.results import ToolCall

SOURCE = '''
"""A module with two tools of its own, and much that is none."""
from __future__ import annotations
import json
from os.path import join
from agentlib.registry import ToolRegistry
from agentlib.tools import Tool
from {shared} import borrowed

__all__ = ["helper", "second"]
here = ToolRegistry()
LIMIT = 3
Count = int

class Thing:
    """No tool."""

def helper(x: int) -> int:
    """No tool: it has no decorator."""
    return x

@here.tool(permissions="read", name="first_one")
def first(n: Count) -> int:
    """The first."""
    return n + 1

@here.tool
def second(n: int) -> int:
    """The second."""
    return n + 2

alias = second
third = Tool("third", "Made by hand.", {{"type": "object"}}, lambda: "3")
'''


@pytest.fixture
def module_path(tmp_path, monkeypatch):
    """A module file, and on the path a second module from which it imports a tool."""
    (tmp_path / "shared_tools_x.py").write_text(
        "from agentlib.registry import ToolRegistry\n"
        "@ToolRegistry().tool\n"
        "def borrowed() -> str:\n"
        "    'Somebody else\\'s.'\n"
        "    return ''\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "own_tools_x.py"
    path.write_text(SOURCE.format(shared="shared_tools_x"))
    yield path
    for name in ("own_tools_x", "shared_tools_x"):
        sys.modules.pop(name, None)


def test_only_its_own_tools_by_name_module_or_path(module_path):
    by_name = from_module("own_tools_x")
    assert [tool.name for tool in by_name] == ["first_one", "second", "third"]
    assert [tool.name for tool in from_module(sys.modules["own_tools_x"])] == [
        tool.name for tool in by_name
    ]
    assert [tool.name for tool in from_module(module_path)] == [tool.name for tool in by_name]
    assert by_name[0].permissions == {"read"}
    assert by_name[0].parameters["properties"]["n"]["type"] == "integer"


def test_they_run_from_the_given_registry(module_path):
    registry = ToolRegistry()
    before = len(default_registry)
    from_module(module_path, registry)
    assert registry.names() == ["first_one", "second", "third"]
    assert len(default_registry) == before
    executor = Executor(registry)
    assert executor.execute_sync(ToolCall("first_one", {"n": 1})).value == 2
    assert executor.execute_sync(ToolCall("third")).value == "3"


def test_loading_twice_replaces_its_own(module_path):
    registry = ToolRegistry()
    from_module("own_tools_x", registry)
    from_module("own_tools_x", registry)
    assert len(registry) == 3


def test_a_name_that_is_taken_registers_nothing(module_path):
    registry = ToolRegistry()

    @registry.tool(name="second")
    def other() -> None:
        """Another tool of that name."""

    with pytest.raises(ValueError, match="module own_tools_x: the name 'second' is taken"):
        from_module("own_tools_x", registry)
    assert registry.names() == ["second"]


def test_a_module_without_tools_says_how_to_mark_them():
    with pytest.raises(ValueError, match="module empty has no tools of its own.*@tool"):
        from_module(types.ModuleType("empty"))


def test_a_module_that_is_not_there(tmp_path):
    with pytest.raises(ModuleNotFoundError, match="no_such_module_x"):
        from_module("no_such_module_x")
    with pytest.raises(FileNotFoundError, match="gone.py"):
        from_module(tmp_path / "gone.py")


def test_a_file_named_like_a_module_in_use_does_not_replace_it(tmp_path):
    path = tmp_path / "json.py"
    path.write_text(
        "from agentlib.registry import ToolRegistry\n@ToolRegistry().tool\n"
        "def f() -> str:\n    'F.'\n    return ''\n"
    )
    import json

    assert [tool.name for tool in from_module(path)] == ["f"]
    assert sys.modules["json"] is json
