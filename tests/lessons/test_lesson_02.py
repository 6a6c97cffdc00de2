"""Lesson 02's decorator and the library's registry, held to one table."""

import pytest
from lesson_code import definitions

from agentlib import ToolRegistry


class ByTheLesson:
    def __init__(self):
        lesson = definitions("02", "tool", "schema")
        self.tools, self.functions = [], {}
        lesson.tool.__globals__.update(TOOLS=self.tools, TOOL_NAME=self.functions)
        self.decorate = lesson.tool

    def add(self, function, description, parameters):
        return self.decorate(function.__name__, description, parameters)(function)

    def names(self):
        return [t["function"]["name"] for t in self.tools]

    def function(self, name):
        return self.functions[name]


class ByTheLibrary:
    def __init__(self):
        self.registry = ToolRegistry()

    def add(self, function, description, parameters):
        return self.registry.tool(description=description)(function)

    @property
    def tools(self):
        return self.registry.schemas()

    def names(self):
        return self.registry.names()

    def function(self, name):
        return self.registry.get(name).function


def make(body):
    def shout(text: str, tail: str):
        return body

    return shout


@pytest.fixture(params=[ByTheLesson, ByTheLibrary])
def registry(request):
    return request.param()


PARAMETERS = {"text": "the text", "tail": "what comes behind"}


def test_the_function_is_given_back_unchanged(registry):
    function = make(1)
    assert registry.add(function, "Shout.", PARAMETERS) is function


def test_the_schema_has_name_description_and_required_strings(registry):
    registry.add(make(1), "Shout.", PARAMETERS)
    (tool,) = registry.tools
    assert (tool["type"], tool["function"]["name"]) == ("function", "shout")
    assert tool["function"]["description"] == "Shout."
    parameters = tool["function"]["parameters"]
    assert parameters["type"] == "object" and parameters["required"] == ["text", "tail"]
    assert {p: s["type"] for p, s in parameters["properties"].items()} == {
        "text": "string",
        "tail": "string",
    }


def test_the_same_cell_run_twice_leaves_one_tool_the_newer(registry):
    registry.add(make(1), "Shout.", PARAMETERS)
    registry.add(make(2), "Shout.", PARAMETERS)
    assert registry.names() == ["shout"] and registry.function("shout")("a", "b") == 2
