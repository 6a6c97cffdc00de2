import pytest

from agentlib import Tool, ToolCategory, ToolRegistry
from agentlib.results import ToolCall


def make(name, description="", **options):
    return Tool(name, description, {}, lambda **given: given, **options)


@pytest.fixture
def registry():
    return ToolRegistry(
        [
            make("get_weather", "Weather of a city, such as Beijing.", category="search"),
            make("search_products", "Search the catalogue.", category="search", tags="shop"),
            make("delete_order", "Deletes an order.", category="action", tags=("shop", "orders")),
            make("query_cn", "查询北京的天气预报", category=ToolCategory.DATA, tags=("天气",)),
        ]
    )


def test_register_get_unregister(registry):
    one = registry.register(make("one"))
    assert registry.get("one") is one and "one" in registry and len(registry) == 5
    assert registry.names()[-1] == "one" and list(registry)[-1] is one
    assert registry.unregister("one") is True
    assert registry.unregister("one") is False
    assert registry.get("one") is None and "one" not in registry and len(registry) == 4


def test_schemas_are_the_requests_tools_list(registry):
    schemas = registry.schemas()
    assert [each["function"]["name"] for each in schemas] == registry.names()
    assert all(each["type"] == "function" for each in schemas)
    assert all("strict" in each["function"] for each in registry.schemas(strict=True))


@pytest.mark.parametrize(
    ("category", "names"),
    [
        (ToolCategory.SEARCH, ["get_weather", "search_products"]),
        ("search", ["get_weather", "search_products"]),
        ("data", ["query_cn"]),
        (ToolCategory.UTILITY, []),
    ],
)
def test_by_category(registry, category, names):
    assert [each.name for each in registry.by_category(category)] == names


@pytest.mark.parametrize(
    ("tag", "names"),
    [("shop", ["search_products", "delete_order"]), ("orders", ["delete_order"]), ("sho", [])],
)
def test_by_tag(registry, tag, names):
    assert [each.name for each in registry.by_tag(tag)] == names


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("weather", ["get_weather"]),
        ("beijing weather", ["get_weather"]),
        ("WEATHER  Beijing", ["get_weather"]),
        ("weather shanghai", []),
        ("shop", ["search_products", "delete_order"]),
        ("shop delete", ["delete_order"]),
        ("天气", ["query_cn"]),
        ("北京 天气", ["query_cn"]),
        ("北京天气", ["query_cn"]),  # written in one, as Chinese is
        ("上海天气", []),
        ("京的天", ["query_cn"]),
        ("报预", []),
        ("\uff33\uff28\uff2f\uff30", ["search_products", "delete_order"]),  # full-width SHOP
        ("", []),
        ("   ", []),
        ("天气" * 200, ["query_cn"]),
    ],
)
def test_search_wants_every_word(registry, words, names):
    assert [each.name for each in registry.search(words)] == names


# a name that is taken


def test_another_tool_of_the_same_name_is_refused():
    registry = ToolRegistry([make("f")])
    first = registry.get("f")
    with pytest.raises(ValueError, match="a tool named 'f' is registered already.*replace=True"):
        registry.register(make("f"))
    assert registry.get("f") is first
    second = registry.register(make("f"), replace=True)
    assert registry.get("f") is second and len(registry) == 1


def test_two_functions_of_one_name_in_one_place_are_two():
    registry = ToolRegistry()

    @registry.tool
    def same(a: int):
        return 1

    with pytest.raises(ValueError, match="registered already"):

        @registry.tool
        def same(b: str):
            return 2

    assert list(registry.get("same").parameters["properties"]) == ["a"]


def test_the_same_function_twice_is_no_clash():
    def f(): ...

    registry = ToolRegistry()
    assert registry.register(f).name == registry.register(f).name == "f"
    assert len(registry) == 1


def test_methods_of_two_objects_are_two_tools():
    class Box:
        def get(self): ...

    one, other, registry = Box(), Box(), ToolRegistry()
    registry.register(one.get)
    registry.register(one.get)
    with pytest.raises(ValueError, match="registered already"):
        registry.register(other.get)


CELL = """
@registry.tool
def answer(x: int) -> int:
    return {value}
"""


def run_cell(registry, source, file="cell-1"):
    """What a notebook does: each content of a cell is a file of its own to Python."""
    space = {"registry": registry, "__name__": "__main__"}
    exec(compile(source, f"<{file}-{hash(source)}>", "exec"), space)
    return space


@pytest.mark.parametrize("tools", [(), None, [], ToolRegistry()])
def test_no_tools(tools):
    assert ToolRegistry(tools).names() == []


@pytest.mark.parametrize("tools", ["read", len, Tool("f", "", {}, print)])
def test_one_tool_is_no_list_of_tools(tools):
    with pytest.raises(TypeError, match="must be a list"):
        ToolRegistry(tools)


@pytest.mark.parametrize("edited", [CELL.format(value=1), "# more\n\n" + CELL.format(value=2)])
def test_a_cell_run_again_replaces_its_own(edited):
    registry = ToolRegistry()
    run_cell(registry, CELL.format(value=1))
    first = registry.get("answer")
    space = run_cell(registry, edited)
    assert registry.get("answer") is not first
    assert registry.get("answer").function is space["answer"]
    assert registry.names() == ["answer"]


def test_a_function_defined_again_by_the_same_lines():
    registry = ToolRegistry()

    def cell(value):
        @registry.tool
        def answer() -> int:
            return value

        return answer

    cell(1)
    second = cell(2)
    assert registry.get("answer").function is second


def test_a_module_of_another_name_is_another_place():
    registry = ToolRegistry()
    run_cell(registry, CELL.format(value=1))
    space = {"registry": registry, "__name__": "elsewhere"}
    with pytest.raises(ValueError, match="registered already, from __main__.answer"):
        exec(CELL.format(value=2), space)


def test_an_agent_made_earlier_gets_the_new_function():
    """Its own registry holds the Tool of the first run; the cell registers in another."""
    cells = ToolRegistry()
    space = run_cell(cells, CELL.format(value=1))
    of_agent = ToolRegistry([space["answer"]])
    run_cell(cells, CELL.format(value=2).replace("x: int", "y: str"))
    found = of_agent.get("answer")
    assert found.function(0) == 2
    assert next(iter(of_agent)) is found
    assert list(of_agent.schemas()[0]["function"]["parameters"]["properties"]) == ["y"]
    assert of_agent.search("answer") == [found]
    run_cell(cells, CELL.format(value=3))
    assert of_agent.get("answer").function(0) == 3


def test_an_explicit_replacement_stays_in_its_registry():
    def f(): ...

    first = ToolRegistry()
    first.tool(f)
    second = ToolRegistry([f])
    second.register(make("f"), replace=True)
    assert first.get("f").function is f
    assert second.get("f").function is not f


def test_a_wrapper_does_not_pass_for_the_function_it_wraps():
    import functools

    registry, other = ToolRegistry(), ToolRegistry()

    @registry.tool
    def f() -> int:
        return 1

    @functools.wraps(f)
    def wrapper() -> int:
        return f() + 1

    assert other.register(wrapper).function is wrapper


def test_calls_by_the_executor_follow_a_redefinition():
    from agentlib import Executor

    registry = ToolRegistry()
    run_cell(registry, CELL.format(value=1))
    executor = Executor(registry)
    call = ToolCall("answer", {"x": 1})
    assert executor.execute_sync(call).value == 1
    run_cell(registry, CELL.format(value=2))
    assert executor.execute_sync(call).value == 2
