"""Lesson 04's `execute` and the library's Executor, held to one table."""

import pytest
from lesson_code import definitions

from agentlib import Executor, ToolCall, ToolRegistry

registry = ToolRegistry()


@registry.tool
def give(what: str) -> object:
    """Give something."""
    return {
        "text": "tea",
        "zero": 0,
        "empty": "",
        "list": [],
        "dict": {"城": "北京"},
        "none": None,
    }[what]


@registry.tool
def fail(message: str) -> str:
    """Fail."""
    raise FileNotFoundError(message)


@registry.tool
def long(characters: int) -> str:
    """A long text."""
    return "é" * characters


def by_the_lesson(name, arguments):
    lesson = definitions("04", "execute", registry=registry)
    lesson.execute.__globals__["registry"] = registry
    return lesson.execute(name, arguments, "c1")


def by_the_library(name, arguments):
    return Executor(registry).execute_sync(ToolCall(name, arguments, "c1"))


TABLE = [
    ("give", '{"what": "text"}', "success", ["tea"]),
    ("give", '{"what": "zero"}', "success", ["0"]),
    ("give", '{"what": "list"}', "success", ["[]"]),
    ("give", '{"what": "none"}', "success", ["null"]),
    ("give", '{"what": "dict"}', "success", ["北京", '"城":']),
    ("nope", "{}", "failed", ["Error", "nope", "give, fail, long"]),
    ("fail", '{"message": "no x"}', "failed", ["Error: fail failed: FileNotFoundError: no x"]),
    ("fail", '{"message": ""}', "failed", ["FileNotFoundError"]),
    ("long", '{"characters": 60000}', "success", ["é" * 50_000 + "\n[", "60,000 characters"]),
    ("long", '{"characters": 50000}', "success", ["é" * 50_000]),
    ("give", '{"what": "te', "failed", ["Error", "give"]),
    ("give", "{}", "failed", ["Error", "give", "what"]),
]


@pytest.mark.parametrize("execute", [by_the_lesson, by_the_library])
@pytest.mark.parametrize(("name", "arguments", "status", "parts"), TABLE)
def test_one_table(execute, name, arguments, status, parts):
    result = execute(name, arguments)
    assert result.status == status and result.call_id == "c1"
    for part in parts:
        assert part in result.content
    if status == "success" and len(parts) == 1:
        assert result.content == parts[0]


@pytest.mark.parametrize("execute", [by_the_lesson, by_the_library])
def test_an_empty_text_is_an_answer(execute):
    result = execute("give", '{"what": "empty"}')
    assert (result.status, result.content, result.value) == ("success", "", "")
