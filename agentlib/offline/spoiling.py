"""Ways to get a call's arguments wrong: each makes of good arguments a text that is not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from agentlib.offline.samples import type_of

Arguments = dict[str, Any]
Properties = dict[str, Any]
_WRONG = {
    "integer": "many",
    "number": "many",
    "boolean": "maybe",
    "array": "one, two",
    "object": "a thing",
}


def _text(arguments: Arguments) -> str:
    return json.dumps(arguments, ensure_ascii=False)


def _given(arguments: Arguments, properties: Properties, *kinds: str) -> Iterator[str]:
    return (name for name in arguments if not kinds or type_of(properties.get(name)) in kinds)


def not_json(arguments: Arguments, properties: Properties) -> str:
    return _text(arguments)[:-1] + ",}"  # the trailing comma of a Python or JavaScript habit


def array(arguments: Arguments, properties: Properties) -> str:
    return json.dumps(list(arguments.values()), ensure_ascii=False)


def missing(arguments: Arguments, properties: Properties, required: list[str]) -> str | None:
    name = next((name for name in arguments if name in required), None)
    if name is None:
        return None
    return _text({key: value for key, value in arguments.items() if key != name})


def extra(arguments: Arguments, properties: Properties) -> str:
    name = next(name for name in ("verbose", "options", "extra_") if name not in properties)
    return _text({**arguments, name: True})


def wrong_type(arguments: Arguments, properties: Properties) -> str | None:
    for name in arguments:
        kind = type_of(properties.get(name))
        if kind == "string":
            return _text({**arguments, name: [arguments[name]]})
        if kind in _WRONG:
            return _text({**arguments, name: _WRONG[kind]})
    return None


def string_for_integer(arguments: Arguments, properties: Properties) -> str | None:
    name = next(_given(arguments, properties, "integer", "number"), None)
    return name and _text({**arguments, name: str(arguments[name])})


def bool_for_integer(arguments: Arguments, properties: Properties) -> str | None:
    name = next(_given(arguments, properties, "integer", "number"), None)
    return name and _text({**arguments, name: True})


def not_a_number(arguments: Arguments, properties: Properties) -> str | None:
    name = next(_given(arguments, properties, "integer", "number"), None)
    return name and _text({**arguments, name: float("nan")})


def out_of_enum(arguments: Arguments, properties: Properties) -> str | None:
    for name in _given(arguments, properties, "string", "integer", "number"):
        if "enum" in properties[name]:
            other: Any = 999_999
            if type_of(properties[name]) == "string":
                other = "something_else"
            return _text({**arguments, name: other})
    return None


def pattern_miss(arguments: Arguments, properties: Properties) -> str | None:
    for name in _given(arguments, properties, "string"):
        pattern = properties[name].get("pattern")
        for other in ("12-34", "???", "") if isinstance(pattern, str) else ():
            if not re.search(pattern, other):
                return _text({**arguments, name: other})
    return None


KINDS: dict[str, Callable[..., str | None]] = {
    "not_json": not_json,
    "array": array,
    "missing": missing,
    "extra": extra,
    "wrong_type": wrong_type,
    "bool_for_integer": bool_for_integer,
    "out_of_enum": out_of_enum,
    "pattern_miss": pattern_miss,
    "not_a_number": not_a_number,
    "string_for_integer": string_for_integer,
}


def spoil(kind: str, text: str, parameters: Any) -> str | None:
    """`text` (good arguments) spoiled in the way `kind` names; None where that cannot be done."""
    arguments = json.loads(text)
    schema = parameters if isinstance(parameters, dict) else {}
    properties = schema.get("properties") or {}
    if kind == "missing":
        return missing(arguments, properties, schema.get("required") or [])
    return KINDS[kind](arguments, properties) or None
