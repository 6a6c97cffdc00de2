"""Tools from a YAML file: each entry describes one HTTP API call."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentlib.loading import register_all
from agentlib.loading.env_secrets import find_literal, names_in, read_secret
from agentlib.loading.http_tool import HttpTool
from agentlib.loading.yaml_lines import YamlFile
from agentlib.tools import Tool

if TYPE_CHECKING:
    from agentlib.registry import ToolRegistry

TYPES = ["string", "integer", "number", "boolean", "array", "object"]
PLACE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_-]*)\}")
_TEXT = {"type": "string", "minLength": 1}
_WORDS = {"type": "array", "items": _TEXT}
_ENTRY: dict[str, Any] = {
    "type": "object",
    "required": ["name", "description", "url"],
    "additionalProperties": False,
    "properties": {
        "name": {
            "type": "string",
            "pattern": r"\A[A-Za-z0-9_-]{1,64}\Z",
            "$comment": "a name is text of 1 to 64 letters, digits, _ and -",
        },
        "description": _TEXT,
        "method": {"enum": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]},
        "url": {
            "type": "string",
            "pattern": r"\Ahttps?://[^/?#\s{}@\\]+(?:[/?][^\s\\#]*)?\Z",
            "$comment": "a url is complete, http(s)://host/path, without a login or a fragment; "
            "{placeholders} stand after the host",
        },
        "headers": {"type": "object", "additionalProperties": {"type": "string"}},
        "body": {"enum": ["json", "query"]},
        "parameters": {
            "type": "object",
            "additionalProperties": {
                "anyOf": [{"enum": TYPES}, {"type": "object"}],
                "$comment": f"a parameter is one of {', '.join(TYPES)}, or a JSON Schema; "
                "`required: false` and `default` make it optional",
            },
        },
        "timeout": {"type": "number", "exclusiveMinimum": 0},
        "permissions": _WORDS,
        "tags": _WORDS,
        "category": {"enum": ["search", "data", "action", "utility"]},
        "rate_limit": {"type": "string"},
        "repeatable": {"type": "boolean"},
        "confirm": {"type": ["boolean", "string"]},
    },
}
FILE = {
    "type": "object",
    "required": ["tools"],
    "additionalProperties": False,
    "properties": {"tools": {"type": "array", "minItems": 1, "items": _ENTRY}},
    "$comment": "the file is a mapping with the one key `tools`, a list of entries",
}


def from_yaml(
    source: str | Path, registry: ToolRegistry | None = None, *, allow: Collection[str] = ()
) -> list[Tool]:
    """The file's tools, registered when `registry` is given.

    source: a path, or the YAML text itself. allow: hosts ("127.0.0.1:8000") that may be called
    although they are not public. ValueError: every fault of the file with its line, or a name
    that is taken. Secrets stand in headers as `${NAME}` and are read from the environment.
    """
    file = YamlFile.read(source)
    file.check(FILE)
    tools = [_tool(file, index, entry, allow) for index, entry in enumerate(file.data["tools"])]
    names = [tool.name for tool in tools]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise file.error(("tools", index, "name"), f"the name {name!r} is used above")
    register_all(registry, tools, file.name)
    return tools


def _tool(file: YamlFile, index: int, entry: dict[str, Any], allow: Collection[str]) -> Tool:
    at = ("tools", index)
    _check_secrets(file, at, entry)
    parameters = _parameters(file, at, entry)
    method, timeout = entry.get("method", "GET"), float(entry.get("timeout", 10))
    reads = method in ("GET", "HEAD")
    request = HttpTool(
        name=entry["name"],
        method=method,
        url=entry["url"],
        headers=entry.get("headers", {}),
        body=entry.get("body", "json" if method in ("POST", "PUT", "PATCH") else "query"),
        defaults={k: p["default"] for k, p in parameters["properties"].items() if "default" in p},
        timeout=timeout,
        allow=frozenset(allow),
    )
    options = {k: entry[k] for k in ("permissions", "tags", "rate_limit") if k in entry}
    try:
        return Tool(
            name=entry["name"],
            description=entry["description"],
            parameters=parameters,
            function=_function(file, request),
            category=entry.get("category", "data" if reads else "action"),
            timeout=timeout + 1,  # the request's own time limit comes first and says more
            repeatable=entry.get("repeatable", reads),
            confirm=_question(entry.get("confirm", False)),
            **options,
        )
    except ValueError as error:  # of all that Tool checks only the rate is not checked above
        raise file.error((*at, "rate_limit"), str(error).rstrip(".")) from None


def _function(file: YamlFile, request: HttpTool) -> Callable[..., Any]:
    """`request.send` under the entry's own name, so that the registry tells the tools apart."""

    async def send(**arguments: Any) -> Any:
        return await request.send(arguments)

    send.__module__, send.__qualname__ = file.name, request.name
    return send


def _check_secrets(file: YamlFile, at: tuple[Any, ...], entry: dict[str, Any]) -> None:
    for key, value in entry.items():
        if key != "headers" and names_in(str(value)):
            raise file.error((*at, key), "${NAME} is read in headers only, where no model sees it")
    for header, value in entry.get("headers", {}).items():
        place = (*at, "headers", header)
        if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", header) or re.search(r"[\r\n]", value):
            raise file.error(place, "not a header")
        if header.casefold() in ("host", "content-length", "transfer-encoding"):
            raise file.error(place, "this header is set by the request itself")
        if find_literal(header, value):
            raise file.error(
                place, "a secret is written out here; write ${NAME} and set NAME in the environment"
            )
        for name in names_in(value):
            try:
                read_secret(name)
            except ValueError as error:
                raise file.error(place, str(error).rstrip(".")) from None


def _parameters(file: YamlFile, at: tuple[Any, ...], entry: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of the short form; every {placeholder} of the url is a required one."""
    from jsonschema import Draft202012Validator, SchemaError

    properties, required = {}, []
    for name, short in entry.get("parameters", {}).items():
        schema = {"type": short} if isinstance(short, str) else dict(short)
        needed = schema.pop("required", True) if _is_flag(schema) else True
        if needed and "default" not in schema:
            required.append(name)
        properties[name] = schema
        try:
            Draft202012Validator.check_schema(schema)
        except SchemaError as error:
            place = (*at, "parameters", name, *error.absolute_path)
            raise file.error(place, f"not a JSON Schema: {error.message}") from None
        if "default" in schema and not Draft202012Validator(schema).is_valid(schema["default"]):
            raise file.error((*at, "parameters", name), "the default breaks the parameter's rule")
    for name in PLACE.findall(entry["url"]):
        if name not in required and "default" not in properties.get(name, {}):
            raise file.error((*at, "url"), f"{{{name}}} needs a required parameter of that name")
    if re.search("[{}]", PLACE.sub("", entry["url"])):
        raise file.error((*at, "url"), "a brace without its other half or with no name in it")
    return {"type": "object", "properties": properties, "required": required}


def _is_flag(schema: dict[str, Any]) -> bool:
    return isinstance(schema.get("required"), bool)  # an object's own `required` is a list


def _question(confirm: bool | str) -> bool | Callable[..., str]:
    """True, False, or a function that puts the arguments into the question's {places}."""
    if isinstance(confirm, bool):
        return confirm
    return lambda **given: PLACE.sub(lambda m: str(given.get(m[1], m[0])), confirm)
