from __future__ import annotations

import datetime
import enum
import functools
import inspect
import json
import typing
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Optional

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, Field

from agentlib.schema import describe_function, strict_schema

STRING, INTEGER, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}
NULL = {"type": "null"}


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Point(BaseModel):
    x: int
    title: str = "origin"


class Node(BaseModel):
    name: str
    children: list[Node] = []


@dataclass
class Size:
    width: int
    height: int = 1


class Range(typing.TypedDict):
    start: str
    end: typing.NotRequired[str]


POINT = {
    "type": "object",
    "properties": {"x": INTEGER, "title": {"type": "string", "default": "origin"}},
    "required": ["x"],
    "additionalProperties": False,
}
SIZE = {
    "type": "object",
    "properties": {"width": INTEGER, "height": {"type": "integer", "default": 1}},
    "required": ["width"],
    "additionalProperties": False,
}
RANGE = {
    "type": "object",
    "properties": {"start": STRING, "end": STRING},
    "required": ["start"],
    "additionalProperties": False,
}


def nullable(schema):
    return {"anyOf": [schema, NULL]}


def function_of(hint, default=inspect.Parameter.empty):
    """A function of one parameter `value` with that hint."""

    def take(value):
        return value

    take.__annotations__ = {"value": hint}
    if default is not inspect.Parameter.empty:
        take.__defaults__ = (default,)
    return take


def schema_of(hint, *default):
    parameters = describe_function(function_of(hint, *default)).parameters
    Draft202012Validator.check_schema(parameters)
    return parameters["properties"]["value"]


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (str, STRING),
        (int, INTEGER),
        (float, NUMBER),
        (bool, {"type": "boolean"}),
        (Any, {}),
        (inspect.Parameter.empty, {}),
        ("int", INTEGER),
        ("list['int']", {"type": "array", "items": INTEGER}),
        (list[str], {"type": "array", "items": STRING}),
        (list, {"type": "array", "items": {}}),
        (int | str, {"anyOf": [INTEGER, STRING]}),
        (Optional[int], nullable(INTEGER)),  # noqa: UP045
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal["a"], {"type": "string", "enum": ["a"]}),
        (Literal[1, 2], {"type": "integer", "enum": [1, 2]}),
        (Literal["a", 1], {"enum": ["a", 1]}),
        (Level, {"type": "integer", "enum": [1, 2]}),
        (Color, {"type": "string", "enum": ["red", "blue"]}),
        (
            dict[str, int],
            {"type": "object", "properties": {}, "additionalProperties": INTEGER},
        ),
        (tuple[int, int], {"type": "array", "minItems": 2, "maxItems": 2, "items": INTEGER}),
        (
            tuple[int, str],
            {
                "type": "array",
                "minItems": 2,
                "maxItems": 2,
                "prefixItems": [INTEGER, STRING],
                "items": {"anyOf": [INTEGER, STRING]},
            },
        ),
        (set[int], {"type": "array", "items": INTEGER, "uniqueItems": True}),
        (Annotated[int, Field(ge=1, le=9)], {"type": "integer", "minimum": 1, "maximum": 9}),
        (datetime.date, {"type": "string", "format": "date"}),
        (Path, {"type": "string", "format": "path"}),
        (uuid.UUID, {"type": "string", "format": "uuid"}),
        (Point, POINT),
        (Size, SIZE),
        (Range, RANGE),
        (list[Range], {"type": "array", "items": RANGE}),
        (Annotated[Range | None, "text"], {**nullable(RANGE), "description": "text"}),
        (Optional[Range], nullable(RANGE)),  # noqa: UP045
        (list[Point], {"type": "array", "items": POINT}),
    ],
)
def test_schema_of_a_hint(hint, schema):
    assert schema_of(hint) == schema


@pytest.mark.parametrize(
    ("hint", "default", "schema"),
    [
        (int, 5, {"type": "integer", "default": 5}),
        (int | None, None, {**nullable(INTEGER), "default": None}),
        (int, None, {**nullable(INTEGER), "default": None}),
        (float, 0.5, {"type": "number", "default": 0.5}),
        (list[str], [], {"type": "array", "items": STRING, "default": []}),
        (tuple[int, ...], (), {"type": "array", "items": INTEGER, "default": []}),
        (Color, Color.RED, {"type": "string", "enum": ["red", "blue"], "default": "red"}),
        (Path, Path("a"), {"type": "string", "format": "path", "default": "a"}),
        (int, Field(ge=3), {"type": "integer", "minimum": 3}),
        (Any, object(), {}),  # nothing JSON could show, yet not required
    ],
)
def test_a_default_is_shown(hint, default, schema):
    assert schema_of(hint, default) == schema


def test_only_parameters_without_default_are_required():
    def f(a: int, b: str = "x", *, c: Path, d: Path = Path("p")): ...

    described = describe_function(f).parameters
    assert described["required"] == ["a", "c"]
    assert described["type"] == "object"
    assert described["additionalProperties"] is False
    assert list(described["properties"]) == ["a", "b", "c", "d"]


def test_no_parameters_make_an_empty_object():
    def now(): ...

    assert describe_function(now).parameters == {
        "type": "object",
        "properties": {},
        "required": [],
        "additionalProperties": False,
    }


def test_a_type_that_contains_itself_keeps_its_definition():
    parameters = describe_function(function_of(Node)).parameters
    Draft202012Validator.check_schema(parameters)
    assert parameters["properties"]["value"] == {"$ref": "#/$defs/Node"}
    children = parameters["$defs"]["Node"]["properties"]["children"]
    assert children == {"type": "array", "items": {"$ref": "#/$defs/Node"}, "default": []}
    assert "title" not in parameters["$defs"]["Node"]


def test_parameters_may_have_the_names_of_keywords():
    def f(
        title: str, type: Path, properties: int = 1, schema: str = "", copy: int = 0, _x: int = 0
    ): ...

    properties = describe_function(f).parameters["properties"]
    assert list(properties) == ["title", "type", "properties", "schema", "copy", "_x"]
    assert properties["title"] == STRING


def test_hints_are_resolved_where_the_function_was_defined():
    class Local(enum.Enum):
        A = "a"

    def f(kind: Local, mode: Literal["r", "w"], many: list[Local] | None = None): ...

    properties = describe_function(f).parameters["properties"]
    assert properties["kind"] == {"type": "string", "enum": ["a"]}
    assert properties["mode"] == {"type": "string", "enum": ["r", "w"]}


def made_elsewhere():
    def f(kind: Elsewhere): ...  # noqa: F821

    return f


def test_a_callers_local_does_not_resolve_a_foreign_functions_hint():
    Elsewhere = int  # noqa: F841
    with pytest.raises(ValueError, match="'Elsewhere' means nothing where f is defined"):
        describe_function(made_elsewhere())


def test_an_unknown_hint_is_refused_with_the_mend():
    def f(x: Missing): ...  # noqa: F821

    with pytest.raises(ValueError, match="f: the type hint 'Missing' means nothing"):
        describe_function(f)


class Files:
    """Reads files."""

    class Mode(enum.Enum):
        TEXT = "text"

    def read(self, path: str, mode: Mode = Mode.TEXT) -> str:
        """Read a file."""
        return path

    @classmethod
    def make(cls, path: str): ...

    @staticmethod
    def join(a: str, b: str): ...

    def odd(this, path: str): ...

    async def __call__(self, path: str) -> str:
        return path


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


class Logged:
    @logged
    def read(self, path: str):
        """Read."""


def base(a: int, b: str, *, c: float = 1.0):
    """Base function."""


@pytest.mark.parametrize(
    ("function", "name", "description", "names"),
    [
        (Files().read, "read", "Read a file.", ["path", "mode"]),
        (Files.make, "make", "make", ["path"]),
        (Files.join, "join", "join", ["a", "b"]),
        (Files(), "Files", "Reads files.", ["path"]),
        (Logged().read, "read", "Read.", ["path"]),
        (functools.partial(base, 1), "base", "Base function.", ["b", "c"]),
        (functools.partial(base, b="x"), "base", "Base function.", ["a", "c"]),
        (
            functools.partial(functools.partial(base, c=2.0), 1),
            "base",
            "Base function.",
            ["b"],
        ),
        (functools.partial(Files().read, "p"), "read", "Read a file.", ["mode"]),
        (functools.lru_cache(base), "base", "Base function.", ["a", "b", "c"]),
    ],
)
def test_callables_of_every_kind(function, name, description, names):
    described = describe_function(function)
    assert (described.name, described.description) == (name, description)
    assert list(described.parameters["properties"]) == names


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (Files.read, "Files.read is a method without its object.*register\\(obj.read\\)"),
        (Files.odd, "Files.odd is a method without its object"),
        (str.upper, "str.upper is a method without its object"),
        (int.__add__, "int.__add__ is a method without its object"),
        (Logged.read, "Logged.read is a method without its object"),
        (Files, "Files is a class"),
        (3, "3 can't be called"),
        (vars(Files)["make"], "can't be called"),
        (lambda x, *args: 0, r"\*args tells a model nothing"),
        (lambda x, **kwargs: 0, r"\*\*kwargs tells a model nothing"),
        (type("", (), {}).__init_subclass__, "Python knows no signature"),
        (function_of(Callable[[], int]), "parameter `value` .* JSON can't carry"),
        (function_of(Path | object.__class__.__subclasshook__.__class__), "JSON can't carry"),
        (function_of("list["), "a type hint can't be read"),
    ],
)
def test_what_no_schema_can_describe_is_refused(function, message):
    with pytest.raises((TypeError, ValueError), match=message):
        describe_function(function)


GOOGLE = """Find a city.

    It knows.

    Args:
        city (str): the name,
            in English
        days: how many: 1 to 7

    Returns:
        dict: the weather
    """
TIGHT = """Find a city.
    Args:
        city: the name
        days: how many
    Returns:
        the weather"""
TIGHT_AFTER = """Find a city.
    Args:
        city: the name
        days: how many
    More about it.
    """
ONLY_ARGS = """Args:
        city: the name
        days: how many
    """
INDENTED = """
    Find a city.

        Args:
            city: the name
            days: how many
"""
NUMPY = """Find a city.

    Parameters
    ----------
    city : str
        the name
    days : int, optional
        how many

    Returns
    -------
    dict
        the weather
    """
NUMPY_TIGHT = """Find a city.
    Parameters
    ----------
    city
        the name
    days
        how many"""
REST = """Find a city.

    :param city: the name
    :param int days: how
        many
    :returns: the weather
    """
REST_TIGHT = """Find a city.
    :param city: the name
    :type city: str
    :param days: how many"""
EPYDOC = """Find a city.

    @param city: the name
    @param days: how many
    """


def test_keys_of_a_type_of_their_own_lead_nowhere_else():
    class Colour(enum.Enum):
        RED = "red"

    def f(amounts: dict[Colour, int]): ...

    parameters = describe_function(f).parameters
    assert parameters["properties"]["amounts"]["propertyNames"] == {
        "type": "string",
        "enum": ["red"],
    }
    assert "$ref" not in str(parameters)


@pytest.mark.parametrize(
    ("text", "description", "city", "days"),
    [
        (GOOGLE, "Find a city.\n\nIt knows.", "the name, in English", "how many: 1 to 7"),
        (TIGHT, "Find a city.", "the name", "how many"),
        (TIGHT_AFTER, "Find a city.", "the name", "how many"),
        (ONLY_ARGS, "find weather", "the name", "how many"),
        (INDENTED, "Find a city.", "the name", "how many"),
        (NUMPY, "Find a city.", "the name", "how many"),
        (NUMPY_TIGHT, "Find a city.", "the name", "how many"),
        (REST, "Find a city.", "the name", "how many"),
        (REST_TIGHT, "Find a city.", "the name", "how many"),
        (EPYDOC, "Find a city.", "the name", "how many"),
        ("Args:\n    city: the name\n    days: how many", "find weather", "the name", "how many"),
        ("\n    Args:\n        city: the name\n        days: how many\n    ", "find weather",
         "the name", "how many"),
        ("Find.\n\nIt knows.\n\n    Args:\n        city: the name\n\n        days: how many",
         "Find.\n\nIt knows.", "the name", "how many"),
        ("Find.\r\n\r\nArgs:\r\n    city: the name\r\n    days: how many\r\n", "Find.",
         "the name", "how many"),
        ("Find.\n\nArgs:\n    - city: the name\n    - `days`: how many", "Find.",
         "the name", "how many"),
        ("查天气。\n\nArgs:\n    city: 城市\n    days: 天数", "查天气。", "城市", "天数"),
        ("Plain: text.\n\nNote:\n    more", "Plain: text.\n\nNote:\n    more", None, None),
        ("Broken.\n\nArgs:\n    no colon here", "Broken.\n\nArgs:\n    no colon here", None, None),
        (None, "find weather", None, None),
        ("", "find weather", None, None),
    ],
)  # fmt: skip
def test_docstrings(text, description, city, days):
    def find_weather(city: str, days: int = 1): ...

    find_weather.__doc__ = text
    described = describe_function(find_weather)
    properties = described.parameters["properties"]
    assert described.description == description
    assert properties["city"].get("description") == city
    assert properties["days"].get("description") == days


def test_a_text_in_the_hint_comes_before_the_docstrings():
    def f(
        a: Annotated[int, "from the hint"],
        b: Annotated[int, Field(description="from the field")],
        c: Annotated[int, "in a union"] | None = None,
        d: Point | None = None,
    ):
        """F.

        Args:
            a: from the docstring
            b: from the docstring
            d: from the docstring
        """

    properties = describe_function(f).parameters["properties"]
    texts = [properties[name]["description"] for name in "abcd"]
    assert texts == ["from the hint", "from the field", "in a union", "from the docstring"]


# the strict form


def strict_of(**properties):
    required = [name for name, each in properties.items() if "default" not in each]
    schema = {"type": "object", "properties": properties, "required": required}
    return strict_schema({**schema, "additionalProperties": False})


def closed(**properties):
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("given", "strict"),
    [
        (STRING, STRING),
        ({"type": "string", "minLength": 1, "format": "path"}, STRING),
        ({"type": "string", "format": "date"}, {"type": "string", "format": "date"}),
        (
            {"type": "integer", "default": 5},
            {"type": ["integer", "null"], "description": "null means the default: 5."},
        ),
        (
            {"type": "string", "enum": ["a"], "default": "a", "description": "Kind."},
            {
                "type": ["string", "null"],
                "enum": ["a", None],
                "description": "Kind. null means the default: \"a\".",
            },
        ),
        ({**nullable(INTEGER), "default": None}, nullable(INTEGER)),
        (
            {"anyOf": [INTEGER, STRING], "default": None},
            {"anyOf": [INTEGER, STRING, NULL]},
        ),
        (POINT, closed(x=INTEGER, title={
            "type": ["string", "null"], "description": 'null means the default: "origin".'})),
        ({"type": "array", "items": RANGE}, {"type": "array", "items": closed(
            start=STRING, end={"type": ["string", "null"]})}),
        ({"oneOf": [INTEGER, STRING]}, {"anyOf": [INTEGER, STRING]}),
    ],
)  # fmt: skip
def test_strict_form(given, strict):
    assert strict_of(value=given) == closed(value=strict)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"type": "object"},
        {"type": "object", "properties": {}, "additionalProperties": INTEGER},
        {"type": "object", "properties": {"a": INTEGER}, "additionalProperties": True},
        {"type": "array", "items": {}},
        {"type": "array"},
        {"anyOf": [INTEGER, {}]},
        {"allOf": [INTEGER]},
        {"not": INTEGER},
        {"type": "object", "properties": {"a": INTEGER}, "patternProperties": {"x": INTEGER}},
        {"$ref": "https://example.com/schema.json"},
        {"type": "object", "properties": {"a": INTEGER}, "required": ["b"]},
        {"type": "array", "prefixItems": [STRING], "items": False},
        {"type": "array", "items": True},
    ],
)
def test_what_strict_cannot_say_is_not_strict(given):
    assert strict_of(value=given) is None
    assert strict_schema({"type": "object", "properties": {"v": given}, "required": []}) is None


def test_strict_form_of_a_recursive_type_and_of_nothing():
    strict = strict_schema(describe_function(function_of(Node)).parameters)
    node = strict["$defs"]["Node"]
    assert node["required"] == ["name", "children"] and node["additionalProperties"] is False
    assert node["properties"]["children"]["type"] == ["array", "null"]
    assert strict_schema({"type": "object", "properties": {}, "additionalProperties": False})


def test_strict_form_leaves_its_input_alone():
    given = describe_function(function_of(Point, Point(x=1))).parameters
    before = json.dumps(given)
    assert strict_schema(given) != given
    assert json.dumps(given) == before


def test_strict_forms_obey_the_protocols_rules_at_every_level():
    def f(p: Point, n: Node, r: Range, many: list[Size] | None = None, c: Color = Color.RED): ...

    def walk(schema):
        if isinstance(schema, list):
            return [each for part in schema for each in walk(part)]
        if not isinstance(schema, dict):
            return []
        return [schema, *(each for part in schema.values() for each in walk(part))]

    objects = [
        each
        for each in walk(strict_schema(describe_function(f).parameters))
        if each.get("type") == "object" or "object" in each.get("type", ())
    ]
    assert len(objects) >= 5
    for each in objects:
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])
