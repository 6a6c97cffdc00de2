"""JSON Schema from a function: its hints, defaults and docstring are the one source."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agentlib.docstrings import read_docstring
from agentlib.signature import EMPTY, Parameter, inner_function, name_of, read_parameters
from agentlib.strict import map_subschemas, strict_schema

__all__ = ["Described", "describe_function", "signature_model", "strict_schema"]

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_UNIONS = (typing.Union, types.UnionType)


@dataclass(frozen=True)
class Described:
    """What a model is told about a function, and the parameters that was read from."""

    name: str
    description: str
    parameters: dict[str, Any]
    signature: tuple[Parameter, ...]


def describe_function(function: Callable[..., Any]) -> Described:
    """Name, description and parameter schema of a callable.

    TypeError, ValueError: what no schema can describe, with what to change.
    """
    name, signature = name_of(function), read_parameters(function)
    description, texts = describe_text(function)
    plain = {p.name: _plain_property(p) for p in signature}
    if all(schema is not None for schema in plain.values()):
        required = [p.name for p in signature if p.default is EMPTY]
        schema: dict[str, Any] = {"type": "object", "properties": plain, "required": required}
    else:
        schema = _model_schema(name, signature)
    for each in signature:
        text = _annotated_text(each.hint) or texts.get(each.name)
        if text:
            schema["properties"][each.name].setdefault("description", text)
    return Described(name, description, {**schema, "additionalProperties": False}, signature)


def describe_text(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """(description, parameter texts); without a docstring the name in words."""
    inner = inner_function(function)
    text = inner.__doc__
    if not text and inner.__name__ == "__call__":
        text = type(function).__doc__
    description, texts = read_docstring(text)
    return description or name_of(function).replace("_", " ").strip(), texts


def signature_model(name: str, signature: tuple[Parameter, ...]) -> Any:
    """A pydantic model of the parameters: field p0 has the first one's name as its alias.

    The alias lets a parameter be called `schema`, `copy` or `_x`, which a field may not be.
    """
    from pydantic import ConfigDict, Field, create_model
    from pydantic.errors import PydanticUserError

    fields: dict[str, Any] = {}
    for index, each in enumerate(signature):
        hint = each.hint
        if each.default is None and not _allows_none(hint):
            hint = hint | None if isinstance(hint, type) else typing.Optional[hint]  # noqa: UP045
        alias = Field(alias=each.name, validation_alias=each.name)
        default = ... if each.default is EMPTY else each.default
        fields[f"p{index}"] = (typing.Annotated[hint, alias], default)
    try:
        return create_model(name, __config__=ConfigDict(extra="forbid"), **fields)
    except PydanticUserError as error:
        raise _no_schema(name, signature, error) from error


def _model_schema(name: str, signature: tuple[Parameter, ...]) -> dict[str, Any]:
    """The schema by pydantic, cleaned of what a model has no use for."""
    from pydantic.errors import PydanticUserError
    from pydantic.json_schema import GenerateJsonSchema

    class Quiet(GenerateJsonSchema):
        ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}

    try:
        raw = signature_model(name, signature).model_json_schema(schema_generator=Quiet)
    except PydanticUserError as error:
        raise _no_schema(name, signature, error) from error
    raw.pop("description", None)
    clean = _Cleaner(raw.pop("$defs", {}))
    schema = {"type": "object", "properties": {}, "required": [], **clean(raw)}
    if clean.kept:
        schema["$defs"] = clean.kept
    return schema


def _no_schema(name: str, signature: tuple[Parameter, ...], error: Exception) -> TypeError:
    from pydantic import TypeAdapter
    from pydantic.errors import PydanticUserError

    guilty = "one of its parameters"
    for each in signature:
        try:
            TypeAdapter(each.hint).json_schema()
        except PydanticUserError:
            guilty = f"parameter `{each.name}` ({getattr(each.hint, '__name__', each.hint)})"
            break
    return TypeError(
        f"{name}: {guilty} has a type that JSON can't carry. Use a JSON type, a dataclass or a "
        f"pydantic model, or bind the value with functools.partial. ({str(error).splitlines()[0]})"
    )


class _Cleaner:
    """Inlines definitions that don't contain themselves and drops `title`; `kept` holds the rest."""

    def __init__(self, definitions: dict[str, Any]) -> None:
        self._definitions = definitions
        self._open: list[str] = []
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
        name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
        if name in self._recursive:
            if name not in self.kept:
                self.kept[name] = {}  # stands here already when the definition meets itself
                self.kept[name] = self(self._definitions[name])
        elif name:
            return self(
                {**self._definitions[name], **{k: schema[k] for k in schema if k != "$ref"}}
            )
        schema = map_subschemas(schema, self)
        if "const" in schema:
            schema["enum"] = [schema.pop("const")]
        if schema.get("type") == "object":
            schema = {**schema, "properties": schema.get("properties", {})}
            schema.setdefault("additionalProperties", False)
        return _with_items(schema) if schema.get("type") == "array" else schema


def _with_items(schema: dict[str, Any]) -> dict[str, Any]:
    """A tuple's array gets `items` too: the hosted API refuses an array without."""
    members = schema.get("prefixItems", [])
    if members and all(each == members[0] for each in members):
        schema = {k: v for k, v in schema.items() if k != "prefixItems"}
        return {**schema, "items": members[0]}
    return {"items": {"anyOf": members} if members else {}, **schema}


def _references(node: Any) -> set[str]:
    if isinstance(node, dict):
        own = (
            {node["$ref"].removeprefix("#/$defs/")} if isinstance(node.get("$ref"), str) else set()
        )
        return own.union(*map(_references, node.values()))
    return set().union(*map(_references, node)) if isinstance(node, list) else set()


def _plain_property(parameter: Parameter) -> dict[str, Any] | None:
    """The fast way for everyday hints; None where pydantic has to do it."""
    schema, default = _plain(parameter.hint), parameter.default
    if schema is None or default is EMPTY:
        return schema
    if default is None and not _allows_none(parameter.hint):
        schema = {"anyOf": [schema, {"type": "null"}]} if schema else {}
    if default is None or type(default) in (str, int, bool):
        return {**schema, "default": default}
    return None


def _plain(hint: Any) -> dict[str, Any] | None:
    if isinstance(hint, type) and hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if hint is Any:
        return {}
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated and all(isinstance(each, str) for each in parts[1:]):
        return _plain(parts[0])
    if origin is typing.Literal and len({type(each) for each in parts}) == 1:
        kind = _PLAIN.get(type(parts[0]))
        return {"type": kind, "enum": list(parts)} if kind in ("string", "integer") else None
    if origin is list:
        items = _plain(parts[0])
        return None if items is None else {"type": "array", "items": items}
    if origin in _UNIONS:
        options = [_plain(each) for each in parts]
        return {"anyOf": options} if all(options) else None
    return None


def _allows_none(hint: Any) -> bool:
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _allows_none(parts[0])
    if origin in _UNIONS or origin is typing.Literal:
        return any(each is None or each is type(None) or _allows_none(each) for each in parts)
    return hint is Any or hint is None or hint is type(None) or hint is object


def _annotated_text(hint: Any) -> str | None:
    metadata = getattr(hint, "__metadata__", ())
    return next((each for each in metadata if isinstance(each, str)), None)
