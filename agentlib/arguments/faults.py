"""What is wrong with arguments, in the words a model can mend them by."""

from __future__ import annotations

import difflib
import json
import re
from typing import TYPE_CHECKING, Any

from agentlib.arguments.coercion import KINDS, options
from agentlib.errors import ErrorCategory, ToolCallError

if TYPE_CHECKING:
    from agentlib.tools import Tool

MAX_SHOWN = 80  # characters of a wrong value that are repeated back
_NOUNS = {"integer": "an integer", "array": "an array", "object": "an object", "null": "null"}
_LIMITS = {
    "minimum": "at least {}",
    "exclusiveMinimum": "above {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "below {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "pattern": "matching {}",
    "format": "format {}",
}
SAID = frozenset(["type", "enum", "const", *_LIMITS])  # keywords that `expected` puts in words


class Faults:
    """The faults of one call, each a sentence; raised together."""

    def __init__(self, tool: Tool) -> None:
        self.tool, self.root = tool, tool.parameters
        self._found: dict[str, ErrorCategory] = {}

    def missing(self, path: list[Any], schema: Any, given: Any) -> None:
        kind = expected(schema, self.root, "{}, {}").removeprefix("an ").removeprefix("a ")
        names = show_names(given if isinstance(given, dict) else {}) or "nothing"
        text = f"`{path_of(path)}` is required ({kind}). You sent: {names}."
        self._found.setdefault(text, ErrorCategory.MISSING_ARGUMENT)

    def undeclared(self, path: list[Any], declared: list[str]) -> None:
        others = [each for each in declared if each != path[-1]]
        near = difflib.get_close_matches(str(path[-1])[:MAX_SHOWN], others, 1)
        hint = f" Did you mean `{near[0]}`?" if near else ""
        names = show_names(declared) or "none"
        text = f"`{path_of(path)}` is not a parameter. Declared: {names}.{hint}"
        self._found.setdefault(text, ErrorCategory.INVALID_ARGUMENT)

    def wrong(self, path: list[Any], schema: Any, value: Any, detail: str = "") -> None:
        detail = f" {detail.rstrip('.')}." if detail else ""
        name = path_of(path) or "arguments"
        text = f"`{name}` must be {expected(schema, self.root)}.{detail} You sent: {show(value)}."
        self._found.setdefault(text, ErrorCategory.INVALID_ARGUMENT)

    def refuse_if_any(self) -> None:
        """ToolCallError with a line for each fault."""
        if not self._found:
            return
        only_missing = set(self._found.values()) == {ErrorCategory.MISSING_ARGUMENT}
        raise ToolCallError(
            "\n".join(f"{self.tool.name}: {text}" for text in self._found),
            category=ErrorCategory.MISSING_ARGUMENT
            if only_missing
            else ErrorCategory.INVALID_ARGUMENT,
        )


def expected(schema: Any, root: dict[str, Any], form: str = "{} ({})") -> str:
    """What a schema allows: `an integer (1 to 100)`, `one of "basic", "detail"`."""
    words = dict.fromkeys(_one(each, root, form) for each in options(schema, root))
    return " or ".join(words) or "any value"


def _one(schema: dict[str, Any], root: dict[str, Any], form: str) -> str:
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(values, list):
        listed = ", ".join(show(each) for each in values[:40])
        return f"one of {listed}" if len(values) > 1 else listed
    kinds = schema.get("type") or []
    kinds = kinds if isinstance(kinds, list) else [kinds]
    words = " or ".join(_NOUNS.get(each, f"a {each}") for each in kinds) or "any value"
    if "array" in kinds and isinstance(schema.get("items"), dict) and schema["items"]:
        inner = expected(schema["items"], root, form)
        words += f" with {inner} in each place" if len(inner) <= MAX_SHOWN else ""
    keys = [key for key in _LIMITS if key in schema]
    limits = [_LIMITS[key].format(schema[key]) for key in keys]
    if "minimum" in keys and "maximum" in keys:
        others = [_LIMITS[key].format(schema[key]) for key in keys if "imum" not in key]
        limits = [f"{schema['minimum']} to {schema['maximum']}", *others]
    return form.format(words, ", ".join(limits)) if limits else words


def property_of(schema: Any, name: Any, root: dict[str, Any]) -> Any:
    """The schema of one key of an object."""
    found = options(schema, root)
    for each in found:
        if isinstance(each.get("properties"), dict) and name in each["properties"]:
            return each["properties"][name]
    return next(
        (each["additionalProperties"] for each in found if "additionalProperties" in each), {}
    )


def item_of(schema: Any, index: int, root: dict[str, Any]) -> Any:
    """The schema of one place of an array."""
    for each in options(schema, root):
        first = each.get("prefixItems", ())
        if index < len(first):
            return first[index]
        if "items" in each:
            return each["items"]
    return {}


def matches(pattern: str, text: str) -> bool:
    r"""JSON Schema's `pattern`: a search, `\d` is ASCII, `$` is the end, not before a newline.

    A pattern that only ECMAScript knows can't be checked here and matches.
    """
    dollar = r"\\.|\[(?:\\.|[^\]\\])*\]|\$"  # a `$`, but no escaped one and none in a class
    try:
        safe = re.sub(dollar, lambda found: r"\Z" if found[0] == "$" else found[0], pattern)
        return re.search(safe, text, re.ASCII) is not None
    except re.error:
        return True


def show(value: Any) -> str:
    """A value as JSON, 80 characters at most."""
    try:
        return shorten(json.dumps(value, ensure_ascii=False))
    except (ValueError, TypeError, RecursionError):
        return kind(value)


def kind(value: Any) -> str:
    """`an array`, `a string`, or the Python class of what JSON doesn't know."""
    name = KINDS.get(type(value), type(value).__name__)
    return _NOUNS.get(name, f"a {name}")


def shorten(text: str) -> str:
    """80 characters at most, without half characters."""
    cut = f"{text[:MAX_SHOWN]}... ({len(text):,} characters)" if len(text) > MAX_SHOWN else text
    return cut.encode("utf-8", "replace").decode()


def show_names(names: Any) -> str:
    names = list(names)
    more = f" and {len(names) - 40} more" if len(names) > 40 else ""
    return ", ".join(shorten(str(each)) for each in names[:40]) + more


def path_of(parts: list[Any]) -> str:
    """`a.b[0]` from ("a", "b", 0)."""
    text = ""
    for each in parts:
        text += f"[{each}]" if isinstance(each, int) else f".{each}" if text else str(each)
    return shorten(text)
