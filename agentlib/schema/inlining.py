"""Schemas walked and tidied: definitions inlined, titles dropped, shapes that the API wants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "not", "if", "then", "else", "contains")
_SINGLE += ("propertyNames",)
_FIRST = ("type", "description", "enum")  # in this order, as a person would write them


def map_subschemas(schema: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    """A copy with `change` done to every schema directly inside; names and values stay."""
    out = {}
    for key, value in schema.items():
        if key in _MAPS and isinstance(value, dict):
            value = {name: change(each) for name, each in value.items()}
        elif key in _LISTS and isinstance(value, list):
            value = [change(each) for each in value]
        elif key in _SINGLE and isinstance(value, dict):
            value = change(value)
        out[key] = value
    return out


def inline(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without `title`, and with `$defs` only for what contains itself."""
    schema = dict(schema)
    clean = _Cleaner(schema.pop("$defs", {}))
    schema = clean(schema)
    return {**schema, "$defs": clean.kept} if clean.kept else schema


class _Cleaner:
    """Cleans one schema after the other; `kept` holds the definitions still referred to."""

    def __init__(self, definitions: dict[str, Any]) -> None:
        self._definitions = definitions
        self.kept: dict[str, Any] = {}
        reached = {name: _references(each) for name, each in definitions.items()}
        for _ in definitions:
            for names in reached.values():
                names.update(*(reached[name] for name in tuple(names)))
        self._recursive = {name for name, names in reached.items() if name in names}

    def __call__(self, schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        schema = {k: v for k, v in schema.items() if k not in ("title", "discriminator")}
        name = _target(schema)
        if name in self._recursive:
            if name not in self.kept:
                self.kept[name] = {}  # stands here already when the definition meets itself
                self.kept[name] = self(self._definitions[name])
        elif name is not None:
            del schema["$ref"]
            return self({**self._definitions[name], **schema})
        return _tidy(map_subschemas(schema, self))


def _tidy(schema: dict[str, Any]) -> dict[str, Any]:
    if "const" in schema:
        schema["enum"] = [schema.pop("const")]
    if schema.get("type") == "object":
        schema.setdefault("properties", {})
        schema.setdefault("additionalProperties", False)
    if schema.get("type") == "array":
        members = schema.get("prefixItems", [])
        same = bool(members) and all(each == members[0] for each in members)
        if same:
            schema["items"] = schema.pop("prefixItems")[0]
        elif "items" not in schema:  # the hosted API refuses an array without
            schema["items"] = {"anyOf": members} if members else {}
    return {**{key: schema[key] for key in _FIRST if key in schema}, **schema}


def _target(schema: dict[str, Any]) -> str | None:
    reference = schema.get("$ref")
    return reference.removeprefix("#/$defs/") if isinstance(reference, str) else None


def _references(node: Any) -> set[str]:
    if isinstance(node, list):
        return set().union(*map(_references, node))
    if not isinstance(node, dict):
        return set()
    own = _target(node)
    return ({own} if own else set()).union(*map(_references, node.values()))
