"""Lesson 13's loaders and the library's, held to one table: modules, YAML entries, MCP results."""

import asyncio
import contextlib
import itertools
import json
import subprocess
import sys
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from lesson_code import definitions

from agentlib import Executor, Tool, ToolCall, ToolCallError
from agentlib.course import places
from agentlib.course.notebooks import code_cells
from agentlib.loading.from_mcp import mcp_tools
from agentlib.loading.from_module import from_module
from agentlib.loading.from_yaml import from_yaml
from agentlib.loading.http_tool import HttpTool
from agentlib.loading.mcp_text import to_plain_text

LESSON = definitions("13")
SMALL_SERVER = Path(__file__).parents[1] / "loading" / "small_mcp_server.py"


def written_by_the_lesson(name):
    """A file of the lesson's, as its `%%writefile` cells write it."""
    text = ""
    for cell in code_cells(places.find_lesson("13", places.CHECKOUT / "lessons")):
        head, _, body = cell["source"].partition("\n")
        if head.startswith("%%writefile") and head.split()[-1] == name:
            text = text * (" -a " in head) + body + "\n"
    return text


# ---- modules

HEAD = "import math\nfrom agentlib import tool\nfrom agentlib.builtin_tools import run_shell\n"
MODULES = {
    "marked functions only": (
        '@tool\ndef one(a: int):\n    """One."""\n\ndef two(a: int):\n    """Two."""\n',
        ["one"],
    ),
    "an option of the mark counts": ('@tool(name="uno")\ndef one():\n    """One."""\n', ["uno"]),
    "in the order of the file": (
        '@tool\ndef b():\n    """B."""\n\n@tool\ndef a():\n    """A."""\n',
        ["b", "a"],
    ),
}


@pytest.mark.parametrize(("source", "names"), MODULES.values(), ids=MODULES)
def test_the_tools_of_a_module(source, names, tmp_path):
    file = tmp_path / "some_tools_of_lesson_13.py"
    file.write_text(HEAD + source, encoding="utf-8")
    module = LESSON.run_file(str(file))
    assert [tool.name for tool in LESSON.own_tools(module)] == names
    assert [tool.name for tool in from_module(file)] == names
    assert "run_shell" in LESSON.load_everything(module)  # the mistake that the lesson shows


# ---- YAML

PARAMETERS = {
    "a short form": ({"tea": "string"}, {"tea": {"type": "string"}}, ["tea"]),
    "a schema": (
        {"n": {"type": "integer", "minimum": 1}},
        {"n": {"type": "integer", "minimum": 1}},
        ["n"],
    ),
    "a default": ({"n": {"type": "integer", "default": 1}}, None, []),
    "none": ({}, {}, []),
}


@pytest.mark.parametrize(("short", "properties", "required"), PARAMETERS.values(), ids=PARAMETERS)
def test_the_schema_of_an_entry(short, properties, required):
    entry = {"name": "t", "description": "T.", "url": "http://h/x", "parameters": short}
    (tool,) = from_yaml(yaml.safe_dump({"tools": [entry]}))
    expected = {"type": "object", "required": required}
    expected["properties"] = short if properties is None else properties
    assert LESSON.schema_of(entry) == tool.parameters == expected


def library_place(url, arguments):
    return HttpTool("t", "GET", url, {}, "query", {}, 1.0)._place(arguments)


PLACES = {
    "a word": ("/teas/{tea}", {"tea": "oolong"}, "/teas/oolong", {}),
    "a slash": ("/teas/{tea}", {"tea": "oolong/buyers"}, "/teas/oolong%2Fbuyers", {}),
    "a way up": ("/teas/{tea}", {"tea": "../orders"}, "/teas/..%2Forders", {}),
    "a query": ("/teas/{tea}", {"tea": "x?all=1#y"}, "/teas/x%3Fall%3D1%23y", {}),
    "Chinese": ("/teas/{tea}", {"tea": "乌龙"}, "/teas/%E4%B9%8C%E9%BE%99", {}),
    "a number": ("/teas/{n}", {"n": 7}, "/teas/7", {}),
    "the rest is left": ("/teas/{tea}", {"tea": "a", "packs": 2}, "/teas/a", {"packs": 2}),
    "two places": ("/{a}/{b}", {"a": "x", "b": "y"}, "/x/y", {}),
    "a value like a place": ("/{a}/{b}", {"a": "{b}", "b": "y"}, "/%7Bb%7D/y", {}),
    "no place": ("/orders", {"tea": "a"}, "/orders", {"tea": "a"}),
}


@pytest.mark.parametrize("place", [LESSON.place, library_place])
@pytest.mark.parametrize(("url", "given", "made", "rest"), PLACES.values(), ids=PLACES)
def test_arguments_in_the_address(place, url, given, made, rest):
    base = "http://h"
    kept = dict(given)
    assert place(base + url, given) == (base + made, rest)
    assert given == kept  # the caller's arguments stay


def test_only_the_library_refuses_dots():
    """What exercise 13.1 says of the lesson's version."""
    assert LESSON.place("/teas/{tea}", {"tea": ".."})[0] == "/teas/.."
    with pytest.raises(ToolCallError):
        library_place("http://h/teas/{tea}", {"tea": ".."})


@pytest.fixture
def shop(monkeypatch):
    """The lesson's shop, running, and the lesson's YAML file for it."""
    monkeypatch.delenv("SHOP_KEY", raising=False)
    server = ThreadingHTTPServer(("127.0.0.1", 0), LESSON.Shop)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    host = f"127.0.0.1:{server.server_port}"
    yield SimpleNamespace(host=host, text=(LESSON.PRICE + LESSON.ORDER).replace("HOST", host))
    server.shutdown()
    server.server_close()


def lesson_http_tools(shop):
    return [LESSON.http_tool(entry) for entry in yaml.safe_load(shop.text)["tools"]]


def library_http_tools(shop):
    return from_yaml(shop.text, allow=[shop.host])


def run(tools, name, arguments):
    call = ToolCall(name, arguments, "c1")
    return asyncio.run(Executor(tools).execute(call))


both_http = pytest.mark.parametrize("load", [lesson_http_tools, library_http_tools])


@both_http
@pytest.mark.parametrize(
    ("name", "arguments", "ok", "said"),
    [
        ("tea_price", {"tea": "oolong"}, True, '{"tea":"oolong","euros":7}'),
        ("tea_price", {"tea": "green tea"}, True, '"euros":4'),
        ("tea_price", {"tea": "oolong/buyers"}, False, "404"),
        ("tea_price", {"tea": "sencha"}, False, "There are: oolong, green tea, earl grey"),
        ("tea_price", {}, False, "`tea` is required"),
        ("order_tea", {"tea": "oolong"}, True, '{"ordered":{"packs":1,"tea":"oolong"}}'),
        ("order_tea", {"tea": "oolong", "packs": 2}, True, '"packs":2'),
        ("order_tea", {"tea": "oolong", "packs": "many"}, False, "`packs`"),
        ("order_tea", {"tea": "sencha"}, False, "There are: oolong, green tea, earl grey"),
    ],
)
def test_calls_of_the_shop(shop, monkeypatch, load, name, arguments, ok, said):
    monkeypatch.setenv("SHOP_KEY", "tea-for-two")
    result = run(load(shop), name, arguments)
    assert result.ok is ok
    assert said in result.content
    assert "tea-for-two" not in result.content


@both_http
def test_the_shop_refuses_a_wrong_key(shop, monkeypatch, load):
    monkeypatch.setenv("SHOP_KEY", "guessed")
    result = run(load(shop), "order_tea", {"tea": "oolong"})
    assert not result.ok and "401" in result.content
    assert result.error.category == "business_error"


@both_http
def test_an_order_asks_first(shop, monkeypatch, load):
    monkeypatch.setenv("SHOP_KEY", "tea-for-two")
    tools = {tool.name: tool for tool in load(shop)}
    assert not tools["tea_price"].confirm
    question = tools["order_tea"].confirm(tea="oolong", packs=2)
    assert question == "Order 2 packs of oolong?"  # the sentence of the file


def test_the_question_names_a_default_too(shop):
    tools = {tool.name: tool for tool in lesson_http_tools(shop)}
    assert tools["order_tea"].confirm(tea="earl grey") == "Order 1 packs of earl grey?"


def test_a_strangers_tools_ask_unless_told_otherwise():
    offer = {"name": "add", "description": "Add.", "inputSchema": {"type": "object"}}
    assert LESSON.mcp_tool(offer).confirm is True
    assert LESSON.mcp_tool(offer, confirm=False).confirm is False


def test_the_child_of_the_lesson_gets_no_key():
    assert not [name for name in LESSON.NEEDED if "KEY" in name or "TOKEN" in name]


def test_a_secret_that_is_not_set_is_named(shop):
    with pytest.raises(ValueError, match="SHOP_KEY"):
        LESSON.fill("${SHOP_KEY}")
    with pytest.raises(ValueError, match="SHOP_KEY"):
        from_yaml(shop.text, allow=[shop.host])


FAULTS = {
    "misspelt": ("url:", "urll:", [(7, "url"), (10, "urll")]),
    "no name": ("- name: order_tea\n    desc", "- desc", [(7, "name")]),
    "two of them": ("method", "methd", [(9, "methd")]),
}


@pytest.mark.parametrize(("old", "new", "found"), FAULTS.values(), ids=FAULTS)
def test_faults_of_a_file_by_line(monkeypatch, old, new, found):
    monkeypatch.setenv("SHOP_KEY", "k")
    text = LESSON.PRICE + LESSON.ORDER.replace(old, new)
    assert LESSON.faults(LESSON.PRICE + LESSON.ORDER) == []
    told = LESSON.faults(text)
    assert sorted(told) == sorted(
        f"line {line}: `{key}` is missing" if line == 7 else f"line {line}: unknown key `{key}`"
        for line, key in found
    )
    with pytest.raises(ValueError) as caught:
        from_yaml(text)
    lines = str(caught.value).split("\n")
    for (line, key), said in zip(found, lines, strict=True):
        assert f"line {line}:" in said and key in said


# ---- MCP

RESULTS = {
    "one text": ([{"type": "text", "text": "one"}], False, "one"),
    "two texts": ([{"type": "text", "text": t} for t in "ab"], False, "a\nb"),
    "nothing": ([], False, ""),
    "an error": ([{"type": "text", "text": "no soup"}], True, "no soup"),
}


@pytest.mark.parametrize(("content", "is_error", "text"), RESULTS.values(), ids=RESULTS)
def test_the_text_of_a_result(content, is_error, text):
    from mcp.types import CallToolResult

    said = to_plain_text(CallToolResult(content=content, isError=is_error))
    assert said == text
    if not is_error:
        assert LESSON.text_of({"content": content}) == text
        return
    with pytest.raises(ToolCallError, match=text) as caught:
        LESSON.text_of({"content": content, "isError": True})
    assert caught.value.category == "business_error"


class ByTheLesson:
    """The lesson's own client, with the small server of the tests at the other end."""

    def __enter__(self):
        self.child = subprocess.Popen(
            [sys.executable, SMALL_SERVER, "stdio"],
            encoding="utf-8",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        lesson = definitions("13", child=self.child, ids=itertools.count(1))
        info = {"name": "test", "version": "1"}
        greeting = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}
        assert lesson.ask("initialize", greeting)["serverInfo"]["name"] == "small server"
        lesson.write("notifications/initialized")
        offers = lesson.ask("tools/list", {})["tools"]
        return [lesson.mcp_tool(o) for o in offers if "." not in o["name"]]

    def __exit__(self, *exc):
        for pipe in (self.child.stdin, self.child.stdout):
            with contextlib.suppress(OSError):  # the server has ended already
                pipe.close()
        assert self.child.wait(20) is not None


class ByTheLibrary:
    def __enter__(self):
        self.opened = mcp_tools([sys.executable, str(SMALL_SERVER), "stdio"])
        return self.opened.open()

    def __exit__(self, *exc):
        self.opened.close()


@pytest.mark.parametrize("way", [ByTheLesson, ByTheLibrary])
def test_a_server_both_ways(way):
    with way() as tools:
        add = next(tool for tool in tools if tool.name == "add")
        assert isinstance(add, Tool) and add.description == "Add two numbers."
        assert add.parameters["required"] == ["a"]
        for name, arguments, ok, said in [
            ("add", {"a": 2, "b": 3}, True, "5"),
            ("add", {"a": "two"}, False, "`a`"),
            ("fail", {"reason": "no soup"}, False, "no soup"),
            ("nope", {}, False, "no tool named"),
            ("die", {}, False, "has ended"),
            ("add", {"a": 2}, False, "has ended"),
        ]:
            result = run(tools, name, arguments)
            assert result.ok is ok, (name, result.content)
            assert said in result.content


def test_the_files_of_the_lesson(tmp_path):
    """Its module and its server, as written by the cells, through the library."""
    for name in ("units.py", "kitchen.py"):
        (tmp_path / name).write_text(written_by_the_lesson(name), encoding="utf-8")
    code = (
        "import sys; from agentlib.loading.from_module import from_module\n"
        "print([t.name for t in from_module('units.py')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "['ounces_to_grams', 'cups_to_ml']\n", done.stderr
    with mcp_tools([sys.executable, str(tmp_path / "kitchen.py")]) as tools:
        assert [tool.name for tool in tools] == ["cups_to_ml", "recipe"]
        assert run(tools, "cups_to_ml", {"cups": 2}).content == "568"
        assert "There are: scones" in run(tools, "recipe", {"dish": "soup"}).content


# ---- many tools


def test_fitting_tools_only():
    tools = [
        Tool(name, text, {"type": "object"}, print)
        for name, text in [
            ("tea_price", "Get the price of a tea."),
            ("order_tea", "Order a tea."),
            ("weather", "Get the weather of a city."),
        ]
    ]

    def names(task, **options):
        return [tool.name for tool in LESSON.fitting(tools, task, **options)]

    assert names("What is the price of oolong?") == ["tea_price"]
    assert names("WEATHER in the city?") == ["weather"]
    assert names("Sing a song.") == []
    assert names("order, price, weather", most=2) == ["tea_price", "order_tea"]
    assert len(json.dumps([t.schema() for t in tools])) > 300
