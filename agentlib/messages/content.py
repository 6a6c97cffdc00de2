"""A message's content as the API takes it: text, or parts of the kinds that its role may send."""

from __future__ import annotations

from typing import Any

from agentlib.messages.providers import OPENAI, Profile
from agentlib.results import to_text

Message = dict[str, Any]
_TEXT: dict[str, type] = {"text": str}
_PARTS: dict[str, dict[str, type]] = {  # kinds of content part by role, and what each holds
    "user": {"text": str, "image_url": dict, "input_audio": dict, "file": dict},
    "assistant": {"text": str, "refusal": str},
    "tool": {"text": str, "image_url": dict},  # newer models take it: openai/openai-openapi#523
}
_NOTES = frozenset({"thinking", "redacted_thinking", "reasoning"})  # of another provider's model


def valid_content(messages: list[Message], profile: Profile = OPENAI) -> list[Message]:
    """After it: content is text, or parts of kinds the role may send; null only beside calls."""
    return [_with_content(m, profile) if is_known(m, profile) else m for m in messages]


def _with_content(message: Message, profile: Profile) -> Message:
    content = message.get("content")
    if content is None:
        new = profile.empty_content if message.get("tool_calls") else ""
    elif isinstance(content, list):
        new = _valid_parts(content, _PARTS.get(message["role"], _TEXT), profile)
    else:
        new = encodable(content if isinstance(content, str) else to_text(content))
    return message if new is content and "content" in message else {**message, "content": new}


def _valid_parts(content: list[Any], kinds: dict[str, type], profile: Profile) -> list[Any] | str:
    parts = [part for part in (_valid_part(p, kinds) for p in content) if part is not None]
    if profile.flat_content and all(part["type"] == "text" for part in parts):
        return "\n".join(part["text"] for part in parts)
    if not parts:
        return ""
    return content if same_objects(parts, content) else parts


def _valid_part(part: Any, kinds: dict[str, type]) -> Message | None:
    if part is None:
        return None
    if not isinstance(part, dict):
        return {"type": "text", "text": encodable(to_text(part))}
    kind = part.get("type")
    if isinstance(kind, str) and kind in _NOTES:
        return None
    if isinstance(kind, str) and isinstance(held := part.get(kind), kinds.get(kind, ())):
        same = not isinstance(held, str) or encodable(held) is held
        return part if same else {**part, kind: encodable(held)}
    text = part.get("text")
    return {"type": "text", "text": encodable(text if isinstance(text, str) else to_text(part))}


def encodable(text: str) -> str:
    """The text itself, or with `?` for half characters, which UTF-8 and so the wire can't carry."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def is_known(message: Message, profile: Profile) -> bool:
    """True when the message's role is one that the provider has."""
    role = message.get("role")
    return isinstance(role, str) and role in profile.fields


def same_objects(new: list[Any], old: list[Any]) -> bool:
    """True when both lists hold the very same objects."""
    return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))
