"""Results of one turn as one message, and back; trimming that keeps calls and results together."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from typing import Any

Message = dict[str, Any]


def plain_dicts(messages: Iterable[Any]) -> list[Message]:
    """After it: every message is a dict. The client's reply objects are turned into one.

    TypeError: something in the list is no message; says where.
    """
    if isinstance(messages, (str, bytes, dict)):
        raise TypeError(f"messages: a list of messages is wanted, not {type(messages).__name__}.")
    return [_as_dict(message, index) for index, message in enumerate(messages)]


def _as_dict(message: Any, index: int) -> Message:
    if isinstance(message, dict):
        calls = message.get("tool_calls")
        if not isinstance(calls, list) or not any(hasattr(c, "model_dump") for c in calls):
            return message
        return {**message, "tool_calls": [_dumped(call) for call in calls]}
    if hasattr(message, "model_dump"):
        return _dumped(message)
    raise TypeError(
        f"messages[{index}]: a message is a dict with a role, not {type(message).__name__}."
    )


def _dumped(value: Any) -> Any:
    dumps = hasattr(value, "model_dump")
    return value.model_dump(mode="json", exclude_unset=True) if dumps else value


def batch_tool_messages(messages: Iterable[Any]) -> list[Message]:
    """After it: no two tool messages stand side by side; each run of them became one batch.

    A batch is `{"role": "tool", "content": [{"type": "tool_result", "tool_call_id": …,
    "content": …}, …]}`: for display, counting and trimming. No OpenAI server takes it.
    """
    out: list[Message] = []
    for is_tool, group in groupby(plain_dicts(messages), lambda m: m.get("role") == "tool"):
        run = list(group)
        if is_tool and len(run) > 1:
            parts = [_part_of(result) for message in run for result in _results_in(message)]
            run = [{"role": "tool", "content": parts}]
        out += run
    return out


def unbatch_tool_messages(batched: Iterable[Any]) -> list[Message]:
    """After it: one tool message per result. Undoes `batch_tool_messages`.

    Takes Anthropic's `tool_use` and `tool_result` blocks apart as well.
    """
    out: list[Message] = []
    for message in plain_dicts(batched):
        out += _results_in(message) if message.get("role") == "tool" else _from_blocks(message)
    return out


def _part_of(result: Message) -> Message:
    return {"type": "tool_result", **{k: v for k, v in result.items() if k != "role"}}


def _is_block(part: Any, kind: str) -> bool:
    return isinstance(part, dict) and part.get("type") == kind


def _results_in(message: Message) -> list[Message]:
    content = message.get("content")
    if not isinstance(content, list) or not any(_is_block(p, "tool_result") for p in content):
        return [message]
    return [_result_of(part) for part in content if _is_block(part, "tool_result")]


def _result_of(part: Message) -> Message:
    rest = {k: v for k, v in part.items() if k not in ("type", "tool_use_id")}
    if "tool_use_id" in part:
        rest.setdefault("tool_call_id", part["tool_use_id"])
    return {"role": "tool", **rest}


def _from_blocks(message: Message) -> list[Message]:
    """An Anthropic-shaped message as Chat Completions writes it; any other comes back as it is."""
    content = message.get("content")
    if not isinstance(content, list):
        return [message]
    results = [_result_of(p) for p in content if _is_block(p, "tool_result")]
    calls = [_call_of(p) for p in content if _is_block(p, "tool_use")]
    if not results and not calls:
        return [message]
    rest = [p for p in content if not _is_block(p, "tool_result") and not _is_block(p, "tool_use")]
    if calls:
        calls = list(message.get("tool_calls") or ()) + calls
        return [*results, {**message, "content": rest or None, "tool_calls": calls}]
    return [*results, {**message, "content": rest}] if rest else results


def _call_of(part: Message) -> Message:
    function = {"name": part.get("name"), "arguments": part.get("input")}
    return {"id": part.get("id"), "type": "function", "function": function}


def to_blocks(messages: list[Message]) -> list[Message]:
    """After it: calls are `tool_use` blocks, and all results of a turn one user message of blocks.

    Anthropic's shape; the system message stays in the list, the caller passes it on its own.
    Expects paired results whose arguments are JSON objects.
    """
    out: list[Message] = []
    for is_tool, group in groupby(messages, lambda m: m.get("role") == "tool"):
        if is_tool:
            blocks = [_result_block(result) for result in group]
            out.append({"role": "user", "content": blocks})
        else:
            out += [_use_blocks(message) for message in group]
    return out


def _result_block(result: Message) -> Message:
    kept = {"tool_use_id": result["tool_call_id"], "content": result["content"]}
    return {"type": "tool_result", **kept}


def _use_blocks(message: Message) -> Message:
    calls = message.get("tool_calls")
    if not calls:
        return message
    content = message.get("content") or []
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    for call in calls:
        function = call["function"]
        use = {"name": function["name"], "input": json.loads(function["arguments"])}
        parts.append({"type": "tool_use", "id": call["id"], **use})
    return {"role": "assistant", "content": parts}


def trim_messages(messages: Iterable[Any], *, max_messages: int) -> list[Message]:
    """The system messages at the start and as many of the newest messages as fit, in order.

    max_messages counts the whole result, one per wire message. A turn's calls and results stay
    together: a turn that doesn't fit whole is left out. ValueError: max_messages below 1.
    """
    if max_messages < 1:
        raise ValueError(f"max_messages: at least 1, not {max_messages}.")
    all_messages = plain_dicts(messages)
    head = 0
    while head < len(all_messages) and all_messages[head].get("role") in ("system", "developer"):
        head += 1
    start = max(head, len(all_messages) - max(max_messages - head, 0))
    whole = _whole_turn_starts(all_messages)
    while start < len(all_messages) and not whole[start]:
        start += 1
    return all_messages[:head] + all_messages[start:]


def _whole_turn_starts(messages: list[Message]) -> list[bool]:
    """For each place, whether a cut before it parts no call from its result."""
    calls: dict[Any, int] = {}
    deepest = [0] * (len(messages) + 1)  # +1 where a pair opens, -1 where it has closed
    for index, message in enumerate(messages):
        for call_id in _call_ids(message):
            calls[call_id] = index
        for call_id in _result_ids(message):
            if call_id in calls:
                deepest[calls[call_id] + 1] += 1
                deepest[index + 1] -= 1
    out, open_pairs = [], 0
    for change in deepest[:-1]:
        open_pairs += change
        out.append(open_pairs == 0)
    return out


def _call_ids(message: Message) -> list[str]:
    calls = message.get("tool_calls")
    ids = [c.get("id") for c in calls if isinstance(c, dict)] if isinstance(calls, list) else []
    if isinstance(content := message.get("content"), list):
        ids += [part.get("id") for part in content if _is_block(part, "tool_use")]
    legacy = ["function_call"] if message.get("function_call") else []
    return [str(i) for i in ids] + legacy


def _result_ids(message: Message) -> list[str]:
    if message.get("role") == "function":
        return ["function_call"]
    results = [m for m in unbatch_tool_messages([message]) if m.get("role") == "tool"]
    return [str(result.get("tool_call_id")) for result in results]
