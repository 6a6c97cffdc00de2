"""The protocol's published schema as validators, and small requests to try."""

import json
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

FILE = Path(__file__).parents[1] / "data" / "chat-completions.schema.json"


def translate(node):
    """OpenAPI's `nullable: true` as JSON Schema says it; everything else unchanged."""
    if isinstance(node, list):
        return [translate(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {key: translate(value) for key, value in node.items() if key != "nullable"}
    return {"anyOf": [made, {"type": "null"}]} if node.get("nullable") is True else made


@cache
def validator(name: str) -> Draft202012Validator:
    """For one of the components, as `CreateChatCompletionResponse`."""
    document = translate(json.loads(FILE.read_text("utf-8")))
    registry = Registry().with_resource("urn:chat", Resource(document, DRAFT202012))
    return Draft202012Validator({"$ref": f"urn:chat#/components/schemas/{name}"}, registry=registry)


def holds(name: str, value) -> None:
    """Assert that `value` is an instance of the component `name`."""
    errors = [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(value)]
    assert not errors, errors


def tool(name="get_weather", parameters=None, **more):
    if parameters is None:
        parameters = {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["city"],
        }
    function = {"name": name, "description": "Weather in a city.", "parameters": parameters}
    return {"type": "function", "function": {**function, **more}}


def user(text="What is the weather in Paris?"):
    return {"role": "user", "content": text}


def call(call_id="c1", name="get_weather", arguments='{"city": "Paris"}'):
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }


def calling(*calls, content=None):
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(call_id="c1", content="Sunny"):
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def request(*messages, **more):
    return {"model": "scripted-1", "messages": list(messages or [user()]), **more}
