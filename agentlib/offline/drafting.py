"""What `tool_choice`, `parallel_tool_calls` and `response_format` make of the planner's plan."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from agentlib.offline.drafts import Draft, draft_of
from agentlib.offline.protocol_tools import tool_key
from agentlib.offline.samples import sample, type_of

Plan = Callable[[dict[str, Any]], Any]  # request -> Reply(content, calls)


def draft_reply(request: dict[str, Any], plan: Plan) -> Draft:
    """The plan for a good request as a draft that keeps to the request's choices."""
    tools, forced = offered(request)
    barred = request.get("tool_choice") == "none"  # the planner says so, if it knows of tools
    reply = plan(request if barred else {**request, "tools": tools})
    names = {tool["function"]["name"] for tool in tools}
    calls = [(name, arguments) for name, arguments in reply.calls if name in names]
    if forced and not calls:
        function = tools[0]["function"]
        calls = [(function["name"], sample(function.get("parameters") or {}) or {})]
    if request.get("parallel_tool_calls") is False:
        calls = calls[:1]
    content = reply.content
    if not calls:
        content = _formed(request, content or "", plan)
    return draft_of(content, calls)


def offered(request: dict[str, Any]) -> tuple[list[dict[str, Any]], bool]:
    """The function tools that may be called now, and whether one must be."""
    tools = [tool for tool in request.get("tools") or () if tool["type"] == "function"]
    choice = request.get("tool_choice") or "auto"
    if choice == "none":
        return [], False
    if isinstance(choice, str):
        return tools, choice == "required" and bool(tools)
    if choice["type"] == "allowed_tools":
        allowed = choice["allowed_tools"]
        keys = {tool_key(entry) for entry in allowed["tools"]}
        tools = [tool for tool in tools if tool_key(tool) in keys]
        return tools, allowed["mode"] == "required" and bool(tools)
    tools = [tool for tool in tools if tool_key(tool) == tool_key(choice)]
    return tools, bool(tools)


def _formed(request: dict[str, Any], text: str, plan: Plan) -> str:
    """The text as the response format wants it: the planner's own form, if it holds."""
    form = request.get("response_format") or {"type": "text"}
    if form["type"] == "text" or (form["type"] == "json_object" and _is_json_object(text)):
        return text
    if form["type"] == "json_object":
        return json.dumps({"answer": text}, ensure_ascii=False)
    return _by_schema(request, text, plan)


def _by_schema(request: dict[str, Any], text: str, plan: Plan) -> str:
    """JSON that the request's schema allows.

    Filled from results by the planner's own form, else from the user's text, else a sample.
    """
    form = request["response_format"]["json_schema"]
    schema = form.get("schema") or {"type": "object"}
    done = any(message["role"] == "tool" for message in request["messages"])
    read = {} if done else _extracted(request, form["name"], schema, plan)
    if not read and _fits(text, schema):
        return text
    if _is_json_object(text):
        text = plan({**request, "tools": [], "response_format": None}).content or ""
    value = sample(schema)
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    properties = schema.get("properties") or {}
    for name in value:
        if type_of(properties.get(name)) == "string" and not _is_narrow(properties[name]):
            value[name] = text
            break
    made = json.dumps({**value, **read}, ensure_ascii=False)
    return made if _fits(made, schema) else json.dumps(value, ensure_ascii=False)


def _fits(text: str, schema: dict[str, Any]) -> bool:
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(schema)
        return Draft202012Validator(schema).is_valid(json.loads(text))
    except (ValueError, SchemaError):
        return False


def _is_narrow(schema: dict[str, Any]) -> bool:
    keys = ("enum", "const", "pattern", "format", "maxLength")
    return any(key in schema for key in keys)


def _is_json_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _extracted(
    request: dict[str, Any], name: str, schema: dict[str, Any], plan: Plan
) -> dict[str, Any]:
    """The schema's fields as the planner reads them from the text, as if it were a tool's."""
    function = {"name": name, "description": "Give the answer.", "parameters": schema}
    tool = {"type": "function", "function": function}
    reply = plan({**request, "tools": [tool], "tool_choice": "required", "response_format": None})
    for called, arguments in reply.calls:
        if called == name:
            return {key: arguments[key] for key in arguments if key in schema.get("properties", {})}
    return {}
