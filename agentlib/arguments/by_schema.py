"""Arguments against a JSON Schema written by hand: formats checked, draft 2020-12 unless named."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agentlib.arguments import faults

if TYPE_CHECKING:
    from agentlib.tools import Tool

_OPEN = {"allOf", "anyOf", "oneOf", "$ref", "if", "patternProperties", "additionalProperties"}
_OPEN |= {"unevaluatedProperties"}


def check_and_bind(given: dict[str, Any], tool: Tool) -> tuple[list[Any], dict[str, Any]]:
    """(positional, keyword) arguments; ToolCallError with every fault."""
    if tool.validator is None:
        tool.validator = make_validator(tool.parameters)
    found = faults.Faults(tool)
    for error in sorted(tool.validator.iter_errors(given), key=lambda each: str(each.path)):
        _add(error, found)
    found.refuse_if_any()
    return _bind(given, tool)


def make_validator(parameters: dict[str, Any]) -> Any:
    """The validator; keys the schema doesn't declare are refused unless it says otherwise.

    jsonschema.SchemaError: the schema itself is wrong.
    """
    from jsonschema import Draft202012Validator, FormatChecker, validators
    from referencing import Registry

    draft = validators.validator_for(parameters, default=Draft202012Validator)
    # no formats here: a pattern may be right for ECMAScript and unreadable for Python
    draft.check_schema(parameters, format_checker=FormatChecker(formats=()))
    if not _OPEN & parameters.keys():
        parameters = {**parameters, "additionalProperties": False}
    made = validators.extend(draft, {"pattern": _pattern})
    return made(  # an empty registry: a $ref to another machine is never fetched
        parameters, format_checker=draft.FORMAT_CHECKER, registry=Registry()
    )


def _pattern(validator: Any, value: str, instance: Any, schema: Any) -> Iterator[Any]:
    from jsonschema import ValidationError

    if isinstance(instance, str) and not faults.matches(value, instance):
        yield ValidationError(f"{instance!r} does not match {value!r}")


def _add(error: Any, found: faults.Faults) -> None:
    from jsonschema.exceptions import best_match

    nearest = best_match([error])
    if nearest is not error and (nearest.validator == "required" or len(nearest.path) > 0):
        error = nearest  # of a union's complaints the one that went deepest
    path, schema = list(error.absolute_path), error.schema
    declared = schema.get("properties", {}) if isinstance(schema, dict) else {}
    if error.validator == "required":
        for name in error.validator_value:
            if name not in error.instance:
                found.missing([*path, name], declared.get(name, {}), error.instance)
    elif error.validator == "additionalProperties" and error.validator_value is False:
        for name in error.instance:
            if name not in declared:
                found.undeclared([*path, name], list(declared))
    else:
        said = error.validator in faults.SAID or error.validator in ("anyOf", "oneOf")
        found.wrong(path, schema, error.instance, "" if said else faults.shorten(error.message))


def _bind(given: dict[str, Any], tool: Tool) -> tuple[list[Any], dict[str, Any]]:
    """Positional-only parameters by position; everything else by name."""
    try:
        parameters = inspect.signature(tool.function).parameters.values()
    except (ValueError, TypeError):  # a builtin without signature: by name
        return [], given
    given, args = dict(given), []
    for each in parameters:
        if each.kind is not inspect.Parameter.POSITIONAL_ONLY or each.name not in given:
            break
        args.append(given.pop(each.name))
    return args, given
