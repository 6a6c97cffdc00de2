"""What is wrong with arguments, in the words a model can mend them by."""

from __future__ import annotations

import difflib
import json
from typing import Any

from agentlib.coercion import options

MAX_SHOWN = 80  # characters of a wrong value that are repeated back
_ARTICLES = {"integer": "an integer", "array": "an array", "object": "an object", "null": "null"}
_BOUNDS = (
    ("minimum", "at least {}"),
    ("exclusiveMinimum", "above {}"),
    ("maximum", "at most {}"),
    ("exclusiveMaximum", "below {}"),
    ("multipleOf", "a multiple of {}"),
    ("minLength", "at least {} characters"),
    ("maxLength", "at most {} characters"),
    ("minItems", "at least {} items"),
    ("maxItems", "at most {} items"),
    ("pattern", "matching {}"),
    ("format", "format {}"),
)


def show(value: Any) -> str:
    """A value as JSON, 80 characters at most."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError):
        text = repr(value)
    text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}... ({len(text)} characters)"


def expected(schema: Any, root: dict[str, Any]) -> str:
    """What a schema allows, such as "an integer (1 to 100)" or "one of "basic", "detail"."""
    words = [_one(each, root) for each in options(schema, root)]
    return " or ".join(dict.fromkeys(words)) or "nothing"


def _one(schema: dict[str, Any], root: dict[str, Any]) -> str:
    if "const" in schema or isinstance(schema.get("enum"), list):
        values = schema.get("enum", [schema.get("const")])
        return ("one of " if len(values) > 1 else "") + ", ".join(
            show(each) for each in values[:40]
        )
    kinds = schema.get("type", "any value")
    words = " or ".join(_ARTICLES.get(kind, f"a {kind}") for kind in _listed(kinds))
    words = "any value" if kinds == "any value" else words
    if kinds == "array" and isinstance(schema.get("items"), dict) and schema["items"]:
        inner = expected(schema["items"], root)
        words += f" whose items are each {inner}" if len(inner) <= MAX_SHOWN else ""
    if "minimum" in schema and "maximum" in schema:
        limits = [f"{schema['minimum']} to {schema['maximum']}"]
    else:
        limits = [each.format(schema[key]) for key, each in _BOUNDS[:4] if key in schema]
    limits += [each.format(schema[key]) for key, each in _BOUNDS[4:] if key in schema]
    return f"{words} ({', '.join(limits)})" if limits else words


def short(schema: Any, root: dict[str, Any]) -> str:
    """The JSON types alone: "string", "integer or null"."""
    return expected(schema, root).removeprefix("an ").removeprefix("a ")


def missing(path: str, schema: Any, root: dict[str, Any], sent: dict[str, Any]) -> str:
    names = show_names(sent) or "nothing"
    return f"`{path}` is required ({short(schema, root)}). You sent: {names}."


def undeclared(path: str, declared: list[str]) -> str:
    """Names the key, lists the declared ones, and the one probably meant."""
    names = ", ".join(declared) or "none"
    near = difflib.get_close_matches(path.rpartition(".")[2], declared, 1)
    hint = f" Did you mean `{near[0]}`?" if near else ""
    return f"`{show_name(path)}` is not a parameter. Declared: {names}.{hint}"


def wrong(path: str, schema: Any, root: dict[str, Any], value: Any, detail: str = "") -> str:
    detail = f" ({detail})" if detail else ""
    return f"`{path}` must be {expected(schema, root)}{detail}. You sent: {show(value)}."


def show_names(names: Any) -> str:
    return ", ".join(show_name(each) for each in list(names)[:20])


def show_name(name: str) -> str:
    return name if len(name) <= MAX_SHOWN else f"{name[:MAX_SHOWN]}..."


def path_of(parts: Any) -> str:
    """`a.b[0]` from ("a", "b", 0)."""
    text = ""
    for each in parts:
        text += f"[{each}]" if isinstance(each, int) else f".{each}" if text else str(each)
    return show_name(text)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
