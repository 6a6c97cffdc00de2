"""The few values a model writes in the wrong JSON type and plainly means in the right one.

For an integer: 140.0 and "3". For a number: "1e3". For a boolean: "true" and "false". For an array
or an object: its JSON written as a string. Nothing else is ever changed, and where a string is
allowed, no string is.
"""

from __future__ import annotations

import json
import re
from typing import Any

EXACT = 2**53  # the largest float up to which every integer is exact
MAX_DIGITS = 1_000  # of an integer: far below where Python and pydantic stop
KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
KINDS |= {list: "array", dict: "object"}


def dereference(schema: Any, root: dict[str, Any]) -> dict[str, Any]:
    """The schema that local `$ref`s lead to, siblings kept; {} for a boolean or a dead end."""
    for _ in range(20):
        if not isinstance(schema, dict):
            return {}
        if not isinstance(schema.get("$ref"), str):
            return schema
        target: Any = root
        for part in schema["$ref"].removeprefix("#").strip("/").split("/"):
            part = part.replace("~1", "/").replace("~0", "~")
            target = (target.get(part) if isinstance(target, dict) else None) if part else target
        siblings = {k: v for k, v in schema.items() if k != "$ref"}
        schema = {**target, **siblings} if isinstance(target, dict) else {}
    return {}


def options(schema: Any, root: dict[str, Any]) -> list[dict[str, Any]]:
    """The alternatives of a schema, unions taken apart."""
    schema = dereference(schema, root)
    inner = schema.get("anyOf") or schema.get("oneOf")
    if not isinstance(inner, list):
        return [schema]
    return [leaf for each in inner if each is not schema for leaf in options(each, root)]


def kinds_of(schema: dict[str, Any]) -> set[str] | None:
    """The JSON types one alternative allows; None when it allows any."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return {kind}
    if isinstance(kind, list):
        return set(kind)
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    return {KINDS[type(each)] for each in values} if isinstance(values, list) else None


def coerce(value: Any, schema: Any, root: dict[str, Any], *, drop_nulls: bool = False) -> Any:
    """`value` with the coercions above done wherever the schema asks for them.

    drop_nulls: a null for an optional key that allows none is left out, as the strict form means.
    """
    found = options(schema, root)
    kinds = [kinds_of(each) for each in found]
    if None in kinds:
        return value
    value = _convert(value, set().union(*kinds))  # type: ignore[arg-type]
    fitting = [each for each, kind in zip(found, kinds, strict=True) if KINDS[type(value)] in kind]
    if len(fitting) != 1:
        return value
    if isinstance(value, list):
        first = fitting[0].get("prefixItems", [])
        rest = [fitting[0].get("items", {})] * max(0, len(value) - len(first))
        pairs = zip(value, [*first, *rest], strict=False)
        return [coerce(each, inner, root, drop_nulls=drop_nulls) for each, inner in pairs]
    if isinstance(value, dict):
        return _coerce_object(value, fitting[0], root, drop_nulls)
    return value


def _coerce_object(
    value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], drop_nulls: bool
) -> dict[str, Any]:
    properties, extra = schema.get("properties", {}), schema.get("additionalProperties", {})
    out = {}
    for key, each in value.items():
        inner = properties.get(key, extra)
        if each is None and drop_nulls and key in properties:
            kinds = [kinds_of(option) for option in options(inner, root)]
            allowed = any(kind is None or "null" in kind for kind in kinds)
            if not allowed and key not in schema.get("required", ()):
                continue
        out[key] = coerce(each, inner, root, drop_nulls=drop_nulls)
    return out


def _convert(value: Any, kinds: set[str]) -> Any:
    if isinstance(value, float) and "integer" in kinds and "number" not in kinds:
        return int(value) if value.is_integer() and abs(value) <= EXACT else value
    if not isinstance(value, str) or "string" in kinds:
        return value
    try:
        decoded = read_json(value)
    except ValueError:
        return value
    kind = KINDS[type(decoded)]
    if kind in ("array", "object") and kind in kinds:
        return decoded
    if value != value.strip():
        return value
    if kind == "boolean" and kind in kinds or kind == "integer" and "integer" in kinds:
        return decoded
    return float(decoded) if kind in ("integer", "number") and "number" in kinds else value


def read_json(text: str) -> Any:
    """JSON as the standard says it: no NaN, no key twice, no half characters, 64 levels at most.

    ValueError with the reason.
    """
    try:
        value = json.loads(
            text, parse_constant=_refuse, parse_int=_integer, object_pairs_hook=_unique
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return check_json(value)


def check_json(value: Any) -> Any:
    """The value itself; ValueError when it is not JSON all the way down."""
    stack = [(value, 1)]
    while stack:
        each, depth = stack.pop()
        if type(each) not in KINDS:
            raise ValueError(f"a {type(each).__name__} is not JSON")
        if depth > 64:
            raise ValueError("it is nested more than 64 levels deep")
        if isinstance(each, float) and (each != each or each in (float("inf"), float("-inf"))):
            raise ValueError(f"{each} is not a JSON number")
        if isinstance(each, int) and each.bit_length() > MAX_DIGITS * 3:
            raise ValueError(f"it holds a number of more than {MAX_DIGITS:,} digits")
        if isinstance(each, str) and re.search("[\ud800-\udfff]", each):
            raise ValueError("it holds half a surrogate pair, which is not a character")
        if isinstance(each, dict):
            stack += [(key if isinstance(key, str) else object(), depth) for key in each]
            stack += [(inner, depth + 1) for inner in each.values()]
        if isinstance(each, list):
            stack += [(inner, depth + 1) for inner in each]
    return value


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"it holds a number of more than {MAX_DIGITS:,} digits")
    return int(text)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key in out:
            raise ValueError(f"the key {key!r} stands twice in one object")
        out[key] = value
    return out
