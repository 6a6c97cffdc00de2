"""Lesson 03's `describe` and the library's schema, held to one table."""

import pytest
from lesson_code import definitions

from agentlib import Tool


def one(word: str) -> str:
    """Say a word.

    Args:
        word: the word
    """


def two(word: str, times: int = 2) -> str:
    """Repeat a word.

    Args:
        word: the word to repeat
        times: how many times
    """


def kinds(a: str, b: int, c: float, d: bool) -> str:
    """Take one of each kind."""


def nothing() -> str:
    """Take nothing."""


TABLE = {
    one: ({"word": ("string", "the word", None)}, ["word"]),
    two: (
        {"word": ("string", "the word to repeat", None), "times": ("integer", "how many times", 2)},
        ["word"],
    ),
    kinds: (
        {"a": ("string", None, None), "b": ("integer", None, None), "c": ("number", None, None),
         "d": ("boolean", None, None)},
        ["a", "b", "c", "d"],
    ),
    nothing: ({}, []),
}  # fmt: skip


def by_the_lesson(function):
    return definitions("03", "describe").describe(function)


def by_the_library(function):
    return Tool.from_function(function).schema()


@pytest.mark.parametrize("function", TABLE, ids=lambda f: f.__name__)
@pytest.mark.parametrize("describe", [by_the_lesson, by_the_library])
def test_one_table(describe, function):
    properties, required = TABLE[function]
    made = describe(function)["function"]
    assert made["name"] == function.__name__
    assert made["description"].splitlines()[0] == function.__doc__.splitlines()[0]
    parameters = made["parameters"]
    assert parameters["required"] == required
    seen = {
        name: (p["type"], p.get("description"), p.get("default"))
        for name, p in parameters["properties"].items()
    }
    assert seen == properties
