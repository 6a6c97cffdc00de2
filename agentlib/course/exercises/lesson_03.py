"""Exercises of lesson 03: an enum, a search, a strict schema."""

from collections.abc import Iterator
from typing import Literal

from agentlib.course.exercise import Case, Exercise, Seen

_TOOLS = {
    "get_weather": "Get the weather of a city 天气",
    "search_city": "Search a City by name",
    "send_email": "Send a letter",
}


def _judge_strict(make_strict) -> Iterator[Seen]:
    given = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]}
    made = make_strict(given)
    yield "required", ["a", "b"], made.get("required")
    yield "additionalProperties", False, made.get("additionalProperties")
    yield "properties", {"a": {}, "b": {}}, made.get("properties")
    untouched = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]}
    yield "the schema that was given", untouched, given
    yield "one without properties", [], make_strict({"type": "object"}).get("required")


EXERCISES = [
    Exercise(
        id="3.1",
        title="A Literal as an enum",
        setup="from typing import Literal, get_args",
        stub="""
from typing import Literal, get_args

def literal_property(hint):
    ...
""",
        cases=[
            Case(args=(Literal["a", "b"],), expected={"type": "string", "enum": ["a", "b"]}),
            Case(args=(Literal["x"],), expected={"type": "string", "enum": ["x"]}),
        ],
        hints=[
            'get_args(Literal["a", "b"]) is ("a", "b").',
            'The property has two keys, "type" and "enum"; the enum is a list.',
        ],
        solution="""
from typing import Literal, get_args

def literal_property(hint):
    return {"type": "string", "enum": list(get_args(hint))}
""",
        wrong=[
            'def literal_property(hint):\n    return {"type": "string"}',
            'def literal_property(hint):\n    return {"type": "string", "enum": ["a", "b"]}',
        ],
    ),
    Exercise(
        id="3.2",
        title="Search by words",
        stub="""
def search(tools, words):
    ...
""",
        cases=[
            Case(args=(_TOOLS, "city"), expected=["get_weather", "search_city"]),
            Case(args=(_TOOLS, "weather CITY"), expected=["get_weather"]),
            Case(args=(_TOOLS, "天气"), expected=["get_weather"]),
            Case(args=(_TOOLS, "letter city"), expected=[]),
            Case(args=(_TOOLS, "weath"), expected=["get_weather"]),
        ],
        hints=[
            "words.lower().split() gives the words; compare with the text in lower case.",
            "all(word in text.lower() for word in …) is True when every word occurs.",
        ],
        solution="""
def search(tools, words):
    wanted = words.lower().split()
    return [name for name, text in tools.items()
            if all(word in text.lower() for word in wanted)]
""",
        wrong=[
            "def search(tools, words):\n    return [n for n, t in tools.items() if words in t]",
            "def search(tools, words):\n    return [n for n, t in tools.items()"
            " if any(w in t.lower() for w in words.lower().split())]",
            "def search(tools, words):\n    return [n for n, t in tools.items()"
            " if all(w in t.lower().split() for w in words.lower().split())]",
        ],
    ),
    Exercise(
        id="3.3",
        title="A strict schema",
        stub="""
def make_strict(parameters):
    ...
""",
        judge=_judge_strict,
        hints=[
            "{**parameters, …} makes a new dict, so the one you were given stays.",
            'required is list(parameters.get("properties", {})).',
        ],
        solution="""
def make_strict(parameters):
    names = list(parameters.get("properties", {}))
    return {**parameters, "required": names, "additionalProperties": False}
""",
        wrong=[
            "def make_strict(parameters):\n    parameters['required'] = list("
            "parameters.get('properties', {}))\n    parameters['additionalProperties'] = False\n"
            "    return parameters",
            "def make_strict(parameters):\n    return {**parameters, 'additionalProperties': False}",
        ],
    ),
]
