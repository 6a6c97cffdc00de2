"""What a tool's options may hold; a wrong one is refused where the tool is made."""

from __future__ import annotations

import difflib
import inspect
from typing import TYPE_CHECKING, Any

from agentlib.schema.inlining import map_subschemas

if TYPE_CHECKING:
    from agentlib.tools import Tool


def check_options(tool: Tool) -> None:
    """ValueError: an option of the tool that could only fail later, with the rule."""
    limit, retries = tool.timeout, tool.max_retries
    if limit is not None and not (_is_number(limit) and limit > 0):
        raise ValueError(
            f"tool {tool.name}: timeout must be a number of seconds above 0, got {limit!r}. "
            "None means the executor's default."
        )
    if not (_is_number(retries) and retries >= 0 and retries == int(retries)):
        raise ValueError(
            f"tool {tool.name}: max_retries must be a whole number of at least 0, got {retries!r}."
        )
    asks = callable(tool.confirm) and not inspect.iscoroutinefunction(tool.confirm)
    if not (isinstance(tool.confirm, bool) or asks):
        raise ValueError(
            f"tool {tool.name}: confirm must be True, False, or a plain (not async) "
            f"function that is given the arguments and returns the question. Got {tool.confirm!r}."
        )
    if tool.rate_limit is not None:
        from agentlib.layers.rate_limit import parse_rate

        parse_rate(tool.rate_limit, tool.name)


def refuse_unknown(options: dict[str, Any], known: list[str]) -> None:
    """TypeError: an option that no tool has, with the nearest that there is."""
    for name in options:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."
            raise TypeError(f"a tool has no option {name!r}: {hint}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def words(value: Any) -> tuple[str, ...]:
    """One word, or several, as a tuple."""
    return (value,) if isinstance(value, str) else tuple(value)


def object_schema(schema: Any, name: str) -> dict[str, Any]:
    """The hand-written schema with `type` and `properties`, which the hosted API asks for."""
    known = isinstance(schema, dict) and (not schema or schema.keys() & {"type", "properties"})
    if known and schema.get("type", "object") == "object":
        return _completed({"type": "object", "properties": {}, **schema})
    raise ValueError(
        f"tool {name}: parameters must be a JSON Schema of type object, such as "
        f'{{"type": "object", "properties": {{"city": {{"type": "string"}}}}}}. Got {schema!r:.200}'
    )


def _completed(schema: Any) -> Any:
    """Arrays with `items` and no null for `required`: else the hosted API refuses the request."""
    if not isinstance(schema, dict):
        return schema
    schema = {k: v for k, v in schema.items() if k != "required" or v is not None}
    kinds = schema.get("type")
    is_array = kinds == "array" or isinstance(kinds, list) and "array" in kinds
    if is_array and not schema.keys() & {"items", "prefixItems"}:
        schema["items"] = {}
    return map_subschemas(schema, _completed)
