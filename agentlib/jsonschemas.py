"""A validator for JSON Schemas that somebody wrote by hand (draft 2020-12, formats checked)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_COMBINED = {"allOf", "anyOf", "oneOf", "$ref", "if", "patternProperties", "additionalProperties"}


def make_validator(parameters: dict[str, Any]) -> Any:
    """The validator; keys the schema doesn't declare are refused unless it says otherwise.

    jsonschema.SchemaError: the schema itself is wrong.
    """
    from jsonschema import Draft202012Validator, ValidationError, validators
    from referencing import Registry

    def pattern(validator: Any, value: str, instance: Any, schema: Any) -> Iterator[Any]:
        if validator.is_type(instance, "string") and not matches(value, instance):
            yield ValidationError(f"{instance!r} does not match {value!r}")

    Draft202012Validator.check_schema(parameters)
    if not _COMBINED & parameters.keys():
        parameters = {**parameters, "additionalProperties": False}
    made = validators.extend(Draft202012Validator, {"pattern": pattern})
    return made(  # an empty registry: a $ref to another machine is never fetched
        parameters, format_checker=Draft202012Validator.FORMAT_CHECKER, registry=Registry()
    )


def matches(pattern: str, text: str) -> bool:
    """JSON Schema's `pattern`: a search, where `$` is the end and not before a last newline.

    A pattern that only ECMAScript knows can't be checked here and matches.
    """
    try:
        return re.search(_dollar_is_end(pattern), text, re.ASCII) is not None
    except re.error:
        return True


def _dollar_is_end(pattern: str) -> str:
    r"""Python's `$` also matches before a trailing newline; `\Z` is what JSON Schema means."""
    return re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]|\$", lambda m: r"\Z" if m[0] == "$" else m[0], pattern)
