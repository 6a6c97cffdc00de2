"""The strict form of a schema: what the hosted API guarantees a model's arguments will match."""

from __future__ import annotations

import json
from typing import Any

from agentlib.schema.inlining import map_subschemas

_KEPT = frozenset(
    [
        *("type", "description", "enum", "const", "properties", "required", "items", "anyOf"),
        *("additionalProperties", "$ref", "$defs", "pattern", "format", "multipleOf"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"),
    ]
)
_LOOSENED = frozenset(  # narrows or comments: dropped here, still checked when the call comes
    [
        *("default", "examples", "title", "minLength", "maxLength", "uniqueItems", "prefixItems"),
        *("contentEncoding", "contentMediaType", "readOnly", "writeOnly", "deprecated"),
        *("$comment", "$schema", "$id"),
    ]
)
_FORMATS = frozenset(
    [
        *("date-time", "time", "date", "duration", "email"),
        *("hostname", "ipv4", "ipv6", "uuid"),
    ]
)


class _NotStrict(Exception):
    """Raised where a schema says something the strict form can't."""


def strict_schema(parameters: dict[str, Any]) -> dict[str, Any] | None:
    """The parameters with every object closed, everything required and optional ones nullable.

    None when the strict form can't say it (free-form objects, untyped values, conditions):
    then the tool is sent with `strict: false`. A null for an optional one means: left out.
    """
    if parameters.get("type") != "object" or "anyOf" in parameters or "oneOf" in parameters:
        return None
    try:
        return _strict(parameters)
    except _NotStrict:
        return None


def _strict(schema: Any) -> dict[str, Any]:
    if not isinstance(schema, dict) or not schema:
        raise _NotStrict
    if "$ref" in schema:
        if not schema["$ref"].startswith("#"):
            raise _NotStrict
        return {"$ref": schema["$ref"]}
    if "oneOf" in schema and "anyOf" not in schema:
        schema = {("anyOf" if key == "oneOf" else key): value for key, value in schema.items()}
    schema = {k: v for k, v in schema.items() if k != "format" or v in _FORMATS}
    unknown = set(schema) - _KEPT - _LOOSENED
    if unknown or not schema.keys() & {"type", "anyOf", "enum", "const"}:
        raise _NotStrict
    out = {k: v for k, v in schema.items() if k in _KEPT and k != "additionalProperties"}
    types = schema.get("type")
    if types == "object" or isinstance(types, list) and "object" in types:
        out = _closed(schema, out)
    is_array = types == "array" or isinstance(types, list) and "array" in types
    if is_array and not isinstance(out.get("items"), dict):
        raise _NotStrict
    return map_subschemas(out, _strict)


def _closed(schema: dict[str, Any], out: dict[str, Any]) -> dict[str, Any]:
    properties, extra = schema.get("properties"), schema.get("additionalProperties", False)
    required = schema.get("required") or []
    if extra is not False or not isinstance(properties, dict) or set(required) - set(properties):
        raise _NotStrict
    if not properties and "additionalProperties" not in schema:
        raise _NotStrict
    filled = {
        name: each if name in required else _nullable(each) for name, each in properties.items()
    }
    return {
        **out,
        "properties": filled,
        "required": list(properties),
        "additionalProperties": False,
    }


def _nullable(schema: Any) -> Any:
    """The same or null; the default, which the strict form has no place for, told in words."""
    if not isinstance(schema, dict) or not schema:
        raise _NotStrict
    schema = dict(schema)
    if schema.get("default") is not None:
        told = f"null means the default: {json.dumps(schema['default'], ensure_ascii=False)}."
        schema["description"] = f"{schema.get('description', '')} {told}".strip()
    if "enum" in schema and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]
    if isinstance(schema.get("type"), str) and "const" not in schema:
        return {**schema, "type": [schema["type"], "null"] if schema["type"] != "null" else "null"}
    if isinstance(schema.get("type"), list):
        return {**schema, "type": [*schema["type"], *({"null"} - set(schema["type"]))]}
    text = {"description": schema.pop("description")} if "description" in schema else {}
    options = schema.get("anyOf", [schema])
    return {
        **text,
        "anyOf": [*options, *([] if {"type": "null"} in options else [{"type": "null"}])],
    }
