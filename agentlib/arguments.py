"""From what the model wrote to what the function gets."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NoReturn

from agentlib import faults
from agentlib.coercion import check_json, coerce, options, read_json
from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.signature import EMPTY

if TYPE_CHECKING:
    from agentlib.results import ToolCall
    from agentlib.tools import Tool

Fault = tuple[ErrorCategory, str]


def parse_arguments(call: ToolCall, tool: Tool) -> tuple[list[Any], dict[str, Any]]:
    """(positional, keyword) arguments for `tool.function`, as instances of its hinted types.

    ToolCallError (INVALID_ARGUMENT, or MISSING_ARGUMENT when nothing else is wrong): one message,
    a line for each fault.
    """
    given = _decode(call, tool)
    root = tool.parameters
    given = coerce(given, root, root, drop_nulls=tool.strict_sent)
    if tool.from_hints:
        return _by_hints(given, tool)
    found = list(_schema_faults(given, tool))
    if found:
        _refuse(tool, found)
    return _split(given, tool)


def _decode(call: ToolCall, tool: Tool) -> dict[str, Any]:
    """The JSON object; what is cut off is refused, never closed by guessing (it may be half)."""
    raw = call.arguments
    try:
        if isinstance(raw, str) and raw.strip() not in ("", "null"):
            value = read_json(raw)
        else:
            check_json(raw)
            value = raw if isinstance(raw, dict | list) else {} if not call.cut_off else None
    except ValueError as error:
        if call.cut_off:
            _refuse_cut_off(tool)
        _refuse_text(tool, _reason(error), raw)
    if call.cut_off and not (isinstance(raw, str) and isinstance(value, dict)):
        _refuse_cut_off(tool)
    if not isinstance(value, dict):
        _refuse_text(tool, "they are not a JSON object", raw)
    return value


def _reason(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        if error.msg == "Extra data":
            return f"the JSON ends at character {error.pos} and something follows"
        return f"{error.msg} at character {error.pos}"
    return str(error)


def _refuse_text(tool: Tool, reason: str, raw: Any) -> NoReturn:
    names = faults.show_names(tool.parameters.get("properties", {})) or "none"
    shown = raw if isinstance(raw, str) else faults.show(raw)
    raise ToolCallError(
        f"{tool.name}: the arguments must be one JSON object, and {reason}. "
        f"Parameters: {names}. You sent: {faults.show_name(shown)}",
        category=ErrorCategory.INVALID_ARGUMENT,
        code="invalid_json",
    )


def _refuse_cut_off(tool: Tool) -> NoReturn:
    raise ToolCallError(
        f"{tool.name}: the arguments were cut off at the length limit, so the call was not run. "
        "Send them again, shorter, or in several calls.",
        category=ErrorCategory.INVALID_ARGUMENT,
        code="cut_off",
    )


def _refuse(tool: Tool, found: Iterable[Fault]) -> NoReturn:
    found = list(dict.fromkeys(found))
    only_missing = all(category is ErrorCategory.MISSING_ARGUMENT for category, _ in found)
    raise ToolCallError(
        "\n".join(f"{tool.name}: {text}" for _, text in found),
        category=ErrorCategory.MISSING_ARGUMENT if only_missing else ErrorCategory.INVALID_ARGUMENT,
    )


def _by_hints(given: dict[str, Any], tool: Tool) -> tuple[list[Any], dict[str, Any]]:
    """By pydantic, as strict as JSON allows: a date is still a string there, an Enum its value."""
    from pydantic import ValidationError

    model, text = _model(tool), json.dumps(given)
    try:
        checked = model.model_validate_json(text, strict=True, extra="forbid")
    except ValidationError as error:
        found = [each for each in map(_Located(given, tool), error.errors()) if each]
        if found:
            _refuse(tool, found)
        checked = model.model_validate_json(text, strict=True)
    return _bind(checked, tool)


def _model(tool: Tool) -> Any:
    if tool.validator is None:
        from agentlib.schema import signature_model
        from agentlib.signature import read_parameters

        if tool.signature is None:
            tool.signature = read_parameters(tool.function)
        tool.validator = signature_model(tool.name, tool.signature)
    return tool.validator


def _bind(checked: Any, tool: Tool) -> tuple[list[Any], dict[str, Any]]:
    """Defaults stay the function's own, but one before a given positional-only has to be passed."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for index, each in enumerate(tool.signature or ()):
        field = f"p{index}"
        given = field in checked.model_fields_set
        value = getattr(checked, field)
        if each.positional_only:
            args.append(value if given else each.default)
        elif given or each.default is EMPTY:
            kwargs[each.name] = value
    return args, kwargs


class _Located:
    """Turns a pydantic error into a fault: its place in the value, and the schema there."""

    def __init__(self, given: dict[str, Any], tool: Tool) -> None:
        self.given, self.root = given, tool.parameters

    def __call__(self, error: dict[str, Any]) -> Fault | None:
        kind, loc = error["type"], list(error["loc"])
        last = loc.pop() if kind in ("missing", "extra_forbidden") and loc else None
        path, value, schema = self._walk(loc)
        if kind == "missing":
            name = faults.path_of([*path, last])
            inner = _property(schema, last, self.root)
            text = faults.missing(name, inner, self.root, value if isinstance(value, dict) else {})
            return ErrorCategory.MISSING_ARGUMENT, text
        if kind == "extra_forbidden":
            if any(each.get("additionalProperties") is True for each in options(schema, self.root)):
                return None
            names = [n for each in options(schema, self.root) for n in each.get("properties", ())]
            text = faults.undeclared(faults.path_of([*path, last]), names)
            return ErrorCategory.INVALID_ARGUMENT, text
        plain = kind.endswith("_type") or kind in _SAID_BY_SCHEMA
        text = faults.wrong(
            faults.path_of(path), schema, self.root, value, "" if plain else error["msg"]
        )
        return ErrorCategory.INVALID_ARGUMENT, text

    def _walk(self, loc: list[Any]) -> tuple[list[Any], Any, Any]:
        """Follows a location as far as value and schema go; names of union members are skipped."""
        path, value, schema = [], self.given, self.root
        for part in loc:
            if isinstance(value, dict) and part in value:
                value, schema = value[part], _property(schema, part, self.root)
            elif isinstance(value, list) and isinstance(part, int) and part < len(value):
                value, schema = value[part], _item(schema, part, self.root)
            else:
                continue
            path.append(part)
        return path, value, schema


_SAID_BY_SCHEMA = frozenset(
    ["greater_than", "greater_than_equal", "less_than", "less_than_equal", "multiple_of", "string_too_short", "string_too_long", "string_pattern_mismatch", "too_short", "too_long", "enum", "literal_error", "int_from_float", "none_required"]
)


def _property(schema: Any, name: Any, root: dict[str, Any]) -> Any:
    for each in options(schema, root):
        if name in each.get("properties", {}):
            return each["properties"][name]
    return next((each.get("additionalProperties") or {} for each in options(schema, root)), {})


def _item(schema: Any, index: int, root: dict[str, Any]) -> Any:
    for each in options(schema, root):
        if index < len(each.get("prefixItems", ())):
            return each["prefixItems"][index]
        if "items" in each:
            return each["items"]
    return {}


def _schema_faults(given: dict[str, Any], tool: Tool) -> Iterable[Fault]:
    """By jsonschema, for a schema written by hand."""
    root = tool.parameters
    validator = _validator(tool)
    if validator is not None:
        for error in sorted(validator.iter_errors(given), key=lambda e: list(map(str, e.path))):
            yield from _fault_of(error, root)


def _validator(tool: Tool) -> Any:
    if tool.validator is None:
        from agentlib.jsonschemas import make_validator

        tool.validator = make_validator(tool.parameters)
    return tool.validator


def _fault_of(error: Any, root: dict[str, Any]) -> Iterable[Fault]:
    path, schema = list(error.absolute_path), error.schema
    if error.validator == "required":
        for name in error.validator_value:
            if name not in error.instance:
                inner = _property(schema, name, root)
                text = faults.missing(faults.path_of([*path, name]), inner, root, error.instance)
                yield ErrorCategory.MISSING_ARGUMENT, text
    elif error.validator == "additionalProperties":
        declared = list(schema.get("properties", ()))
        for name in error.instance:
            if name not in declared:
                text = faults.undeclared(faults.path_of([*path, name]), declared)
                yield ErrorCategory.INVALID_ARGUMENT, text
    else:
        text = faults.wrong(faults.path_of(path) or "arguments", schema, root, error.instance)
        yield ErrorCategory.INVALID_ARGUMENT, text


def _split(given: dict[str, Any], tool: Tool) -> tuple[list[Any], dict[str, Any]]:
    """Positional-only parameters by position; a function without signature gets keywords."""
    try:
        parameters = inspect.signature(tool.function).parameters.values()
    except (ValueError, TypeError):
        return [], given
    given, args = dict(given), []
    for each in parameters:
        if each.kind is not inspect.Parameter.POSITIONAL_ONLY or each.name not in given:
            break
        args.append(given.pop(each.name))
    return args, given
