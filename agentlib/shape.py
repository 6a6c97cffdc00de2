"""The passes that give each message, alone, a shape the API takes: fields, content, calls."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from agentlib.providers import OPENAI, Profile
from agentlib.results import to_text
from agentlib.tools import NAME

Message = dict[str, Any]
_TEXT = {"text": str}
_PARTS: dict[str, dict[str, type]] = {  # content parts by role, and what each holds
    "user": {"text": str, "image_url": dict, "input_audio": dict, "file": dict},
    "assistant": {"text": str, "refusal": str},
}
_HIDDEN = frozenset({"thinking", "redacted_thinking", "reasoning"})  # another provider's notes
_UNFIT = re.compile(r"[\s<|\\/>]+")  # what the API's pattern for a message's `name` rules out


def modern_calls(messages: list[Message]) -> list[Message]:
    """After it: no `function_call` and no role `function`: they become calls and results."""
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
    """After it: `tool_calls` is absent, or its calls have type, valid name, JSON arguments."""
    return [_with_valid_calls(m, profile) if "tool_calls" in m else m for m in messages]


def _with_valid_calls(message: Message, profile: Profile) -> Message:
    calls = message["tool_calls"] if isinstance(message["tool_calls"], list) else []
    mended = [_valid_call(call, profile) for call in calls if isinstance(call, dict)]
    if message.get("role") != "assistant" or not mended:
        return {k: v for k, v in message.items() if k != "tool_calls"}
    if len(mended) == len(calls) and all(a is b for a, b in zip(mended, calls, strict=True)):
        return message
    return {**message, "tool_calls": mended}


def _valid_call(call: Message, profile: Profile) -> Message:
    if is_valid_call(call, profile):
        return call
    custom = call.get("custom")
    if isinstance(custom, dict):  # a custom tool's call: free text instead of arguments
        call = {
            "function": {"name": custom.get("name"), "arguments": {"input": custom.get("input")}},
            **call,
        }
    function = call.get("function")
    function = function if isinstance(function, dict) else call
    return {
        "id": call.get("id"),
        "type": "function",
        "function": {
            "name": valid_name(function.get("name")),
            "arguments": valid_arguments(function.get("arguments"), profile.object_arguments),
        },
    }


_CALL, _FUNCTION = {"id", "type", "function"}, {"name", "arguments"}


def is_valid_call(call: Any, profile: Profile) -> bool:
    """True when nothing but the id may need mending."""
    if type(call) is not dict or call.keys() != _CALL or call["type"] != "function":
        return False
    function = call["function"]
    if type(function) is not dict or function.keys() != _FUNCTION:
        return False
    arguments, name = function["arguments"], function["name"]
    return (
        type(name) is str
        and valid_name(name) == name
        and type(arguments) is str
        and is_json(arguments, profile.object_arguments)
    )


def valid_name(name: Any) -> str:
    """The called name with `_` for what the API refuses, 64 characters at most."""
    return _valid_name(name) if isinstance(name, str) else "unknown"


@lru_cache(maxsize=1024)
def _valid_name(name: str) -> str:
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
        return json.dumps({"value": json.loads(text)}, ensure_ascii=False)
    return json.dumps({"invalid_json": encodable(text)}, ensure_ascii=False)


def is_json(text: str, wants_object: bool) -> bool:
    """True when the text is JSON by the standard (no NaN), and an object where that is wanted."""
    parsed = _short_json(text) if len(text) <= 1_000 else _json_kind(text)
    return parsed == "object" or (parsed == "other" and not wants_object)


def _json_kind(text: str) -> str:
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):  # not JSON, a number of over 4,300 digits, too deep
        return "none"
    if encodable(text) != text:
        return "none"
    return "object" if isinstance(value, dict) else "other"


_short_json = lru_cache(maxsize=8_192)(_json_kind)  # the same history is sent again and again


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def known_fields(messages: list[Message], profile: Profile = OPENAI) -> list[Message]:
    """After it: a message has no field that the provider refuses, and a `name` fits the pattern.

    A refusal becomes the content. A message of a role that nobody knows stays as it is.
    """
    return [
        _known(m, fields) if (fields := profile.fields.get(str(m.get("role")))) else m
        for m in messages
    ]


def _known(message: Message, fields: frozenset[str]) -> Message:
    new = {k: v for k, v in message.items() if k in fields}
    refusal = message.get("refusal")
    if "audio" in new:
        new.pop("audio")
        if isinstance(audio := message["audio"], dict) and isinstance(audio.get("id"), str):
            new["audio"] = {"id": audio["id"]}
    if "name" in new and not has_valid_name(new):
        name = _UNFIT.sub("_", encodable(to_text(new.pop("name") or "")))[:64]
        new |= {"name": name} if name else {}
    if isinstance(refusal, str) and refusal and not new.get("content"):
        new["content"] = refusal
    return message if new == message else new


def has_valid_name(message: Message) -> bool:
    """True when the message's `name` is 1 to 64 characters without blanks and <|\\/>."""
    name = message["name"]
    return (
        isinstance(name, str)
        and 0 < len(name) <= 64
        and not _UNFIT.search(name)
        and encodable(name) == name
    )


def valid_content(messages: list[Message], profile: Profile = OPENAI) -> list[Message]:
    """After it: content is text or parts of the role's kinds; null only beside calls."""
    return [_with_content(m, profile) if str(m.get("role")) in FIELD_ROLES else m for m in messages]


FIELD_ROLES = frozenset(OPENAI.fields)


def _with_content(message: Message, profile: Profile) -> Message:
    content = message.get("content")
    if isinstance(content, list):
        new = _valid_parts(content, str(message.get("role")), profile)
    elif content is None:
        new = profile.empty_content if message.get("tool_calls") else ""
    else:
        new = encodable(to_text(content))
    if new is content and "content" in message:
        return message
    return (
        message
        if new == content and type(new) is type(content) and "content" in message
        else {**message, "content": new}
    )


def _valid_parts(content: list[Any], role: str, profile: Profile) -> list[Any] | str:
    kinds = _PARTS.get(role, _TEXT)
    parts = [_valid_part(part, kinds) for part in content]
    parts = [part for part in parts if part is not None]
    if not parts:
        return ""
    if profile.flat_content and all(part["type"] == "text" for part in parts):
        return "\n".join(part["text"] for part in parts)
    return parts


def _valid_part(part: Any, kinds: dict[str, type]) -> Message | None:
    if not isinstance(part, dict):
        return None if part is None else {"type": "text", "text": encodable(to_text(part))}
    kind = part.get("type")
    if kind in _HIDDEN:
        return None
    if kind == "image_url" and isinstance(part.get(kind), str):
        part = {"type": kind, kind: {"url": part[kind]}}
    if isinstance(kind, str) and kind in kinds and isinstance(part.get(kind), kinds[kind]):
        same = kinds[kind] is not str or encodable(part[kind]) == part[kind]
        return part if same else {**part, kind: encodable(part[kind])}
    text = part.get("text")
    return {"type": "text", "text": encodable(text if isinstance(text, str) else to_text(part))}


def encodable(text: str) -> str:
    """The text itself, or with `?` for half characters that UTF-8, so the wire, can't carry."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
