"""The referee's first look at `messages`: the shape of each message by itself."""

from __future__ import annotations

import re
from typing import Any

from agentlib.offline import refusals as no

ROLES = ("developer", "system", "user", "assistant", "tool", "function")
PARTS = {
    "text": "text",
    "image_url": "image_url",
    "input_audio": "input_audio",
    "file": "file",
    "refusal": "refusal",
}
MAX_CALLS = 128
MAX_ID = 64
MAX_NAME = 64
FUNCTION_NAME = r"^[a-zA-Z0-9_-]+$"
PERSON_NAME = r"^[^\s<|\\/>]+$"
_function_name = re.compile(r"[a-zA-Z0-9_-]+")
_person_name = re.compile(r"[^\s<|\\/>]+")
# An image is refused in these; in a tool message the sources disagree, so it passes there.
_NO_IMAGES = ("developer", "system", "assistant", "function")


def check_messages(messages: Any) -> None:
    """Every message has a known role and the fields its role needs; raises `Refusal`."""
    if not isinstance(messages, list):
        raise no.wrong_type("messages", "an array of objects", messages)
    if not messages:
        raise no.empty_array("messages")
    for i, message in enumerate(messages):
        if not _is_usual(message):
            _check_message(i, message)


def _is_usual(message: Any) -> bool:
    """True for the forms that nearly all of a long history has, told at a glance.

    False says nothing: `_check_message` decides. Only speed depends on this.
    """
    if type(message) is not dict or "name" in message or message.get("function_call"):
        return False
    role, content = message.get("role"), message.get("content")
    if role == "tool":
        call_id = message.get("tool_call_id")
        return type(content) is str and type(call_id) is str and len(call_id) <= MAX_ID
    if role == "assistant" and "tool_calls" in message:
        calls = message["tool_calls"]
        known = content is None or type(content) is str
        return known and type(calls) is list and len(calls) == 1 and _is_usual_call(calls[0])
    return type(content) is str and type(role) is str and role in ROLES


def _is_usual_call(call: Any) -> bool:
    function = call.get("function") if type(call) is dict else None
    if type(function) is not dict or call.get("type") != "function":
        return False
    call_id, name = call.get("id"), function.get("name")
    return (
        type(call_id) is str
        and len(call_id) <= MAX_ID
        and type(name) is str
        and len(name) <= MAX_NAME
        and type(function.get("arguments")) is str
        and _function_name.fullmatch(name) is not None
    )


def _check_message(i: int, message: Any) -> None:
    path = f"messages[{i}]"
    if not isinstance(message, dict):
        raise no.wrong_type(path, "an object", message)
    if "role" not in message:
        raise no.missing(f"{path}.role")
    role = message["role"]
    if role not in ROLES:
        raise no.Refusal(f"{role!r} is not one of {list(ROLES)} - 'messages.{i}.role'")
    if "content" not in message and role != "assistant":
        raise no.Refusal(f"'content' is a required property - 'messages.{i}'")
    _check_content(path, role, message.get("content"))
    _check_person_name(path, message.get("name"))
    if role == "assistant":
        if "tool_calls" in message:
            _check_calls(f"{path}.tool_calls", message["tool_calls"])
        if message.get("function_call") is not None:
            _check_function(f"{path}.function_call", message["function_call"])
    elif role == "tool" and message.get("tool_call_id") is not None:
        _check_id(f"{path}.tool_call_id", message["tool_call_id"])


def _check_content(path: str, role: str, content: Any) -> None:
    if content is None or isinstance(content, str):  # null is judged with the conversation
        return
    path = f"{path}.content"
    if not isinstance(content, list):
        raise no.wrong_type(path, "one of a string or an array of objects", content)
    if not content:
        raise no.empty_array(path)
    for j, part in enumerate(content):
        _check_part(f"{path}[{j}]", role, part)


def _check_part(path: str, role: str, part: Any) -> None:
    if not isinstance(part, dict):
        raise no.wrong_type(path, "an object", part)
    if "type" not in part:
        raise no.missing(f"{path}.type")
    kind = part["type"]
    if not isinstance(kind, str) or kind not in PARTS:
        raise no.bad_value(path, kind, tuple(PARTS))
    if kind == "image_url" and role in _NO_IMAGES:
        message = path.partition(".")[0]
        text = f"Invalid '{message}': image URLs are only allowed in messages with role 'user'."
        raise no.Refusal(text, message, "invalid_value")
    if PARTS[kind] not in part:
        raise no.missing(f"{path}.{PARTS[kind]}")
    wanted = str if kind in ("text", "refusal") else dict
    if not isinstance(part[kind], wanted):
        raise no.wrong_type(
            f"{path}.{kind}", "a string" if wanted is str else "an object", part[kind]
        )


def _check_person_name(path: str, name: Any) -> None:
    if name is None:
        return
    if not isinstance(name, str):
        raise no.wrong_type(f"{path}.name", "a string", name)
    if not _person_name.fullmatch(name):
        raise no.pattern_miss(f"{path}.name", PERSON_NAME)


def _check_calls(path: str, calls: Any) -> None:
    if not isinstance(calls, list):
        raise no.wrong_type(path, "an array of objects", calls)
    if not calls:
        raise no.empty_array(path)
    if len(calls) > MAX_CALLS:
        raise no.long_array(path, MAX_CALLS, len(calls))
    for j, call in enumerate(calls):
        _check_call(f"{path}[{j}]", call)


def _check_call(path: str, call: Any) -> None:
    if not isinstance(call, dict):
        raise no.wrong_type(path, "an object", call)
    for key in ("id", "type"):
        if key not in call:
            raise no.missing(f"{path}.{key}")
    _check_id(f"{path}.id", call["id"])
    kind = call["type"]
    if kind not in ("function", "custom"):
        raise no.bad_value(f"{path}.type", kind, ("function", "custom"))
    if kind not in call:
        raise no.missing(f"{path}.{kind}")
    _check_function(f"{path}.{kind}", call[kind], "input" if kind == "custom" else "arguments")


def _check_id(path: str, value: Any) -> None:
    if not isinstance(value, str):
        raise no.wrong_type(path, "a string", value)
    if len(value) > MAX_ID:
        raise no.long_string(path, MAX_ID, len(value))


def _check_function(path: str, function: Any, text_key: str = "arguments") -> None:
    if not isinstance(function, dict):
        raise no.wrong_type(path, "an object", function)
    for key in ("name", text_key):
        if key not in function:
            raise no.missing(f"{path}.{key}")
    check_function_name(f"{path}.name", function["name"])
    text = function[text_key]
    if not isinstance(text, str):
        raise no.wrong_type(f"{path}.{text_key}", "a string", text)


def check_function_name(path: str, name: Any) -> None:
    """1 to 64 letters, digits, `_` and `-`; raises `Refusal`."""
    if not isinstance(name, str):
        raise no.wrong_type(path, "a string", name)
    if not name:
        raise no.empty_string(path)
    if not _function_name.fullmatch(name):
        raise no.pattern_miss(path, FUNCTION_NAME)
    if len(name) > MAX_NAME:
        raise no.long_string(path, MAX_NAME, len(name))
