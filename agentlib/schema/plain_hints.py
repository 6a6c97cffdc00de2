"""JSON Schema of everyday hints without pydantic: a thousand tools have to be cheap."""

from __future__ import annotations

import math
import types
import typing
from typing import Any

from agentlib.schema.signature import EMPTY, Parameter

_KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_UNIONS = (typing.Union, types.UnionType)


def plain_property(parameter: Parameter) -> dict[str, Any] | None:
    """The schema with its default; None where pydantic has to do it."""
    schema, default = plain_schema(parameter.hint), parameter.default
    if schema is None or default is EMPTY:
        return schema
    if not _is_plain_value(default):
        return None
    if default is None and schema and not allows_none(parameter.hint):
        schema = {"anyOf": [schema, {"type": "null"}]}
    return {**schema, "default": default}


def plain_schema(hint: Any) -> dict[str, Any] | None:
    """`str`, `list[int]`, `float | None`, a Literal of strings, …; None for anything else."""
    if isinstance(hint, type) and hint in _KINDS:
        return {"type": _KINDS[hint]}
    if hint is Any:
        return {}
    origin, parts = take_apart(hint)
    if origin is typing.Annotated and all(isinstance(each, str) for each in parts[1:]):
        return plain_schema(parts[0])
    if origin is typing.Literal and len({type(each) for each in parts}) == 1:
        kind = _KINDS.get(type(parts[0]))
        return {"type": kind, "enum": list(parts)} if kind in ("string", "integer") else None
    if origin is list and len(parts) == 1:
        items = plain_schema(parts[0])
        return None if items is None else {"type": "array", "items": items}
    if origin in _UNIONS:
        options = [plain_schema(each) for each in parts]
        return {"anyOf": options} if all(options) else None
    return None


def take_apart(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """typing's `get_origin` and `get_args` in one, several times as fast."""
    if type(hint) is types.UnionType:
        return types.UnionType, hint.__args__
    if hasattr(hint, "__metadata__"):
        return typing.Annotated, (hint.__origin__, *hint.__metadata__)
    return getattr(hint, "__origin__", None), getattr(hint, "__args__", ())


def allows_none(hint: Any) -> bool:
    """True when None is one of the hint's values."""
    origin, parts = take_apart(hint)
    if origin is typing.Annotated:
        return allows_none(parts[0])
    if origin is typing.Literal:
        return None in parts
    if origin in _UNIONS:
        return any(map(allows_none, parts))
    return hint in (Any, None, type(None), object)


def own_text(parameter: Parameter) -> str | None:
    """What the hint itself says of the parameter: a Field's description, or a plain string."""
    if type(parameter.hint) is type and not parameter.in_field:
        return None
    found = [*_metadata(parameter.hint), *([parameter.default] if parameter.in_field else [])]
    texts = [getattr(each, "description", None) for each in found if not isinstance(each, str)]
    return next((each for each in [*texts, *found] if each and isinstance(each, str)), None)


def _metadata(hint: Any) -> list[Any]:
    origin, parts = take_apart(hint)
    if origin in _UNIONS:
        return [each for part in parts for each in _metadata(part)]
    return list(parts[1:]) if origin is typing.Annotated else []


def _is_plain_value(value: Any) -> bool:
    if type(value) is list:
        return all(map(_is_plain_value, value))
    return (
        value is None
        or type(value) in (str, int, bool)
        or (type(value) is float and math.isfinite(value))
    )
