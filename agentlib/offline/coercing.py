"""A value in the type its schema wants, and the words that stand for an enum value."""

from __future__ import annotations

import re
from typing import Any

from agentlib.offline.schemas import hints_of, type_of
from agentlib.offline.values import as_number
from agentlib.offline.words import city_names, nearest


def coerce(value: Any, schema: dict[str, Any]) -> Any:
    """A value given as text in the type the schema wants; None when it does not fit."""
    kind = type_of(schema)
    if schema.get("enum"):
        low = {str(c).lower(): c for c in schema["enum"]}
        hit = low.get(str(value).strip().lower())
        return hit if hit is not None else enum_in(schema, str(value))
    if kind in ("integer", "number") and not isinstance(value, (int, float)):
        match = re.search(r"-?\d+(?:\.\d+)?", str(value).replace(",", ""))
        if not match:
            return None
        result = as_number(match[0])
        return int(result) if kind == "integer" else result
    if kind == "boolean" and not isinstance(value, bool):
        low = str(value).lower()
        return (
            True
            if low in ("true", "yes", "on", "是")
            else False
            if low in ("false", "no", "off", "否")
            else None
        )
    if kind == "array" and not isinstance(value, list):
        return [value]
    if kind == "string" and not isinstance(value, str):
        return str(value)
    return value


_EVERY = {
    "daily": ["every day", "each day"],
    "weekly": ["every week", "each week"],
    "monthly": ["every month", "each month"],
    "yearly": ["every year", "each year"],
    "hourly": ["every hour", "each hour"],
}


def aliases(choice: str, hints: str) -> list[str]:
    """`Beijing (北京)`, `logistics: 物流, delivery`, `北京=Beijing` in a description."""
    name = re.escape(choice)
    found = re.findall(
        rf"(?<!\w){name}['\"]?\s*(?:[(（]|[:：=]|\bmeans\b|表示)\s*([^,;，；)）|.。]+)", hints, re.I
    )
    found += re.findall(rf"([\u3400-\u9fff]+)\s*[(（:：=]\s*['\"]?{name}(?!\w)", hints, re.I)
    found += [*_EVERY.get(choice.lower(), []), *city_names(choice)]
    return [p.strip() for f in found for p in re.split(r"[/、]|\bor\b", f) if len(p.strip()) > 1]


def enum_in(schema: dict[str, Any], text: str) -> Any:
    """The one enum value that a text names, or None."""
    for choice in schema["enum"]:
        spellings = [str(choice), *aliases(str(choice), hints_of(schema))]
        if any(re.search(re.escape(s), text, re.I) for s in spellings):
            return choice
    close = nearest(text.strip(), [str(c) for c in schema["enum"]])
    return next((c for c in schema["enum"] if str(c) == close), None) if close else None
