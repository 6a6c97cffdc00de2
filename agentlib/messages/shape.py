"""The passes that look at one message alone: its fields and its calls; content.py has the third."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from agentlib.messages.content import encodable, is_known, same_objects
from agentlib.messages.providers import OPENAI, Profile
from agentlib.results import to_text
from agentlib.tools import NAME

Message = dict[str, Any]
_UNFIT = re.compile(r"[\s<|\\/>]+")  # what the API's pattern for a message's `name` rules out


def modern_calls(messages: list[Message]) -> list[Message]:
    """After it: `function_call` and the role `function` are gone; they are calls and results."""
    return [_modern(message) for message in messages]


def _modern(message: Message) -> Message:
    if message.get("role") == "function":
        return {**message, "role": "tool", "tool_call_id": ""}
    if "function_call" not in message:
        return message
    new = {k: v for k, v in message.items() if k != "function_call"}
    if isinstance(message["function_call"], dict) and not new.get("tool_calls"):
        new["tool_calls"] = [{"id": "", "type": "function", "function": message["function_call"]}]
    return new


def valid_calls(messages: list[Message], profile: Profile = OPENAI) -> list[Message]:
    """After it: `tool_calls` is absent, or its calls have type, a valid name, JSON arguments."""
    return [_with_valid_calls(m, profile) if "tool_calls" in m else m for m in messages]


def _with_valid_calls(message: Message, profile: Profile) -> Message:
    calls = message["tool_calls"] if isinstance(message["tool_calls"], list) else []
    mended = [_valid_call(call, profile) for call in calls if isinstance(call, dict)]
    if message.get("role") != "assistant" or not mended:
        return {k: v for k, v in message.items() if k != "tool_calls"}
    return message if same_objects(mended, calls) else {**message, "tool_calls": mended}


def _valid_call(call: Message, profile: Profile) -> Message:
    if is_valid_call(call, profile):
        return call
    function = call.get("function")
    if isinstance(custom := call.get("custom"), dict):  # a custom tool takes free text
        if not profile.object_arguments and all(isinstance(custom.get(k), str) for k in _CUSTOM):
            return call
        function = {"name": custom.get("name"), "arguments": {"input": custom.get("input")}}
    elif not isinstance(function, dict):
        function = call  # written flat, without its inner object
    return {
        "id": call.get("id"),
        "type": "function",
        "function": {
            "name": valid_name(function.get("name")),
            "arguments": valid_arguments(function.get("arguments"), profile.object_arguments),
        },
    }


_CUSTOM = ("name", "input")


def is_valid_call(call: Any, profile: Profile) -> bool:
    """True when nothing but the id may need mending."""
    if type(call) is not dict or len(call) != 3 or call.get("type") != "function":
        return False
    function = call.get("function")
    if "id" not in call or type(function) is not dict or len(function) != 2:
        return False
    name, text = function.get("name"), function.get("arguments")
    if type(name) is not str or type(text) is not str or _fitting_name(name) != name:
        return False
    return is_json(text, profile.object_arguments)


def valid_name(name: Any) -> str:
    """The called name itself, or with `_` for what the API refuses, 64 characters at most."""
    return _fitting_name(name) if isinstance(name, str) else "unknown"


@lru_cache(maxsize=1_024)
def _fitting_name(name: str) -> str:
    if NAME.fullmatch(name):
        return name
    return re.sub(r"[^A-Za-z0-9_-]", "_", name.strip())[:64] or "unknown"


def valid_arguments(arguments: Any, wants_object: bool = False) -> str:
    """Arguments as JSON text. What isn't JSON is kept, as the text under `invalid_json`."""
    if arguments is None or arguments == "":
        return "{}"
    text = arguments if isinstance(arguments, str) else to_text(arguments)
    if is_json(text, wants_object):
        return text
    if is_json(text, False):
        return json.dumps({"value": json.loads(text)})
    return json.dumps({"invalid_json": encodable(text)}, ensure_ascii=False)


def is_json(text: str, wants_object: bool) -> bool:
    """True when the text is JSON by the standard (no NaN), and an object where that is wanted."""
    kind = _short_json_kind(text) if len(text) <= 1_000 else _json_kind(text)
    return kind == "object" or (kind == "other" and not wants_object)


def _json_kind(text: str) -> str:
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):  # no JSON, a number of over 4,300 digits, too deep
        return "none"
    if encodable(text) is not text:
        return "none"
    return "object" if isinstance(value, dict) else "other"


_short_json_kind = lru_cache(maxsize=8_192)(_json_kind)  # the same history comes again and again


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def known_fields(messages: list[Message], profile: Profile = OPENAI) -> list[Message]:
    """After it: no message has a field that the provider refuses, and a `name` fits its pattern.

    A refusal becomes the content. A message of a role that nobody knows stays as it is.
    """
    return [_known(m, profile.fields[m["role"]]) if is_known(m, profile) else m for m in messages]


def _known(message: Message, fields: frozenset[str]) -> Message:
    if fields.issuperset(message) and "name" not in message and "audio" not in message:
        return message
    new = {k: v for k, v in message.items() if k in fields}
    if "tool_calls" in fields and not new.get("content") and message.get("refusal"):
        new["content"] = message["refusal"]
    if "audio" in new:
        audio = new.pop("audio")
        if isinstance(audio, dict) and isinstance(audio.get("id"), str):
            new["audio"] = {"id": audio["id"]}
    if "name" in new:
        name = new.pop("name")
        if name and isinstance(name, str):
            new["name"] = _UNFIT.sub("_", encodable(name))[:64]
    return message if new == message else new
