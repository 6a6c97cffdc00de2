"""Arguments against a function's hints, by pydantic: as strict as JSON allows.

A date is a string there, an Enum its value, a tuple an array, and instances come out.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agentlib.arguments import faults
from agentlib.arguments.coercion import kinds_of, options
from agentlib.schema.signature import EMPTY

if TYPE_CHECKING:
    from agentlib.tools import Tool

_MISSING = frozenset(["missing", "missing_argument"])
_UNDECLARED = frozenset(["extra_forbidden", "unexpected_keyword_argument"])
_SAID_BY_SCHEMA = frozenset(
    [
        *("greater_than", "greater_than_equal", "less_than", "less_than_equal", "multiple_of"),
        *("string_too_short", "string_too_long", "string_pattern_mismatch"),
        *("too_short", "too_long", "enum", "literal_error", "int_from_float"),
    ]
)


def check_and_bind(given: dict[str, Any], tool: Tool) -> tuple[list[Any], dict[str, Any]]:
    """(positional, keyword) arguments; ToolCallError with every fault."""
    from pydantic import ValidationError

    model, text = _model(tool), json.dumps(given)
    found = faults.Faults(tool)
    _check_scalars(given, tool.parameters, tool.parameters, [], found)
    try:
        checked = model.model_validate_json(text, strict=True, extra="forbid")
    except ValidationError as error:
        for each in error.errors():
            _Located(given, found).add(each)
        found.refuse_if_any()
        checked = model.model_validate_json(text, strict=True)  # a model that takes any key
    found.refuse_if_any()
    return _bind(checked, tool)


def _model(tool: Tool) -> Any:
    if tool.validator is None:
        from agentlib.schema import signature_model
        from agentlib.schema.signature import read_parameters

        if tool.signature is None:
            tool.signature = read_parameters(tool.function)
        tool.validator = signature_model(tool.name, tool.signature)
    return tool.validator


def _bind(checked: Any, tool: Tool) -> tuple[list[Any], dict[str, Any]]:
    """Defaults stay the function's own, but positional-only ones have to be passed in order."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for index, each in enumerate(tool.signature or ()):
        field = f"p{index}"
        given = field in checked.model_fields_set
        if each.positional_only:
            args.append(getattr(checked, field) if given or each.in_field else each.default)
        elif given or each.in_field or each.default is EMPTY:
            kwargs[each.name] = getattr(checked, field)
    return args, kwargs


def _check_scalars(
    value: Any, schema: Any, root: dict[str, Any], path: list[Any], found: faults.Faults
) -> None:
    r"""What pydantic sees otherwise: a `\d` is ASCII, `$` the very end, true is not a number."""
    if isinstance(value, dict):
        for key, each in value.items():
            _check_scalars(each, faults.property_of(schema, key, root), root, [*path, key], found)
        return
    if isinstance(value, list):
        for index, each in enumerate(value):
            _check_scalars(each, faults.item_of(schema, index, root), root, [*path, index], found)
        return
    here = options(schema, root)
    if isinstance(value, str):
        pattern = here[0].get("pattern") if len(here) == 1 else None
        wrong = pattern is not None and not faults.matches(pattern, value)
    else:
        wrong = _is_confused(value, [kinds_of(each) for each in here])
    if wrong:
        found.wrong(path, schema, value)


def _is_confused(value: Any, kinds: list[set[str] | None]) -> bool:
    """True for a boolean where only numbers are allowed, and the other way round."""
    allowed = {kind for each in kinds if each is not None for kind in each}
    numbers = allowed & {"integer", "number"}
    if value is None or None in kinds or bool(numbers) == ("boolean" in allowed):
        return False
    return isinstance(value, bool) == bool(numbers)


class _Located:
    """Turns a pydantic error into a fault: its place in the value, and the schema there."""

    def __init__(self, given: dict[str, Any], found: faults.Faults) -> None:
        self.given, self.found, self.root = given, found, found.root

    def add(self, error: Any) -> None:
        """Add the fault; a key that some model of the place allows is none."""
        kind, loc = error["type"], list(error["loc"])
        if loc[-1:] == ["[key]"]:  # of a dict whose keys have a type of their own
            path, value, schema = self._walk(loc[:-2])
            self.found.wrong(path, schema, value, f"Its key {loc[-2]!r}: {error['msg']}")
            return
        last = loc.pop() if loc and kind in _MISSING | _UNDECLARED else ""
        path, value, schema = self._walk(loc)
        if isinstance(last, int):  # a tuple too short or too long
            self.found.wrong(path, schema, value)
        elif kind in _MISSING:
            self.found.missing([*path, last], faults.property_of(schema, last, self.root), value)
        elif kind in _UNDECLARED:
            here = [each for each in options(schema, self.root) if each.get("type") == "object"]
            # in a union of an open model and a closed one pydantic might pick the closed one
            if not all(each.get("additionalProperties") is True for each in here):
                names = [name for each in here for name in each.get("properties", ())]
                self.found.undeclared([*path, last], list(dict.fromkeys(names)))
        else:
            said = kind.endswith("_type") or kind in _SAID_BY_SCHEMA
            detail = "" if said else error["msg"].removeprefix("Value error, ")
            self.found.wrong(path, schema, value, detail)

    def _walk(self, loc: list[Any]) -> tuple[list[Any], Any, Any]:
        """Follows a location as far as the value goes; names of union members are skipped."""
        path, value, schema = [], self.given, self.root
        for part in loc:
            if isinstance(value, dict) and part in value:
                value, schema = value[part], faults.property_of(schema, part, self.root)
            elif isinstance(value, list) and isinstance(part, int) and part < len(value):
                value, schema = value[part], faults.item_of(schema, part, self.root)
            else:
                continue
            path.append(part)
        return path, value, schema
