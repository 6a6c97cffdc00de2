"""The smallest value a JSON Schema allows: what the model writes when it must write something."""

from __future__ import annotations

from typing import Any

_FORMATS = {
    "date": "2026-01-01",
    "date-time": "2026-01-01T09:00:00Z",
    "time": "09:00:00Z",
    "email": "someone@example.com",
    "uri": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
MAX_DEPTH = 12  # levels after which a schema that refers to itself is given up


def sample(schema: Any, root: Any = None, depth: int = 0) -> Any:
    """A value for `schema`: its const, default or first enum value, else an almost empty one.

    root: the schema that `$ref` points into. A pattern is not honoured.
    """
    root = schema if root is None else root
    schema = resolve(schema, root)
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        return None
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    for key in ("enum", "examples"):
        if schema.get(key):
            return schema[key][0]
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key):
            return sample(schema[key][0], root, depth + 1)
    return _of_type(type_of(schema), schema, root, depth)


def _of_type(kind: str | None, schema: dict[str, Any], root: Any, depth: int) -> Any:
    if kind == "object":
        properties = schema.get("properties") or {}
        required = schema.get("required") or ()
        return {
            name: sample(properties.get(name), root, depth + 1)
            for name in required
            if name in properties
        }
    if kind == "array":
        count = schema.get("minItems", 0)
        return [sample(schema.get("items"), root, depth + 1) for _ in range(count)]
    if kind in ("integer", "number"):
        return _number(schema)
    if kind == "boolean":
        return False
    if kind == "string":
        text = _FORMATS.get(schema.get("format", ""), "example")
        return text[: schema.get("maxLength", len(text))].ljust(schema.get("minLength", 0), "x")
    return None


def _number(schema: dict[str, Any]) -> Any:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    if low is not None:
        return low + ("minimum" not in schema)
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    return min(1, high - ("maximum" not in schema)) if high is not None else 1


def resolve(schema: Any, root: Any) -> Any:
    """`schema`, or what its local `$ref` (`#/$defs/Name`) names."""
    seen = 0
    while isinstance(schema, dict) and isinstance(schema.get("$ref"), str) and seen < MAX_DEPTH:
        seen, target = seen + 1, root
        for key in schema["$ref"].lstrip("#/").split("/"):
            target = target.get(key) if isinstance(target, dict) and key else target
        schema = target
    return schema


def type_of(schema: Any) -> str | None:
    """The one type that matters: the first that is not null, looking into `anyOf` too."""
    if not isinstance(schema, dict):
        return None
    kinds = schema.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    found = next((kind for kind in kinds if kind not in (None, "null")), None)
    if found is None and "properties" in schema:
        return "object"
    options = (type_of(option) for option in schema.get("anyOf") or schema.get("oneOf") or ())
    return found or next((kind for kind in options if kind), None)
