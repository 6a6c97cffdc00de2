"""The referee row by row: status, param, code and gist as the hosted API answers them."""

import copy
import json

import pytest
from published import call, calling, holds, request, result, tool, user

from agentlib.offline.protocol import judge

MISSING, TYPE, VALUE = "missing_required_parameter", "invalid_type", "invalid_value"
EMPTY, LONG_ARRAY, LONG = "empty_array", "array_above_max_length", "string_above_max_length"
SCHEMA = "invalid_function_parameters"
TOOLS = {"tools": [tool()]}


def changed(call, **changes):
    made = copy.deepcopy(call)
    for key, value in changes.items():
        part = made["function"] if key in ("name", "arguments") else made
        if value is ...:
            del part[key]
        else:
            part[key] = value
    return made


def assert_refused(body, param, code, *gist, status=400):
    refusal = judge(body)
    assert refusal is not None, "the request was let through"
    holds("ErrorResponse", refusal.body)
    error = refusal.body["error"]
    assert (refusal.status, error["type"]) == (status, "invalid_request_error")
    assert (error["param"], error["code"]) == (param, code), error
    for words in gist:
        assert words in error["message"]


def answered(*calls):
    return calling(*calls), *(result(each["id"]) for each in calls)


# messages, param, what the message must say
CONVERSATION = {
    "call without result, user goes on": (
        [user(), calling(call()), user("and?")],
        "messages.[2].role",
        ("did not have response messages: c1",),
    ),
    "one of two results at the end": (
        [user(), calling(call("c1"), call("c2")), result("c2")],
        "messages.[2].role",
        ("messages: c1",),
    ),
    "no result at all": (
        [user(), calling(call("c1"), call("c2"))],
        "messages.[1].role",
        ("must be followed by tool messages", "c1, c2"),
    ),
    "tool message first": ([result()], "messages.[0].role", ("must be a response to",)),
    "tool message after an answer": (
        [user(), *answered(call()), {"role": "assistant", "content": "ok"}, result()],
        "messages.[4].role",
        ("must be a response to",),
    ),
    "result behind a user message": (
        [user(), calling(call()), user("wait"), result()],
        "messages.[2].role",
        ("c1",),
    ),
    "result before its call": (
        [user(), result(), calling(call())],
        "messages.[1].role",
        ("must be a response to",),
    ),
    "merged results": (
        [user(), calling(call("c1"), call("c2")), result("c1", "both results in one")],
        "messages.[2].role",
        ("messages: c2",),
    ),
    "id that was not issued": (
        [user(), calling(call()), result("other")],
        "messages.[2].tool_call_id",
        ("'other' not found",),
    ),
    "id of an earlier turn": (
        [user(), *answered(call("c1")), *answered(call("c2")), result("c1")],
        "messages.[5].tool_call_id",
        ("'c1' not found",),
    ),
    "two results with one id": (
        [user(), calling(call("c1"), call("c2")), result("c1"), result("c1")],
        "messages.[3].tool_call_id",
        ("Duplicate", "c1", "messages[2]", "messages[3]"),
    ),
    "result without an id": (
        [user(), calling(call()), {"role": "tool", "content": "Sunny"}],
        "messages.[2].tool_call_id",
        ("must have one",),
    ),
    "function message without a name": (
        [user(), {"role": "function", "content": "Sunny"}],
        "messages.[1].name",
        ("must have a 'name'",),
    ),
    "user content null": ([user(None)], "messages.[0].content", ("string, got null",)),
    "tool content null": (
        [user(), calling(call()), result(content=None)],
        "messages.[2].content",
        ("string, got null",),
    ),
    "assistant without content and calls": (
        [user(), {"role": "assistant", "content": None}],
        "messages.[1].content",
        ("string, got null",),
    ),
    "assistant with nothing": (
        [user(), {"role": "assistant"}],
        "messages.[1].content",
        ("string, got null",),
    ),
}


@pytest.mark.parametrize("name", CONVERSATION)
def test_conversation(name):
    messages, param, gist = CONVERSATION[name]
    assert_refused(request(*messages), param, None, *gist)


def said(**message):
    return request({"role": "user", "content": "hi", **message})


def part(**part):
    return request({"role": "user", "content": [part]})


IMAGE = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
# body, param, code, what the message must say
SHAPE = {
    "messages missing": ({"model": "scripted-1"}, "messages", MISSING, ()),
    "messages an object": ({**request(), "messages": {}}, "messages", TYPE, ("an object",)),
    "messages null": ({**request(), "messages": None}, "messages", TYPE, ("null",)),
    "messages empty": ({**request(), "messages": []}, "messages", EMPTY, ("at least 1",)),
    "message a string": (request("hi"), "messages[0]", TYPE, ("a string",)),
    "role missing": (request({"content": "hi"}), "messages[0].role", MISSING, ()),
    "role unknown": (said(role="boss"), None, None, ("'boss'", "assistant", "messages.0.role")),
    "role a list": (said(role=["user"]), None, None, ("messages.0.role",)),
    "content missing": (request({"role": "user"}), None, None, ("'content' is a required",)),
    "content an object": (
        said(content={"a": 1}), "messages[0].content", TYPE, ("string or an array", "an object"),
    ),
    "content a number": (said(content=3), "messages[0].content", TYPE, ("an integer",)),
    "content empty list": (said(content=[]), "messages[0].content", EMPTY, ()),
    "part a string": (said(content=["hi"]), "messages[0].content[0]", TYPE, ()),
    "part without type": (part(text="hi"), "messages[0].content[0].type", MISSING, ()),
    "part of unknown type": (
        part(type="video"), "messages[0].content[0]", VALUE, ("'video'", "image_url"),
    ),
    "text part without text": (part(type="text"), "messages[0].content[0].text", MISSING, ()),
    "text a number": (part(type="text", text=3), "messages[0].content[0].text", TYPE, ()),
    "name with a space": (said(name="Mr Smith"), "messages[0].name", VALUE, ("pattern",)),
    "name a number": (said(name=3), "messages[0].name", TYPE, ()),
    "image from the assistant": (
        request(user(), {"role": "assistant", "content": [IMAGE]}), "messages[1]", VALUE, ("user",),
    ),
    "image from the system": (
        request({"role": "system", "content": [IMAGE]}), "messages[0]", VALUE, ("user",),
    ),
    "tool_call_id a number": (
        request(user(), calling(call()), {**result(), "tool_call_id": 3}),
        "messages[2].tool_call_id", TYPE, (),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPE)
def test_shape_of_messages(name):
    body, param, code, gist = SHAPE[name]
    assert_refused(body, param, code, *gist)


CALLS = "messages[1].tool_calls"
# calls, place under tool_calls, code
ECHOED = {
    "null": (None, "", TYPE),
    "none": ([], "", EMPTY),
    "129": ([call(f"c{i}") for i in range(129)], "", LONG_ARRAY),
    "no type": ([changed(call(), type=...)], "[0].type", MISSING),
    "unknown type": ([changed(call(), type="method")], "[0].type", VALUE),
    "no id": ([call("c0"), changed(call(), id=...)], "[1].id", MISSING),
    "id null": ([changed(call(), id=None)], "[0].id", TYPE),
    "id of 65": ([call("c" * 65)], "[0].id", LONG),
    "no function": ([changed(call(), function=...)], "[0].function", MISSING),
    "no name": ([changed(call(), name=...)], "[0].function.name", MISSING),
    "empty name": ([changed(call(), name="")], "[0].function.name", "empty_string"),
    "bad name": ([changed(call(), name="get weather")], "[0].function.name", VALUE),
    "newline after name": ([changed(call(), name="f\n")], "[0].function.name", VALUE),
    "no arguments": ([changed(call(), arguments=...)], "[0].function.arguments", MISSING),
    "arguments an object": ([changed(call(), arguments={})], "[0].function.arguments", TYPE),
    "arguments null": ([changed(call(), arguments=None)], "[0].function.arguments", TYPE),
}


@pytest.mark.parametrize("name", ECHOED)
def test_echoed_calls(name):
    calls, place, code = ECHOED[name]
    assert_refused(request(user(), {**calling(), "tool_calls": calls}), CALLS + place, code)


def schema(**properties):
    return {"type": "object", "properties": properties}


def strict(**more):
    return tool(parameters=schema(a={"type": "string"}) | more, strict=True)


CLOSED = {"additionalProperties": False, "required": ["a"]}
FUNCTION = "tools[0].function"
PARAMETERS = f"{FUNCTION}.parameters"
DEFINITIONS = {
    "an object": ({}, "tools", TYPE, ()),
    "none": ([], "tools", EMPTY, ()),
    "129": ([tool(f"f{i}") for i in range(129)], "tools", LONG_ARRAY, ("128",)),
    "type missing": ([{"function": tool()["function"]}], "tools[0].type", MISSING, ()),
    "flat": ([{"type": "function", **tool()["function"]}], FUNCTION, MISSING, ()),
    "unknown type": ([{**tool(), "type": "web"}], "tools[0].type", VALUE, ("custom",)),
    "name missing": ([{"type": "function", "function": {}}], f"{FUNCTION}.name", MISSING, ()),
    "name with a space": ([tool("get weather")], f"{FUNCTION}.name", VALUE, ("pattern",)),
    "name with a slash": ([tool("a/b")], f"{FUNCTION}.name", VALUE, ()),
    "name with a dot": ([tool(), tool("a.b")], "tools[1].function.name", VALUE, ()),
    "name in Chinese": ([tool("天气")], f"{FUNCTION}.name", VALUE, ()),
    "name of 65": ([tool("f" * 65)], f"{FUNCTION}.name", LONG, ("64",)),
    "description a number": ([tool(description=3)], f"{FUNCTION}.description", TYPE, ()),
    "strict a string": ([tool(strict="yes")], f"{FUNCTION}.strict", TYPE, ()),
    "parameters a list": ([tool(parameters=[])], PARAMETERS, SCHEMA, ("get_weather", "'object'")),
    "required null": (
        [tool(parameters=schema() | {"required": None})], PARAMETERS, SCHEMA,
        ("get_weather", "None is not of type 'array'"),
    ),
    "required true inside": (
        [tool(parameters=schema(a={"type": "string", "required": True}))], PARAMETERS, SCHEMA,
        ("True is not of type 'array'",),
    ),
    "root a string": ([tool(parameters={"type": "string"})], PARAMETERS, SCHEMA, ('"object"',)),
    "root without type": ([tool(parameters={"properties": {}})], PARAMETERS, SCHEMA, ("None",)),
    "array without items": (
        [tool(parameters=schema(tags={"type": "array"}))], PARAMETERS, SCHEMA,
        ("get_weather", "('properties', 'tags')", "missing items"),
    ),
    "array without items, deeper": (
        [tool(parameters=schema(a=schema(b={"anyOf": [{"type": "null"}, {"type": "array"}]})))],
        PARAMETERS, SCHEMA, ("'anyOf', '1'), array",),
    ),
    "object without properties": (
        [tool(parameters={"type": "object"})], PARAMETERS, SCHEMA, ("missing properties",),
    ),
    "properties a list": (
        [tool(parameters={"type": "object", "properties": []})], PARAMETERS, SCHEMA, ("'object'",),
    ),
    "unknown type inside": (
        [tool(parameters=schema(a={"type": "str"}))], PARAMETERS, SCHEMA, ("'str'",),
    ),
    "property not a schema": ([tool(parameters=schema(a="text"))], PARAMETERS, SCHEMA, ("'text'",)),
    "strict, open": (
        [strict(required=["a"])], PARAMETERS, SCHEMA, ("context=()", "additionalProperties"),
    ),
    "strict, true": (
        [strict(required=["a"], additionalProperties=True)], PARAMETERS, SCHEMA, ("to be false",),
    ),
    "strict, open inside": (
        [tool(parameters=schema(a=schema()) | CLOSED, strict=True)], PARAMETERS, SCHEMA,
        ("('properties', 'a')", "additionalProperties"),
    ),
    "strict, open in items": (
        [tool(parameters=schema(a={"type": "array", "items": schema()}) | CLOSED, strict=True)],
        PARAMETERS, SCHEMA, ("('properties', 'a', 'items')",),
    ),
    "strict, open in a definition": (
        [tool(parameters=schema(a={"$ref": "#/$defs/A"}) | CLOSED | {"$defs": {"A": schema()}},
              strict=True)],
        PARAMETERS, SCHEMA, ("('$defs', 'A')",),
    ),
    "strict, not required": (
        [strict(additionalProperties=False)], PARAMETERS, SCHEMA, ("Missing 'a'",),
    ),
    "strict, extra required": (
        [strict(additionalProperties=False, required=["a", "b"])], PARAMETERS, SCHEMA, ("'b'",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DEFINITIONS)
def test_tool_definitions(name):
    tools, param, code, gist = DEFINITIONS[name]
    assert_refused(request(tools=tools), param, code, *gist)


def named(name):
    return {"type": "function", "function": {"name": name}}


def form(**schema):
    return {"type": "json_schema", "json_schema": {"name": "answer", **schema}}


SETTINGS = {
    "tool_choice auto without tools": ({"tool_choice": "auto"}, "tool_choice", None, ("'tools'",)),
    "tool_choice none without tools": ({"tool_choice": "none"}, "tool_choice", None, ("'tools'",)),
    "a bare name": ({**TOOLS, "tool_choice": "get_weather"}, None, None, ("tool_choice",)),
    "flat": (
        {**TOOLS, "tool_choice": {"type": "function", "name": "get_weather"}}, None, None,
        ("tool_choice",),
    ),
    "not listed": ({**TOOLS, "tool_choice": named("f")}, "tool_choice", None, ("'f'",)),
    "allowed, not listed": (
        {**TOOLS, "tool_choice": {"type": "allowed_tools",
                                  "allowed_tools": {"mode": "auto", "tools": [named("f")]}}},
        "tool_choice", None, ("'f'",),
    ),
    "parallel without tools": (
        {"parallel_tool_calls": False}, "parallel_tool_calls", None, ("'tools'",),
    ),
    "stream_options without stream": (
        {"stream_options": {"include_usage": True}}, "stream_options", None, ("'stream'",),
    ),
    "unknown": ({"temprature": 1}, "temprature", "unknown_parameter", ("temprature",)),
    "temperature 3": ({"temperature": 3}, None, None, ("maximum of 2", "temperature")),
    "temperature -1": ({"temperature": -1}, None, None, ("minimum of 0",)),
    "temperature true": ({"temperature": True}, None, None, ("temperature",)),
    "top_p 2": ({"top_p": 2}, None, None, ("maximum of 1",)),
    "max_tokens 0": ({"max_tokens": 0}, "max_tokens", "integer_below_min_value", ()),
    "max_tokens 1.5": ({"max_tokens": 1.5}, "max_tokens", TYPE, ("a number",)),
    "max_completion_tokens -1": (
        {"max_completion_tokens": -1}, "max_completion_tokens", "integer_below_min_value", (),
    ),
    "n 129": ({"n": 129}, "n", "integer_above_max_value", ("128",)),
    "five stops": ({"stop": list("abcde")}, "stop", LONG_ARRAY, ("4",)),
    "stop a number": ({"stop": 3}, "stop", TYPE, ()),
    "stop of numbers": ({"stop": [3]}, "stop[0]", TYPE, ()),
    "stream a string": ({"stream": "yes"}, "stream", TYPE, ("a boolean",)),
    "json_object unmentioned": (
        {"response_format": {"type": "json_object"}}, "messages", None, ("'json'",),
    ),
    "response_format a string": ({"response_format": "json"}, "response_format", TYPE, ()),
    "response_format without type": ({"response_format": {}}, "response_format.type", MISSING, ()),
    "response_format unknown": (
        {"response_format": {"type": "xml"}}, "response_format.type", VALUE, ("'xml'",),
    ),
    "json_schema missing": (
        {"response_format": {"type": "json_schema"}}, "response_format.json_schema", MISSING, (),
    ),
    "json_schema strict, open": (
        {"response_format": form(strict=True, schema=schema(a={"type": "string"}))},
        "response_format", None, ("answer", "additionalProperties"),
    ),
    "functions": ({"functions": [{"name": "f"}]}, "functions", "unsupported_parameter", ("tools",)),
    "audio": ({"modalities": ["text", "audio"]}, "modalities", "unsupported_value", ("text only",)),
}  # fmt: skip


@pytest.mark.parametrize("name", SETTINGS)
def test_settings(name):
    settings, param, code, gist = SETTINGS[name]
    assert_refused(request(**settings), param, code, *gist)


def test_model():
    body = request()
    assert_refused(
        {**body, "model": "gpt-9"}, None, "model_not_found", "gpt-9", "exist", status=404
    )
    assert_refused({**body, "model": None}, None, None, "provide a model")
    assert_refused({**body, "model": 4}, "model", TYPE)
    del body["model"]
    assert_refused(body, None, None, "provide a model")


@pytest.mark.parametrize("body", [[], "hi", None, 3])
def test_a_body_that_is_no_object(body):
    assert_refused(body, None, None, "expected an object")


REPLY = {"content": None, "refusal": None, "annotations": [], "audio": None, "function_call": None}
ACCEPTED = {
    "plain": request(),
    "with tools": request(**TOOLS),
    "reply appended as it came": request(user(), calling(call()) | REPLY, result()),
    "name on a tool message": request(user(), calling(call()), result() | {"name": "get_weather"}),
    "follow-up without tools": request(user(), calling(call()), result(), user("thanks")),
    "results in another order": request(
        user(), calling(call("c1"), call("c2")), result("c2"), result("c1")
    ),
    "content beside calls": request(user(), calling(call(), content="one moment"), result()),
    "content empty beside calls": request(user(), calling(call(), content=""), result()),
    "developer and system": request(
        {"role": "developer", "content": "be brief"}, {"role": "system", "content": "x"}, user()
    ),
    "a function message": request(
        user(), {"role": "function", "name": "get_weather", "content": "Sunny"}
    ),
    "parts": request(user([{"type": "text", "text": "what is this?"}, IMAGE])),
    "parts in a result": request(
        user(), calling(call()), result(content=[{"type": "text", "text": "Sunny"}])
    ),
    "128 calls": request(user(), *answered(*(call(f"c{i}") for i in range(128)))),
    "id of 64": request(user(), *answered(call("c" * 64))),
    "128 tools, name of 64": request(tools=[tool("f" * 61 + f"{i:03}") for i in range(128)]),
    "no parameters": request(tools=[{"type": "function", "function": {"name": "now"}}]),
    "empty properties": request(tools=[tool(parameters=schema())]),
    "free object inside": request(
        tools=[tool(parameters=schema(a={"type": "object", "additionalProperties": True}))]
    ),
    "strict": request(tools=[strict(**CLOSED)]),
    "strict, nullable object": request(
        tools=[
            tool(
                parameters=schema(
                    a={**schema(), "type": ["object", "null"], "additionalProperties": False}
                )
                | CLOSED,
                strict=True,
            )
        ]
    ),
    "parameters called type and items": request(
        tools=[tool(parameters=schema(type={"type": "string"}, items={"type": "string"}))]
    ),
    "choices": request(**TOOLS, tool_choice=named("get_weather"), parallel_tool_calls=False),
    "custom tool": request(tools=[{"type": "custom", "custom": {"name": "shell"}}]),
    "stream options": request(stream=True, stream_options={"include_usage": True}),
    "nulls for settings": request(
        temperature=None, tools=None, tool_choice=None, stop=None, stream_options=None
    ),
    "four stops": request(stop=list("abcd")),
    "json_object": request(user("Answer in JSON."), response_format={"type": "json_object"}),
    "an agent's settings": request(
        temperature=2, top_p=0, n=1, seed=-3, user="u", metadata={"a": "b"}, store=False,
        reasoning_effort="low", service_tier="auto", max_completion_tokens=1,
    ),
    # where public sources disagree or are silent about the hosted API
    "long tool description": request(tools=[tool(description="d" * 5_000)]),
    "default in a strict schema": request(
        tools=[tool(parameters=schema(a={"type": "string", "default": "x"}) | CLOSED, strict=True)]
    ),
    "image in a result": request(user(), calling(call()), result(content=[IMAGE])),
    "unknown field in a message": request(
        user(), {"role": "assistant", "content": "ok", "reasoning_content": "hm"}, user()
    ),
    "two tools of one name": request(tools=[tool(), tool()]),
    "one id twice in a turn": request(user(), calling(call("c1"), call("c1")), result("c1")),
    "an id again in a later turn": request(user(), *answered(call("c1")), *answered(call("c1"))),
    "broken JSON in echoed arguments": request(user(), *answered(call(arguments='{"a":'))),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted_and_unchanged(name):
    body = ACCEPTED[name]
    before = json.dumps(body)
    refusal = judge(body)
    assert refusal is None, refusal.body
    assert json.dumps(body) == before
