"""The referee on `tools` and `tool_choice`: definitions, their schemas, and what may be chosen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentlib.offline import refusals as no
from agentlib.offline.protocol_messages import check_function_name

MAX_TOOLS = 128
TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")
_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "not", "if", "then", "else", "contains")


def check_tools(tools: Any) -> None:
    """Each definition is well formed and its schema usable; raises `Refusal`."""
    if not isinstance(tools, list):
        raise no.wrong_type("tools", "an array of objects", tools)
    if not tools:
        raise no.empty_array("tools")
    if len(tools) > MAX_TOOLS:
        raise no.long_array("tools", MAX_TOOLS, len(tools))
    for i, tool in enumerate(tools):
        _check_tool(f"tools[{i}]", tool)


def _check_tool(path: str, tool: Any) -> None:
    if not isinstance(tool, dict):
        raise no.wrong_type(path, "an object", tool)
    if "type" not in tool:
        raise no.missing(f"{path}.type")
    kind = tool["type"]
    if kind not in ("function", "custom"):
        raise no.bad_value(f"{path}.type", kind, ("function", "custom"))
    if kind not in tool:
        raise no.missing(f"{path}.{kind}")
    path, function = f"{path}.{kind}", tool[kind]
    if not isinstance(function, dict):
        raise no.wrong_type(path, "an object", function)
    if "name" not in function:
        raise no.missing(f"{path}.name")
    check_function_name(f"{path}.name", function["name"])
    for key, wanted, words in (("description", str, "a string"), ("strict", bool, "a boolean")):
        if not isinstance(function.get(key), wanted | None):
            raise no.wrong_type(f"{path}.{key}", words, function[key])
    if function.get("parameters") is not None:
        where = f"function '{function['name']}'"
        fault = schema_fault(function["parameters"], strict=bool(function.get("strict")))
        if fault:
            text = f"Invalid schema for {where}: {fault}"
            raise no.Refusal(text, f"{path}.parameters", "invalid_function_parameters")


def schema_fault(schema: Any, *, strict: bool) -> str | None:
    """What is wrong with a schema for an object of arguments, or None."""
    if not isinstance(schema, dict):
        return f"{schema!r} is not of type 'object'."
    if schema.get("type") != "object":
        got = schema.get("type")
        return f"schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{got}\"'."
    if "properties" not in schema:
        return "In context=(), object schema missing properties."
    stack: list[tuple[tuple[str, ...], Any]] = [((), schema)]
    while stack:
        context, node = stack.pop()
        fault = _node_fault(node) or (strict and _strict_fault(node))
        if fault:
            return f"In context={context}, {fault}" if context or strict else fault
        stack.extend(reversed(list(_children(context, node))))
    return None


def _children(context: tuple[str, ...], node: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        if key in _MAPS:
            yield from (((*context, key, name), child) for name, child in value.items())
        elif key in _LISTS or (key == "items" and isinstance(value, list)):
            yield from (((*context, key, str(k)), child) for k, child in enumerate(value))
        elif key in _SINGLE:
            yield (*context, key), value


def _node_fault(node: Any) -> str | None:
    if isinstance(node, bool):
        return None
    if not isinstance(node, dict):
        return f"{node!r} is not of type 'object', 'boolean'."
    for key, value in node.items():
        if key in _MAPS and not isinstance(value, dict):
            return f"{value!r} is not of type 'object'."
        if (key in _LISTS or key in ("required", "enum")) and not isinstance(value, list):
            return f"{value!r} is not of type 'array'."
    for name in node.get("required", ()):
        if not isinstance(name, str):
            return f"{name!r} is not of type 'string'."
    types = node.get("type", [])
    for kind in types if isinstance(types, list) else [types]:
        if kind not in TYPES:
            return f"{kind!r} is not valid under any of the given schemas."
    if types == "array" and not ("items" in node or "prefixItems" in node):
        return "array schema missing items."
    return None


def _strict_fault(node: Any) -> str | None:
    if not isinstance(node, dict):
        return None
    types = node.get("type")
    is_object = types == "object" or (isinstance(types, list) and "object" in types)
    if not is_object and "properties" not in node:
        return None
    if node.get("additionalProperties") is not False:
        return "'additionalProperties' is required to be supplied and to be false."
    properties, required = node.get("properties", {}), node.get("required", [])
    for name in properties:
        if name not in required:
            return (
                "'required' is required to be supplied and to be an array including every key "
                f"in properties. Missing '{name}'."
            )
    for name in required:
        if name not in properties:
            return f"Extra required key '{name}' supplied."
    return None


def check_tool_choice(choice: Any, tools: list[dict[str, Any]]) -> None:
    """A mode, a named tool that is listed, or a subset of the tools; raises `Refusal`."""
    if isinstance(choice, str) and choice in ("none", "auto", "required"):
        return
    kind = choice.get("type") if isinstance(choice, dict) else None
    if kind == "allowed_tools":
        _check_allowed(choice.get("allowed_tools"), tools)
    elif kind in ("function", "custom") and isinstance(choice.get(kind), dict):
        _check_listed(choice, tools)
    else:
        raise no.Refusal(
            "tool_choice is invalid: send 'none', 'auto', 'required' or "
            '{"type": "function", "function": {"name": "..."}}.'
        )


def _check_allowed(allowed: Any, tools: list[dict[str, Any]]) -> None:
    path = "tool_choice.allowed_tools"
    if not isinstance(allowed, dict):
        raise no.wrong_type(path, "an object", allowed)
    for key in ("mode", "tools"):
        if key not in allowed:
            raise no.missing(f"{path}.{key}")
    if allowed["mode"] not in ("auto", "required"):
        raise no.bad_value(f"{path}.mode", allowed["mode"], ("auto", "required"))
    if not isinstance(allowed["tools"], list):
        raise no.wrong_type(f"{path}.tools", "an array of objects", allowed["tools"])
    for entry in allowed["tools"]:
        _check_listed(entry if isinstance(entry, dict) else {}, tools)


def tool_key(tool: dict[str, Any]) -> tuple[str, Any]:
    """(type, name) of a definition or of a choice."""
    kind = tool.get("type")
    part = tool.get(kind) if isinstance(kind, str) else None
    return str(kind), part.get("name") if isinstance(part, dict) else None


def _check_listed(choice: dict[str, Any], tools: list[dict[str, Any]]) -> None:
    key = tool_key(choice)
    if key not in {tool_key(tool) for tool in tools}:
        text = f"Invalid value for 'tool_choice': no tool named '{key[1]}' is in 'tools'."
        raise no.Refusal(text, "tool_choice")
