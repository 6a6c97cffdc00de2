import functools
import inspect
import math

import pytest

from agentlib import Tool, ToolCall, ToolRegistry
from agentlib.executor import Executor
from agentlib.tools import make_decorator, tool


def greet(name: str, times: int = 1) -> str:
    """Greet somebody.

    Args:
        name: who
    """
    return f"hello {name}" * times


async def ask(name, times=1):
    return f"Greet {name}?"


SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "who"},
        "times": {"type": "integer", "default": 1},
    },
    "required": ["name"],
    "additionalProperties": False,
}


def test_a_tool_from_a_function():
    made = Tool.from_function(greet)
    assert (made.name, made.description, made.parameters) == ("greet", "Greet somebody.", SCHEMA)
    assert made.function is greet and made.from_hints
    assert made.schema() == {
        "type": "function",
        "function": {"name": "greet", "description": "Greet somebody.", "parameters": SCHEMA},
    }
    assert made.schema() is made.schema()


def test_options_come_before_what_the_function_says():
    made = Tool.from_function(greet, name="hi", description="Say hi.", tags="a", timeout=3)
    assert (made.name, made.description, made.tags, made.timeout) == ("hi", "Say hi.", ("a",), 3)


def test_the_strict_schema():
    function = Tool.from_function(greet).schema(strict=True)["function"]
    assert function["strict"] is True
    assert function["parameters"]["required"] == ["name", "times"]
    assert function["parameters"]["properties"]["times"]["type"] == ["integer", "null"]

    def free(data: dict): ...

    function = Tool.from_function(free).schema(strict=True)["function"]
    assert function["strict"] is False
    assert function["parameters"]["required"] == ["data"]


def test_a_schema_by_hand_needs_no_readable_signature():
    def post(**fields):
        """Post it."""

    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    made = Tool.from_function(post, parameters=schema)
    assert (made.name, made.description, made.parameters) == ("post", "Post it.", schema)
    assert not made.from_hints


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ({}, {"type": "object", "properties": {}}),
        ({"type": "object"}, {"type": "object", "properties": {}}),
        ({"properties": {"a": {}}}, {"type": "object", "properties": {"a": {}}}),
        (
            {"type": "object", "properties": {"a": {"type": "array"}}, "required": None},
            {"type": "object", "properties": {"a": {"type": "array", "items": {}}}},
        ),
        (
            {"properties": {"a": {"properties": {"b": {"type": ["array", "null"]}}}}},
            {
                "type": "object",
                "properties": {
                    "a": {"properties": {"b": {"type": ["array", "null"], "items": {}}}}
                },
            },
        ),
    ],
)
def test_a_schema_by_hand_is_completed(given, made):
    assert Tool("f", "", given, print).parameters == made


@pytest.mark.parametrize(
    "given",
    [
        {"city": {"type": "string"}},  # the wrong level: the properties alone
        {"type": {"type": "string"}},
        {"type": "string"},
        {"type": "array", "items": {}},
        {"type": "function", "function": {"parameters": {}}},
        [],
        "object",
        None,
    ],
)
def test_a_schema_of_the_wrong_level_is_refused(given):
    with pytest.raises(ValueError, match="tool f: parameters must be a JSON Schema of type object"):
        Tool("f", "", given, print)


GOOD_NAMES = ["a", "get_weather", "get-weather", "A9", "_", "x" * 64]
BAD_NAMES = [
    "",
    "get weather",
    "get.weather",
    "a/b",
    "x" * 65,
    "天气",
    "é",
    "a\n",
    " a",
    "<lambda>",
]


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_good_names(name):
    assert Tool.from_function(greet, name=name).schema()["function"]["name"] == name


@pytest.mark.parametrize("name", [*BAD_NAMES, None, 3])
def test_bad_names_are_refused_with_the_rule(name):
    with pytest.raises(ValueError, match="1 to 64 characters, only A-Z, a-z, 0-9, _ and -"):
        Tool(name, "", {}, print)


def test_a_bad_name_is_refused_where_it_is_registered():
    registry = ToolRegistry()
    with pytest.raises(ValueError, match="1 to 64 characters"):
        registry.tool(name="get weather")(greet)
    assert Tool.from_function(greet).name == "greet"  # the refused options didn't stick
    with pytest.raises(ValueError, match="1 to 64 characters"):
        registry.register(lambda: 0)
    assert len(registry) == 0


def test_what_cannot_be_called_is_no_tool():
    with pytest.raises(TypeError, match="function must be callable"):
        Tool("f", "", {}, "not a function")


# the decorator


def test_the_decorator_gives_the_function_back():
    registry = ToolRegistry()

    @registry.tool
    def one(a: int) -> int:
        return a + 1

    @registry.tool(name="second", tags=("x",))
    def two(a: int) -> int:
        return a + 2

    assert (one(1), two(1)) == (2, 3)
    assert inspect.isfunction(one) and inspect.isfunction(two)
    assert registry.names() == ["one", "second"]
    assert registry.get("second").tags == ("x",)


def test_the_registry_option_and_the_default():
    from agentlib import default_registry

    mine = ToolRegistry()

    @tool(registry=mine)
    def only_mine(): ...

    @tool
    def in_the_default(): ...

    try:
        assert mine.names() == ["only_mine"]
        assert "in_the_default" in default_registry and "only_mine" not in default_registry
    finally:
        default_registry.unregister("in_the_default")


def test_options_stay_with_the_function():
    first, second = ToolRegistry(), ToolRegistry()

    @first.tool(confirm=True)
    def erase(path: str): ...

    second.register(erase)
    assert second.get("erase").confirm is True
    assert Tool.from_function(erase).confirm is True
    assert second.tool(erase) is erase
    assert second.get("erase").confirm is True


def test_a_positional_option_is_refused_with_the_mend():
    with pytest.raises(TypeError, match="@tool\\(name='weather'\\)"):
        make_decorator(ToolRegistry())("weather")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"nmae": "x"}, "no option 'nmae': did you mean name\\?"),
        ({"colour": "x"}, "no option 'colour': there are name, description, "),
        ({"timeout": 0}, "timeout must be a number of seconds above 0, got 0"),
        ({"timeout": -1}, "timeout must be"),
        ({"timeout": "3"}, "timeout must be"),
        ({"timeout": True}, "timeout must be"),
        ({"max_retries": -1}, "max_retries must be a whole number of at least 0, got -1"),
        ({"max_retries": 1.5}, "max_retries must be"),
        ({"max_retries": None}, "max_retries must be"),
        ({"confirm": "yes"}, "confirm must be True, False, or a plain"),
        ({"confirm": ask}, r"confirm must be True, False, or a plain \(not async\) function"),
        ({"rate_limit": "many"}, "rate_limit 'many' is not a rate"),
    ],
)
def test_a_wrong_option_is_refused_where_the_tool_is_made(option, said):
    with pytest.raises((TypeError, ValueError), match=said):
        ToolRegistry().tool(**option)(greet)


def test_a_method_waits_for_its_object():
    registry = ToolRegistry()

    class Files:
        def __init__(self, root):
            self.root = root

        @registry.tool(name="read_file", tags="files")
        def read(self, path: str) -> str:
            """Read a file."""
            return self.root + path

        @staticmethod
        @registry.tool
        def join(a: str, b: str) -> str:
            return a + b

        @registry.tool
        @staticmethod
        def split(a: str) -> list:
            return a.split()

    assert registry.names() == ["join", "split"]
    made = registry.register(Files("root/").read)
    assert (made.name, made.tags, made.description) == ("read_file", ("files",), "Read a file.")
    assert list(made.parameters["properties"]) == ["path"]
    assert made.function("x") == "root/x"
    with pytest.raises(ValueError, match="method without its object"):
        registry.register(Files.read)


def test_registering_a_bound_method_through_the_decorator():
    class Files:
        def read(self, path: str): ...

    registry = ToolRegistry()
    registry.tool(tags="files")(Files().read)
    assert registry.get("read").tags == ("files",)
    assert not hasattr(Files.read, "__tool_options__")
    registry.tool(description="Natural logarithm.")(math.log1p)
    assert registry.get("log1p").description == "Natural logarithm."


class Doubler:
    async def __call__(self, n: int) -> int:
        """Double it."""
        return 2 * n


async def add(a: int, b: int) -> int:
    return a + b


def passed_on(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


def positional(a: int, b: int = 2, /, c: int = 3) -> list:
    return [a, b, c]


@pytest.mark.parametrize(
    ("function", "name", "arguments", "value"),
    [
        (functools.partial(add, 1), "add", {"b": 2}, 3),
        (functools.partial(add, b=5), "add", {"a": 2}, 7),
        (Doubler(), "Doubler", {"n": 4}, 8),
        (passed_on(add), "add", {"a": 1, "b": 2}, 3),
        (positional, "positional", {"a": 1, "c": 9}, [1, 2, 9]),
        (greet, "greet", {"name": "you"}, "hello you"),
    ],
)
def test_callables_of_every_kind_run(function, name, arguments, value):
    registry = ToolRegistry([function])
    result = Executor(registry).execute_sync(ToolCall(name, arguments))
    assert result.error is None
    assert result.value == value
