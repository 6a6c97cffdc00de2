"""Arguments against a JSON Schema written by hand: formats checked, draft 2020-12 unless named."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agentlib.arguments import faults

if TYPE_CHECKING:
    from agentlib.tools import Tool

_OPEN = {"allOf", "anyOf", "oneOf", "$ref", "if", "patternProperties", "additionalProperties"}
_OPEN |= {"unevaluatedProperties", "dependentSchemas", "not"}
_KEYS = {"required", "additionalProperties"}  # faults in the keys of an object
_COMPOSED = {"allOf", "if", "not", "dependentSchemas", "unevaluatedProperties"}


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
    parameters = _closed(parameters, everywhere=not _is_composed(parameters))
    if not _OPEN & parameters.keys():
        parameters = {**parameters, "additionalProperties": False}
    made = validators.extend(draft, {"pattern": _pattern})
    return made(  # an empty registry: a $ref to another machine is never fetched
        parameters, format_checker=draft.FORMAT_CHECKER, registry=Registry()
    )


def _closed(schema: Any, everywhere: bool) -> Any:
    """The schema with every object closed that lists its properties and doesn't say otherwise.

    everywhere: in the definitions, too. What is put together by `allOf` and the like stays open,
    for each part would refuse the other's keys.
    """
    if not isinstance(schema, dict):
        return schema
    has_keys = bool(schema.get("properties"))
    places = ["properties", "items", "prefixItems"]
    places += ["$defs", "definitions"] if everywhere else []
    places += [] if has_keys else ["anyOf", "oneOf"]
    out = dict(schema)
    for place in schema.keys() & places:
        inner = schema[place]
        if isinstance(inner, list):
            out[place] = [_closed(each, everywhere) for each in inner]
        elif place == "items":
            out[place] = _closed(inner, everywhere)
        elif isinstance(inner, dict):
            out[place] = {name: _closed(each, everywhere) for name, each in inner.items()}
    if has_keys and not _OPEN & schema.keys():
        out["additionalProperties"] = False
    return out


def _is_composed(node: Any) -> bool:
    if isinstance(node, list):
        return any(map(_is_composed, node))
    if not isinstance(node, dict):
        return False
    return bool(_COMPOSED & node.keys()) or any(map(_is_composed, node.values()))


def _pattern(validator: Any, value: str, instance: Any, schema: Any) -> Iterator[Any]:
    from jsonschema import ValidationError

    if isinstance(instance, str) and not faults.matches(value, instance):
        yield ValidationError(f"{instance!r} does not match {value!r}")


def _add(error: Any, found: faults.Faults) -> None:
    from jsonschema.exceptions import best_match

    nearest = best_match([error])
    if nearest is not error and (nearest.validator in _KEYS or len(nearest.path) > 0):
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
    first = [each for each in parameters if each.kind is inspect.Parameter.POSITIONAL_ONLY]
    while first and first[-1].name not in given:
        first.pop()
    for each in first:  # one that was left out before another takes its own default
        if each.name not in given and each.default is inspect.Parameter.empty:
            break
        args.append(given.pop(each.name, each.default))
    return args, given
