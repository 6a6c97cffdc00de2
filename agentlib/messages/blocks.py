"""Anthropic's way to write calls and results: blocks inside a message's content; there and back."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

Message = dict[str, Any]


def is_block(part: Any, kind: str) -> bool:
    """True for a content part of this type."""
    return isinstance(part, dict) and part.get("type") == kind


def to_blocks(messages: list[Message]) -> list[Message]:
    """After it: calls are `tool_use` blocks, and all results of a turn one user message of blocks.

    The system message stays in the list; the caller passes it on its own. Expects paired results
    and arguments that are JSON objects.
    """
    out: list[Message] = []
    for is_tool, group in groupby(messages, lambda m: m.get("role") == "tool"):
        if is_tool:
            out.append({"role": "user", "content": [_result_block(result) for result in group]})
        else:
            out += [
                _use_blocks(message) if "tool_calls" in message else message for message in group
            ]
    return out


def _result_block(result: Message) -> Message:
    kept = {"tool_use_id": result["tool_call_id"], "content": result["content"]}
    return {"type": "tool_result", **kept}


def _use_blocks(message: Message) -> Message:
    content = message["content"] or []
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    uses = [
        {
            "type": "tool_use",
            "id": call["id"],
            "name": call["function"]["name"],
            "input": json.loads(call["function"]["arguments"]),
        }
        for call in message["tool_calls"]
    ]
    return {"role": "assistant", "content": [*parts, *uses]}


def from_blocks(message: Message) -> list[Message]:
    """The message as Chat Completions writes it, its results apart; `[message]` without blocks."""
    content = message.get("content")
    if not isinstance(content, list):
        return [message]
    results = [result_of(part) for part in content if is_block(part, "tool_result")]
    calls = [_call_of(part) for part in content if is_block(part, "tool_use")]
    if not results and not calls:
        return [message]
    rest = [p for p in content if not is_block(p, "tool_result") and not is_block(p, "tool_use")]
    if calls:
        if isinstance(message.get("tool_calls"), list):
            calls = message["tool_calls"] + calls
        return [*results, {**message, "content": rest or None, "tool_calls": calls}]
    return [*results, {**message, "content": rest}] if rest else results


def result_of(part: Message) -> Message:
    """A `tool_result` part as a tool message of its own."""
    rest = {k: v for k, v in part.items() if k not in ("type", "tool_use_id")}
    if "tool_use_id" in part:
        rest.setdefault("tool_call_id", part["tool_use_id"])
    return {"role": "tool", **rest}


def _call_of(part: Message) -> Message:
    function = {"name": part.get("name"), "arguments": part.get("input")}
    return {"id": part.get("id"), "type": "function", "function": function}
